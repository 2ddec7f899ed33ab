/** The kind of an event, as calls of the dashboard take and answer it. */
import { eventKinds } from '../kinds.ts'
import { oneOf } from '../scalars.ts'

export const EventKind = oneOf(eventKinds, 'What happened. `payment.received` is an event of the testing wallet.')
