/**
 * Reads the delivery log: every delivery of an endpoint, unfinished or ended, and each attempt with its request and answer. The
 * values of custom headers and the queries of addresses are never shown, whatever was stored.
 */
import { type DeliveryFilter, type DeliveryState, deliveryFilters } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import type { DeliveryId, EndpointId, EventId, IntentId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { restoreRequest } from '../calling/request-headers.ts'
import { shownUrl } from '../endpoints/endpoint-url.ts'
import type { EventKind } from '../event.ts'
import { attemptsOfDelivery, bodyOfEvent, findDelivery, listDeliveries } from './delivery-log-sql.ts'

export type Delivery = {
  readonly id: DeliveryId
  readonly eventId: EventId
  /** 0: the first delivery of the event. From 1 on: a user sent the event again. */
  readonly replay: number
  readonly kind: EventKind
  readonly eventAt: Instant
  readonly intentId: IntentId | null
  /** The merchant's order and the reference, from the event's text. Null: it has none, or the text is no longer stored. */
  readonly order: string | null
  readonly reference: string | null
  readonly state: DeliveryState
  readonly attempts: number
  /** When the next attempt is due. Null: the delivery waits for none. */
  readonly nextAt: Instant | null
  readonly endedAt: Instant | null
  /** The last attempt. Null: none yet, or its record is no longer stored. */
  readonly last: {
    readonly at: Instant
    readonly outcome: string
    readonly status: number | null
    readonly error: string
  } | null
}

export type Attempt = {
  readonly attempt: number
  readonly at: Instant
  readonly outcome: string
  readonly status: number | null
  readonly error: string
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> }
  readonly response: { readonly headers: Readonly<Record<string, string>>; readonly body: string }
  readonly took: Readonly<Record<string, number | null>>
}

/** `body`: null when it is no longer stored. */
export type WholeDelivery = Delivery & { readonly body: string | null; readonly log: readonly Attempt[] }

export { deliveryFilters as logFilters }
export type LogFilter = DeliveryFilter

/** The delivery after which a page begins. */
export type LogCursor = { readonly eventId: string; readonly replay: number }
const newest: LogCursor = { eventId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', replay: 2 ** 31 - 1 }

/** Older entries contain the whole address. */
const shownRequest = ({ url, headers }: Attempt['request']): Attempt['request'] => ({
  url: shownUrl(url, false),
  headers,
})

const mostAttempts = 100
/** How far the clocks of two nodes may differ. */
const clocksDiffer_ms = hour_ms

type Row = Awaited<ReturnType<typeof findDelivery>>[number]

const deliveryOf = (row: Row): Delivery => ({
  id: row.id,
  eventId: row.event_id,
  replay: row.replay,
  kind: row.kind,
  eventAt: row.event_at,
  intentId: row.intent_id,
  order: row.order_id || null,
  reference: row.reference || null,
  state: row.state,
  attempts: row.attempts,
  nextAt: row.state === 'waiting' || row.state === 'retrying' ? row.due_at : null,
  endedAt: row.ended_at,
  last:
    row.last_at === null
      ? null
      : { at: row.last_at, outcome: row.last_outcome ?? '', status: row.last_status, error: row.last_error ?? '' },
})

/** A page of the log, the newest event first. */
export const readLog = async (
  db: Session,
  scope: Scope,
  endpointId: EndpointId,
  query: { readonly filter: LogFilter; readonly after: LogCursor | undefined; readonly most: number },
): Promise<Delivery[]> =>
  (await listDeliveries[query.filter](db, scope, endpointId, query.after ?? newest, query.most)).map(deliveryOf)

export const readDelivery = async (
  db: Session,
  scope: Scope,
  endpointId: EndpointId,
  id: DeliveryId,
): Promise<WholeDelivery | Refusal<'delivery_unknown'>> => {
  const [row] = await findDelivery(db, scope, endpointId, id)
  if (row === undefined) return refuse('delivery_unknown')
  const delivery = deliveryOf(row)
  const [event] = await bodyOfEvent(db, scope, delivery.eventId)
  const attempts = await attemptsOfDelivery(db, scope, id, delivery.eventAt - clocksDiffer_ms, mostAttempts)
  return {
    ...delivery,
    body: event === undefined || event.body === '' ? null : event.body,
    log: attempts.map((one): Attempt => {
      const ids = { eventId: delivery.eventId, deliveryId: delivery.id, attempt: one.attempt }
      return {
        attempt: one.attempt,
        at: one.at,
        outcome: one.outcome,
        status: one.status,
        error: one.error,
        request: shownRequest(restoreRequest(one.request, ids)),
        response: JSON.parse(one.response),
        took: JSON.parse(one.took),
      }
    }),
  }
}
