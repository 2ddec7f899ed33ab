import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { Hidden } from '../../alerts/hidden/hidden-text.ts'
import type { Instant } from '../../core/clock.ts'
import {
  type AccountId,
  type AlertId,
  type DeviceId,
  firstIdAt,
  type IntentId,
  type WalletId,
  type WalletIdentity,
} from '../../core/ids.ts'
import { at, bool, bytes, instant, minor, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { allOf, none, statement } from '../../postgres/query/statement.ts'
import { type NewAlert, readInAlert } from '../resolve/matching-sql.ts'

export const storedColumns = {
  account_id: uuid<AccountId>(),
  id: uuid<AlertId>(),
  device_id: uuid<DeviceId>(),
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
  direction: nullable(text<'credit' | 'debit'>()),
  amount: nullable(minor()),
  reference: nullable(text()),
  reference_key: nullable(text()),
  currency: nullable(text()),
  balance: nullable(minor()),
  chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  chain_missing: nullable(minor()),
  chain_since: nullable(instant()),
  state: text<AlertState>(),
  reason: text<Reason>(),
  duplicate_of: nullable(uuid<AlertId>()),
  intent_id: nullable(uuid<IntentId>()),
  phone_new: bool(),
  similar_to: nullable(uuid<AlertId>()),
  hidden: text<Hidden>(),
  sealed_text: nullable(bytes()),
}

/** An alert of the account, held until the end. Index: primary key. */
export const holdAlert = statement(
  'hold_alert',
  storedColumns,
  (accountId: AccountId, id: string) => [accountId, id],
  `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts
   where account_id = $1 and id = $2
     for update`,
)

/** Alerts that nobody understood, of these senders, oldest first, beyond a given one. Index: alerts_unread. */
export const unreadAlerts = statement(
  'unread_alerts',
  storedColumns,
  (accountId: AccountId, senders: readonly string[], after: string, limit: number) => [
    accountId,
    senders,
    after,
    limit,
  ],
  `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts
   where account_id = $1 and sender = any($2::text[]) and state = 'unread' and id > $3
   order by id
   limit $4`,
)

/** Hidden alerts of these senders whose message is still there, oldest first, beyond a given one. Strangers are asked for by
 *  what stands for their names. Index: alerts_sealed. */
export const sealedAlerts = statement(
  'sealed_alerts',
  storedColumns,
  (accountId: AccountId, senders: readonly string[], after: string, limit: number) => [
    accountId,
    senders,
    after,
    limit,
  ],
  `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts
   where account_id = $1 and sender = any($2::text[]) and sealed_text is not null and id > $3
   order by id
   limit $4`,
)

/** Alerts that were held since, of phones that are switched on now: their account was suspended. Oldest first. Index:
 *  alerts_queue_state. */
export const heldSince = statement(
  'held_since',
  storedColumns,
  (accountId: AccountId, since: Instant, limit: number) => [accountId, firstIdAt(since), limit],
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

/** Whose messages the account's wallets wait for. Index: primary key of wallets. */
export const sendersOf = statement(
  'senders_of_account',
  { sender_name: text() },
  (accountId: AccountId) => [accountId],
  `select distinct sender_name from wallets where account_id = $1 and sender_name <> '' order by sender_name`,
)

/** A wallet whose sender's unread alerts are to be read again, now or for the second time; not while its account is
 *  suspended. Index: wallets_to_reread. */
export const walletToReread = statement(
  'wallet_to_reread',
  { account_id: uuid<AccountId>(), id: uuid<WalletId>(), sender_name: text(), version: whole() },
  (before: Instant) => [at(before)],
  `
  select w.account_id, w.id, w.sender_name, w.version
    from wallets w
    join accounts a on a.id = w.account_id and a.status = 'ACTIVE'
   where w.reread and (w.reread_at is null or w.reread_at <= $1)
   order by w.account_id, w.id
   limit 1`,
)

/** After the first time it waits for the second; after that it is done, unless it changed meanwhile. Index: primary key. */
export const markWalletReread = statement(
  'mark_wallet_reread',
  none,
  (accountId: AccountId, id: WalletId, version: number, now: Instant) => [accountId, id, version, at(now)],
  `
  update wallets
     set reread = reread_at is null or version <> $3,
         reread_at = case when reread_at is null and version = $3 then $4::timestamptz end
   where account_id = $1 and id = $2`,
)

/** Writes down what was read in alerts that were already there, every one, and what became of them. Index: primary key. */
export const rewriteAlerts = statement(
  'rewrite_alerts',
  { done: whole() },
  (made: readonly (NewAlert & { readonly was: AlertState })[]) => [
    made.map((one) => one.accountId),
    made.map((one) => one.id),
    made.map((one) => one.was),
    ...readInAlert.values(made),
  ],
  `
  with rewritten as (
    update alerts a
       set ${readInAlert.names.map((name) => `${name} = n.${name}`).join(', ')}
      from unnest($1::uuid[], $2::uuid[], $3::text[], ${readInAlert.arrays(3)})
        as n (account_id, id, was, ${readInAlert.names.join(', ')})
     where a.account_id = n.account_id and a.id = n.id and a.state = n.was
    returning a.id)
  ${allOf('rewritten', '$2::uuid[]', 'an alert changed while it was read again')}`,
)
