/** A range of events that is sent again: what it holds, and how far it is. */
import { Type } from 'typebox'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { EventKind } from '../event-kind.ts'

const when = (description: string) => Type.Union([timestamp(description), Type.Null()])

export const Replay = Type.Object(
  {
    id: id('Identifier of the replay.'),
    from: when('Events from here.'),
    until: when('To here.'),
    kinds: Type.Array(EventKind),
    only_undelivered: Type.Boolean(),
    state: oneOf(['running', 'stopped', 'done'], 'Where it stands.'),
    total: Type.Integer({ description: 'How many it found.' }),
    more: Type.Boolean({ description: 'There are more than were counted.' }),
    done: Type.Integer({ description: 'How many are back in the queue.' }),
    created_at: when('When it was begun.'),
    ended_at: when('When it reached its end.'),
  },
  { additionalProperties: false, description: 'A range of events, sent again.' },
)
