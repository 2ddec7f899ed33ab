/** One alert of the queue, one of the intents it may belong to, and all that is known of an alert, as they are answered. */
import type { Answer } from '../../api/call.ts'

export type QueueAlert = Answer<'listUnmatched'>['results'][number]
export type WholeAlert = Answer<'showAlert'>
export type Likely = QueueAlert['likely'][number]

/** Money that no order was paid with: a person may book it. */
export const isBookable = ({ state, amount, direction }: QueueAlert): boolean =>
  amount !== null && direction !== 'debit' && (state === 'waiting' || state === 'review' || state === 'wrong_amount')
