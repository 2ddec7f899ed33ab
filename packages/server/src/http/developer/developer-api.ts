/**
 * The API of developers' tools, under `/api/v1/developer`: the account's events, sending a sample event, paying on the testing
 * wallet, and the log of its API calls. The code of the merchant API handles tokens, checks and errors. `sanad listen`, `trigger`,
 * `logs`, `phone` and `doctor` use this API (docs/developers.md).
 */
import {
  listCalls,
  listEvents,
  payTestWallet as payTestWalletCall,
  triggerEvent,
} from '@sanad/contract/developer/operations'
import { eventKinds } from '@sanad/contract/kinds'
import type { FastifyInstance } from 'fastify'
import { apiCallsAfter, newestApiCalls } from '../../calls/api-calls-sql.ts'
import { largestId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { endpointLabel } from '../../webhooks/endpoints/endpoint-label.ts'
import type { TestDeps } from '../../webhooks/endpoints/test-send.ts'
import type { EventKind } from '../../webhooks/event.ts'
import { eventsAfter, eventsBefore } from '../../webhooks/log/event-feed-sql.ts'
import { triggerSample } from '../../webhooks/log/trigger-sample.ts'
import { permissionDenied, throttled } from '../answers.ts'
import type { Reading } from '../body/fields.ts'
import type { Json } from '../body/json.ts'
import { limitReason } from '../limits/count-call.ts'
import { type AboutPath, addKeyRoutes, type KeyApiDeps, type KeyCall, keyRoute } from '../routes/key-route.ts'
import { readBy } from '../routes/route.ts'
import { callAnswer, callFilter } from './call-answer.ts'
import { nextPosition } from './feed-position.ts'
import { type KeyPaymentDeps, payByKey } from './pay-by-key.ts'

export const developerBase = '/api/v1/developer'

export type DeveloperDeps = KeyApiDeps & TestDeps & KeyPaymentDeps

const bucket = 'developer'
const about: Readonly<Record<string, AboutPath>> = {
  '/events/': { name: 'Event List', bucket },
  '/events/trigger/': { name: 'Event Trigger', bucket },
  '/test-payments/': { name: 'Test Payment', bucket },
  '/calls/': { name: 'Call List', bucket },
}

export const developerApi = (deps: DeveloperDeps) => async (app: FastifyInstance) =>
  addKeyRoutes(app, deps, about, [
    keyRoute(listEvents, async ({ query, key, now }) => {
      const found =
        query.after === undefined
          ? (await eventsBefore(deps.db, key.scope, largestId, query.page_size)).toReversed()
          : await eventsAfter(deps.db, key.scope, query.after, query.page_size)
      const results = found.map((event) => ({
        id: event.id,
        event: event.kind,
        created_at: deps.zone.format(new Date(event.created_at)),
        is_test: event.is_test,
        is_sample: event.sample,
        body: event.body,
      }))
      return { next: nextPosition(query, found, now), results }
    }),
    keyRoute(listCalls, async ({ query, key, now }) => {
      const { failed, ...all } = callFilter(query)
      const { scope } = key
      // Calls of other keys may name wallets that this key does not see.
      const filter = scope.wallets === null ? all : { ...all, clientId: key.clientId }
      const account = wholeAccount(scope.accountId)
      const list = newestApiCalls[failed ? 'failed' : 'all']
      const found =
        query.after === undefined
          ? (await list(deps.db, account, largestId, filter, query.page_size)).toReversed()
          : await apiCallsAfter(deps.db, account, query.after, filter, query.page_size)
      return { next: nextPosition(query, found, now), results: found.map((call) => callAnswer(call, deps.zone)) }
    }),
    keyRoute(readBy(triggerEvent, readKind), (call) => trigger(deps, call)),
    keyRoute(payTestWalletCall, (call) => payByKey(deps, call)),
  ])

const isKind = (kind: unknown): kind is EventKind => (eventKinds as readonly unknown[]).includes(kind)

const readKind = (body: Json): Reading<EventKind> => {
  const kind = body instanceof Map ? body.get('event') : undefined
  if (isKind(kind)) return { kind: 'ok', value: kind }
  const error =
    kind === undefined
      ? { code: 'required', detail: 'This field is required.', attr: 'event' }
      : { code: 'invalid_choice', detail: `It is one of ${eventKinds.join(', ')}.`, attr: 'event' }
  return { kind: 'no', errors: [error] }
}

/** A trigger calls servers of the merchant's choice, so it is counted with the test webhooks of the dashboard. */
const trigger = async (deps: DeveloperDeps, { key, body: kind, now }: KeyCall & { readonly body: EventKind }) => {
  // A sample goes to every endpoint of the account.
  if (key.scope.wallets !== null)
    throw permissionDenied('This key is limited to some wallets: it may not send sample events.')
  if (deps.rules !== null) {
    const verdict = await deps.limits.take('webhook_test', key.scope.accountId, deps.rules.webhook_test, now)
    if (!verdict.allowed) throw throttled(verdict.retryAfterS, limitReason(deps, 'webhook_test', 'key'))
  }
  const { id, sent } = await triggerSample(deps, key.scope, kind, now)
  const results = sent.map(({ endpointId, test: { request: called, answer } }) => ({
    endpoint: endpointId,
    url: endpointLabel(called.url),
    outcome: answer.outcome,
    status: answer.status ?? null,
    error: answer.error ?? '',
  }))
  return { id, event: kind, results }
}
