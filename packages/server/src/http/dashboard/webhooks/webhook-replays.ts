/** `/webhooks/{id}/replays/`: counts, starts, shows, stops and resumes replays of a range of time. Times are in the zone of the account. */

import * as operations from '@sanad/contract/dashboard/webhooks/webhooks'
import type { Instant } from '../../../core/clock.ts'
import type { ReplayId } from '../../../core/ids.ts'
import type { Zone } from '../../../core/zone.ts'
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
import { type ReplayBody, replayReader } from '../../body/dashboard/webhook-body.ts'
import { idIn } from '../../path-id.ts'
import { accepted } from '../refusals.ts'
import { bodyOf, type Call, change, type Route, route } from '../route.ts'
import { replayAnswer } from './webhook-answers.ts'
import { endpointIn, type WebhookDeps } from './webhook-endpoints.ts'

const rangeOf = ({ from, until, kinds, only_undelivered }: ReplayBody, now: Instant): Range => ({
  from,
  until: until ?? now + 1,
  kinds,
  undelivered: only_undelivered,
})

const zoneIn = async (deps: WebhookDeps, { member, now }: Call): Promise<Zone> =>
  (await deps.terms(member.accountId, now)).zone

export const replayRoutes = (deps: WebhookDeps): Route[] => {
  const { db, settings } = deps
  return [
    route(operations.listReplays, async (call) => {
      const { id } = await endpointIn(deps, call)
      const replays = await replaysOf(db, call.member.accountId, id)
      const zone = await zoneIn(deps, call)
      return { results: replays.map((replay) => replayAnswer(replay, zone)) }
    }),
    route(operations.countReplay, async (call) => {
      const { member, now } = call
      const endpoint = await endpointIn(deps, call)
      const range = rangeOf(bodyOf(call, replayReader(await zoneIn(deps, call))), now)
      const counted = accepted(await countReplay(db, member.accountId, endpoint, range, settings, now))
      return counted
    }),
    route(operations.startReplay, async (call) => {
      const { member, now } = call
      const endpoint = await endpointIn(deps, call)
      const zone = await zoneIn(deps, call)
      const range = rangeOf(bodyOf(call, replayReader(zone)), now)
      const replay = await change(deps, call, async (tx, audit) => {
        const started = accepted(await startReplay(tx, member.accountId, endpoint, range, settings, now))
        const { id, from, until, kinds, only_undelivered, total } = replayAnswer(started, zone)
        const after = { replay: id, from, until, kinds, only_undelivered, total }
        audit({ action: 'webhook.replay', kind: 'webhook', id: endpoint.id, after })
        return started
      })
      return replayAnswer(replay, zone)
    }),
    route(operations.showReplay, async (call) => {
      const { id } = await endpointIn(deps, call)
      const replay = accepted(await findReplay(db, call.member.accountId, id, idIn<ReplayId>(call.request, 'replay')))
      return replayAnswer(replay, await zoneIn(deps, call))
    }),
    route(operations.stopReplay, (call) => stopOrResume(deps, call, 'webhook.replay_stop', stopReplay)),
    route(operations.resumeReplay, (call) => stopOrResume(deps, call, 'webhook.replay_resume', resumeReplay)),
  ]
}

/** Stops or resumes a replay. If it is already in that state, nothing changes and no audit entry is written. */
const stopOrResume = async (
  deps: WebhookDeps,
  call: Call,
  action: string,
  verb: typeof resumeReplay | typeof stopReplay,
) => {
  const { request, member, now } = call
  const { id: endpointId } = await endpointIn(deps, call)
  const id = idIn<ReplayId>(request, 'replay')
  const auditValues = ({ state, done }: Replay) => ({ replay: id, state, done })
  const replay = await change(deps, call, async (db, audit) => {
    const before = accepted(await findReplay(db, member.accountId, endpointId, id))
    const after = accepted(await verb(db, member.accountId, endpointId, id, now))
    if (after.state !== before.state)
      audit({ action, kind: 'webhook', id: endpointId, before: auditValues(before), after: auditValues(after) })
    return after
  })
  return replayAnswer(replay, await zoneIn(deps, call))
}
