import type { Instant } from '../../core/clock.ts'
import type { AccountId, DeliveryId, EndpointId, EventId, ReplayId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, onlyRow, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import { newDeliveryId } from '../delivery-id.ts'
import type { EventKind } from '../event.ts'

/** Which events of an account are sent again to an endpoint. Ids grow with time, so a range of time is a range of ids. */
export type EventRange = {
  readonly scope: Scope
  readonly endpointId: EndpointId
  readonly kinds: readonly EventKind[]
  readonly walletId: WalletId | null
  /** Only the events that never arrived. */
  readonly undelivered: boolean
  /** The ids before the first and after the last event of the range. */
  readonly after: string
  readonly before: string
}

const rangeParams = (range: EventRange) => [
  range.scope.accountId,
  range.endpointId,
  range.kinds,
  range.walletId,
  range.undelivered,
  range.after,
  range.before,
]

/** A CTE of the events that arrived (if $5; otherwise empty), read once as a range of each partition's index: a separate
 *  search for every event in every partition takes minutes for a month. Index: delivery_ends_of_endpoint. */
const arrived = (upperBound: string) => `
  arrived as materialized (
    select x.event_id from delivery_ends x
     where $5::bool and x.account_id = $1 and x.endpoint_id = $2 and x.event_id > $6::uuid and x.event_id ${upperBound}
       and x.ending = 'delivered')`

/** The event's text is still stored, it has the right kind and wallet, it is not waiting already. If $5 (`undelivered`), it
 *  has not arrived either. */
const fits = `
        e.body <> '' and e.kind = any($3::text[]) and ($4::uuid is null or e.wallet_id = $4)
    and not exists (select from deliveries d where d.endpoint_id = $2 and d.event_id = e.id)
    and not exists (select from arrived where arrived.event_id = e.id)`

/** How many events fit, up to $8. Index: primary key of events. */
export const countReplayEvents = scoped(
  'count_replay_events',
  { events: whole() },
  (range: EventRange, most: number) => [...rangeParams(range), most],
  `
  with ${arrived('< $7::uuid')}
  select count(*)::int as events
    from (select from events e
           where e.account_id = $1 and e.id > $6::uuid and e.id < $7::uuid and ${fits}
           limit $8) as fitting`,
)

/**
 * Reads the next $9 events and returns at most $8 that fit. The last event that was read is returned whether it fits or not: the
 * next step goes on from there. `read_events`: how many were read. Index: primary key of events.
 */
export const nextReplayEvents = scoped(
  'next_replay_events',
  { id: uuid<EventId>(), fits: bool(), read_events: whole() },
  (range: EventRange, most: number, mostRead: number) => [...rangeParams(range), most, mostRead],
  `
  with page as materialized (
    select e.id, e.kind, e.wallet_id, e.body from events e
     where e.account_id = $1 and e.id > $6::uuid and e.id < $7::uuid
     order by e.id limit $9),
  last as (select id from page order by id desc limit 1),
  ${arrived('<= (select id from last)')},
  fitting as (select e.id from page e where ${fits} order by e.id limit $8)
  select page.id, fitting.id is not null as fits, (select count(*)::int from page) as read_events
    from page left join fitting on fitting.id = page.id
   where fitting.id is not null or page.id = (select id from last)
   order by page.id`,
)

/**
 * Queues events for an endpoint again, with the next replay number for each. The caller has locked the endpoint's row, so that
 * two transactions never take the same number. Index: primary key of deliveries, delivery_ends_of_endpoint.
 */
export const insertReplays = scoped(
  'insert_replays',
  { id: uuid<DeliveryId>() },
  (scope: Scope, endpointId: EndpointId, eventIds: readonly EventId[], now: Instant) => [
    scope.accountId,
    endpointId,
    eventIds,
    at(now),
  ],
  `
  insert into deliveries (id, account_id, event_id, endpoint_id, replay, by_hand, due_at, created_at)
  select ${newDeliveryId('n.id')}, $1, n.id, $2,
         1 + greatest((select max(d.replay) from deliveries d where d.endpoint_id = $2 and d.event_id = n.id),
                      (select max(x.replay) from delivery_ends x
                        where x.account_id = $1 and x.endpoint_id = $2 and x.event_id = n.id), 0),
         true, $4, $4
    from unnest($3::uuid[]) as n (id)
  returning id`,
)

/** The time of the oldest event whose delivery ended since $3 because the endpoint was disabled. Index: delivery_ends_failed. */
export const oldestDisabledEvent = scoped(
  'oldest_disabled_event',
  { created_at: instant() },
  (scope: Scope, endpointId: EndpointId, since: Instant) => [scope.accountId, endpointId, at(since)],
  `
  select e.created_at
    from delivery_ends x
   cross join lateral (
         select * from events its where ${onlyRow('its.account_id = x.account_id', 'its.id', 'x.event_id')}) as e
   where x.account_id = $1 and x.endpoint_id = $2 and x.ending <> 'delivered' and x.ending = 'disabled' and x.at >= $3
   order by x.event_id limit 1`,
)

const replayColumns = {
  id: uuid<ReplayId>(),
  endpoint_id: uuid<EndpointId>(),
  from_at: instant(),
  until_at: instant(),
  kinds: jsonText(),
  undelivered: bool(),
  total: whole(),
  more: bool(),
  done: whole(),
  state: text<'running' | 'stopped' | 'done'>(),
  created_at: instant(),
  ended_at: nullable(instant()),
}

const replayFields = `r.id, r.endpoint_id, r.from_at, r.until_at, array_to_json(r.kinds) as kinds, r.undelivered, r.total, r.more,
         r.done, r.state, r.created_at, r.ended_at`

/** The newest replays of an endpoint, or one of them. Index: webhook_replays_of_endpoint. */
export const listReplays = scoped(
  'list_replays',
  replayColumns,
  (scope: Scope, endpointId: EndpointId, id: ReplayId | null, most: number) => [scope.accountId, endpointId, id, most],
  `
  select ${replayFields}
    from webhook_replays r
   where r.account_id = $1 and r.endpoint_id = $2 and ($3::uuid is null or r.id = $3)
   order by r.id desc limit $4`,
)

/** Returns no row if a replay of the endpoint is running: unique index webhook_replays_running. */
export const insertReplay = statement(
  'insert_replay',
  { id: uuid<ReplayId>() },
  (
    replay: EventRange & { id: ReplayId; from: Instant; until: Instant; total: number; more: boolean },
    now: Instant,
  ) => [
    replay.scope.accountId,
    replay.id,
    replay.endpointId,
    at(replay.from),
    at(replay.until),
    replay.kinds,
    replay.undelivered,
    replay.total,
    replay.more,
    replay.after,
    at(now),
  ],
  `
  insert into webhook_replays
         (account_id, id, endpoint_id, from_at, until_at, kinds, undelivered, total, more, cursor, paced_at, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11)
  on conflict do nothing
  returning id`,
)

/** Index: primary key. */
export const stopReplayRow = scoped(
  'stop_replay_row',
  { id: uuid<ReplayId>() },
  (scope: Scope, endpointId: EndpointId, id: ReplayId, now: Instant) => [scope.accountId, endpointId, id, at(now)],
  `
  update webhook_replays set state = 'stopped', ended_at = $4
   where account_id = $1 and endpoint_id = $2 and id = $3 and state = 'running'
  returning id`,
)

/** Returns no row if another replay is running. The caller has locked the endpoint's row. Index: primary key. */
export const resumeReplayRow = scoped(
  'resume_replay_row',
  { id: uuid<ReplayId>() },
  (scope: Scope, endpointId: EndpointId, id: ReplayId, now: Instant) => [scope.accountId, endpointId, id, at(now)],
  `
  update webhook_replays r set state = 'running', ended_at = null, paced_at = $4
   where r.account_id = $1 and r.endpoint_id = $2 and r.id = $3 and r.state = 'stopped'
     and not exists (select from webhook_replays o where o.endpoint_id = $2 and o.state = 'running')
  returning r.id`,
)

/** The replays that may queue events now, first the one that has waited longest. Index: webhook_replays_running. */
export const dueReplays = statement(
  'due_replays',
  { account_id: uuid<AccountId>(), id: uuid<ReplayId>(), endpoint_id: uuid<EndpointId>() },
  (pacedUntil: Instant, most: number) => [at(pacedUntil), most],
  `
  select account_id, id, endpoint_id from webhook_replays
   where state = 'running' and paced_at <= $1 and ${isNotFrozen('account_id')}
   order by paced_at limit $2`,
)

/** A running replay, locked. No row if another node has locked it: that node does the step. Index: primary key. */
export const lockReplay = scoped(
  'lock_replay',
  {
    kinds: jsonText(),
    undelivered: bool(),
    until_at: instant(),
    cursor: uuid(),
    paced_at: instant(),
  },
  (scope: Scope, id: ReplayId) => [scope.accountId, id],
  `
  select array_to_json(kinds) as kinds, undelivered, until_at, cursor, paced_at
    from webhook_replays
   where account_id = $1 and id = $2 and state = 'running'
     for update skip locked`,
)

export const saveReplay = scoped(
  'save_replay',
  noColumns,
  (
    scope: Scope,
    id: ReplayId,
    saved: { cursor: string; queued: number; pacedAt: Instant; state: 'running' | 'stopped' | 'done' },
    now: Instant,
  ) => [scope.accountId, id, saved.cursor, saved.queued, at(saved.pacedAt), saved.state, at(now)],
  `
  update webhook_replays
     set cursor = $3, done = done + $4, paced_at = $5, state = $6,
         ended_at = case when $6 = 'running' then null else $7::timestamptz end
   where account_id = $1 and id = $2`,
)
