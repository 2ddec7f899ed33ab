/** The claimed payer of an intent: evidence, never proof. */
import { Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { oneOf } from '../../scalars.ts'
import { body, closed, text } from '../../schema.ts'

export const Payer = closed('The claimed payer.', {
  name: text('The name; `""`: not known.'),
  phone: text('The number of the wallet that pays; `""`: not known.'),
})

export const ClaimedPayer = closed('The claimed payer, and who claimed it.', {
  ...Payer.properties,
  source: oneOf(
    ['member', 'checkout', 'buyer'],
    '`member`: a member, in the dashboard. `checkout`: the customer that your server sent. `buyer`: the buyer, on the checkout page.',
  ),
})

const payerName = Type.String({ maxLength: 100, description: 'The name of the payer, as their wallet has it.' })
const payerPhone = Type.String({
  format: 'payer-phone',
  maxLength: 32,
  description: 'The number of the wallet that pays: digits of any script, spaces, a country code.',
})

export const PayerBody = body('Who pays. Both empty: the claim is removed.', {
  name: withDefault(payerName, ''),
  phone: withDefault(payerPhone, ''),
})

/** The same in the body that creates an intent. */
export const NewPayer = Type.Object({
  payer_name: withDefault(payerName, ''),
  payer_phone: withDefault(payerPhone, ''),
})
