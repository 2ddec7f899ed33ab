import type { AlertId, PhoneId, WalletId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { bool, instant, minor, nullable, text, uuid } from '../postgres/query/columns.ts'
import { scoped } from '../postgres/query/statement.ts'
import type { AlertState, Hidden } from './alert.ts'

const columns = {
  id: uuid<AlertId>(),
  received_at: instant(),
  sent_at: nullable(instant()),
  kind: text<'sms' | 'notification'>(),
  adapter: text(),
  sender: text(),
  sim_slot: text<'' | 'SIM1' | 'SIM2'>(),
  raw_text: text(),
  wallet_id: nullable(uuid<WalletId>()),
  wallet_name: nullable(text()),
  state: text<AlertState>(),
  reason: text(),
  amount: nullable(minor()),
  currency: nullable(text()),
  reference: nullable(text()),
  hidden: text<Hidden>(),
  revealable: bool(),
}

// Filtered by the phone alone, so that only alerts_of_device can be used. With the account as a second filter the planner
// might scan the alerts of all its phones, which is slow for a phone that reports little.
const rows = `
  select a.id, a.received_at, a.sent_at, a.kind, a.adapter, a.sender, a.sim_slot, a.raw_text, a.wallet_id,
         w.name as wallet_name, a.state, a.reason, a.amount, a.currency, a.reference, a.hidden,
         a.hidden = 'code' and a.sealed_text is not null as revealable
    from alerts a
    left join wallets w on w.account_id = a.account_id and w.id = a.wallet_id
   where a.device_id = (select d.id from devices d where d.account_id = $1 and d.id = $2)`

/** The alerts of a phone before a given one, newest first, without messages of unknown senders. Index: alerts_of_device. */
export const alertsOfPhone = scoped(
  'alerts_of_phone',
  columns,
  (scope: Scope, phoneId: PhoneId, before: string, limit: number) => [scope.accountId, phoneId, before, limit],
  `${rows} and a.id < $3 and a.hidden <> 'stranger'
   order by a.id desc
   limit $4`,
)

/** The first alert of a phone since an instant, hidden or not. Index: alerts_of_device. */
export const firstAlertSince = scoped(
  'first_alert_since',
  columns,
  (scope: Scope, phoneId: PhoneId, from: string) => [scope.accountId, phoneId, from],
  `${rows} and a.id >= $3
   order by a.id
   limit 1`,
)
