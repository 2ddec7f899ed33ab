/** A replay: a time range of events that is sent again, and its progress. */
import { Type } from 'typebox'
import { id, oneOf, timestampOrNull } from '../../scalars.ts'
import { EventKind } from '../event-kind.ts'

export const Replay = Type.Object(
  {
    id: id('Identifier of the replay.'),
    from: timestampOrNull('Events from here.'),
    until: timestampOrNull('To here.'),
    kinds: Type.Array(EventKind),
    only_undelivered: Type.Boolean(),
    state: oneOf(['running', 'stopped', 'done'], 'Its progress.'),
    total: Type.Integer({ description: 'How many it found.' }),
    more: Type.Boolean({ description: 'There are more than were counted.' }),
    done: Type.Integer({ description: 'How many were queued again so far.' }),
    created_at: timestampOrNull('When it was begun.'),
    ended_at: timestampOrNull('When it reached its end.'),
  },
  { additionalProperties: false, description: 'A range of events, sent again.' },
)
