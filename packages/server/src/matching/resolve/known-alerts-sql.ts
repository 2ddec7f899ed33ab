/** Finds the stored alerts that a new one is compared with: alerts with the same client id or the same text, and parts of the
 *  same message. */
import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { Hidden } from '../../alerts/hidden/hidden-text.ts'
import type { AccountId, AlertId, PhoneId, WalletId, WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { bool, bytes, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { onlyRow, statement } from '../../postgres/query/statement.ts'

const knownColumns = {
  id: uuid<AlertId>(),
  device_id: uuid<PhoneId>(),
  client_id: text(),
  adapter: text(),
  trusted: bool(),
  sim_slot: text(),
  title: text(),
  fingerprint: bytes(),
  sent_at: nullable(instant()),
  phone_received_at: nullable(instant()),
  received_at: instant(),
  identity: nullable(uuid<WalletIdentity>()),
  reference_key: nullable(text()),
  state: text<AlertState>(),
  reason: text<Reason>(),
  amount: nullable(minor()),
  currency: nullable(text()),
  hidden: text<Hidden>(),
  chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  chain_missing: nullable(minor()),
  chain_since: nullable(instant()),
}

const knownRow = Object.keys(knownColumns)
  .map((name) => `a.${name}`)
  .join(', ')

/**
 * Alerts that a new one may repeat: the one with the same client id of the phone, and the newest 20 with the same fingerprint.
 * A row that was found by client id has a digest of sender and text, to tell whether it is the same message. Index:
 * alerts_once, alerts_fingerprint.
 */
export const knownAlerts = statement(
  'known_alerts',
  { ...knownColumns, text_digest: nullable(bytes()) },
  (lookups: readonly { phoneId: PhoneId; clientId: string; fingerprint: Buffer }[]) => [
    lookups.map((lookup) => lookup.phoneId),
    lookups.map((lookup) => lookup.clientId),
    lookups.map((lookup) => lookup.fingerprint),
  ],
  `
  select ${knownRow}, sha256(convert_to(a.sender || E'\\n' || a.raw_text, 'UTF8')) as text_digest
    from unnest($1::uuid[], $2::text[]) as n (device_id, client_id)
   cross join lateral (
         select * from alerts a
          where ${onlyRow('a.device_id = n.device_id', 'a.client_id', 'n.client_id')}
        ) as a
  union
  select ${knownRow}, null
    from (select distinct fingerprint from unnest($3::bytea[]) as f (fingerprint)) as n
   cross join lateral (
         select * from alerts a
          where a.fingerprint = n.fingerprint
          order by a.received_at desc
          limit 20) as a`,
)

/** Which of these alerts an event has announced. Index: events_once. */
export const announcedAlerts = statement(
  'announced_alerts',
  { alert_id: uuid<AlertId>() },
  (ids: readonly AlertId[]) => [ids],
  `
  select a.id as alert_id
    from unnest($1::uuid[]) as a (id)
   where exists (select from events e
                  where e.alert_id = a.id and e.kind in ('payment.unmatched', 'payment.received'))`,
)

const partColumns = {
  id: uuid<AlertId>(),
  trusted: bool(),
  sender: text(),
  title: text(),
  raw_text: text(),
  received_at: instant(),
  identity: nullable(uuid<WalletIdentity>()),
  state: text<AlertState>(),
  reason: text<Reason>(),
  direction: nullable(text<'credit' | 'debit'>()),
  amount: nullable(minor()),
  reference_key: nullable(text()),
}

const partRow = Object.keys(partColumns)
  .map((name) => `a.${name}`)
  .join(', ')

/**
 * Recent alerts that may be a part of a new alert's message, or contain it: alerts of its sender among the account's newest 200
 * unread and newest 200 in review, and alerts of its wallet and amount that can still verify an intent. Index:
 * alerts_queue_state, alerts_unclaimed.
 */
export const recentParts = statement(
  'recent_parts',
  partColumns,
  (
    accountId: AccountId,
    senders: readonly string[],
    money: readonly { readonly identity: WalletIdentity; readonly amount: Minor }[],
    firstId: string,
  ) => [accountId, senders, firstId, money.map(({ identity }) => identity), money.map(({ amount }) => String(amount))],
  `
  select ${partRow}
    from unnest(array['unread', 'review']) as s (state)
   cross join lateral (
         select * from alerts a
          -- A range and this order, so that the planner uses alerts_queue_state: no other index has the order.
          where a.account_id = $1 and a.state >= s.state and a.state <= s.state and a.state in ('unread', 'review')
            and a.id >= $3
          order by a.state desc, a.id desc
          limit 200) as a
   where a.sender = any($2::text[])
  union
  select ${partRow}
    from unnest($4::uuid[], $5::bigint[]) as n (identity, amount)
   cross join lateral (
         select * from alerts a
          where a.identity = n.identity and a.amount >= n.amount and a.amount <= n.amount and a.id >= $3
            and a.account_id = $1 and a.state in ('waiting', 'review', 'held', 'wrong_amount')
          order by a.amount desc, a.id desc
          limit 20) as a
   where a.state in ('waiting', 'wrong_amount')`,
)

/** Recent alerts without a reference that a member booked, or that verified an intent by its amount; looks at the newest 200
 *  alerts of each wallet. Index: alerts_of_wallet. */
export const recentlyBooked = statement(
  'recently_booked',
  partColumns,
  (accountId: AccountId, wallets: readonly WalletId[], firstId: string) => [accountId, wallets, firstId],
  `
  select ${partRow}
    from unnest($2::uuid[]) as w (id)
   cross join lateral (
         select * from alerts a
          where a.account_id = $1 and a.wallet_id = w.id and a.id >= $3
          order by a.id desc
          limit 200) as a
   where a.state in ('booked', 'matched') and a.reference_key is null`,
)
