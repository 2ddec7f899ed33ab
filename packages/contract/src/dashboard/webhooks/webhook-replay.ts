/** Sending a stretch of events again: what is asked for, and how far it is. */
import { Type } from 'typebox'
import { sentInstant, withDefault } from '../../body.ts'
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

/** At least one. */
export const sentKinds = Type.Array(EventKind, { minItems: 1, maxItems: 30, 'x-distinct': true })

export const ReplayRange = Type.Object({
  from: sentInstant('From when; at most 30 days ago.'),
  until: Type.Optional(sentInstant('To when; left out: now.')),
  kinds: Type.Optional(sentKinds),
  only_undelivered: withDefault(Type.Boolean({ description: 'Only what never arrived.' }), false),
})
