import type { AlertState, Hidden, Reason } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import {
  type AccountId,
  type AlertId,
  firstIdAt,
  type IntentId,
  type PhoneId,
  type TemplateId,
  type WalletId,
  type WalletIdentity,
} from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, bytes, instant, minor, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { allChanged, scoped, statement } from '../../postgres/query/statement.ts'
import type { NewAlert } from '../records/alert-row.ts'
import { rewrittenColumns } from './matching-sql.ts'

export const storedColumns = {
  account_id: uuid<AccountId>(),
  id: uuid<AlertId>(),
  device_id: uuid<PhoneId>(),
  client_id: text(),
  adapter: text(),
  trusted: bool(),
  kind: text<'sms' | 'notification'>(),
  sender: text(),
  package: text(),
  title: text(),
  raw_text: text(),
  sim_slot: text<'' | 'SIM1' | 'SIM2'>(),
  sent_at: nullable(instant()),
  phone_received_at: nullable(instant()),
  received_at: instant(),
  fingerprint: bytes(),
  wallet_id: nullable(uuid<WalletId>()),
  identity: nullable(uuid<WalletIdentity>()),
  template_id: nullable(uuid<TemplateId>()),
  direction: nullable(text<'credit' | 'debit'>()),
  amount: nullable(minor()),
  reference: nullable(text()),
  reference_key: nullable(text()),
  currency: nullable(text()),
  payer: nullable(text()),
  balance: nullable(minor()),
  chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  chain_missing: nullable(minor()),
  chain_since: nullable(instant()),
  state: text<AlertState>(),
  reason: text<Reason>(),
  duplicate_of: nullable(uuid<AlertId>()),
  intent_id: nullable(uuid<IntentId>()),
  phone_new: bool(),
  sender_new: bool(),
  denied_by: nullable(uuid<AlertId>()),
  similar_to: nullable(uuid<AlertId>()),
  hidden: text<Hidden>(),
  erased_at: nullable(instant()),
  sealed_text: nullable(bytes()),
}

/** A stored alert of the account, without a lock. Index: primary key. */
export const storedAlert = scoped(
  'stored_alert',
  storedColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts
   where account_id = $1 and id = $2`,
)

/** An alert of the account, locked until the transaction ends. Index: primary key. */
export const lockAlert = scoped(
  'lock_alert',
  storedColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts
   where account_id = $1 and id = $2
     for update`,
)

const alertsOfSenders = (name: string, condition: string) =>
  scoped(
    name,
    storedColumns,
    (scope: Scope, senders: readonly string[], after: string, limit: number) => [
      scope.accountId,
      senders,
      after,
      limit,
    ],
    `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts
   where account_id = $1 and sender = any($2::text[]) and ${condition} and id > $3
   order by id
   limit $4`,
  )

/** Unread alerts of these senders, oldest first, after a given one. Index: alerts_unread. */
export const unreadAlerts = alertsOfSenders('unread_alerts', `state = 'unread'`)

/** Hidden alerts of these senders whose text is not deleted yet, oldest first, after a given one. The name of an unknown sender
 *  is stored as a hash, and must be passed as that hash. Index: alerts_sealed. */
export const sealedAlerts = alertsOfSenders('sealed_alerts', 'sealed_text is not null')

/** Alerts held since an instant because the account was suspended: those of phones that are switched on. Oldest first. Index:
 *  alerts_queue_state. */
export const heldSince = scoped(
  'held_since',
  storedColumns,
  (scope: Scope, since: Instant, limit: number) => [scope.accountId, firstIdAt(since), limit],
  `
  select ${Object.keys(storedColumns)
    .map((name) => `a.${name}`)
    .join(', ')}
    from alerts a
    join devices d on d.account_id = a.account_id and d.id = a.device_id and d.switched_on
   where a.account_id = $1 and a.state = 'held' and a.id >= $2
   order by a.id
   limit $3`,
)

/** The senders of the account's wallets. Index: wallets_of_account. */
export const sendersOfAccount = scoped(
  'senders_of_account',
  { sender_name: text() },
  (scope: Scope) => [scope.accountId],
  `select distinct sender_name from wallets where account_id = $1 and sender_name <> '' order by sender_name`,
)

/** Writes stored alerts that were resolved again, with their new reading and state. Fails unless every row is written. Index:
 *  primary key. */
export const rewriteAlerts = statement(
  'rewrite_alerts',
  { done: whole() },
  (alerts: readonly (NewAlert & { readonly was: AlertState })[]) => [
    alerts.map((alert) => alert.accountId),
    alerts.map((alert) => alert.id),
    alerts.map((alert) => alert.was),
    ...rewrittenColumns.values(alerts),
  ],
  `
  with rewritten as (
    update alerts a
       set ${rewrittenColumns.names.map((name) => `${name} = n.${name}`).join(', ')}
      from unnest($1::uuid[], $2::uuid[], $3::text[], ${rewrittenColumns.arrays(3)})
        as n (account_id, id, was, ${rewrittenColumns.names.join(', ')})
     where a.account_id = n.account_id and a.id = n.id and a.state = n.was
    returning a.id)
  ${allChanged('rewritten', '$2::uuid[]', 'an alert changed while it was read again')}`,
)
