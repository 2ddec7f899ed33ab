import type { Instant } from '../../core/clock.ts'
import { at, bool, text, uuid, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'

/** A lock, so that one node at a time changes partitions. */
export const tryLockPartitions = statement(
  'try_lock_partitions',
  { locked: bool() },
  () => [],
  `select pg_try_advisory_xact_lock(72622312) as locked`,
)

/** The partitions of a table, with the default partition. */
export const partitionsOf = statement(
  'partitions_of',
  { name: text() },
  (table: string) => [table],
  `
  select c.relname::text as name
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
   where i.inhparent = to_regclass($1)
   order by c.relname`,
)

/** Counts the rows of a day that are in the default partition, up to $3. Index: none; usually there are no such rows. */
export const strayAttempts = statement(
  'stray_attempts',
  { rows: whole() },
  (from: Instant, until: Instant, most: number) => [at(from), at(until), most],
  `
  select count(*)::int as rows
    from (select from delivery_attempts_other where at >= $1 and at < $2 limit $3) as counted`,
)

export const strayEnds = statement(
  'stray_ends',
  { rows: whole() },
  (from: Instant, until: Instant, most: number) => [at(from), at(until), most],
  `
  select count(*)::int as rows
    from (select from delivery_ends_other where at >= $1 and at < $2 limit $3) as counted`,
)

/** Deletes old rows of the default partition, which is never dropped. */
export const deleteStrayAttempts = statement(
  'delete_stray_attempts',
  { delivery_id: uuid() },
  (before: Instant, most: number) => [at(before), most],
  `
  delete from delivery_attempts_other
   where ctid = any(array(select ctid from delivery_attempts_other where at < $1 limit $2))
  returning delivery_id`,
)

export const deleteStrayEnds = statement(
  'delete_stray_ends',
  { delivery_id: uuid() },
  (before: Instant, most: number) => [at(before), most],
  `
  delete from delivery_ends_other
   where ctid = any(array(select ctid from delivery_ends_other where at < $1 limit $2))
  returning delivery_id`,
)

/**
 * Empties the text of old events; their ids, kinds and times stay. Events with unfinished deliveries are skipped. Index:
 * events_with_body; primary key of deliveries.
 */
export const forgetBodyRows = statement(
  'forget_body_rows',
  { id: uuid() },
  (before: Instant, most: number) => [at(before), most],
  `
  with old as (
    select e.account_id, e.id
      from events e
     where e.body <> '' and e.created_at < $1 and ${isNotFrozen('e.account_id')}
       and not exists (select from webhook_endpoints w
                         join deliveries d on d.endpoint_id = w.id and d.event_id = e.id
                        where w.account_id = e.account_id)
     order by e.created_at limit $2
       for no key update skip locked)
  update events e set body = '' from old
   where e.account_id = old.account_id and e.id = old.id
  returning e.id`,
)

/** Deletes old replays that have ended. The text of their events was emptied long ago. Index: webhook_replays_old. */
export const deleteOldReplays = statement(
  'delete_old_replays',
  { id: uuid() },
  (before: Instant, most: number) => [at(before), most],
  `
  delete from webhook_replays
   where (account_id, id) in (select account_id, id from webhook_replays
                               where state <> 'running' and created_at < $1
                               order by created_at limit $2)
     and state <> 'running'
  returning id`,
)
