/** The claimed payer of an intent: evidence, never proof. */
import { type Static, Type } from 'typebox'
import { withDefault } from '../../body.ts'
import { oneOf } from '../../scalars.ts'

export const Payer = Type.Object(
  {
    name: Type.String({ description: 'The name; `""`: not known.' }),
    phone: Type.String({ description: 'The number of the wallet that pays; `""`: not known.' }),
  },
  { additionalProperties: false, description: 'The claimed payer.' },
)
export type Payer = Static<typeof Payer>

export const ClaimedPayer = Type.Object(
  {
    ...Payer.properties,
    source: oneOf(
      ['member', 'checkout', 'buyer'],
      '`member`: a member, in the dashboard. `checkout`: the customer that your server sent. `buyer`: the buyer, on the checkout page.',
    ),
  },
  { additionalProperties: false, description: 'The claimed payer, and who claimed it.' },
)
export type ClaimedPayer = Static<typeof ClaimedPayer>

const payerName = Type.String({ maxLength: 100, description: 'The name of the payer, as their wallet has it.' })
const payerPhone = Type.String({
  format: 'payer-phone',
  maxLength: 32,
  description: 'The number of the wallet that pays: digits of any script, spaces, a country code.',
})

export const PayerBody = Type.Object(
  { name: withDefault(payerName, ''), phone: withDefault(payerPhone, '') },
  { description: 'Who pays. Both empty: the claim is removed.' },
)

/** The same in the body that creates an intent. */
export const NewPayer = Type.Object({
  payer_name: withDefault(payerName, ''),
  payer_phone: withDefault(payerPhone, ''),
})
