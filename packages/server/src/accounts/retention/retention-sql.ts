import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import type { RetentionKind } from './retention.ts'

const days = 'texts, no_money, payers, api_calls, audit'
const daysColumns = {
  texts: nullable(whole()),
  no_money: nullable(whole()),
  payers: nullable(whole()),
  api_calls: nullable(whole()),
  audit: nullable(whole()),
}

/** What the account itself has set. No row: nothing. Index: primary key. */
export const retentionOfAccount = scoped(
  'retention_of_account',
  daysColumns,
  (scope: Scope) => [scope.accountId],
  `select ${days} from retention_settings where account_id = $1`,
)

/** The caller has locked the account. Index: primary key. */
export const saveRetention = scoped(
  'save_retention',
  noColumns,
  (scope: Scope, set: Readonly<Record<RetentionKind, number | null>>) => [
    scope.accountId,
    set.texts,
    set.no_money,
    set.payers,
    set.api_calls,
    set.audit,
  ],
  `
  insert into retention_settings (account_id, ${days})
  values ($1, $2, $3, $4, $5, $6)
  on conflict (account_id) do update
     set texts = excluded.texts, no_money = excluded.no_money, payers = excluded.payers, api_calls = excluded.api_calls,
         audit = excluded.audit`,
)

/** What the job of retention erases: the kinds of the settings, some of them in two parts. */
export type ErasedKind = RetentionKind | 'late_texts' | 'customers' | 'audit_payers'

/** Gives accounts the rows of progress that they have not got, also of a kind that is new, at most so many accounts. Two nodes may do
 *  it at once. Index: primary key. */
export const beginRetention = statement(
  'begin_retention',
  { account_id: uuid<AccountId>() },
  (kinds: readonly ErasedKind[], now: Instant, most: number) => [kinds, at(now), most],
  `
  with missing as (
    select a.id from accounts a
     where (select count(*) from retention_progress p where p.account_id = a.id and p.kind = any($1::text[])) < cardinality($1::text[])
       and ${isNotFrozen('a.id')}
     limit $3)
  insert into retention_progress (account_id, kind, erased_to, due_at)
  select m.id, k.kind, '00000000-0000-0000-0000-000000000000', $2
    from missing m cross join unnest($1::text[]) as k (kind)
      on conflict do nothing
  returning account_id`,
)

/** The row of progress that is due first, with the days that its account has set, locked until the transaction ends. Rows that
 *  another node works on are left out. Index: retention_progress_due. */
export const lockRetentionStep = statement(
  'lock_retention_step',
  { account_id: uuid<AccountId>(), kind: text<ErasedKind>(), erased_to: text(), ...daysColumns },
  (now: Instant) => [at(now)],
  `
  select p.account_id, p.kind, p.erased_to::text as erased_to, s.texts, s.no_money, s.payers, s.api_calls, s.audit
    from retention_progress p
    left join retention_settings s on s.account_id = p.account_id
   where p.due_at <= $1 and ${isNotFrozen('p.account_id')}
   order by p.due_at
   limit 1
     for update of p skip locked`,
)

/** Index: primary key. */
export const saveRetentionStep = scoped(
  'save_retention_step',
  noColumns,
  (scope: Scope, kind: ErasedKind, erasedTo: string, dueAt: Instant) => [scope.accountId, kind, erasedTo, at(dueAt)],
  `update retention_progress set erased_to = $3, due_at = $4 where account_id = $1 and kind = $2`,
)

/** A setting was changed: the job looks at the account again soon. Index: primary key. */
export const hurryRetention = scoped(
  'hurry_retention',
  noColumns,
  (scope: Scope, now: Instant) => [scope.accountId, at(now)],
  `update retention_progress set due_at = $2 where account_id = $1 and due_at > $2`,
)
