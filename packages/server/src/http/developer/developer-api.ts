/**
 * The API of developers' tools, under `/api/v1/developer`: the account's events, sending a sample event, and the log of its
 * API calls. The code of the merchant API handles tokens, checks and errors. `sanad listen`, `sanad trigger` and
 * `sanad logs` use this API (docs/developers.md).
 */
import { type CallFeed, type EventFeed, TriggerEvent, type TriggeredEvent } from '@sanad/contract/developer'
import { eventKinds } from '@sanad/contract/kinds'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { apiCallsAfter, newestApiCalls } from '../../calls/api-calls-sql.ts'
import { largestId } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import { endpointLabel } from '../../webhooks/endpoints/endpoint-label.ts'
import type { TestDeps } from '../../webhooks/endpoints/test-send.ts'
import { triggerSample } from '../../webhooks/endpoints/trigger-sample.ts'
import type { EventKind } from '../../webhooks/event.ts'
import { eventsAfter, eventsBefore } from '../../webhooks/log/event-feed-sql.ts'
import { invalid, sendJson, throttled } from '../answers.ts'
import { limitReason } from '../limits/count-call.ts'
import { addResource, type Handler, type ResourceDeps } from '../merchant/resource.ts'
import { sentBody } from '../merchant/sent-body.ts'
import { callAnswer, callParameters, readCallFilter } from './call-answer.ts'
import { feedParameters, nextPosition, readFeedQuery } from './feed-query.ts'

export const developerBase = '/api/v1/developer'

export type DeveloperDeps = ResourceDeps & TestDeps & { readonly zone: Zone }

export const developerApi = (deps: DeveloperDeps) => async (app: FastifyInstance) => {
  const bucket = 'developer'
  addResource(app, deps, {
    url: '/events/',
    name: 'Event List',
    bucket,
    methods: { GET: { bucket, handle: eventsHandler(deps), query: feedParameters } },
  })
  addResource(app, deps, {
    url: '/events/trigger/',
    name: 'Event Trigger',
    bucket,
    methods: { POST: { bucket, handle: triggerHandler(deps), body: TriggerEvent } },
  })
  addResource(app, deps, {
    url: '/calls/',
    name: 'Call List',
    bucket,
    methods: { GET: { bucket, handle: callsHandler(deps), query: callParameters } },
  })
}

const eventsHandler =
  ({ db, zone }: DeveloperDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const query = readFeedQuery(request)
    const found =
      query.after === undefined
        ? (await eventsBefore(db, key.accountId, largestId, query.size)).toReversed()
        : await eventsAfter(db, key.accountId, query.after, query.size)
    const results = found.map((event) => ({
      id: event.id,
      event: event.kind,
      created_at: zone.format(new Date(event.created_at)),
      is_test: event.is_test,
      is_sample: event.sample,
      body: event.body,
    }))
    return sendJson(reply, 200, JSON.stringify({ next: nextPosition(query, found, now), results } satisfies EventFeed))
  }

const callsHandler =
  ({ db, zone }: DeveloperDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const query = readFeedQuery(request)
    const { failed, ...filter } = readCallFilter(request)
    const list = newestApiCalls[failed ? 'failed' : 'all']
    const found =
      query.after === undefined
        ? (await list(db, key.accountId, largestId, filter, query.size)).toReversed()
        : await apiCallsAfter(db, key.accountId, query.after, filter, query.size)
    const results = found.map((call) => callAnswer(call, zone))
    return sendJson(reply, 200, JSON.stringify({ next: nextPosition(query, found, now), results } satisfies CallFeed))
  }

const isKind = (kind: unknown): kind is EventKind => (eventKinds as readonly unknown[]).includes(kind)

const kindIn = (request: FastifyRequest): EventKind => {
  const body = sentBody(request)
  const kind = body instanceof Map ? body.get('event') : undefined
  if (isKind(kind)) return kind
  if (kind === undefined) throw invalid([{ code: 'required', detail: 'This field is required.', attr: 'event' }])
  throw invalid([{ code: 'invalid_choice', detail: `It is one of ${eventKinds.join(', ')}.`, attr: 'event' }])
}

/** A trigger calls servers of the merchant's choice, so it is counted with the test webhooks of the dashboard. */
const triggerHandler =
  (deps: DeveloperDeps): Handler =>
  async ({ request, reply, key, now }) => {
    const kind = kindIn(request)
    if (deps.rules !== null) {
      const verdict = await deps.limits.take('webhook_test', key.accountId, deps.rules.webhook_test, now)
      if (!verdict.allowed) throw throttled(verdict.retryAfterS, limitReason(deps, 'webhook_test', 'key'))
    }
    const { id, sent } = await triggerSample(deps, key.accountId, kind, now)
    const results = sent.map(({ endpointId, test: { request: called, answer } }) => ({
      endpoint: endpointId,
      url: endpointLabel(called.url),
      outcome: answer.outcome,
      status: answer.status ?? null,
      error: answer.error ?? '',
    }))
    return sendJson(reply, 200, JSON.stringify({ id, event: kind, results } satisfies TriggeredEvent))
  }
