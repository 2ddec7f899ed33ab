import type { Instant } from '../../core/clock.ts'
import type { AccountId, EventId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import type { EventKind } from '../event.ts'

const feedColumns = {
  id: uuid<EventId>(),
  kind: text<EventKind>(),
  body: text(),
  created_at: instant(),
  sample: bool(),
  is_test: bool(),
}

/** Events and sample events in the order of time. Events of a checkout name no wallet: who sees some wallets only does not get them.
 *  An event without text is too old to be sent. Index: primary keys,
 *  wallets_one_test. */
const feed = (name: string, isAfter: boolean) => {
  const part = (table: string, sample: boolean, onlyWallets: string): string => `
    (select id, kind, body, created_at, ${sample} as sample,
            ${sample ? 'true' : '(wallet_id = (select w.id from wallets w where w.account_id = $1 and w.is_test)) is true'} as is_test
       from ${table}
      where account_id = $1 and id ${isAfter ? '>' : '<'} $2::uuid and body <> '' ${onlyWallets}
      order by id ${isAfter ? '' : 'desc'} limit $3)`
  return scoped(
    name,
    feedColumns,
    (scope: Scope, position: string, most: number) => [scope.accountId, position, most],
    (only) => `
  select * from (${part('events', false, only('wallet_id'))}
    union all${part('sample_events', true, '')}) as found
   order by id ${isAfter ? '' : 'desc'} limit $3`,
  )
}

/** The events and sample events of an account after a position, the oldest first. */
export const eventsAfter = feed('events_after', true)

/** The events and sample events of an account before a position, the newest first. */
export const eventsBefore = feed('events_before', false)

export const insertSampleEvent = statement(
  'insert_sample_event',
  noColumns,
  (sample: { accountId: AccountId; id: EventId; kind: EventKind; body: string; now: Instant }) => [
    sample.accountId,
    sample.id,
    sample.kind,
    sample.body,
    at(sample.now),
  ],
  `insert into sample_events (account_id, id, kind, body, created_at) values ($1, $2, $3, $4, $5)`,
)

/** Index: sample_events_old. */
export const pruneSampleEvents = statement(
  'prune_sample_events',
  { id: uuid() },
  (before: Instant, most: number) => [at(before), most],
  `
  delete from sample_events
   where ctid = any(array(select ctid from sample_events where created_at < $1 order by created_at limit $2))
  returning id`,
)

/** Index: endpoint_hours_old. */
export const pruneEndpointHours = statement(
  'prune_endpoint_hours',
  { endpoint_id: uuid() },
  (before: Instant, most: number) => [at(before), most],
  `
  delete from endpoint_hours
   where ctid = any(array(select ctid from endpoint_hours where hour < $1 order by hour limit $2))
  returning endpoint_id`,
)
