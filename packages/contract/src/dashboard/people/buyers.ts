/** What an account keeps of a buyer, found and erased by phone number, for owners. */
import { type Static, Type } from 'typebox'
import { buyerKinds } from '../../buyer-kinds.ts'
import { operationsOf } from '../../operation.ts'
import { oneOf, timestampOrNull } from '../../scalars.ts'
import { body, closed, orNull } from '../../schema.ts'

const count = (description: string) => Type.Integer({ minimum: 0, description })

const Found = closed('One kind. The texts themselves are never shown here.', {
  kind: oneOf(buyerKinds, 'Where the number stands.'),
  found: count('Rows that hold the number.'),
  erased: count('Those that this call has erased; 0 when it only looked.'),
  waiting: count('Those that stay because a member must still decide about the money.'),
  recent: count('Those that stay because new messages are still compared with them: 45 days.'),
  fixed: count('Those that stay until the time of their kind is over, such as entries of the audit log.'),
  unclear: count('Rows with a number of which digits are hidden, which may be this one. They are left as they are.'),
  oldest: timestampOrNull('When the oldest of the rows with the number was made; null: none, or not known.'),
  newest: timestampOrNull('The same of the newest.'),
})

export const BuyerStep = closed('One step: a bounded number of rows.', {
  found: Type.Array(Found, { description: 'Every kind, in a fixed order, of the rows that this call looked at.' }),
  looked_at: count('How many rows this call looked at.'),
  cursor: orNull(
    Type.String(),
    'To be sent with the next call, which goes on from here. Null: everything was looked at.',
  ),
})
export type BuyerStep = Static<typeof BuyerStep>

export const BuyerSearch = body('The number, and where to go on.', {
  phone: Type.String({ minLength: 1, maxLength: 40, description: 'A mobile number of Yemen, in any usual form.' }),
  cursor: Type.Optional(Type.String({ maxLength: 400, description: 'Where the step before ended. Left out: begin.' })),
})

const operation = operationsOf({ tag: 'Retention', access: 'retention.write' })

export const findBuyer = operation({
  id: 'findBuyer',
  method: 'POST',
  path: '/buyers/find/',
  summary: 'Where the number of a buyer stands, one step',
  description:
    'Counts and changes nothing. Repeat it with the `cursor` of the answer until that is null, and add up the counts.',
  body: BuyerSearch,
  example: { phone: '+967 777 000 111' },
  answer: BuyerStep,
})

export const eraseBuyer = operation({
  id: 'eraseBuyer',
  method: 'POST',
  path: '/buyers/erase/',
  proof: 'always',
  summary: 'Erase the number of a buyer, one step',
  description:
    'Repeat it with the `cursor` of the answer until that is null. What was erased does not come back. Amounts, references and totals ' +
    'stay. A call without a cursor begins again, and finds nothing more to do where it has been.',
  body: BuyerSearch,
  example: { phone: '+967 777 000 111' },
  answer: BuyerStep,
})

export const buyerOperations = operation.described
