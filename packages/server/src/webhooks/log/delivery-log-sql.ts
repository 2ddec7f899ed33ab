import type { DeliveryState } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import type { DeliveryId, EndpointId, EventId, IntentId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { onlyRow, scoped } from '../../postgres/query/statement.ts'
import { eventsOfDelivery } from '../delivery-id.ts'
import { hasFailed, stateOf } from '../delivery-state-sql.ts'
import type { EventKind } from '../event.ts'

const deliveryColumns = {
  id: uuid<DeliveryId>(),
  event_id: uuid<EventId>(),
  replay: whole(),
  attempts: whole(),
  state: text<DeliveryState>(),
  due_at: nullable(instant()),
  ended_at: nullable(instant()),
  kind: text<EventKind>(),
  event_at: instant(),
  intent_id: nullable(uuid<IntentId>()),
  order_id: nullable(text()),
  reference: nullable(text()),
  last_at: nullable(instant()),
  last_outcome: nullable(text()),
  last_status: nullable(whole()),
  last_error: nullable(text()),
}

const unfinished = `
    select d.id, d.event_id, d.replay, d.attempt as attempts,
           ${stateOf('d')} as state, d.due_at, null::timestamptz as ended_at
      from deliveries d
     where d.account_id = $1 and d.endpoint_id = $2`

const ended = `
    select x.delivery_id as id, x.event_id, x.replay, x.attempts, x.ending as state, null::timestamptz as due_at,
           x.at as ended_at
      from delivery_ends x
     where x.account_id = $1 and x.endpoint_id = $2`

/**
 * The deliveries of the CTE `page`, each with its event and its last attempt. An attempt is later than its event, but two
 * clocks may differ by up to an hour: only the partitions since an hour before the event are read. Index: primary key of events,
 * delivery_attempts_of_delivery.
 */
const withEventAndLastAttempt = `
  select p.id, p.event_id, p.replay, p.attempts, p.state, p.due_at, p.ended_at, e.kind, e.created_at as event_at, e.intent_id,
         e.facts ->> 'order_id' as order_id, e.facts ->> 'reference' as reference,
         a.at as last_at, a.outcome as last_outcome, a.status as last_status, a.error as last_error
    from page p
   cross join lateral (
         select e.kind, e.created_at, e.intent_id, nullif(e.body, '')::json as facts from events e
          where ${onlyRow('e.account_id = $1', 'e.id', 'p.event_id')}) as e
    left join lateral (
         select a.at, a.outcome, a.status, a.error
           from delivery_attempts a
          where a.account_id = $1 and a.delivery_id = p.id and a.at > e.created_at - interval '1 hour'
          order by a.attempt desc limit 1) as a on true
   order by p.event_id desc, p.replay desc`

const order = 'order by event_id desc, replay desc limit $5'

const listOf = (name: string, parts: readonly string[]) =>
  scoped(
    name,
    deliveryColumns,
    (
      scope: Scope,
      endpointId: EndpointId,
      after: { readonly eventId: string; readonly replay: number },
      most: number,
    ) => [scope.accountId, endpointId, after.eventId, after.replay, most],
    `
  with page as (
    select * from (
    ${parts.map((part) => `(${part} and (event_id, replay) < ($3::uuid, $4::int) ${order})`).join('\n    union all\n    ')}) as found
    ${order})
  ${withEventAndLastAttempt}`,
  )

/**
 * The deliveries of an endpoint, the newest event first. A delivery keeps its place in the list while it waits, is sent and ends,
 * so that no page shows it twice. Index: primary key of deliveries, deliveries_failed, delivery_ends_of_endpoint and
 * delivery_ends_failed.
 */
export const listDeliveries = {
  all: listOf('list_deliveries_all', [unfinished, ended]),
  waiting: listOf('list_deliveries_waiting', [unfinished]),
  delivered: listOf('list_deliveries_delivered', [`${ended} and x.ending = 'delivered'`]),
  failed: listOf('list_deliveries_failed', [
    `${unfinished} and ${hasFailed('d')}`,
    `${ended} and x.ending <> 'delivered'`,
  ]),
}

/** Index: primary key of deliveries, delivery_ends_of_endpoint. */
export const findDelivery = scoped(
  'find_delivery',
  deliveryColumns,
  (scope: Scope, endpointId: EndpointId, id: DeliveryId) => [scope.accountId, endpointId, id, ...eventsOfDelivery(id)],
  `
  with page as (
    (${unfinished} and d.event_id between $4::uuid and $5::uuid and d.id = $3)
    union all
    (${ended} and x.event_id between $4::uuid and $5::uuid and x.delivery_id = $3))
  ${withEventAndLastAttempt}`,
)

/** The text of an event; empty when it is no longer stored. Index: primary key. */
export const bodyOfEvent = scoped(
  'body_of_event',
  { body: text() },
  (scope: Scope, eventId: EventId) => [scope.accountId, eventId],
  `select body from events where account_id = $1 and id = $2`,
)

/** Index: delivery_attempts_of_delivery. */
export const attemptsOfDelivery = scoped(
  'attempts_of_delivery',
  {
    attempt: whole(),
    at: instant(),
    outcome: text(),
    status: nullable(whole()),
    error: text(),
    request: jsonText(),
    response: jsonText(),
    took: jsonText(),
  },
  (scope: Scope, id: DeliveryId, since: Instant, most: number) => [scope.accountId, id, at(since), most],
  `
  select attempt, at, outcome, status, error, request, response, took
    from delivery_attempts
   where account_id = $1 and delivery_id = $2 and at > $3
   order by attempt, at limit $4`,
)
