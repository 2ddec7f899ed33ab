import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { at, bool, text, uuid } from '../query/columns.ts'
import { noColumns, statement } from '../query/statement.ts'

export type FreezeState = 'stopping' | 'frozen'

/** SQL: a condition that the account of a row is not frozen, for background work that would otherwise wait for it. The few frozen
 *  accounts are read once for a statement, so that its plan is the same as without the condition. */
export const isNotFrozen = (column: string): string =>
  `${column} <> all(array(select f.account_id from account_freezes f))`

/** All frozen accounts: few rows, mostly none. */
export const frozenAccounts = statement(
  'frozen_accounts',
  { account_id: uuid<AccountId>(), state: text<FreezeState>() },
  () => [],
  'select account_id, state from account_freezes',
)

/** Locked until the transaction ends. Index: primary key. */
export const lockFreeze = statement(
  'lock_freeze',
  { account_id: uuid<AccountId>(), state: text<FreezeState>() },
  (accountId: AccountId) => [accountId],
  'select account_id, state from account_freezes where account_id = $1 for update',
)

/** No row if it is frozen already. Index: primary key. */
export const insertFreeze = statement(
  'insert_freeze',
  { account_id: uuid<AccountId>() },
  (accountId: AccountId, now: Instant) => [accountId, at(now)],
  `
  insert into account_freezes (account_id, state, began_at) values ($1, 'stopping', $2)
  on conflict (account_id) do nothing
  returning account_id`,
)

/** Index: primary key. */
export const markFrozen = statement(
  'mark_frozen',
  { account_id: uuid<AccountId>() },
  (accountId: AccountId, now: Instant) => [accountId, at(now)],
  `
  update account_freezes set state = 'frozen', frozen_at = coalesce(frozen_at, $2) where account_id = $1 returning account_id`,
)

/** Index: primary key. */
export const deleteFreeze = statement(
  'delete_freeze',
  { account_id: uuid<AccountId>() },
  (accountId: AccountId) => [accountId],
  'delete from account_freezes where account_id = $1 returning account_id',
)

/** Its rows may be written again, to erase them; no call of it is answered and no webhook is begun. Index: primary key. */
export const pauseFreeze = statement(
  'pause_freeze',
  noColumns,
  (accountId: AccountId) => [accountId],
  `update account_freezes set state = 'stopping' where account_id = $1`,
)

/** Nothing may be frozen meanwhile: waits for those who freeze, and they wait for this transaction. */
export const lockFreezes = statement(
  'lock_freezes',
  noColumns,
  () => [],
  'lock table account_freezes in share row exclusive mode',
)

/** The tables that have the trigger. */
export const guardedTables = statement(
  'guarded_tables',
  { name: text() },
  () => [],
  `
  select c.relname::text as name
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
   where t.tgname = 'frozen_account' and c.relnamespace = 'public'::regnamespace
   order by c.relname`,
)

/** Whether a transaction has been writing to the table for longer than a second, such as the copy of another account into this database.
 *  Reads no table of ours. */
export const hasLongWriter = statement(
  'has_long_writer',
  { busy: bool() },
  (table: string) => [table],
  `
  select exists (
    select from pg_locks l join pg_stat_activity a on a.pid = l.pid
     where l.locktype = 'relation' and l.mode = 'RowExclusiveLock' and l.granted
       and l.database = (select d.oid from pg_database d where d.datname = current_database())
       and l.relation = format('public.%I', $1::text)::regclass
       and a.xact_start < clock_timestamp() - interval '1 second') as busy`,
)

/** Whether triggers are enabled while no account is frozen. Tables: few rows. */
export const areGuardsLeft = statement(
  'are_guards_left',
  { left: bool() },
  () => [],
  `
  select not exists (select from account_freezes)
         and exists (select from pg_trigger t where t.tgname = 'frozen_account' and t.tgenabled <> 'D') as left`,
)
