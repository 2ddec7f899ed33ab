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
import type { AlertChange, NewAlert, SavedBalance } from './alert-row.ts'

/**
 * Every transaction that matches an alert with an intent takes the lock of their reference first, so that the second of two
 * sees what the first wrote. It is a statement of its own: the next one then reads a new snapshot. The keys are sorted, so
 * that two batches do not wait for each other in a circle.
 */
export const lockKeys = statement(
  'lock_keys',
  { locked: whole() },
  (keys: readonly bigint[]) => [keys.map(String)],
  `
  select count(pg_advisory_xact_lock(key)) as locked from unnest($1::bigint[]) as k (key)`,
)

/** Whether these phones are switched on in the database now, and since when they are connected. Phones of a suspended account
 *  count as switched off: what they report is stored and held. Index: primary keys. */
export const devicesOn = statement(
  'devices_on',
  { id: uuid<PhoneId>(), switched_on: bool(), paired_at: nullable(instant()) },
  (ids: readonly PhoneId[]) => [ids],
  `
  select d.id, d.switched_on and a.status = 'ACTIVE' as switched_on, d.paired_at
    from devices d
    join accounts a on a.id = d.account_id
   where d.id = any($1::uuid[])`,
)

/** Identifies money: the real wallet and the key of the reference. */
export type MoneyKey = { readonly identity: WalletIdentity; readonly referenceKey: string }

/**
 * The alerts of each reference, and whether an event has announced them; without duplicates. Index: alerts_same_reference,
 * events_once.
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
  (money: readonly MoneyKey[]) => [money.map((one) => one.identity), money.map((one) => one.referenceKey)],
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

/** The PENDING intents with these references; their rows are held until the end of the transaction. Index:
 *  intents_reference_held. */
export const holdIntentsByReference = statement(
  'hold_intents_by_reference',
  holdingColumns,
  (money: readonly MoneyKey[]) => [money.map((one) => one.identity), money.map((one) => one.referenceKey)],
  `
  select ${holdingRow}
    from unnest($1::uuid[], $2::text[]) as n (identity, reference_key)
   -- One index lookup for each, never a scan of all PENDING intents.
   cross join lateral (
         select * from intents i
          where i.status = 'PENDING' and ${onlyRow('i.identity = n.identity', 'i.reference_key', 'n.reference_key')}
            for update of i) as i`,
)

/** The last balance of each real wallet. The row is held until the end of the transaction, so that one transaction at a time
 *  continues the chain. Its key is the wallet's identity, which is the id of its first entry. */
export const holdBalances = statement(
  'hold_balances',
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
    saved.map((one) => one.walletId),
    saved.map((one) => String(one.balance)),
    saved.map((one) => one.alertId),
    saved.map((one) => at(one.at)),
    saved.map((one) => one.doubts),
    saved.map((one) => one.toRelease),
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

type AlertColumn = readonly [name: string, type: string, of: (alert: NewAlert) => unknown, again?: 'read again']
const again = 'read again'

/** The columns of an alert. Those marked `again` are rewritten when the alert is read again: what was read in the text, and
 *  the text itself, because it may have been hidden before or be hidden now. */
const alertColumns: readonly AlertColumn[] = [
  ['account_id', 'uuid', (one) => one.accountId],
  ['id', 'uuid', (one) => one.id],
  ['device_id', 'uuid', (one) => one.deviceId],
  ['client_id', 'text', (one) => one.clientId, again],
  ['adapter', 'text', (one) => one.adapter],
  ['trusted', 'bool', (one) => one.trusted],
  ['kind', 'text', (one) => one.kind],
  ['sender', 'text', (one) => one.sender, again],
  ['package', 'text', (one) => one.package],
  ['title', 'text', (one) => one.title, again],
  ['raw_text', 'text', (one) => one.text, again],
  ['sim_slot', 'text', (one) => one.simSlot],
  ['sent_at', 'timestamptz', (one) => orNull(one.sentAt)],
  ['phone_received_at', 'timestamptz', (one) => orNull(one.phoneReceivedAt)],
  ['received_at', 'timestamptz', (one) => at(one.receivedAt)],
  ['normaliser_version', 'int2', (one) => one.normaliserVersion, again],
  ['fingerprint', 'bytea', (one) => one.fingerprint, again],
  ['wallet_id', 'uuid', (one) => one.walletId, again],
  ['identity', 'uuid', (one) => one.identity, again],
  ['template_id', 'uuid', (one) => one.templateId, again],
  ['direction', 'text', (one) => one.direction, again],
  ['amount', 'bigint', (one) => units(one.amount), again],
  ['currency', 'text', (one) => one.currency, again],
  ['reference', 'text', (one) => one.reference, again],
  ['reference_key', 'text', (one) => one.referenceKey, again],
  ['payer', 'text', (one) => one.payer, again],
  ['balance', 'bigint', (one) => units(one.balance), again],
  ['chain', 'text', (one) => one.chain, again],
  ['chain_missing', 'bigint', (one) => units(one.chainMissing), again],
  ['chain_since', 'timestamptz', (one) => orNull(one.chainSince), again],
  ['state', 'text', (one) => one.state, again],
  ['reason', 'text', (one) => one.reason, again],
  ['duplicate_of', 'uuid', (one) => one.duplicateOf, again],
  ['intent_id', 'uuid', (one) => one.intentId, again],
  ['unmatched_owed', 'bool', (one) => one.unmatchedOwed, again],
  ['phone_new', 'bool', (one) => one.phoneNew],
  ['similar_to', 'uuid', (one) => one.similarTo, again],
  ['hidden', 'text', (one) => one.hidden, again],
  ['sealed_text', 'bytea', (one) => one.sealedText, again],
  ['forget_at', 'timestamptz', (one) => orNull(one.forgetAt), again],
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
  values: (alerts) => columns.map(([, , of]) => alerts.map(of)),
})

const allColumns = columnList(alertColumns)
export const rewrittenColumns = columnList(alertColumns.filter((column) => column[3] === again))

export const insertAlerts = statement(
  'insert_alerts',
  noColumns,
  (alerts: readonly NewAlert[]) => allColumns.values(alerts),
  `
  insert into alerts (${allColumns.names.join(', ')})
  select * from unnest(${allColumns.arrays(0)})`,
)

/** Changes the state of stored alerts: a duplicate after all, or for review. Fails unless every one is changed. Index: primary
 *  key. */
export const changeAlerts = statement(
  'change_alerts',
  { done: whole() },
  (changes: readonly AlertChange[]) => [
    changes.map((one) => one.accountId),
    changes.map((one) => one.id),
    changes.map((one) => one.from),
    changes.map((one) => one.state),
    changes.map((one) => one.reason),
    changes.map((one) => one.intentId),
    changes.map((one) => one.duplicateOf),
    changes.map((one) => one.unmatchedOwed),
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
 * Real wallets on which a PENDING intent without a reference is open: it may be about to get the reference of a new alert.
 * Index: intents_reference_held, in which intents without a reference are next to each other.
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
            -- Written so that the index by expires_at, which does not have the wallet, is not used.
            and i.expires_at + interval '0' > $2
          order by i.reference_key
          limit 1) as open`,
)
