import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, IntentId, PhoneId, WalletId, WalletIdentity } from '../../core/ids.ts'
import {
  at,
  bool,
  instant,
  jsonText,
  minor,
  nullable,
  orNull,
  text,
  units,
  uuid,
  whole,
} from '../../postgres/query/columns.ts'
import { allChanged, noColumns, onlyRow, statement } from '../../postgres/query/statement.ts'
import type { AlertChange, NewAlert, SavedBalance } from '../records/alert-row.ts'

/**
 * Takes advisory locks. Every transaction that matches an alert with an intent locks their reference first, so that the second
 * of two sees what the first wrote. This is a separate statement, so that the next one reads a new snapshot. The
 * caller sorts the keys (`sortedLocks`), so that two batches cannot deadlock.
 */
export const lockKeys = statement(
  'lock_keys',
  { locked: whole() },
  (keys: readonly bigint[]) => [keys.map(String)],
  `
  select count(pg_advisory_xact_lock(key)) as locked from unnest($1::bigint[]) as k (key)`,
)

/** Whether these phones are switched on now, and since when they are connected. Phones of a suspended account count as switched
 *  off: their alerts are stored and held. Index: primary keys. */
export const phonesOn = statement(
  'phones_on',
  { id: uuid<PhoneId>(), switched_on: bool(), paired_at: nullable(instant()) },
  (ids: readonly PhoneId[]) => [ids],
  `
  select d.id, d.switched_on and a.status = 'ACTIVE' as switched_on, d.paired_at
    from devices d
    join accounts a on a.id = d.account_id
   where d.id = any($1::uuid[])`,
)

/** Identifies a payment: the real wallet and the key of the reference. */
export type MoneyKey = { readonly identity: WalletIdentity; readonly referenceKey: string }

/**
 * The credits with each reference, and whether an event has announced them. Duplicates, held and unread alerts, and alerts with a
 * second amount are left out. Index: alerts_same_reference, events_once.
 */
export const alertsByReference = statement(
  'alerts_by_reference',
  {
    id: uuid<AlertId>(),
    identity: uuid<WalletIdentity>(),
    reference_key: text(),
    amount: minor(),
    currency: text(),
    trusted: bool(),
    state: text<AlertState>(),
    reason: text<Reason>(),
    unmatched_owed: bool(),
    chain: nullable(text<'fits' | 'break' | 'unknown'>()),
    chain_missing: nullable(minor()),
    chain_since: nullable(instant()),
    announced: bool(),
  },
  (money: readonly MoneyKey[]) => [
    money.map(({ identity }) => identity),
    money.map(({ referenceKey }) => referenceKey),
  ],
  `
  select a.id, a.identity, a.reference_key, a.amount, a.currency, a.trusted, a.state, a.reason, a.unmatched_owed, a.chain,
         a.chain_missing, a.chain_since, e.announced is not null as announced
    from unnest($1::uuid[], $2::text[]) as n (identity, reference_key)
    join alerts a on a.identity = n.identity and a.reference_key = n.reference_key
    left join lateral (
         select true as announced from events e
          where e.alert_id = a.id and e.kind in ('payment.unmatched', 'payment.received')
          limit 1) as e on true
   where a.reference_key is not null and a.direction = 'credit' and a.state not in ('duplicate', 'held', 'unread') and a.reason <> 'second_amount'
   order by a.id`,
)

const holdingColumns = {
  account_id: uuid<AccountId>(),
  id: uuid<IntentId>(),
  wallet_id: uuid<WalletId>(),
  identity: uuid<WalletIdentity>(),
  reference_key: text(),
  tried: whole(),
  code: text(),
  external_order_id: text(),
  reference: text(),
  base: minor(),
  payable: minor(),
  currency: text(),
  expires_at: instant(),
}

const holdingRow = Object.keys(holdingColumns)
  .map((name) => (name === 'tried' ? 'cardinality(i.reference_keys) as tried' : `i.${name}`))
  .join(', ')

/** The PENDING intents with these references, locked until the transaction ends. Index: intents_reference_held. */
export const lockIntentsByReference = statement(
  'lock_intents_by_reference',
  holdingColumns,
  (money: readonly MoneyKey[]) => [
    money.map(({ identity }) => identity),
    money.map(({ referenceKey }) => referenceKey),
  ],
  `
  select ${holdingRow}
    from unnest($1::uuid[], $2::text[]) as n (identity, reference_key)
   -- Lateral join: one index lookup for each, never a scan of all PENDING intents.
   cross join lateral (
         select * from intents i
          where i.status = 'PENDING' and ${onlyRow('i.identity = n.identity', 'i.reference_key', 'n.reference_key')}
            for update of i) as i`,
)

/** The last balance of each real wallet, locked until the transaction ends, so that one transaction at a time continues the
 *  chain. `wallet_id` is the identity of the real wallet: the id of its first row in `wallets`. */
export const lockBalances = statement(
  'lock_balances',
  { wallet_id: uuid<WalletIdentity>(), balance: minor(), alert_id: uuid<AlertId>(), at: instant(), doubts: jsonText() },
  (wallets: readonly WalletIdentity[]) => [wallets],
  `
  select wallet_id, balance, alert_id, at, doubts from wallet_balances
   where wallet_id = any($1::uuid[])
   order by wallet_id
     for update`,
)

export const saveBalances = statement(
  'save_balances',
  noColumns,
  (saved: readonly SavedBalance[]) => [
    saved.map((row) => row.walletId),
    saved.map((row) => String(row.balance)),
    saved.map((row) => row.alertId),
    saved.map((row) => at(row.at)),
    saved.map((row) => row.doubts),
    saved.map((row) => row.toRelease),
  ],
  `
  insert into wallet_balances (wallet_id, balance, alert_id, at, doubts, to_release)
  select *
    from unnest($1::uuid[], $2::bigint[], $3::uuid[], $4::timestamptz[], $5::json[], $6::bool[])
      as n (wallet_id, balance, alert_id, at, doubts, to_release)
   order by wallet_id
  on conflict (wallet_id) do update
     set balance = excluded.balance, alert_id = excluded.alert_id, at = excluded.at, doubts = excluded.doubts,
         to_release = excluded.to_release`,
)

type AlertColumn = readonly [name: string, type: string, value: (alert: NewAlert) => unknown, reread?: 'reread']
const reread = 'reread'

/** The columns of an alert. Those marked `reread` are rewritten when the alert is reread: the reading, and the text itself,
 *  because it may have been hidden before or may be hidden now. */
const alertColumns: readonly AlertColumn[] = [
  ['account_id', 'uuid', (alert) => alert.accountId],
  ['id', 'uuid', (alert) => alert.id],
  ['device_id', 'uuid', (alert) => alert.phoneId],
  ['client_id', 'text', (alert) => alert.clientId, reread],
  ['adapter', 'text', (alert) => alert.adapter],
  ['trusted', 'bool', (alert) => alert.trusted],
  ['kind', 'text', (alert) => alert.kind],
  ['sender', 'text', (alert) => alert.sender, reread],
  ['package', 'text', (alert) => alert.package],
  ['title', 'text', (alert) => alert.title, reread],
  ['raw_text', 'text', (alert) => alert.text, reread],
  ['sim_slot', 'text', (alert) => alert.simSlot],
  ['sent_at', 'timestamptz', (alert) => orNull(alert.sentAt)],
  ['phone_received_at', 'timestamptz', (alert) => orNull(alert.phoneReceivedAt)],
  ['received_at', 'timestamptz', (alert) => at(alert.receivedAt)],
  ['normaliser_version', 'int2', (alert) => alert.normaliserVersion, reread],
  ['fingerprint', 'bytea', (alert) => alert.fingerprint, reread],
  ['wallet_id', 'uuid', (alert) => alert.walletId, reread],
  ['identity', 'uuid', (alert) => alert.identity, reread],
  ['template_id', 'uuid', (alert) => alert.templateId, reread],
  ['direction', 'text', (alert) => alert.direction, reread],
  ['amount', 'bigint', (alert) => units(alert.amount), reread],
  ['currency', 'text', (alert) => alert.currency, reread],
  ['reference', 'text', (alert) => alert.reference, reread],
  ['reference_key', 'text', (alert) => alert.referenceKey, reread],
  ['payer', 'text', (alert) => alert.payer, reread],
  ['balance', 'bigint', (alert) => units(alert.balance), reread],
  ['chain', 'text', (alert) => alert.chain, reread],
  ['chain_missing', 'bigint', (alert) => units(alert.chainMissing), reread],
  ['chain_since', 'timestamptz', (alert) => orNull(alert.chainSince), reread],
  ['state', 'text', (alert) => alert.state, reread],
  ['reason', 'text', (alert) => alert.reason, reread],
  ['duplicate_of', 'uuid', (alert) => alert.duplicateOf, reread],
  ['intent_id', 'uuid', (alert) => alert.intentId, reread],
  ['unmatched_owed', 'bool', (alert) => alert.unmatchedOwed, reread],
  ['phone_new', 'bool', (alert) => alert.phoneNew],
  ['sender_new', 'bool', (alert) => alert.senderNew, reread],
  ['denied_by', 'uuid', (alert) => alert.deniedBy, reread],
  ['similar_to', 'uuid', (alert) => alert.similarTo, reread],
  ['hidden', 'text', (alert) => alert.hidden, reread],
  ['sealed_text', 'bytea', (alert) => alert.sealedText, reread],
  ['forget_at', 'timestamptz', (alert) => orNull(alert.forgetAt), reread],
]

type ColumnList = {
  readonly names: readonly string[]
  /** `$3::uuid[], $4::text[]`; `offset`: how many parameters come before them. */
  readonly arrays: (offset: number) => string
  readonly values: (alerts: readonly NewAlert[]) => unknown[][]
}

const columnList = (columns: readonly AlertColumn[]): ColumnList => ({
  names: columns.map(([name]) => name),
  arrays: (offset) => columns.map(([, type], i) => `$${offset + i + 1}::${type}[]`).join(', '),
  values: (alerts) => columns.map(([, , value]) => alerts.map(value)),
})

const allColumns = columnList(alertColumns)
export const rewrittenColumns = columnList(alertColumns.filter((column) => column[3] === reread))

export const insertAlerts = statement(
  'insert_alerts',
  noColumns,
  (alerts: readonly NewAlert[]) => allColumns.values(alerts),
  `
  insert into alerts (${allColumns.names.join(', ')})
  select * from unnest(${allColumns.arrays(0)})`,
)

/** Changes the state of superseded alerts: to duplicate, or to review. Fails unless every row is changed. Index: primary key. */
export const changeAlerts = statement(
  'change_alerts',
  { done: whole() },
  (changes: readonly AlertChange[]) => [
    changes.map((change) => change.accountId),
    changes.map((change) => change.id),
    changes.map((change) => change.from),
    changes.map((change) => change.state),
    changes.map((change) => change.reason),
    changes.map((change) => change.intentId),
    changes.map((change) => change.duplicateOf),
    changes.map((change) => change.unmatchedOwed),
  ],
  `
  with changed as (
    update alerts a
       set state = n.state, reason = n.reason, intent_id = n.intent_id, duplicate_of = n.duplicate_of,
           unmatched_owed = n.unmatched_owed
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::uuid[], $8::bool[])
        as n (account_id, id, was, state, reason, intent_id, duplicate_of, unmatched_owed)
     where a.account_id = n.account_id and a.id = n.id and a.state = n.was
    returning a.id)
  ${allChanged('changed', '$2::uuid[]', 'an alert changed while its lock was held')}`,
)

/**
 * Lets the duplicates of superseded alerts point at the alerts that count now. Runs after the superseding alerts are written: a
 * duplicate may be among them. Index: alerts_duplicates.
 */
export const repointDuplicates = statement(
  'repoint_duplicates',
  noColumns,
  (changes: readonly { readonly accountId: AccountId; readonly id: AlertId; readonly duplicateOf: AlertId }[]) => [
    changes.map(({ accountId }) => accountId),
    changes.map(({ id }) => id),
    changes.map(({ duplicateOf }) => duplicateOf),
  ],
  `
  update alerts d
     set duplicate_of = n.counts
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as n (account_id, superseded, counts)
   where d.account_id = n.account_id and d.duplicate_of = n.superseded and d.id <> n.counts`,
)

/**
 * Real wallets with an open intent that has no reference yet: it may soon get the reference of a new alert. Index:
 * intents_reference_held, in which intents without a reference are next to each other.
 */
export const walletsAwaiting = statement(
  'wallets_awaiting',
  { identity: uuid<WalletIdentity>() },
  (wallets: readonly WalletIdentity[], now: Instant) => [wallets, at(now)],
  `
  select w.id as identity
    from unnest($1::uuid[]) as w (id)
   cross join lateral (
         select from intents i
          where i.identity = w.id and i.reference_key is null and i.status = 'PENDING'
            -- The interval keeps the planner from the index by expires_at, which does not contain the wallet.
            and i.expires_at + interval '0' > $2
          order by i.reference_key
          limit 1) as open`,
)
