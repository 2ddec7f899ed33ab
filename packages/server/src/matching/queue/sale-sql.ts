import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, IntentId, WalletIdentity } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { closedUntil } from '../../postgres/clock/clock-sql.ts'
import { at, instant, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import { storedColumns } from '../resolve/stored-alert-sql.ts'
import type { CounterSale, TakenFrom } from './counter-sale.ts'

/** Spends an alert for a sale that has no intent yet. It is not announced as unmatched any more. The caller has locked the row.
 *  Index: primary key. */
export const setTaken = scoped(
  'set_taken',
  { id: uuid<AlertId>() },
  (scope: Scope, id: AlertId, from: TakenFrom) => [scope.accountId, id, from],
  `
  update alerts
     set state = 'booked', taken_from = $3, reason = '', unmatched_owed = false
   where account_id = $1 and id = $2 and state = $3
  returning id`,
)

/** Index: primary key. */
export const storeSale = statement(
  'store_sale',
  noColumns,
  (sale: CounterSale) => [
    sale.accountId,
    sale.alertId,
    sale.fromReason,
    sale.samePayment,
    sale.by,
    at(sale.takenAt),
    at(sale.dueAt),
    sale.externalOrderId,
    sale.note,
  ],
  `
  insert into counter_sales (account_id, alert_id, from_reason, same_payment, by, taken_at, due_at, external_order_id, note)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
)

/** The sale that an alert was taken for, locked until the transaction ends. Index: primary keys. */
export const lockSale = scoped(
  'lock_sale',
  {
    intent_id: nullable(uuid<IntentId>()),
    payment: nullable(text()),
    from_reason: text<Reason>(),
    same_payment: nullable(uuid<AlertId>()),
    by: text(),
    taken_at: instant(),
    due_at: instant(),
    external_order_id: text(),
    note: text(),
  },
  (scope: Scope, alertId: AlertId) => [scope.accountId, alertId],
  `
  select s.intent_id, i.code as payment, s.from_reason, s.same_payment, s.by, s.taken_at, s.due_at, s.external_order_id, s.note
    from counter_sales s
    left join intents i on i.account_id = s.account_id and i.id = s.intent_id
   where s.account_id = $1 and s.alert_id = $2
     for update of s`,
)

/**
 * Deletes a sale that is undone, and gives its alert the earlier state and reason back. Unmatched money of a real wallet that was
 * never announced will be announced. The caller has locked both rows. Index: primary keys, events_once.
 */
export const returnTaken = scoped(
  'return_taken',
  { state: text<TakenFrom>() },
  (scope: Scope, id: AlertId) => [scope.accountId, id],
  `
  with undone as (
    delete from counter_sales where account_id = $1 and alert_id = $2 and intent_id is null returning from_reason)
  update alerts a
     set state = a.taken_from, reason = undone.from_reason, taken_from = null,
         unmatched_owed = exists (select from wallets w where w.id = a.wallet_id and not w.is_test)
           and not exists (select from events e where e.alert_id = a.id and e.kind = 'payment.unmatched')
    from undone
   where a.account_id = $1 and a.id = $2 and a.state = 'booked' and a.intent_id is null
  returning a.state`,
)

/** Sales whose time to be undone is over and that have no intent yet, the oldest first. Index: counter_sales_due. */
export const dueSales = statement(
  'due_sales',
  { account_id: uuid<AccountId>(), alert_id: uuid<AlertId>() },
  (now: Instant, limit: number) => [at(now), limit],
  `
  select account_id, alert_id from counter_sales
   where intent_id is null and due_at <= ${closedUntil('$1')} and ${isNotFrozen('account_id')}
   order by due_at
   limit $2`,
)

/** Stores the intent of a sale. The caller has locked the row. Index: primary key. */
export const finishSale = scoped(
  'finish_sale',
  noColumns,
  (scope: Scope, alertId: AlertId, intentId: IntentId) => [scope.accountId, alertId, intentId],
  `update counter_sales set intent_id = $3 where account_id = $1 and alert_id = $2`,
)

/** Credits that wait for a member because they may be the same payment as this alert, the oldest first. Index: alerts_unclaimed. */
export const doubtedBecauseOf = scoped(
  'doubted_because_of',
  storedColumns,
  (scope: Scope, id: string, limit: number) => [scope.accountId, id, limit],
  `
  select ${Object.keys(storedColumns)
    .map((name) => `a.${name}`)
    .join(', ')}
    from alerts t
    join alerts a on a.identity = t.identity and a.amount = t.amount and a.account_id = t.account_id
     and a.state in ('waiting', 'review', 'held', 'wrong_amount')
   where t.account_id = $1 and t.id = $2 and a.similar_to = t.id
     and ((a.state = 'review' and a.reason = 'amount_seen') or a.state = 'wrong_amount')
   order by a.id
   limit $3`,
)

/** The first PENDING intent that claimed a reference since an instant, and was refused. Index: reference_claims_reference, primary
 *  key of intents. */
export const firstClaimSince = scoped(
  'first_claim_since',
  { id: uuid<IntentId>(), reference: text(), by: text() },
  (scope: Scope, identity: WalletIdentity, referenceKey: string, since: Instant, now: Instant) => [
    scope.accountId,
    identity,
    referenceKey,
    at(since),
    at(now),
  ],
  `
  select i.id, c.reference, c.by
    from reference_claims c
    join intents i on i.account_id = c.account_id and i.id = c.intent_id
   where c.account_id = $1 and c.identity = $2 and c.reference_key = $3 and c.claimed_at >= $4
     and i.status || '' = 'PENDING' and i.expires_at > $5
   order by c.claimed_at, i.id
   limit 1`,
)

/** Whether a sale of one of these real wallets can still be undone. Index: counter_sales_due, primary key of alerts. */
export const openSalesOf = scoped(
  'open_sales_of',
  { alert_id: uuid<AlertId>(), state: text<AlertState>() },
  (scope: Scope, identities: readonly string[]) => [scope.accountId, identities],
  `
  select s.alert_id, a.state
    from counter_sales s
    join alerts a on a.account_id = s.account_id and a.id = s.alert_id
   where s.account_id = $1 and s.intent_id is null and a.identity = any($2::uuid[])
   limit 1`,
)
