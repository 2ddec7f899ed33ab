/** For how long an account keeps what is not needed for ever, which an owner sets. */
import { type Static, Type } from 'typebox'
import { retentionKinds } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { oneOf } from '../../scalars.ts'
import { body, closed, orNull } from '../../schema.ts'

const days = (description: string) => Type.Integer({ minimum: 1, maximum: 36_500, description })

const Kept = closed('One kind, with its time.', {
  kind: oneOf(retentionKinds, 'What is kept.'),
  days: orNull(days('What the owner has set.'), 'What an owner has set; null: as the service says.'),
  usual_days: days('What the service says.'),
  least_days: days('The shortest time that can be set.'),
  most_days: days('The longest time that can be set.'),
})

export const Retention = closed('For how many days each kind is kept. What is older is erased for ever.', {
  kept: Type.Array(Kept, { description: 'Every kind, in a fixed order.' }),
})
export type Retention = Static<typeof Retention>

const sent = (description: string) => Type.Optional(orNull(Type.Integer({ minimum: 1, maximum: 36_500 }), description))

export const RetentionChanges = body('Days to change; null: as the service says; what is left out stays.', {
  texts: sent('Texts of messages about money, and the payers that they name.'),
  no_money: sent('Messages that are not read as money.'),
  payers: sent('Names and phones that were claimed for payments or sent with checkouts.'),
  api_calls: sent('The log of API calls.'),
  audit: sent('The audit log.'),
})

const operation = operationsOf({ tag: 'Retention', access: 'retention.write' })

export const showRetention = operation({
  id: 'showRetention',
  method: 'GET',
  path: '/retention/',
  summary: 'For how long the account keeps texts, payers, calls and the audit log',
  answer: Retention,
})

export const changeRetention = operation({
  id: 'changeRetention',
  method: 'PATCH',
  path: '/retention/',
  proof: 'always',
  summary: 'Change for how long it is kept',
  description:
    'A change needs a proof of the person: what is erased does not come back. Amounts, references and totals are never erased by age.',
  body: RetentionChanges,
  example: { texts: 365 },
  answer: Retention,
})

export const retentionOperations = operation.described
