/** Finds the stored alerts that a new one is compared with: alerts with the same client id or the same text, and parts of the
 *  same message. */
import type { AlertState, Hidden, Reason } from '../../alerts/alert.ts'
import type { AlertId, PhoneId, WalletId, WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, bytes, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { onlyRow, scoped, statement } from '../../postgres/query/statement.ts'
import { mostCompared } from './amounts-sql.ts'

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
  erased_at: nullable(instant()),
}

const knownRow = Object.keys(knownColumns)
  .map((name) => `a.${name}`)
  .join(', ')

/** How many alerts with one text are looked at, duplicates included. */
export const mostSameText = 300
/** How many of them are compared: those that are no duplicates, and the duplicates of each app. */
export const mostComparedText = 50

/**
 * Alerts that a new one may repeat: the one with the same client id of the phone, and the newest with the same fingerprint. If
 * there are more of these than are compared, the last one has `stands_for_more`; the duplicates of a message do not push out the
 * others. A row that was found by client id has a digest of sender and text, to tell whether it is the same message. Index:
 * alerts_once, alerts_fingerprint.
 */
export const knownAlerts = statement(
  'known_alerts',
  { ...knownColumns, text_digest: nullable(bytes()), stands_for_more: bool() },
  (lookups: readonly { phoneId: PhoneId; clientId: string; fingerprint: Buffer }[]) => [
    lookups.map((lookup) => lookup.phoneId),
    lookups.map((lookup) => lookup.clientId),
    lookups.map((lookup) => lookup.fingerprint),
    mostSameText + 1,
    mostComparedText + 1,
  ],
  `
  select ${knownRow}, sha256(convert_to(a.sender || E'\\n' || a.raw_text, 'UTF8')) as text_digest, false as stands_for_more
    from unnest($1::uuid[], $2::text[]) as n (device_id, client_id)
   cross join lateral (
         select * from alerts a
          where ${onlyRow('a.device_id = n.device_id', 'a.client_id', 'n.client_id')}
        ) as a
  union all
  select ${knownRow}, null, a.place = $4 or (a.place_of_kind = $5 and a.state <> 'duplicate')
    from (select distinct fingerprint from unnest($3::bytea[]) as f (fingerprint)) as n
   cross join lateral (
         select a.*, row_number() over (order by a.received_at desc) as place,
                row_number() over (partition by case a.state when 'duplicate' then a.device_id || a.adapter end
                                       order by a.received_at desc) as place_of_kind
           from (select ${knownRow} from alerts a
                  where a.fingerprint = n.fingerprint
                  order by a.received_at desc
                  limit $4) as a) as a
   where a.place_of_kind <= $5 or a.place = $4`,
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
  device_id: uuid<PhoneId>(),
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

/** Times between which alerts are read, as ids: from the first, before the last. */
export type IdRange = { readonly first: string; readonly last: string }

const rangeParams = (ranges: readonly IdRange[]) => [ranges.map(({ first }) => first), ranges.map(({ last }) => last)]

/**
 * Alerts in ranges of time that may be a part of a new alert's message, or contain it: unread alerts and alerts in review of its
 * sender, and alerts of its wallet and amount that can still verify an intent. Of each list (`list`) one more than `mostCompared` at
 * the most, newest first. Index: alerts_queue_state, alerts_unclaimed.
 */
export const recentParts = scoped(
  'recent_parts',
  { ...partColumns, list: text() },
  (
    scope: Scope,
    senders: readonly string[],
    money: readonly { readonly identity: WalletIdentity; readonly amount: Minor }[],
    ranges: readonly IdRange[],
  ) => [
    scope.accountId,
    senders,
    ...rangeParams(ranges),
    mostCompared + 1,
    money.map(({ identity }) => identity),
    money.map(({ amount }) => String(amount)),
  ],
  `
  select ${partRow}, concat(s.state, ' ', r.first) as list
    from unnest($3::uuid[], $4::uuid[]) as r (first, last)
   cross join unnest(array['unread', 'review']) as s (state)
   cross join lateral (
         select * from alerts a
          -- A range and this order, so that the planner uses alerts_queue_state: no other index has the order.
          where a.account_id = $1 and a.state >= s.state and a.state <= s.state and a.state in ('unread', 'review')
            and a.id >= r.first and a.id < r.last and a.sender = any($2::text[])
          order by a.state desc, a.id desc
          limit $5) as a
  union all
  select ${partRow}, concat(n.identity, ' ', n.amount, ' ', r.first)
    from unnest($3::uuid[], $4::uuid[]) as r (first, last)
   cross join unnest($6::uuid[], $7::bigint[]) as n (identity, amount)
   cross join lateral (
         select * from alerts a
          where a.identity = n.identity and a.amount >= n.amount and a.amount <= n.amount
            and a.id >= r.first and a.id < r.last and a.sender = any($2::text[])
            and a.account_id = $1 and a.state in ('waiting', 'review', 'held', 'wrong_amount')
            and a.state in ('waiting', 'wrong_amount')
          order by a.amount desc, a.id desc
          limit $5) as a`,
)

/** Alerts without a reference in ranges of time that a member booked, or that verified an intent by their amount: of each wallet
 *  (`list`) one more than `mostCompared` at the most, newest first. Index: alerts_of_wallet. */
export const recentlyBooked = scoped(
  'recently_booked',
  { ...partColumns, list: text() },
  (scope: Scope, wallets: readonly WalletId[], ranges: readonly IdRange[]) => [
    scope.accountId,
    wallets,
    ...rangeParams(ranges),
    mostCompared + 1,
  ],
  `
  select ${partRow}, concat(w.id, ' ', r.first) as list
    from unnest($3::uuid[], $4::uuid[]) as r (first, last)
   cross join unnest($2::uuid[]) as w (id)
   cross join lateral (
         select * from alerts a
          where a.account_id = $1 and a.wallet_id = w.id and a.id >= r.first and a.id < r.last
            and a.state in ('booked', 'matched') and a.reference_key is null
          order by a.id desc
          limit $5) as a`,
)
