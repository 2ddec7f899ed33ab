/**
 * One attempt of a claimed delivery: signs the event's stored bytes, makes the call, and decides what follows. Returns the
 * result, which the caller records. Never throws: a call that could not be made gives a result too.
 */
import type { Clock, Instant } from '../../core/clock.ts'
import type { EndpointId } from '../../core/ids.ts'
import { readTraceparent, type Tracer, traceparentOf } from '../../core/tracing/trace.ts'
import type { CallReceiver, CallRequest, CallResult } from '../calling/call-receiver.ts'
import { type Headers, requestHeaders, storedRequest } from '../calling/request-headers.ts'
import { shownAnswer } from '../calling/shown-answer.ts'
import { signatureHeader } from '../calling/signature.ts'
import type { EndpointSecrets } from '../endpoints/endpoint-secrets.ts'
import { queryValues, shownUrl } from '../endpoints/endpoint-url.ts'
import { leaseSpare_ms, type WebhookSettings } from '../settings.ts'
import type { ClaimedDelivery, Lease } from './delivery-sql.ts'
import type { Result } from './record-results.ts'
import { nextStepOf, verdictOf } from './schedule.ts'

export type AttemptDeps = {
  readonly clock: Clock
  readonly call: CallReceiver
  /** The secret of an endpoint, from its sealed form. */
  readonly unseal: (sealed: Buffer, endpointId: EndpointId) => string
  readonly wholeUrl: EndpointSecrets['wholeUrl']
  /** Custom headers, whose values may be secrets, from their sealed form. */
  readonly unsealHeaders: (sealed: string, endpointId: EndpointId) => Readonly<Record<string, string>>
  readonly userAgent: string
  readonly random?: () => number
  readonly onFault: (fault: unknown) => void
  /** For metrics: the outcome of an attempt, and how long after the event its first byte was sent. Undefined: not a first
   *  attempt, or sent by hand, or without an answer. */
  readonly onAttempt?: (outcome: string, sinceEvent_ms: number | undefined) => void
  /** Left out: no traces. */
  readonly tracer?: Tracer | undefined
}

type Answer = Pick<CallResult, 'result' | 'status' | 'error' | 'headers' | 'body' | 'took'>

/** A sentence for the merchant; the cause is in the operator's log. */
const unsentError = 'It was not sent: something is wrong at Sanad, not at your server.'
const unsent: Answer = {
  result: { kind: 'unsent', error: unsentError },
  error: unsentError,
  headers: {},
  body: '',
  took: { dns_ms: null, connect_ms: null, first_byte_ms: null, total_ms: 0 },
}

const hasTraceparent = (headers: Headers): boolean =>
  Object.keys(headers).some((name) => name.toLowerCase() === 'traceparent')

/** The call as the last step of the trace of the request that caused the event. A merchant's own header `traceparent` stays. */
const callTraced = async (
  { tracer, call }: AttemptDeps,
  row: ClaimedDelivery,
  request: CallRequest & { readonly headers: Headers },
): Promise<CallResult> => {
  if (tracer === undefined) return call(request)
  const span = tracer.start('webhook', 'client', readTraceparent(row.trace ?? undefined))
  const { attributes } = span
  attributes['sanad.event.id'] = row.event_id
  attributes['sanad.delivery.id'] = row.id
  attributes['sanad.account.id'] = row.account_id
  attributes['sanad.attempt'] = row.attempt
  const { headers } = request
  try {
    const answer = await call({
      ...request,
      headers: hasTraceparent(headers) ? headers : { ...headers, traceparent: traceparentOf(span) },
    })
    if (answer.status !== undefined) attributes['http.response.status_code'] = answer.status
    attributes['sanad.outcome'] = answer.outcome
    span.failed = answer.outcome !== 'ok'
    return answer
  } catch (fault) {
    span.failed = true
    throw fault
  } finally {
    tracer.end(span)
  }
}

/** Undefined: too little of the lease was left for a call. The lease ends, and the delivery is claimed again. */
export type AttemptDelivery = (row: ClaimedDelivery, lease: Lease) => Promise<Result | undefined>

export const deliveryAttempter = (deps: AttemptDeps, settings: WebhookSettings): AttemptDelivery => {
  const { clock, onFault } = deps
  const random = deps.random ?? Math.random

  /** Each attempt is signed again, over the same bytes. Throws if this node cannot unseal the secret. */
  const signedHeaders = (row: ClaimedDelivery, customHeaders: Headers, now: Instant): Headers => {
    const secrets = [deps.unseal(row.secret_sealed, row.endpoint_id)]
    if (row.previous_secret_sealed !== null && row.previous_until !== null && now < row.previous_until)
      secrets.push(deps.unseal(row.previous_secret_sealed, row.endpoint_id))
    const signature = signatureHeader(secrets, Math.floor(now / 1000), row.body)
    const ids = { eventId: row.event_id, deliveryId: row.id, attempt: row.attempt }
    return requestHeaders(customHeaders, ids, { userAgent: deps.userAgent, signature, isTest: row.is_test })
  }

  return async (row, lease) => {
    const startedAt = clock.now()
    // The database answered the claim so late that the lease might end before the call does.
    if (lease.until - startedAt < settings.total_ms + leaseSpare_ms / 2) return undefined
    let customHeaders: Headers = {}
    let headers: Headers | undefined
    let url = ''
    let answer: Answer
    try {
      url = deps.wholeUrl(row, row.endpoint_id)
      customHeaders = deps.unsealHeaders(row.headers, row.endpoint_id)
      headers = signedHeaders(row, customHeaders, startedAt)
      answer = await callTraced(deps, row, { url, headers, body: row.body })
    } catch (fault) {
      // Recorded like any other attempt: otherwise its lease would end and it would be tried for ever, with nothing in the log.
      onFault(fault)
      answer = unsent
    }
    const finishedAt = clock.now()
    const verdict = verdictOf(answer.result, finishedAt)
    const next = nextStepOf(verdict, row.attempt, finishedAt, random, settings)
    const ok = verdict.kind === 'ok'
    const outcome = ok ? 'ok' : verdict.reason
    const reached = answer.result.kind === 'answer'
    const connecting_ms = (answer.took.dns_ms ?? 0) + (answer.took.connect_ms ?? 0)
    deps.onAttempt?.(
      outcome,
      row.attempt === 1 && !row.by_hand && reached ? startedAt + connecting_ms - row.event_at : undefined,
    )
    const secretValues = queryValues(url)
    // Most endpoints have no headers of their own and no query: then there is nothing to hide.
    const hides = headers !== undefined && (Object.keys(customHeaders).length > 0 || secretValues.length > 0)
    const shown = hides ? shownAnswer(headers ?? {}, answer, secretValues) : answer
    return {
      id: row.id,
      place: row.place,
      leaseId: lease.id,
      at: finishedAt,
      nextAt: next.kind === 'retry' ? next.at : null,
      ending: next.kind === 'retry' ? null : next.kind === 'gone' ? 'disabled' : next.kind,
      outcome,
      status: answer.status ?? null,
      error: shown.error ?? '',
      request: storedRequest(shownUrl(row.url, row.query_sealed !== null), customHeaders, headers),
      response: JSON.stringify({ headers: shown.headers, body: shown.body }),
      took: JSON.stringify(answer.took),
      accountId: row.account_id,
      endpointId: row.endpoint_id,
      ok,
      reached,
      misconfigured: verdict.kind === 'failed' && verdict.misconfigured,
      gone: verdict.kind === 'failed' && verdict.reason === 'gone',
      countsForHealth: !row.by_hand && answer !== unsent,
    }
  }
}
