/** Endpoints, deliveries and replays as JSON answers, without any secret. */

import type { showReplay } from '@sanad/contract/dashboard/webhooks/replay-calls'
import type * as contract from '@sanad/contract/dashboard/webhooks/webhooks'
import type { AnswerOf } from '@sanad/contract/operation'
import { type MemberRole, mayDo } from '../../../accounts/people/permission.ts'
import type { Instant } from '../../../core/clock.ts'
import { formatMinor } from '../../../core/money.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Arrival } from '../../../intents/arrival.ts'
import { breakerState, type DisabledWhy, disablesAt, type Endpoint } from '../../../webhooks/endpoints/endpoint.ts'
import type { EndpointSecrets } from '../../../webhooks/endpoints/endpoint-secrets.ts'
import type { TestSent } from '../../../webhooks/endpoints/test-send.ts'
import type { Delivery, WholeDelivery } from '../../../webhooks/log/delivery-log.ts'
import type { Missed, Replay } from '../../../webhooks/log/replay-events.ts'
import type { WebhookSettings } from '../../../webhooks/settings.ts'
import { timeOrNull } from '../time-text.ts'

const whyDisabled: Readonly<Record<DisabledWhy, string>> = {
  person: 'Switched off by a person.',
  gone: 'The receiver answered 410: it wants no more.',
  failing: 'Nothing arrived for days.',
}

/** `2026-01-05 06:04`, for a sentence. */
const minuteText = (zone: Zone, at: Instant): string => zone.format(new Date(at)).slice(0, 16).replace('T', ' ')

const warningOf = (endpoint: Endpoint, settings: WebhookSettings, zone: Zone, now: Instant) => {
  const at = disablesAt(endpoint, now, settings)
  if (at === null || endpoint.failingSince === null) return null
  const since = `Nothing has arrived here since ${minuteText(zone, endpoint.failingSince)}.`
  return {
    text: `${since} If that goes on, this endpoint is disabled on ${minuteText(zone, at)}.`,
    disables_at: timeOrNull(zone, at),
  }
}

/** An endpoint as the audit log stores it. Of its own headers only the names are stored. */
export const endpointAuditValues = (endpoint: Endpoint) => ({
  url: endpoint.url,
  wallet: endpoint.walletId,
  kinds: endpoint.kinds,
  header_names: endpoint.headerNames,
  enabled: endpoint.enabled,
})

export type AnswerDeps = {
  readonly zone: Zone
  readonly settings: WebhookSettings
  readonly secrets: Pick<EndpointSecrets, 'wholeUrl'>
}

/** Only a role that may read secrets sees the query of the address. */
export const endpointAnswer = (
  endpoint: Endpoint,
  { zone, settings, secrets }: AnswerDeps,
  role: MemberRole,
  now: Instant,
): contract.Webhook => {
  const time = (at: Instant | null): string | null => timeOrNull(zone, at)
  const { disabled, previousUntil, waiting } = endpoint
  return {
    id: endpoint.id,
    url: mayDo(role, 'webhooks.secrets') ? secrets.wholeUrl(endpoint.stored, endpoint.id) : endpoint.url,
    wallet: endpoint.walletId,
    kinds: [...endpoint.kinds],
    header_names: [...endpoint.headerNames],
    enabled: endpoint.enabled,
    disabled: disabled && { why: disabled.why, text: whyDisabled[disabled.why], at: time(disabled.at) },
    created_at: time(endpoint.createdAt),
    previous_secret_until: previousUntil !== null && now < previousUntil ? time(previousUntil) : null,
    health: {
      last_success_at: time(endpoint.lastSuccessAt),
      failing_since: time(endpoint.failingSince),
      failures: endpoint.failures,
      misconfigured: endpoint.misconfigured,
      breaker: { state: breakerState(endpoint, now), until: time(endpoint.openUntil) },
      warning: warningOf(endpoint, settings, zone, now),
      waiting: {
        count: waiting.count,
        more: waiting.more,
        failed: waiting.failed,
        oldest_at: time(waiting.oldestAt),
      },
    },
    last_day: { ...endpoint.lastDay },
  }
}

export const missedAnswer = (missed: Missed, zone: Zone) => ({
  count: missed.count,
  more: missed.more,
  from: timeOrNull(zone, missed.from),
  until: timeOrNull(zone, missed.until),
})

/** The log of the webhooks module knows no intents: `arrival` is read beside it. Null: the event verifies none. */
export const deliveryAnswer = (delivery: Delivery, arrival: Arrival | null, zone: Zone): contract.Delivery => {
  const time = (at: Instant | null): string | null => timeOrNull(zone, at)
  const { last } = delivery
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    kind: delivery.kind,
    event_at: time(delivery.eventAt),
    intent: delivery.intentId,
    order: delivery.order,
    reference: delivery.reference,
    arrived_amount: arrival && formatMinor(arrival.arrived),
    forgiven_amount: arrival && formatMinor(arrival.forgiven),
    replay: delivery.replay,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: time(delivery.nextAt),
    ended_at: time(delivery.endedAt),
    last_attempt: last && { at: time(last.at), outcome: last.outcome, status: last.status, error: last.error },
  }
}

export const wholeDeliveryAnswer = (
  delivery: WholeDelivery,
  arrival: Arrival | null,
  zone: Zone,
): AnswerOf<typeof contract.showDelivery> => ({
  ...deliveryAnswer(delivery, arrival, zone),
  body: delivery.body,
  log: delivery.log.map((attempt) => ({
    ...attempt,
    at: timeOrNull(zone, attempt.at),
    request: { ...attempt.request, headers: { ...attempt.request.headers } },
    response: { ...attempt.response, headers: { ...attempt.response.headers } },
    took: { ...attempt.took },
  })),
})

export const replayAnswer = (replay: Replay, zone: Zone): AnswerOf<typeof showReplay> => {
  const time = (at: Instant | null): string | null => timeOrNull(zone, at)
  return {
    id: replay.id,
    from: time(replay.from),
    until: time(replay.until),
    kinds: [...replay.kinds],
    only_undelivered: replay.undelivered,
    state: replay.state,
    total: replay.total,
    more: replay.more,
    done: replay.done,
    created_at: time(replay.createdAt),
    ended_at: time(replay.endedAt),
  }
}

/** The IP address that was called is left out: a refused address could expose the internal network. */
export const testAnswer = ({ request, answer }: TestSent): AnswerOf<typeof contract.testWebhook> => ({
  outcome: answer.outcome,
  error: answer.error ?? '',
  request: { ...request, headers: { ...request.headers } },
  response:
    answer.status === undefined
      ? null
      : { status: answer.status, headers: { ...answer.headers }, body: answer.body, whole: answer.whole },
  took: { ...answer.took },
})
