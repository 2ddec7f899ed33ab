/** `/webhooks/` and `/webhooks/{id}/`: create, list, change, delete; a new secret, and a test. */
import { isDeepStrictEqual } from 'node:util'
import * as operations from '@sanad/contract/dashboard/webhooks'
import { mayDo } from '../../accounts/permission.ts'
import type { AccountId, EndpointId } from '../../ground/ids.ts'
import { isRefusal, refuse } from '../../ground/refusal.ts'
import type { Zone } from '../../ground/zone.ts'
import type { Endpoint, HeaderChanges } from '../../webhooks/endpoint.ts'
import { endpointPlace } from '../../webhooks/endpoint-place.ts'
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointRooms,
  endpointsOf,
  findEndpoint,
  type JudgedUrl,
  judgeUrl,
  rotateSecret,
  updateEndpoint,
} from '../../webhooks/manage-endpoints.ts'
import { missedSince } from '../../webhooks/replay-events.ts'
import { type TestRooms, testSend } from '../../webhooks/test-send.ts'
import { readEndpointChanges, readNewEndpoint, readTest, rotationReader } from '../body/webhook-body.ts'
import { answerTo } from './refusals.ts'
import { bodyOf, type Call, change, count, type DashboardDoor, idIn, type Route, route } from './route.ts'
import { endpointAnswer, missedAnswer, notedEndpoint, testAnswer } from './webhook-answers.ts'

export type WebhookRooms = EndpointRooms &
  Pick<TestRooms, 'call' | 'userAgent'> &
  DashboardDoor & {
    readonly zone: Zone
    /** Something was put into a queue. */
    readonly wake: (accountId: AccountId) => void
  }

/** The endpoint that the path names, if it is the account's. */
export const endpointIn = async (rooms: WebhookRooms, { request, who }: Call): Promise<Endpoint> => {
  const endpoint = await findEndpoint(rooms.db, who.accountId, idIn<EndpointId>(request, 'id'))
  if (isRefusal(endpoint)) throw answerTo(endpoint)
  return endpoint
}

/** Before anything is begun: judging an address asks the name service. */
const judged = async (rooms: WebhookRooms, url: string): Promise<JudgedUrl> => {
  const judgement = await judgeUrl(rooms, url)
  if (typeof judgement !== 'string') throw answerTo(judgement)
  return judgement
}

/** A change by somebody who may not set headers: it has none. An empty set changes nothing, so nobody minds it. */
const withoutHeaders = <T extends { readonly headers?: HeaderChanges | undefined }>(sent: T): T => {
  if (sent.headers !== undefined && sent.headers.size > 0) throw answerTo(refuse('endpoint_owner_only'))
  return sent
}

export const endpointRoutes = (rooms: WebhookRooms): Route[] => {
  const readRotation = rotationReader(rooms.settings)
  return [
    route(operations.listWebhooks, async ({ who, now }) => {
      const endpoints = await endpointsOf(rooms.db, who.accountId)
      return { results: endpoints.map((one) => endpointAnswer(one, rooms, now)) }
    }),
    route(operations.createWebhook, async (call) => {
      const { who, now } = call
      const sent = bodyOf(call, readNewEndpoint)
      const asked = { ...sent, url: await judged(rooms, sent.url) }
      const made = await change(rooms, call, async (db, note) => {
        const done = await createEndpoint(db, rooms, who.accountId, asked, now)
        if (isRefusal(done)) return done
        const { endpoint } = done
        const notice = { kind: 'webhook_created', facts: { to: endpointPlace(endpoint.url) } } as const
        note({ action: 'webhook.create', kind: 'webhook', id: endpoint.id, after: notedEndpoint(endpoint), notice })
        return done
      })
      if (isRefusal(made)) throw answerTo(made)
      return { webhook: endpointAnswer(made.endpoint, rooms, now), secret: made.secret }
    }),
    route(operations.showWebhook, async (call) => endpointAnswer(await endpointIn(rooms, call), rooms, call.now)),
    route(operations.changeWebhook, async (call) => {
      const { who, now } = call
      const { id } = await endpointIn(rooms, call)
      const { url, ...sent } = bodyOf(call, readEndpointChanges)
      const asked = mayDo(who.role, 'webhooks.secrets')
        ? { ...sent, url: url === undefined ? undefined : await judged(rooms, url) }
        : { ...withoutHeaders(sent), sameUrl: url }
      const changed = await change(rooms, call, async (db, note) => {
        const done = await updateEndpoint(db, rooms, who.accountId, id, asked, now)
        if (isRefusal(done)) return done
        const [before, after] = [notedEndpoint(done.before), notedEndpoint(done.after)]
        // The value of a header is nobody's to read, so that it changed is all that can be said of it.
        const newValues = [...(asked.headers ?? [])].flatMap(([name, value]) => (value === null ? [] : [name]))
        if (!isDeepStrictEqual(before, after) || newValues.length > 0) {
          const said = newValues.length === 0 ? after : { ...after, header_values_set: newValues }
          const moved = done.before.url !== done.after.url
          const places = { from: endpointPlace(done.before.url), to: endpointPlace(done.after.url) }
          const notice = moved ? { notice: { kind: 'webhook_moved', facts: places } as const } : {}
          note({ action: 'webhook.update', kind: 'webhook', id, before, after: said, ...notice })
        }
        return done
      })
      if (isRefusal(changed)) throw answerTo(changed)
      const { after, missedFrom: from } = changed
      const missed = from === null ? null : await missedSince(rooms.db, who.accountId, after, from, rooms.settings, now)
      return { webhook: endpointAnswer(after, rooms, now), missed: missed && missedAnswer(missed, rooms.zone) }
    }),
    route(operations.deleteWebhook, async (call) => {
      const { request, who, now } = call
      const id = idIn<EndpointId>(request, 'id')
      const deleted = await change(rooms, call, async (db, note) => {
        const before = await deleteEndpoint(db, who.accountId, id, now)
        if (!isRefusal(before)) note({ action: 'webhook.delete', kind: 'webhook', id, before: notedEndpoint(before) })
        return before
      })
      if (isRefusal(deleted)) throw answerTo(deleted)
      return undefined
    }),
    route(operations.rotateWebhookSecret, async (call) => {
      const { who, now } = call
      const { id } = await endpointIn(rooms, call)
      const { overlap_s } = bodyOf(call, readRotation)
      const rotated = await change(rooms, call, async (db, note) => {
        const done = await rotateSecret(db, rooms, who.accountId, id, overlap_s * 1000, now)
        if (isRefusal(done)) return done
        const notice = { kind: 'webhook_rotated', facts: { to: endpointPlace(done.endpoint.url) } } as const
        note({ action: 'webhook.rotate', kind: 'webhook', id, after: { overlap_s }, notice })
        return done
      })
      if (isRefusal(rotated)) throw answerTo(rotated)
      return { webhook: endpointAnswer(rotated.endpoint, rooms, now), secret: rotated.secret }
    }),
    // Every test is a call to somebody else's machine, which a person could aim: so these are counted apart.
    route(operations.testWebhook, async (call) => {
      const { who, now } = call
      const endpoint = await endpointIn(rooms, call)
      const kind = bodyOf(call, readTest).kind ?? endpoint.kinds[0] ?? 'payment.verified'
      await count(rooms, 'webhook_test', who.accountId, now)
      const sent = await testSend(rooms, who.accountId, endpoint.id, kind)
      if (isRefusal(sent)) throw answerTo(sent)
      return testAnswer(sent)
    }),
  ]
}
