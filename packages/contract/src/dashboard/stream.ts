/** The live stream: hints of what changed, so that a screen knows what to fetch again. A hint contains no data. */
import { type Static, Type } from 'typebox'
import { objectKinds } from '../kinds.ts'
import { operation } from '../operation.ts'
import { oneOf } from '../scalars.ts'
import { unbuffered } from './answer-headers.ts'

export const ObjectKind = oneOf(objectKinds, 'What kind of thing it is.')
export type ObjectKind = Static<typeof ObjectKind>

export const openStream = operation({
  id: 'openStream',
  method: 'GET',
  path: '/stream/',
  access: 'overview.read',
  tag: 'Live',
  summary: 'Hints at changes, as they happen (server-sent events)',
  description:
    'Each event is a hint, `{"kind": "intent", "id": "…"}`: something of that kind changed in your account, and your role ' +
    'may read it. The other calls answer what it is now. The same hint may come twice. `event: reset` means that hints ' +
    'may have been missed: fetch everything that you show. After a break, send `Last-Event-ID` (browsers do by ' +
    'themselves): what came since is repeated, or `reset` is sent. A comment comes every 20 seconds. The stream ends when ' +
    'your session or your membership ends. When your role changes, it sends the hints that the new role may read. A client ' +
    'that does not read is disconnected.',
  query: {
    after: {
      description:
        'As `Last-Event-ID`, for clients that cannot send it yet: what came since is sent first. The current id is the ' +
        '`Last-Event-ID` that `HEAD` answers.',
      schema: Type.String({ maxLength: 64 }),
    },
  },
  headers: {
    'Last-Event-ID': {
      description: 'The last id that was received, after an interruption.',
      schema: Type.String({ maxLength: 64 }),
    },
  },
  refusals: { 503: 'This node is about to stop. Connect again, and another node answers.' },
  answerTypes: ['text/event-stream'],
  answerHeaders: unbuffered,
})

export const streamOperations = [openStream]
