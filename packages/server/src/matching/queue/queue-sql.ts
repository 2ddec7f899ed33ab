import { denialReasons } from '@sanad/contract/kinds'
import type { AlertState } from '../../alerts/alert.ts'
import type { QueueState } from '../../alerts/alert-list.ts'
import { ownsReference } from '../../alerts/reference-owner-sql.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, IntentId, WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { intentOfToday } from '../../intents/intent-today.ts'
import { at, instant, jsonText, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'

/** The state of an alert, the intent that it resolved, and who did that, took it as a sale or dismissed it. Index: primary keys. */
export const fateOfAlert = scoped(
  'fate_of_alert',
  {
    state: text<AlertState>(),
    intent_id: nullable(uuid<IntentId>()),
    code: nullable(text()),
    by: nullable(text()),
    at: nullable(instant()),
    dismissed_by: text(),
    dismissed_at: nullable(instant()),
  },
  (scope: Scope, id: string) => [scope.accountId, id],
  `
  select a.state, a.intent_id, i.code, coalesce(m.by, s.by) as by, coalesce(m.at, s.taken_at) as at, a.dismissed_by, a.dismissed_at
    from alerts a
    left join intents i on i.account_id = a.account_id and i.id = a.intent_id
    left join counter_sales s on s.account_id = a.account_id and s.alert_id = a.id
    left join lateral (
         select m.by, m.at from intent_moves m
          where m.account_id = a.account_id and m.intent_id = a.intent_id and m.alert_id = a.id
          order by m.id desc limit 1) as m on true
   where a.account_id = $1 and a.id = $2`,
)

/** When an intent ended, and who ended it. Index: primary key. */
export const fateOfIntent = scoped(
  'fate_of_intent',
  { by: text(), at: instant() },
  (scope: Scope, id: string) => [scope.accountId, id],
  `
  select m.by, m.at
    from intent_moves m
   where m.account_id = $1 and m.intent_id = $2 and m.kind not in ('reference', 'reference_moved', 'not_matched')
   order by m.id desc limit 1`,
)

/** Another alert that owns this reference of the real wallet. Index: alerts_reference. */
export const referenceOwner = statement(
  'reference_owner',
  { id: uuid<AlertId>(), amount: nullable(minor()), state: text<AlertState>() },
  (identity: WalletIdentity, referenceKey: string, except: AlertId) => [identity, referenceKey, except],
  `
  select a.id, a.amount, a.state
    from alerts a
   where a.identity = $1 and a.reference_key = $2 and a.reference_key is not null and ${ownsReference('a')} and a.id <> $3
   limit 1`,
)

/** The state of an alert before it was dismissed. Index: primary key. */
export const dismissedFrom = scoped(
  'dismissed_from',
  { from: nullable(text<QueueState>()) },
  (scope: Scope, id: AlertId) => [scope.accountId, id],
  `select dismissed_from as "from" from alerts where account_id = $1 and id = $2`,
)

/** Dismisses an alert. It is not announced as unmatched any more. Index: primary key. */
export const setDismissed = statement(
  'set_dismissed',
  { id: uuid<AlertId>() },
  (dismissal: { accountId: AccountId; id: AlertId; from: QueueState; by: string; why: string }, now: Instant) => [
    dismissal.accountId,
    dismissal.id,
    dismissal.from,
    at(now),
    dismissal.by,
    dismissal.why,
  ],
  `
  update alerts
     set state = 'dismissed', dismissed_from = $3, dismissed_at = $4, dismissed_by = $5, dismissed_why = $6,
         unmatched_owed = false
   where account_id = $1 and id = $2 and state = $3
  returning id`,
)

/**
 * Gives a dismissed alert its earlier state back. Unmatched money of a real wallet that was never announced will be announced.
 * The caller has locked the row. Index: primary key, events_once.
 */
export const restoreDismissed = scoped(
  'restore_dismissed',
  { state: text<QueueState>() },
  (scope: Scope, id: AlertId) => [scope.accountId, id],
  `
  update alerts a
     set state = a.dismissed_from, dismissed_from = null, dismissed_at = null, dismissed_by = '', dismissed_why = '',
         unmatched_owed = a.dismissed_from in ('waiting', 'review')
           and exists (select from wallets w where w.id = a.wallet_id and not w.is_test)
           and not exists (select from events e where e.alert_id = a.id and e.kind = 'payment.unmatched')
   where a.account_id = $1 and a.id = $2 and a.state = 'dismissed'
  returning a.state`,
)

/**
 * Sends a waiting alert to review if another alert with its reference denies the payment: it came while this one was dismissed or
 * taken. An unsigned alert denies no signed one, as in denied-alerts.ts. The caller has locked the reference and the row. Index:
 * primary key, alerts_same_reference.
 */
export const reviewIfDenied = scoped(
  'review_if_denied',
  { id: uuid<AlertId>() },
  (scope: Scope, id: AlertId) => [scope.accountId, id, denialReasons],
  `
  update alerts a
     set state = 'review', reason = d.reason
    from (select d.reason
            from alerts t
            join alerts d on d.identity = t.identity and d.reference_key = t.reference_key and d.reference_key is not null
             and d.id <> t.id and d.state = 'review' and d.reason = any($3::text[]) and (d.trusted or not t.trusted)
           where t.account_id = $1 and t.id = $2
           order by d.id
           limit 1) as d
   where a.account_id = $1 and a.id = $2 and a.state = 'waiting'
  returning a.id`,
)

/** The balance of a real wallet, without a lock. Index: primary key. */
export const balanceOfWallet = statement(
  'balance_of_wallet',
  { wallet_id: uuid<WalletIdentity>(), balance: minor(), alert_id: uuid<AlertId>(), at: instant(), doubts: jsonText() },
  (identity: WalletIdentity) => [identity],
  `select wallet_id, balance, alert_id, at, doubts from wallet_balances where wallet_id = $1`,
)

/** Wallets with alerts that may be matched now, because their balance was proved. Index: wallet_balances_to_release. */
export const walletsToRelease = statement(
  'wallets_to_release',
  { wallet_id: uuid<WalletIdentity>(), account_id: uuid<AccountId>() },
  (limit: number) => [limit],
  `
  select b.wallet_id, w.account_id
    from wallet_balances b
    join wallets w on w.id = b.wallet_id
   where b.to_release and ${isNotFrozen('w.account_id')}
   order by b.wallet_id
   limit $1`,
)

/** Turns a duplicate into a separate alert: in review, or unread if it has no amount. The caller has locked the row. Index:
 *  primary key. */
export const setNotDuplicate = scoped(
  'set_not_duplicate',
  { id: uuid<AlertId>() },
  (scope: Scope, id: AlertId, state: 'review' | 'unread') => [scope.accountId, id, state],
  `
  update alerts
     set state = $3, reason = case $3 when 'review' then 'no_reference' else 'not_understood' end,
         similar_to = duplicate_of, duplicate_of = null
   where account_id = $1 and id = $2 and state = 'duplicate'
  returning id`,
)

export type AlertWindow = {
  readonly id: AlertId
  readonly identity: WalletIdentity
  readonly amount: Minor
  readonly reference: string | null
  readonly firstId: string
  readonly lastId: string
}

const candidate = `i.id, i.code, i.external_order_id, i.reference, i.reference_key, i.status, i.payable, i.currency, i.created_at,
              i.expires_at`

/**
 * For each alert, the intents of its real wallet that it may belong to: with the same reference (those of exactly its amount
 * first), or of exactly its amount and created between `firstId` and `lastId`. Each kind is searched in a bounded range of an
 * index, so that a busy wallet costs no more than a quiet one. Index: intents_ref, intents_payable.
 */
export const likelyOf = scoped(
  'likely_of',
  {
    alert_id: uuid<AlertId>(),
    id: uuid<IntentId>(),
    code: text(),
    external_order_id: text(),
    reference: text(),
    reference_key: nullable(text()),
    status: text<'PENDING' | 'EXPIRED'>(),
    payable: minor(),
    currency: text(),
    created_at: instant(),
    expires_at: instant(),
  },
  (scope: Scope, alerts: readonly AlertWindow[]) => [
    scope.accountId,
    alerts.map((alert) => alert.id),
    alerts.map((alert) => alert.identity),
    alerts.map((alert) => String(alert.amount)),
    alerts.map((alert) => alert.reference),
    alerts.map((alert) => alert.firstId),
    alerts.map((alert) => alert.lastId),
  ],
  (only) => `
  select n.alert_id, ${candidate}
    from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::uuid[], $7::uuid[])
      as n (alert_id, identity, amount, reference, first_id, last_id)
   cross join lateral (
    (select * from (
       select i.identity, ${candidate} from intents i
        where i.account_id = $1 ${only('i.wallet_id')} ${only.today(intentOfToday('i'))} and i.reference = n.reference and i.reference <> ''
        order by i.id desc limit 20) as i
      where i.identity = n.identity and i.status in ('PENDING', 'EXPIRED')
      order by i.payable = n.amount desc, i.id desc limit 5)
    union
    (select * from (
       select i.identity, ${candidate} from intents i
        where i.account_id = $1 ${only('i.wallet_id')} ${only.today(intentOfToday('i'))} and i.payable = n.amount and i.id >= n.first_id and i.id < n.last_id
        order by i.id desc limit 200) as i
      where i.identity = n.identity and i.status in ('PENDING', 'EXPIRED') limit 20)) as i`,
)
