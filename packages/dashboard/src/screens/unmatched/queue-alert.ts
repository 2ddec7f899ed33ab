/** One alert of the queue, and one of the intents it may belong to, as they are answered. */
import type { Answer } from '../../api/call.ts'

export type QueueAlert = Answer<'listUnmatched'>['results'][number]
export type Likely = QueueAlert['likely'][number]
