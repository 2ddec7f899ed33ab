/** What merchants are told of. */
import { oneOf } from '../scalars.ts'

export const EventKind = oneOf(
  ['payment.verified', 'payment.unmatched', 'payment.received'],
  'What happened. `payment.received` is of the testing wallet.',
)
