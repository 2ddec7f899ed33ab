import type { Instant } from '../../core/clock.ts'
import { type AccountId, firstIdAt } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { closedUntil } from '../../postgres/clock/clock-sql.ts'
import { at, bool, instant, nullable, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import { isNotMoved } from '../../postgres/tenancy/move-sql.ts'
import type { Status } from '../intent.ts'

/** The hour until which everything is tallied. */
export const readTallyProgress = statement(
  'read_tally_progress',
  { sealed_until: instant() },
  () => [],
  `select sealed_until from tally_progress`,
)

/** The same, with the row locked: one node tallies at a time. */
export const lockTallyProgress = statement(
  'lock_tally_progress',
  { sealed_until: instant() },
  () => [],
  `select sealed_until from tally_progress for update`,
)

/**
 * When the first intent since an instant was created, in any account. Index: primary key of intents, once for each account.
 */
export const firstIntentSince = statement(
  'first_intent_since',
  { created_at: nullable(instant()) },
  (since: Instant) => [firstIdAt(since)],
  `
  select min(f.created_at) as created_at
    from accounts a
   cross join lateral (
         select i.created_at from intents i where i.account_id = a.id and i.id >= $1 order by i.id limit 1) as f`,
)

/** Whether an intent of this period could still change. Index: intents_due. */
export const anyOpen = statement(
  'any_open',
  { open: bool() },
  (from: Instant, until: Instant, now: Instant) => [firstIdAt(from), firstIdAt(until), at(now)],
  `
  select exists (
    select from intents i
     where i.status = 'PENDING' and i.expires_at > ${closedUntil('$3')} and i.id >= $1 and i.id < $2) as open`,
)

/**
 * Adds the hours of a period to the tallies: for each account, wallet and final status the running total at the end of
 * each hour in which it grew; of one account, or of all. Index: primary keys of intents and of intent_tallies, once for each account.
 */
export const addTallies = statement(
  'add_tallies',
  noColumns,
  (from: Instant, until: Instant, accountId: AccountId | null) => [firstIdAt(from), firstIdAt(until), accountId],
  `
  with grown as (
    select a.id as account_id, f.wallet_id, f.status, f.until, f.n
      from accounts a
     cross join lateral (
           select i.wallet_id, case i.status when 'PENDING' then 'EXPIRED' else i.status end as status,
                  date_trunc('hour', i.created_at, 'UTC') + interval '1 hour' as until, count(*) as n
             from intents i
            where i.account_id = a.id and i.id >= $1 and i.id < $2
            group by 1, 2, 3) as f
     where ($3::uuid is null or a.id = $3) and ${isNotMoved('a.id')})
  insert into intent_tallies (account_id, wallet_id, status, until, total)
  select g.account_id, g.wallet_id, g.status, g.until,
         coalesce(before.total, 0)
           + sum(g.n) over (partition by g.account_id, g.wallet_id, g.status order by g.until)
    from grown g
    left join lateral (
         select t.total from intent_tallies t
          where t.account_id = g.account_id and t.wallet_id = g.wallet_id and t.status = g.status
          order by t.until desc limit 1) as before on true`,
)

/**
 * How many intents that were created before `hour` have these final statuses, in one wallet of an account or in all. It adds
 * up the last total at or before the hour, for each wallet and status. Index: wallets_of_account, primary key of
 * intent_tallies, once for each wallet and status.
 */
export const readTalliedTotal = scoped(
  'read_tallied_total',
  { total: whole() },
  (scope: Scope, walletId: string | undefined, statuses: readonly Status[], hour: Instant) => [
    scope.accountId,
    walletId ?? null,
    statuses,
    at(hour),
  ],
  `
  select coalesce(sum(t.total), 0)::bigint as total
    from wallets w
   cross join unnest($3::text[]) as s (status)
   cross join lateral (
         select total from intent_tallies
          where account_id = $1 and wallet_id = w.id and status = s.status and until <= $4::timestamptz
          order by until desc limit 1) as t
   where w.account_id = $1 and ($2::uuid is null or w.id = $2)`,
)

/** Whether an intent of the account, created before an instant, could still change. Index: intents_status. */
export const anyOpenBefore = scoped(
  'any_open_before',
  { open: bool() },
  (scope: Scope, until: Instant, now: Instant) => [scope.accountId, firstIdAt(until), at(now)],
  (only) => `
  select exists (
    select from intents i
     where i.account_id = $1 and i.status = 'PENDING' and i.id < $2 and i.expires_at > ${closedUntil('$3')}
           ${only('i.wallet_id')} ${only.everyDay()}) as open`,
)

/** Index: primary key. */
export const deleteCounts = scoped(
  'delete_counts',
  noColumns,
  (scope: Scope) => [scope.accountId],
  (only) => `delete from intent_counts where account_id = $1 ${only('wallet_id')} ${only.everyDay()}`,
)

/** The counts of all intents of the account, as the triggers would have made them. Index: primary key of intents. */
export const countAgain = scoped(
  'count_again',
  noColumns,
  (scope: Scope) => [scope.accountId],
  (only) => `
  insert into intent_counts (account_id, hour, wallet_id, status, writer, n)
  select i.account_id, date_trunc('hour', i.created_at, 'UTC'), i.wallet_id, i.status, 0, count(*)
    from intents i
   where i.account_id = $1 ${only('i.wallet_id')} ${only.everyDay()}
   group by 1, 2, 3, 4`,
)

export const moveTallyProgress = statement(
  'move_tally_progress',
  noColumns,
  (talliedUntil: Instant) => [at(talliedUntil)],
  `update tally_progress set sealed_until = $1`,
)

/**
 * Adds up the counts of database sessions (intent_counts), at most so many rows. A row that its session is changing is left for the next
 * run, and a session never waits longer than this statement takes. The caller has locked the progress: two nodes that do this at once
 * could wait for each other. Index: intent_counts_of_writers, primary key.
 */
export const addUpCounts = statement(
  'add_up_counts',
  { taken: whole() },
  (most: number) => [most],
  `
  with taken as (
    select account_id, hour, wallet_id, status, writer
      from intent_counts
     where writer <> 0 and ${isNotFrozen('account_id')}
     order by account_id
     limit $1
       for update skip locked),
  gone as (
    delete from intent_counts c
     using taken t
     where c.account_id = t.account_id and c.hour = t.hour and c.wallet_id = t.wallet_id and c.status = t.status
       and c.writer = t.writer
    returning c.account_id, c.hour, c.wallet_id, c.status, c.n),
  added as (
    insert into intent_counts as c (account_id, hour, wallet_id, status, writer, n)
    select account_id, hour, wallet_id, status, 0, sum(n)
      from gone
     group by 1, 2, 3, 4
    on conflict (account_id, hour, wallet_id, status, writer) do update set n = c.n + excluded.n)
  select count(*) as taken from gone`,
)

/** Deletes counts of hours before an instant, at most so many rows. Index: primary key, once for each account. */
export const pruneCounts = statement(
  'prune_counts',
  { pruned: whole() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  with old as (
    select c.account_id, c.hour, c.wallet_id, c.status, c.writer
      from accounts a
     cross join lateral (
           select * from intent_counts c where c.account_id = a.id and c.hour < $1 offset 0) as c
     where ${isNotFrozen('c.account_id')}
     limit $2),
  gone as (
    delete from intent_counts c
     using old o
     where c.account_id = o.account_id and c.hour = o.hour and c.wallet_id = o.wallet_id and c.status = o.status
       and c.writer = o.writer
    returning 1)
  select count(*) as pruned from gone`,
)
