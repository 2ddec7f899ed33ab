/** `/webhooks/` and `/webhooks/{id}/`: creates, lists, changes, deletes and tests endpoints; rotates their secrets. */

import { isDeepStrictEqual } from 'node:util'
import { webhookRotation } from '@sanad/contract/dashboard/webhooks/webhook-bodies'
import * as operations from '@sanad/contract/dashboard/webhooks/webhooks'
import { mayDo } from '../../../accounts/people/permission.ts'
import type { AccountId } from '../../../core/ids.ts'
import { refuse } from '../../../core/refusal.ts'
import type { HeaderChanges } from '../../../webhooks/calling/custom-headers.ts'
import type { Endpoint } from '../../../webhooks/endpoints/endpoint.ts'
import { endpointLabel } from '../../../webhooks/endpoints/endpoint-label.ts'
import {
  type CheckedUrl,
  checkUrl,
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  endpointsOf,
  findEndpoint,
  rotateSecret,
  updateEndpoint,
} from '../../../webhooks/endpoints/manage-endpoints.ts'
import { type TestDeps, testSend } from '../../../webhooks/endpoints/test-send.ts'
import { missedSince } from '../../../webhooks/log/replay-events.ts'
import { endpointChanges, newEndpoint } from '../../body/dashboard/webhook-body.ts'
import { accepted, answerTo } from '../refusals.ts'
import { change, count, type DashboardContext, type NamedCall, type Route, route } from '../route.ts'
import { endpointAnswer, endpointAuditValues, missedAnswer, testAnswer } from './webhook-answers.ts'

export type WebhookDeps = EndpointDeps &
  Pick<TestDeps, 'call' | 'userAgent'> &
  DashboardContext & {
    /** Wakes the sender of webhooks, because deliveries were queued. */
    readonly wake: (accountId: AccountId) => void
  }

/** The endpoint that the path names, if it is the account's. */
export const endpointIn =
  ({ db }: DashboardContext) =>
  async ({ path, member, now }: NamedCall): Promise<Endpoint> =>
    accepted(await findEndpoint(db, member.scope, path.id, now))

/** Called before the transaction: checking an address needs a DNS lookup. */
const checkedUrl = async (deps: WebhookDeps, url: string): Promise<CheckedUrl> => {
  const checked = await checkUrl(deps, url)
  if (typeof checked !== 'string') throw answerTo(checked)
  return checked
}

/** Refuses headers from a member who may not set them. An empty set changes nothing, so it is allowed. */
const refuseHeaders = <T extends { readonly headers?: HeaderChanges | undefined }>(sent: T): T => {
  if (sent.headers !== undefined && sent.headers.size > 0) throw answerTo(refuse('endpoint_owner_only'))
  return sent
}

export const endpointRoutes = (deps: WebhookDeps): Route[] => {
  const { overlap_most_s, overlap_s: default_s } = deps.settings
  const rotation = webhookRotation({ most_s: overlap_most_s, default_s })
  return [
    route(operations.listWebhooks, async ({ member, now }) => {
      const endpoints = await endpointsOf(deps.db, member.scope, now)
      return { results: endpoints.map((endpoint) => endpointAnswer(endpoint, deps, member.role, now)) }
    }),
    route(operations.createWebhook, async (call) => {
      const { member, now } = call
      const sent = newEndpoint(call.body)
      const requested = { ...sent, url: await checkedUrl(deps, sent.url) }
      const created = await change(deps, call, async (db, audit) => {
        const done = accepted(await createEndpoint(db, deps, member.scope, requested, now))
        const { endpoint } = done
        const notice = { kind: 'webhook_created', facts: { to: endpointLabel(endpoint.url) } } as const
        audit({
          action: 'webhook.create',
          kind: 'webhook',
          id: endpoint.id,
          after: endpointAuditValues(endpoint),
          notice,
        })
        return done
      })
      return { webhook: endpointAnswer(created.endpoint, deps, member.role, now), secret: created.secret }
    }),
    route(operations.showWebhook, endpointIn(deps), async (call, found) =>
      endpointAnswer(found, deps, call.member.role, call.now),
    ),
    route(operations.changeWebhook, endpointIn(deps), async (call, { id }) => {
      const { member, now } = call
      const { url, ...sent } = endpointChanges(call.body)
      const changes = mayDo(member.role, 'webhooks.secrets')
        ? { ...sent, url: url === undefined ? undefined : await checkedUrl(deps, url), proved: await call.proved() }
        : { ...refuseHeaders(sent), sameUrl: url }
      const changed = await change(deps, call, async (db, audit) => {
        const done = accepted(await updateEndpoint(db, deps, member.scope, id, changes, now))
        const [before, after] = [endpointAuditValues(done.before), endpointAuditValues(done.after)]
        // Values of headers are secret: the audit log only notes that they changed.
        const newValues = [...(changes.headers ?? [])].flatMap(([name, value]) => (value === null ? [] : [name]))
        const { moved } = done
        if (!isDeepStrictEqual(before, after) || newValues.length > 0 || moved) {
          const hidden = {
            ...(newValues.length === 0 ? {} : { header_values_set: newValues }),
            // The query is secret as well: where the rest is the same, the log only notes that it changed.
            ...(moved && before.url === after.url ? { query_changed: true } : {}),
          }
          const text = { ...after, ...hidden }
          const addresses = { from: endpointLabel(done.before.url), to: endpointLabel(done.after.url) }
          const notice = moved ? { notice: { kind: 'webhook_moved', facts: addresses } as const } : {}
          audit({ action: 'webhook.update', kind: 'webhook', id, before, after: text, ...notice })
        }
        return done
      })
      const { after, missedFrom: from } = changed
      const missed = from === null ? null : await missedSince(deps.db, member.scope, after, from, deps.settings, now)
      return {
        webhook: endpointAnswer(after, deps, member.role, now),
        missed: missed && missedAnswer(missed, deps.zone),
      }
    }),
    route(operations.deleteWebhook, async (call) => {
      const { member, now } = call
      const { id } = call.path
      await change(deps, call, async (db, audit) => {
        const before = accepted(await deleteEndpoint(db, member.scope, id, now))
        audit({ action: 'webhook.delete', kind: 'webhook', id, before: endpointAuditValues(before) })
        return before
      })
      return undefined
    }),
    route({ ...operations.rotateWebhookSecret, body: rotation }, endpointIn(deps), async (call, { id }) => {
      const { member, now } = call
      const { overlap_s } = call.body
      const rotated = await change(deps, call, async (db, audit) => {
        const done = accepted(await rotateSecret(db, deps, member.scope, id, overlap_s * 1000, now))
        const notice = { kind: 'webhook_rotated', facts: { to: endpointLabel(done.endpoint.url) } } as const
        audit({ action: 'webhook.rotate', kind: 'webhook', id, after: { overlap_s }, notice })
        return done
      })
      return { webhook: endpointAnswer(rotated.endpoint, deps, member.role, now), secret: rotated.secret }
    }),
    // Every test calls a server of the user’s choice. So tests have a limit of their own.
    route(operations.testWebhook, endpointIn(deps), async (call, endpoint) => {
      const { member, now } = call
      const kind = call.body.kind ?? endpoint.kinds[0] ?? 'payment.verified'
      await count(deps, 'webhook_test', member.scope.accountId, now)
      const sent = accepted(await testSend(deps, member.scope, endpoint.id, kind))
      return testAnswer(sent)
    }),
  ]
}
