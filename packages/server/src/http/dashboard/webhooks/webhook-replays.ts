/** `/webhooks/{id}/replays/`: counts, starts, shows, stops and resumes replays of a range of time. Times are in the zone of the account. */

import * as operations from '@sanad/contract/dashboard/webhooks/replay-calls'
import type { Instant } from '../../../core/clock.ts'
import type { EndpointId } from '../../../core/ids.ts'
import {
  countReplay,
  findReplay,
  type Range,
  type Replay,
  replaysOf,
  resumeReplay,
  startReplay,
  stopReplay,
} from '../../../webhooks/log/replay-events.ts'
import type { ReadBody } from '../../body/schema-reader.ts'
import type { Reads } from '../../routes/route.ts'
import { accepted } from '../refusals.ts'
import { type Call, change, type Route, route } from '../route.ts'
import { replayAnswer } from './webhook-answers.ts'
import { endpointIn, type WebhookDeps } from './webhook-endpoints.ts'

const rangeOf = (
  { from, until, kinds, only_undelivered }: ReadBody<typeof operations.startReplay.body>,
  now: Instant,
): Range => ({
  from,
  until: until ?? now + 1,
  kinds,
  undelivered: only_undelivered,
})

export const replayRoutes = (deps: WebhookDeps): Route[] => {
  const { db, settings } = deps
  return [
    route(operations.listReplays, endpointIn(deps), async (call, { id }) => {
      const replays = await replaysOf(db, call.member.scope, id)
      const zone = await call.zone()
      return { results: replays.map((replay) => replayAnswer(replay, zone)) }
    }),
    route(operations.countReplay, endpointIn(deps), async (call, endpoint) => {
      const { member, now } = call
      const range = rangeOf(call.body, now)
      return accepted(await countReplay(db, member.scope, endpoint, range, settings, now))
    }),
    route(operations.startReplay, endpointIn(deps), async (call, endpoint) => {
      const { member, now } = call
      const range = rangeOf(call.body, now)
      const zone = await call.zone()
      const replay = await change(deps, call, async (tx, audit) => {
        const started = accepted(await startReplay(tx, member.scope, endpoint, range, settings, now))
        const { id, from, until, kinds, only_undelivered, total } = replayAnswer(started, zone)
        const after = { replay: id, from, until, kinds, only_undelivered, total }
        audit({ action: 'webhook.replay', kind: 'webhook', id: endpoint.id, after })
        return started
      })
      return replayAnswer(replay, zone)
    }),
    route(operations.showReplay, endpointIn(deps), async (call, { id }) => {
      const replay = accepted(await findReplay(db, call.member.scope, id, call.path.replay))
      return replayAnswer(replay, await call.zone())
    }),
    route(operations.stopReplay, endpointIn(deps), (call, { id }) =>
      stopOrResume(deps, call, id, 'webhook.replay_stop', stopReplay),
    ),
    route(operations.resumeReplay, endpointIn(deps), (call, { id }) =>
      stopOrResume(deps, call, id, 'webhook.replay_resume', resumeReplay),
    ),
  ]
}

/** Stops or resumes a replay. If it is already in that state, nothing changes and no audit entry is written. */
const stopOrResume = async (
  deps: WebhookDeps,
  call: Call & Pick<Reads<typeof operations.stopReplay>, 'path'>,
  endpointId: EndpointId,
  action: string,
  verb: typeof resumeReplay | typeof stopReplay,
) => {
  const { member, now } = call
  const id = call.path.replay
  const auditValues = ({ state, done }: Replay) => ({ replay: id, state, done })
  const replay = await change(deps, call, async (db, audit) => {
    const before = accepted(await findReplay(db, member.scope, endpointId, id))
    const after = accepted(await verb(db, member.scope, endpointId, id, now))
    if (after.state !== before.state)
      audit({ action, kind: 'webhook', id: endpointId, before: auditValues(before), after: auditValues(after) })
    return after
  })
  return replayAnswer(replay, await call.zone())
}
