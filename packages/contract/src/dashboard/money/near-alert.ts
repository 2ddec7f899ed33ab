/** Alerts that may be the payment of an intent: those that fit it, and those that come near. */
import { type Static, Type } from 'typebox'
import { factDifferences, plainDifferences } from '../../kinds.ts'
import { amount, id, oneOf, timestamp } from '../../scalars.ts'
import { closed, orNull, text } from '../../schema.ts'

const facts = Type.Record(Type.String(), Type.String(), { description: 'The values that a sentence about it needs.' })

export const Difference = closed(
  '`amount`, `reference`, `payer`, `currency`: `expected` and `arrived`. `time`: `seconds` from the creation of the intent to ' +
    'the alert: below zero, because the alert came more than a day earlier. `taken`: the `intent` that it resolved.',
  {
    code: oneOf([...factDifferences, ...plainDifferences], 'What keeps this alert from being the payment.'),
    facts,
  },
)

export const NearAlert = closed('An alert of the same wallet that may be the payment.', {
  id: id('Identifier of the alert.'),
  sender: Type.String(),
  amount: orNull(amount('What arrived.'), 'Null when it could not be read.'),
  currency: orNull(Type.String()),
  reference: text('`""` when it had none.'),
  text: text('Its text.'),
  state: text('Such as `waiting`, `review`, `held`, `unread`.'),
  received_at: timestamp('When it reached the service.'),
  differs: Type.Array(Difference, { description: 'How it differs from what was expected.' }),
})
export type NearAlert = Static<typeof NearAlert>

export const FittingAlert = closed('Unmatched money of the same wallet and the same amount, in its window.', {
  id: id('Identifier of the alert.'),
  amount: amount('What arrived.'),
  currency: Type.String(),
  reference: text('`""` when it had none.'),
  payer: text('`""` when the message shows none.'),
  sender: Type.String(),
  received_at: timestamp('When it reached the service.'),
})
