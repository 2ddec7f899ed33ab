/** A replay: a time range of events that is sent again, and its progress. */
import { Type } from 'typebox'
import { id, oneOf, timestampOrNull } from '../../scalars.ts'
import { closed, flag, whole } from '../../schema.ts'
import { EventKind } from '../event-kind.ts'

export const Replay = closed('A range of events, sent again.', {
  id: id('Identifier of the replay.'),
  from: timestampOrNull('Events from here.'),
  until: timestampOrNull('To here.'),
  kinds: Type.Array(EventKind),
  only_undelivered: Type.Boolean(),
  state: oneOf(['running', 'stopped', 'done'], 'Its progress.'),
  total: whole('How many it found.'),
  more: flag('There are more than were counted.'),
  done: whole('How many were queued again so far.'),
  created_at: timestampOrNull('When it was begun.'),
  ended_at: timestampOrNull('When it reached its end.'),
})
