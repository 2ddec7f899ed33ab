/**
 * Sends a sample event to an endpoint and returns the outcome, with the same guard, signature and call as for real events. A
 * header marks it as a test. Nothing is stored: no entry in the log, no change of the breaker or of the counts.
 */
import { usualCurrency } from '@sanad/contract/currency'
import type { Clock } from '../../core/clock.ts'
import {
  type AlertId,
  type CheckoutId,
  type DeliveryId,
  type EndpointId,
  type EventId,
  type IntentId,
  timeOrderedId,
} from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { CallReceiver, CallResult } from '../calling/call-receiver.ts'
import { shownHeaders } from '../calling/custom-headers.ts'
import { requestHeaders } from '../calling/request-headers.ts'
import { shownAnswer } from '../calling/shown-answer.ts'
import { signatureHeader } from '../calling/signature.ts'
import {
  checkoutBody,
  type EndKind,
  type EventKind,
  endedBody,
  endKinds,
  receivedBody,
  unmatchedBody,
  verifiedBody,
} from '../event.ts'
import type { EndpointSecrets } from './endpoint-secrets.ts'
import { findEndpointSecrets } from './endpoint-sql.ts'
import { queryValues, shownUrl } from './endpoint-url.ts'

export type TestDeps = {
  readonly db: Db
  readonly clock: Clock
  readonly zone: Zone
  readonly secrets: EndpointSecrets
  readonly call: CallReceiver
  readonly userAgent: string
}

export type TestSent = {
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly answer: CallResult
}

const currency = usualCurrency
const reference = 'TEST-0001'

const isEnd = (kind: EventKind): kind is EndKind => (endKinds as readonly EventKind[]).includes(kind)

/** The body of a sample event of a kind, with values that are plainly made up. */
export const sampleBody = (kind: EventKind, now: number, zone: Zone): string => {
  const amount = minor(150_000n)
  if (kind === 'payment.verified' || isEnd(kind)) {
    const intent = {
      code: 'TEST000001',
      id: timeOrderedId<IntentId>(now),
      externalOrderId: 'test-order',
      reference,
      base: amount,
      payable: amount,
      currency,
      manual: false,
    }
    if (kind === 'payment.verified') return verifiedBody(intent, now, zone)
    return endedBody(
      kind,
      { ...intent, paid: kind === 'payment.wrong_amount' ? minor(140_000n) : null, isTest: true },
      now,
      zone,
    )
  }
  if (kind === 'checkout.completed' || kind === 'checkout.expired') {
    const isPaid = kind === 'checkout.completed'
    const checkout = {
      id: timeOrderedId<CheckoutId>(now),
      externalOrderId: 'test-order',
      amount,
      paid: isPaid ? amount : minor(0n),
      currency,
      paidIntents: isPaid ? [timeOrderedId<IntentId>(now)] : [],
      metadata: '{}',
      endedAt: now,
      isTest: true,
    }
    return checkoutBody(kind, checkout, zone)
  }
  const money = { alertId: timeOrderedId<AlertId>(now), reference, amount, currency, receivedAt: now, isTest: true }
  return kind === 'payment.unmatched' ? unmatchedBody(money, 'Test', zone) : receivedBody(money, 'MATCHED', zone)
}

export const testSend = async (
  { db, clock, zone, secrets, call, userAgent }: TestDeps,
  scope: Scope,
  id: EndpointId,
  kind: EventKind,
): Promise<TestSent | Refusal<'endpoint_unknown'>> => {
  const [endpoint] = await findEndpointSecrets(db, scope, id)
  if (endpoint === undefined) return refuse('endpoint_unknown')
  const now = clock.now()
  const signers = [secrets.unseal(endpoint.secret_sealed, id)]
  const { previous_secret_sealed: previous, previous_until: until } = endpoint
  if (previous !== null && until !== null && now < until) signers.push(secrets.unseal(previous, id))
  const body = sampleBody(kind, now, zone)
  const ids = { eventId: timeOrderedId<EventId>(now), deliveryId: timeOrderedId<DeliveryId>(now), attempt: 1 }
  const signature = signatureHeader(signers, Math.floor(now / 1000), body)
  const customHeaders = secrets.unsealHeaders(endpoint.headers, id)
  const headers = requestHeaders(customHeaders, ids, { userAgent, signature, isTest: true })
  const url = secrets.wholeUrl(endpoint, id)
  const answer = await call({ url, headers, body })
  return {
    request: { url: shownUrl(url, false), headers: shownHeaders(headers), body },
    answer: shownAnswer(headers, answer, queryValues(url)),
  }
}
