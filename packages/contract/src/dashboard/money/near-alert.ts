/** Alerts that may be the payment of an intent: those that fit it, and those that come near. */
import { type Static, Type } from 'typebox'
import { factDifferences, plainDifferences } from '../../kinds.ts'
import { amount, id, oneOf, timestamp } from '../../scalars.ts'

const facts = Type.Record(Type.String(), Type.String(), { description: 'The values that a sentence about it needs.' })

export const Difference = Type.Object(
  {
    code: oneOf([...factDifferences, ...plainDifferences], 'What keeps this alert from being the payment.'),
    facts,
  },
  {
    additionalProperties: false,
    description:
      '`amount`, `reference`, `payer`, `currency`: `expected` and `arrived`. `time`: `seconds` from the creation of the intent to ' +
      'the alert: below zero, because the alert came more than a day earlier. `taken`: the `intent` that it resolved.',
  },
)
export type Difference = Static<typeof Difference>

export const NearAlert = Type.Object(
  {
    id: id('Identifier of the alert.'),
    sender: Type.String(),
    amount: Type.Union([amount('What arrived.'), Type.Null()], { description: 'Null when it could not be read.' }),
    currency: Type.Union([Type.String(), Type.Null()]),
    reference: Type.String({ description: '`""` when it had none.' }),
    text: Type.String({ description: 'Its text.' }),
    state: Type.String({ description: 'Such as `waiting`, `review`, `held`, `unread`.' }),
    received_at: timestamp('When it reached the service.'),
    differs: Type.Array(Difference, { description: 'How it differs from what was expected.' }),
  },
  { additionalProperties: false, description: 'An alert of the same wallet that may be the payment.' },
)
export type NearAlert = Static<typeof NearAlert>

export const FittingAlert = Type.Object(
  {
    id: id('Identifier of the alert.'),
    amount: amount('What arrived.'),
    currency: Type.String(),
    reference: Type.String({ description: '`""` when it had none.' }),
    payer: Type.String({ description: '`""` when the message shows none.' }),
    sender: Type.String(),
    received_at: timestamp('When it reached the service.'),
  },
  {
    additionalProperties: false,
    description: 'Unmatched money of the same wallet and the same amount, in its window.',
  },
)
export type FittingAlert = Static<typeof FittingAlert>
