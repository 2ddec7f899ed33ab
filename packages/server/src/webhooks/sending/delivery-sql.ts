import type { Instant } from '../../core/clock.ts'
import type { AccountId, DeliveryId, EndpointId, EventId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { instants, jsons, smallints, tids, uuids } from '../../postgres/query/binary-array.ts'
import {
  at,
  bool,
  bytes,
  instant,
  jsonText,
  nullable,
  orNull,
  text,
  uuid,
  whole,
} from '../../postgres/query/columns.ts'
import { onlyRow, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import { isNotMoved } from '../../postgres/tenancy/move-sql.ts'
import { hasFailed } from '../delivery-state-sql.ts'
import { latencyBounds_ms } from '../endpoints/endpoint-figures.ts'
import { fullSpeed } from '../health/breaker.ts'
import type { Share } from './share-calls.ts'

/** A recursive CTE of all endpoints with waiting deliveries, found by stepping through the index; null at the end. */
const steps = `step as (
    (select endpoint_id from deliveries where lease_id is null order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from deliveries d
             where d.lease_id is null and d.endpoint_id > step.endpoint_id order by d.endpoint_id limit 1)
      from step where step.endpoint_id is not null)`

/**
 * A page of endpoints with waiting deliveries, and for each whether a delivery is due and may be sent now. They are found by
 * stepping through the index (deliveries_due), never by reading all rows: a queue of a hundred thousand costs as much as one of a
 * single row. Deliveries of a suspended account wait. `call_limit`: how many calls to the endpoint may be under way (breaker.ts).
 */
export const dueEndpoints = statement(
  'due_endpoints',
  { id: uuid<EndpointId>(), account_id: uuid<AccountId>(), call_limit: whole(), due: bool() },
  (after: EndpointId | string, now: Instant, callLimit: number, limit: number) => [after, at(now), callLimit, limit],
  `
  with recursive step as (
    (select endpoint_id from deliveries where lease_id is null and endpoint_id > $1::uuid order by endpoint_id limit 1)
    union all
    select (select d.endpoint_id from deliveries d
             where d.lease_id is null and d.endpoint_id > step.endpoint_id order by d.endpoint_id limit 1)
      from step where step.endpoint_id is not null)
  select w.id, w.account_id,
         case when w.open_until is not null then 1 else least(w.slow_start, $3::int) end as call_limit,
         w.enabled and (w.open_until is null or w.open_until <= $2)
           and (select c.status from accounts c where c.id = w.account_id) = 'ACTIVE' and ${isNotFrozen('w.account_id')}
           and (select d.due_at from deliveries d where d.endpoint_id = w.id and d.lease_id is null
                 order by d.due_at limit 1) <= $2 as due
    from (select endpoint_id from step where endpoint_id is not null limit $4) as e
    join webhook_endpoints w on w.id = e.endpoint_id`,
)

/** A claimed delivery belongs to one worker until `until`. */
export type Lease = { readonly id: string; readonly until: Instant }

/**
 * Claims due deliveries, for each endpoint at most its share, the oldest first. Whether an endpoint may be called is read from
 * its row again: it may have been disabled, or its breaker may have opened, a moment ago. Rows that another worker has locked are
 * skipped. A delivery that follows another event waits until an attempt of that event has been recorded: until then the `due_at`
 * of that event's delivery equals its `created_at`. `firstOnly` ($8): only deliveries that were never tried. `leads`: another
 * event may follow this one. `place`: the ctid of the row while it is leased. The claim is committed before the POST is made.
 * Index: deliveries_due; primary key.
 *
 * A queue is mostly empty, and is vacuumed while it is empty: a plan that is made at that time prefers a scan of the whole table.
 * So rows are changed by their ctid alone, here and below: then the planner has no choice.
 */
export const claimDeliveries = statement(
  'claim_deliveries',
  {
    id: uuid<DeliveryId>(),
    place: text(),
    account_id: uuid<AccountId>(),
    event_id: uuid<EventId>(),
    endpoint_id: uuid<EndpointId>(),
    attempt: whole(),
    by_hand: bool(),
    body: text(),
    event_at: instant(),
    leads: bool(),
    is_test: bool(),
    trace: nullable(text()),
    url: text(),
    query_sealed: nullable(bytes()),
    headers: jsonText(),
    secret_sealed: bytes(),
    previous_secret_sealed: nullable(bytes()),
    previous_until: nullable(instant()),
  },
  (claim: { lease: Lease; now: Instant; shares: readonly Share[]; callLimit: number; firstOnly: boolean }) => [
    claim.lease.id,
    at(claim.lease.until),
    at(claim.now),
    claim.shares.map(({ id }) => id),
    claim.shares.map(({ most }) => most),
    claim.shares.map(({ underWay }) => underWay),
    claim.callLimit,
    claim.firstOnly,
  ],
  `
  with chosen as (
    select d.place
      from unnest($4::uuid[], $5::int[], $6::int[]) as share (id, most, under_way)
      join webhook_endpoints w
        on w.id = share.id and w.enabled and (w.open_until is null or w.open_until <= $3)
      join accounts c on c.id = w.account_id and c.status = 'ACTIVE' and ${isNotFrozen('c.id')}
     cross join lateral (
           select d.ctid as place from deliveries d
            where d.endpoint_id = share.id and d.lease_id is null and d.due_at <= $3
              and (d.attempt = 0 or not $8::bool)
              and (d.follows is null or coalesce((
                    select p.due_at <> p.created_at from deliveries p
                     where p.replay = 0 and ${onlyRow('p.endpoint_id = d.endpoint_id', 'p.event_id', 'd.follows')}), true))
            order by d.due_at, d.event_id
            limit greatest(0, least(share.most,
                    case when w.open_until is not null then 1 else least(w.slow_start, $7::int) end
                    - share.under_way))
              for update skip locked) as d),
  claimed as (
    update deliveries d set lease_id = $1, lease_until = $2, attempt = d.attempt + 1
     where d.ctid = any(array(select place from chosen))
    returning d.id, d.ctid as place, d.account_id, d.event_id, d.endpoint_id, d.attempt, d.by_hand)
  select c.id, c.place::text, c.account_id, c.event_id, c.endpoint_id, c.attempt, c.by_hand, e.body, e.created_at as event_at,
         e.kind = 'payment.received' as leads,
         coalesce((select t.is_test from wallets t where t.account_id = c.account_id and t.id = e.wallet_id), false) as is_test,
         e.trace, w.url, w.query_sealed, w.headers, w.secret_sealed, w.previous_secret_sealed, w.previous_until
    from claimed c
   cross join lateral (
         select e.body, e.created_at, e.kind, e.wallet_id, e.trace from events e
          where ${onlyRow('e.account_id = c.account_id', 'e.id', 'c.event_id')}) as e
    join webhook_endpoints w on w.id = c.endpoint_id`,
)

export type ClaimedDelivery = Awaited<ReturnType<typeof claimDeliveries>>[number]

export type Finished = {
  readonly id: DeliveryId
  readonly endpointId: EndpointId
  /** The ctid from the claim. The row there is changed only if it has this id and this lease. */
  readonly place: string
  readonly leaseId: string
  readonly at: Instant
  /** Null: the delivery ends. */
  readonly nextAt: Instant | null
  readonly ending: 'delivered' | 'exhausted' | 'disabled' | null
  readonly outcome: string
  readonly status: number | null
  readonly error: string
  readonly request: string
  readonly response: string
  readonly took: string
}

/** The parameters that the two statements below share, each an array in the order of the ids, $1. */
const resultParameters = (results: readonly Finished[]): unknown[] => [
  uuids(results.map((one) => one.id)),
  uuids(results.map((one) => one.leaseId)),
  tids(results.map((one) => one.place)),
  instants(results.map((one) => one.at)),
  smallints(results.map((one) => one.status)),
  jsons(results.map((one) => one.request)),
  jsons(results.map((one) => one.response)),
  jsons(results.map((one) => one.took)),
]
const boundsSql = `array[${latencyBounds_ms.join(', ')}]::float8[]`
const indexOfRow = 'array_position($1::uuid[], d.id)'
const isOurs = `d.ctid = any($3::tid[]) and d.lease_id = ($2::uuid[])[${indexOfRow}]`
const returnedColumns = `d.id, d.account_id, d.event_id, d.endpoint_id, d.replay, d.attempt, ${indexOfRow} as n`

const insertAttempts = (from: string, outcome: string, error: string): string => `logged as (
    insert into delivery_attempts (at, account_id, delivery_id, event_id, endpoint_id, attempt, outcome, status, error,
                                   request, response, took)
    select ($4::timestamptz[])[n], account_id, id, event_id, endpoint_id, attempt, ${outcome}, ($5::int2[])[n], ${error},
           ($6::json[])[n], ($7::json[])[n], ($8::json[])[n]
      from ${from})`

/**
 * A CTE that counts the attempts by endpoint and hour (endpoint-figures.ts). Rows are written in order, so that two
 * workers do not deadlock.
 */
const countAttempts = (from: string, isOk: string): string => `counted as (
    insert into endpoint_hours (account_id, endpoint_id, hour, bucket, attempts)
    select account_id, endpoint_id, date_bin('1 hour', ($4::timestamptz[])[n], 'epoch'),
           case when ${isOk} then width_bucket(coalesce((($8::json[])[n] ->> 'total_ms')::float8, 0), ${boundsSql}) else -1 end,
           count(*)
      from ${from}
     group by 1, 2, 3, 4
     order by 1, 2, 3, 4
    on conflict (account_id, endpoint_id, hour, bucket) do update set attempts = endpoint_hours.attempts + excluded.attempts)`

const insertEnds = (ending: string): string => `ended as (
    insert into delivery_ends (at, account_id, delivery_id, event_id, endpoint_id, replay, attempts, ending)
    select ($4::timestamptz[])[n], account_id, id, event_id, endpoint_id, replay, attempt, ${ending} from gone)`

/**
 * Records successful deliveries to healthy endpoints and ends them, in one statement: an attempt is never recorded without its
 * consequence. Rows whose lease was lost meanwhile belong to another worker: nothing is written for them. Returns the endpoints
 * whose health a success changes: they were not healthy, or no success was saved since $9. Nothing is written for these here.
 */
export const finishSuccessful = statement(
  'finish_successful',
  { endpoint_id: uuid<EndpointId>() },
  (results: readonly Finished[], savedSince: Instant) => [
    ...resultParameters(results),
    at(savedSince),
    [...new Set(results.map((one) => one.endpointId))],
  ],
  `
  with unhealthy as materialized (
    select w.id from webhook_endpoints w
     where w.id = any($10::uuid[])
       and (w.failing_since is not null or w.open_until is not null or w.slow_start <> ${fullSpeed} or w.misconfigured
            or w.last_success_at is null or w.last_success_at < $9)),
  gone as (
    delete from deliveries d where ${isOurs} and d.endpoint_id <> all(array(select id from unhealthy))
    returning ${returnedColumns}),
  ${insertAttempts('gone', "'ok'", "''")},
  ${countAttempts('gone', 'true')},
  ${insertEnds("'delivered'")}
  select id as endpoint_id from unhealthy`,
)

/**
 * Records results that change the health of their endpoint, in the transaction that also saves the health: failures, and
 * successes at endpoints that were not healthy. The delivery is due again later, or ends. Returns the deliveries whose lease was
 * still ours.
 */
export const finishWithHealth = statement(
  'finish_with_health',
  { id: uuid<DeliveryId>() },
  (results: readonly Finished[]) => [
    ...resultParameters(results),
    results.map((one) => orNull(one.nextAt)),
    results.map((one) => one.ending),
    results.map((one) => one.outcome),
    results.map((one) => one.error),
  ],
  `
  with again as (
    update deliveries d set lease_id = null, lease_until = null, due_at = ($9::timestamptz[])[${indexOfRow}]
     where ${isOurs} and ($10::text[])[${indexOfRow}] is null
    returning ${returnedColumns}),
  gone as (delete from deliveries d where ${isOurs} and ($10::text[])[${indexOfRow}] is not null returning ${returnedColumns}),
  ours as (select * from again union all select * from gone),
  ${insertAttempts('ours', '($11::text[])[n]', '($12::text[])[n]')},
  ${countAttempts('ours', "($11::text[])[n] = 'ok'")},
  ${insertEnds('($10::text[])[n]')}
  select id from ours`,
)

/**
 * Returns deliveries of dead workers to the queue, and records a lapsed attempt. A delivery that has been tried $3 times ends
 * instead: a delivery that kills every worker must not be tried for ever. Index: deliveries_leased.
 */
export const reapLeases = statement(
  'reap_leases',
  { id: uuid<DeliveryId>() },
  (now: Instant, limit: number, mostAttempts: number) => [at(now), limit, mostAttempts],
  `
  with lapsed as (
    select ctid as place, attempt >= $3::int as over from deliveries
     where lease_id is not null and lease_until <= $1
     order by lease_until limit $2
       for update skip locked),
  back as (
    update deliveries d set lease_id = null, lease_until = null
     where d.ctid = any(array(select place from lapsed where not over))
    returning d.id, d.account_id, d.event_id, d.endpoint_id, d.attempt),
  gone as (
    delete from deliveries d
     where d.ctid = any(array(select place from lapsed where over))
    returning d.id, d.account_id, d.event_id, d.endpoint_id, d.replay, d.attempt),
  reaped as (
    select id, account_id, event_id, endpoint_id, attempt from back
    union all
    select id, account_id, event_id, endpoint_id, attempt from gone),
  logged as (
    insert into delivery_attempts (at, account_id, delivery_id, event_id, endpoint_id, attempt, outcome, error, request,
                                   response, took)
    select $1, r.account_id, r.id, r.event_id, r.endpoint_id, r.attempt, 'lapsed',
           'The result is not known: the sender was stopped before it recorded the result. The event may have arrived.',
           json_build_object('url', split_part(w.url, '?', 1), 'headers', '{}'::json), '{"headers":{},"body":""}', '{}'
      from reaped r join webhook_endpoints w on w.id = r.endpoint_id),
  ended as (
    insert into delivery_ends (at, account_id, delivery_id, event_id, endpoint_id, replay, attempts, ending)
    select $1, account_id, id, event_id, endpoint_id, replay, attempt, 'exhausted' from gone)
  select id from reaped`,
)

/**
 * Ends the deliveries that wait for a disabled or deleted endpoint; the log shows it. Such endpoints are found by stepping
 * through the index (deliveries_due): deliveries of other endpoints are not read.
 */
export const endDisabledDeliveries = statement(
  'end_disabled_deliveries',
  { id: uuid<DeliveryId>(), account_id: uuid<AccountId>() },
  (now: Instant, limit: number) => [at(now), limit],
  `
  with recursive ${steps},
  gone as (
    delete from deliveries d
     where d.ctid = any(array(
             select o.place
               from step join webhook_endpoints w on w.id = step.endpoint_id and not w.enabled and ${isNotFrozen('w.account_id')}
              cross join lateral (
                    select d.ctid as place from deliveries d
                     where d.endpoint_id = w.id and d.lease_id is null
                     order by d.due_at limit $2 for update skip locked) as o
              limit $2))
    returning d.id, d.account_id, d.event_id, d.endpoint_id, d.replay, d.attempt),
  ended as (
    insert into delivery_ends (at, account_id, delivery_id, event_id, endpoint_id, replay, attempts, ending)
    select $1, account_id, id, event_id, endpoint_id, replay, attempt, 'disabled' from gone)
  select id, account_id from gone`,
)

/**
 * The state of the queue, for operators: since when the oldest due delivery waits, and since when the oldest one that no breaker
 * and no suspension stops; how many deliveries are due, how many are unfinished, and how many of these have failed so far, each
 * counted to 100,000; how many breakers are open. The two times are exact: the first delivery of each endpoint in the order of
 * the index, found by stepping through it (deliveries_due). What waits for an account that is used in another cell is sent there, and
 * is left out; a frozen account is stopped. Index: deliveries_failed.
 */
export const queueState = statement(
  'queue_state',
  {
    oldest_due_at: nullable(instant()),
    oldest_sendable_at: nullable(instant()),
    waiting: whole(),
    unfinished: whole(),
    failed: whole(),
    open_breakers: whole(),
  },
  (now: Instant) => [at(now)],
  `
  with recursive ${steps},
  first as (
    select coalesce(w.open_until > $1, false) or c.status <> 'ACTIVE' or not (${isNotFrozen('c.id')}) as stopped,
           (select d.due_at from deliveries d where d.endpoint_id = w.id and d.lease_id is null
             order by d.due_at limit 1) as due_at
      from step join webhook_endpoints w on w.id = step.endpoint_id join accounts c on c.id = w.account_id
     where w.enabled and ${isNotMoved('c.id')})
  select min(due_at) as oldest_due_at, min(due_at) filter (where not stopped) as oldest_sendable_at,
         (select count(*)::int
            from (select from deliveries d join webhook_endpoints w on w.id = d.endpoint_id
                   where d.lease_id is null and d.due_at <= $1 and w.enabled and ${isNotMoved('d.account_id')}
                   limit 100000) as counted) as waiting,
         (select count(*)::int
            from (select from deliveries d join webhook_endpoints w on w.id = d.endpoint_id
                   where w.deleted_at is null and ${isNotMoved('d.account_id')} limit 100000) as counted) as unfinished,
         (select count(*)::int
            from (select from deliveries d join webhook_endpoints w on w.id = d.endpoint_id
                   where ${hasFailed('d')} and w.deleted_at is null and ${isNotMoved('d.account_id')}
                   limit 100000) as counted) as failed,
         (select count(*)::int from webhook_endpoints
           where enabled and open_until > $1 and ${isNotMoved('account_id')}) as open_breakers
    from first where due_at <= $1`,
)

/** How many deliveries of the account are being sent. Index: deliveries_leased. */
export const leasedDeliveries = scoped(
  'leased_deliveries',
  { leased: whole() },
  (scope: Scope) => [scope.accountId],
  `select count(*)::int as leased from deliveries where lease_id is not null and account_id = $1`,
)
