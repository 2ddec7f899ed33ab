import type { Instant } from '../../core/clock.ts'
import type { AccountId, IntentId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, instant, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import type { PayerSource } from '../records/claimed-payer.ts'

/** The payers that were claimed for these intents. Index: primary key. */
export const claimedPayers = scoped(
  'claimed_payers',
  { intent_id: uuid<IntentId>(), name: text(), phone: text(), source: text<PayerSource>(), claimed_at: instant() },
  (scope: Scope, intentIds: readonly string[]) => [scope.accountId, intentIds],
  `
  select intent_id, name, phone, source, claimed_at
    from claimed_payers
   where account_id = $1 and intent_id = any($2::uuid[])`,
)

/** The same for intents of several accounts. The caller has locked their rows. Index: primary key. */
export const payersOfHolders = statement(
  'payers_of_holders',
  { intent_id: uuid<IntentId>(), name: text(), phone: text() },
  (accountIds: readonly AccountId[], intentIds: readonly IntentId[]) => [accountIds, intentIds],
  `
  select intent_id, name, phone
    from claimed_payers
   where account_id = any($1::uuid[]) and intent_id = any($2::uuid[])`,
)

/** Index: primary key. */
export const saveClaimedPayer = scoped(
  'save_claimed_payer',
  noColumns,
  (
    scope: Scope,
    intentId: string,
    claim: { readonly name: string; readonly phone: string; readonly source: PayerSource },
    now: Instant,
  ) => [scope.accountId, intentId, claim.name, claim.phone, claim.source, at(now)],
  `
  insert into claimed_payers (account_id, intent_id, name, phone, source, claimed_at)
  values ($1, $2, $3, $4, $5, $6)
      on conflict (account_id, intent_id) do update
     set name = excluded.name, phone = excluded.phone, source = excluded.source, claimed_at = excluded.claimed_at`,
)

/** Index: primary key. */
export const removeClaimedPayer = scoped(
  'remove_claimed_payer',
  noColumns,
  (scope: Scope, intentId: string) => [scope.accountId, intentId],
  `delete from claimed_payers where account_id = $1 and intent_id = $2`,
)

/** Removes the payers that were claimed for the next intents after an id, at most so many. Index: primary key. */
export const eraseClaimedPayers = scoped(
  'erase_claimed_payers',
  { intent_id: uuid<IntentId>() },
  (scope: Scope, after: string, before: string, most: number) => [scope.accountId, after, before, most],
  `
  delete from claimed_payers
   where account_id = $1
     and intent_id = any(array(select c.intent_id from claimed_payers c
                                where c.account_id = $1 and c.intent_id > $2 and c.intent_id < $3
                                order by c.intent_id limit $4))
  returning intent_id`,
)

/** The payers that were claimed for the next intents after an id, at most so many. Index: primary key. */
export const claimedPayersAfter = scoped(
  'claimed_payers_after',
  { intent_id: uuid<IntentId>(), name: text(), phone: text() },
  (scope: Scope, after: string, most: number) => [scope.accountId, after, most],
  `
  select intent_id, name, phone
    from claimed_payers
   where account_id = $1 and intent_id > $2
   order by intent_id
   limit $3`,
)
