import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { AlertId, IntentId, PhoneId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import { shownToday } from '../alert-today.ts'

/**
 * Alerts that may be the payment of an intent: alerts of the queue around its creation, of its wallet (or of its phone, if
 * the alert has no wallet), and the newest 10 alerts with its reference in any state. Before and after the creation the 2,000
 * nearest alerts of the queue are read, and at most 400 of them are returned. Index: alerts_queue, alerts_same_reference.
 */
export const alertsNear = scoped(
  'alerts_near',
  {
    id: uuid<AlertId>(),
    sender: text(),
    direction: nullable(text()),
    amount: nullable(minor()),
    currency: nullable(text()),
    reference: nullable(text()),
    reference_key: nullable(text()),
    state: text<AlertState>(),
    reason: text<Reason>(),
    received_at: instant(),
    intent_id: nullable(uuid<IntentId>()),
    payer: nullable(text()),
  },
  (search: {
    scope: Scope
    walletId: WalletId
    phoneId: PhoneId | null
    referenceKey: string | null
    firstId: string
    middleId: string
    lastId: string
  }) => [
    search.scope.accountId,
    search.walletId,
    search.phoneId,
    search.referenceKey,
    search.firstId,
    search.middleId,
    search.lastId,
  ],
  (only) => `
  with around as (
    (select id, wallet_id, device_id from alerts
      where account_id = $1 and state in ('waiting', 'review', 'held', 'unread', 'wrong_amount') and id >= $6 and id < $7 ${only('wallet_id')}
      order by id limit 2000)
    union all
    (select id, wallet_id, device_id from alerts
      where account_id = $1 and state in ('waiting', 'review', 'held', 'unread', 'wrong_amount') and id >= $5 and id < $6 ${only('wallet_id')}
      order by id desc limit 2000)),
  chosen as (
    (select id from around where wallet_id = $2 or wallet_id is null and device_id = $3 limit 400)
    union
    (select id from alerts
      where account_id = $1 and reference_key = $4 and reference_key is not null
        and identity = (select w.identity from wallets w where w.account_id = $1 and w.id = $2)
      order by id desc limit 10))
  select a.id, a.sender, a.direction, a.amount, a.currency, a.reference, a.reference_key, a.state, a.reason,
         a.received_at, a.intent_id, a.payer
    from chosen c
    join alerts a on a.account_id = $1 and a.id = c.id ${only('a.wallet_id')} ${only.today(shownToday('a'))}`,
)

/** The raw texts of alerts. Index: primary key. */
export const textsOfAlerts = scoped(
  'texts_of_alerts',
  { id: uuid<AlertId>(), raw_text: text() },
  (scope: Scope, ids: readonly AlertId[]) => [scope.accountId, ids],
  (only) => `
  select a.id, a.raw_text from alerts a
   where a.account_id = $1 and a.id = any($2::uuid[]) ${only('a.wallet_id')} ${only.today(shownToday('a'))}`,
)

/** An alert with all its fields and its phone. Index: primary key. */
export const wholeAlert = scoped(
  'whole_alert',
  {
    id: uuid<AlertId>(),
    kind: text<'sms' | 'notification'>(),
    sender: text(),
    title: text(),
    raw_text: text(),
    amount: nullable(minor()),
    currency: nullable(text()),
    reference: nullable(text()),
    payer: nullable(text()),
    balance: nullable(minor()),
    sim_slot: text(),
    adapter: text(),
    trusted: bool(),
    sent_at: nullable(instant()),
    phone_received_at: nullable(instant()),
    received_at: instant(),
    device_id: uuid<PhoneId>(),
    device_name: text(),
  },
  (scope: Scope, id: AlertId) => [scope.accountId, id],
  (only) => `
  select a.id, a.kind, a.sender, a.title, a.raw_text, a.amount, a.currency, a.reference, a.payer, a.balance, a.sim_slot,
         a.adapter, a.trusted, a.sent_at, a.phone_received_at, a.received_at, a.device_id, d.name as device_name
    from alerts a
    join devices d on d.account_id = a.account_id and d.id = a.device_id
   where a.account_id = $1 and a.id = $2 ${only('a.wallet_id')} ${only.today(shownToday('a'))}`,
)
