/** The API types of the queue: an alert, a likely intent, and an alert with all details. */
import type { Answer } from '../../api/call.ts'

export type QueueAlert = Answer<'listUnmatched'>['results'][number]
export type WholeAlert = Answer<'showAlert'>
export type Likely = QueueAlert['likely'][number]

/** Money that has paid no order: it can be booked. */
export const isBookable = ({ state, amount, direction }: QueueAlert): boolean =>
  amount !== null && direction !== 'debit' && (state === 'waiting' || state === 'review' || state === 'wrong_amount')
