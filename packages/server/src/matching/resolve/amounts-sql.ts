import type { AlertState } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import {
  type AccountId,
  type AlertId,
  firstIdAt,
  type IntentId,
  type TemplateId,
  type WalletIdentity,
} from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { at, instant, jsonText, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, type RowOf, statement } from '../../postgres/query/statement.ts'
import type { NotMatched } from './alert-row.ts'

/** A credit as `mayBeSamePayment` compares it. `sources`: a JSON list of the sources that reported its text, as `sourceKey`
 *  writes them. */
const creditColumns = {
  id: uuid<AlertId>(),
  identity: uuid<WalletIdentity>(),
  amount: minor(),
  state: text<'waiting' | 'wrong_amount' | 'matched' | 'booked'>(),
  intent_id: nullable(uuid<IntentId>()),
  reference_key: nullable(text()),
  currency: nullable(text()),
  template_id: nullable(uuid<TemplateId>()),
  payer: nullable(text()),
  raw_text: text(),
  sent_at: nullable(instant()),
  phone_received_at: nullable(instant()),
  received_at: instant(),
  chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  chain_missing: nullable(minor()),
  chain_since: nullable(instant()),
  sources: jsonText(),
}

/** The fields of a stored alert that are compared. */
export type StoredCredit = {
  readonly id: AlertId
  readonly device_id: string
  readonly adapter: string
  readonly kind: string
  readonly direction: 'credit' | 'debit' | null
  readonly identity: WalletIdentity | null
  readonly amount: Minor | null
} & Omit<RowOf<typeof creditColumns>, 'id' | 'identity' | 'amount' | 'state' | 'intent_id' | 'sources'>

const creditFields = `a.id, a.identity, a.amount, a.state, a.intent_id, a.reference_key, a.currency, a.template_id, a.payer, a.raw_text, a.sent_at,
                a.phone_received_at, a.received_at, a.chain, a.chain_missing, a.chain_since`

const sourcesOf = (alert: string): string => `
         (select coalesce(json_agg(distinct d.device_id || ' ' || d.adapter || ' ' || d.kind), '[]')
            from (select d.device_id, d.adapter, d.kind from alerts d
                   where d.fingerprint = ${alert}.fingerprint order by d.received_at desc limit 20) as d)`

export type WalletAmount = {
  readonly accountId: AccountId
  readonly identity: WalletIdentity
  readonly amount: Minor
  /** Whether a new credit of this amount has no reference. Then stored credits with a reference are read too. */
  readonly withoutReference: boolean
}

const sameAmount = 'a.identity = n.identity and a.amount >= n.amount and a.amount <= n.amount'

/**
 * Credits of these amounts on these real wallets, the newest of each kind. The kinds: spent without a reference (by the service or
 * by a member), not spent with a reference, spent with a reference. Another alert may report the same payment in other words, or
 * be a part of the message. Index: alerts_spent_amount, alerts_unclaimed, alerts_spent_reference, alerts_fingerprint.
 */
export const recentAmounts = statement(
  'recent_amounts',
  creditColumns,
  (
    amounts: readonly WalletAmount[],
    /** The earliest time of alerts with a reference. */
    since: Instant,
    /** The same for spent alerts without a reference. */
    spentSince: Instant,
    /** How many alerts of each kind are read for one amount. */
    most = 20,
  ) => [
    amounts.map(({ accountId }) => accountId),
    amounts.map(({ identity }) => identity),
    amounts.map(({ amount }) => String(amount)),
    amounts.map(({ withoutReference }) => withoutReference),
    firstIdAt(since),
    firstIdAt(spentSince),
    most,
  ],
  `
  select ${creditFields},${sourcesOf('a')} as sources
    from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bool[]) as n (account_id, identity, amount, without_reference)
   cross join lateral (
        (select ${creditFields}, a.fingerprint from alerts a
          where ${sameAmount} and a.id >= $6
            and a.state in ('matched', 'booked') and a.reference_key is null and a.account_id = n.account_id
          order by a.amount desc, a.id desc
          limit $7)
         union all
        (select ${creditFields}, a.fingerprint from alerts a
          where n.without_reference and ${sameAmount} and a.id >= $5
            and a.state in ('waiting', 'review', 'held', 'wrong_amount')
            and a.state in ('waiting', 'wrong_amount') and a.account_id = n.account_id and a.reference_key is not null
          order by a.amount desc, a.id desc
          limit $7)
         union all
        (select ${creditFields}, a.fingerprint from alerts a
          where n.without_reference and ${sameAmount} and a.id >= $5
            and a.state in ('matched', 'booked') and a.reference_key is not null and a.account_id = n.account_id
          order by a.amount desc, a.id desc
          limit $7)) as a`,
)

/** The sources that reported the text of an alert. Index: primary key, alerts_fingerprint. */
export const sourcesOfAlerts = statement(
  'sources_of_alerts',
  { id: uuid<AlertId>(), sources: jsonText() },
  (accountId: AccountId, ids: readonly string[]) => [accountId, ids],
  `select a.id,${sourcesOf('a')} as sources from alerts a where a.account_id = $1 and a.id = any($2::uuid[])`,
)

/**
 * Marks credits with a reference as possible copies of the payment `other`, which is spent. Waiting credits go to review. A credit
 * that ended an intent as WRONG_AMOUNT keeps its state, but its reference verifies no intent any more. The caller has locked the
 * rows. Index: primary key.
 */
export const doubtCredits = statement(
  'doubt_credits',
  noColumns,
  (accountId: AccountId, ids: readonly AlertId[], other: AlertId) => [accountId, ids, other],
  `
  update alerts
     set similar_to = $3, reason = case state when 'waiting' then 'amount_seen' else reason end,
         state = case state when 'waiting' then 'review' else state end
   where account_id = $1 and id = any($2::uuid[]) and state in ('waiting', 'wrong_amount')`,
)

/** Removes the mark: a member said that the credit is another payment. The caller has locked the row. Index: primary key. */
export const acceptCredit = statement(
  'accept_credit',
  noColumns,
  (accountId: AccountId, id: AlertId) => [accountId, id],
  `update alerts set similar_to = null where account_id = $1 and id = $2`,
)

/** Locks these alerts until the transaction ends, and returns their states. Index: primary key. */
export const lockCredits = statement(
  'lock_credits',
  { id: uuid<AlertId>(), state: text<AlertState>() },
  (accountId: AccountId, ids: readonly AlertId[]) => [accountId, ids],
  `select id, state from alerts where account_id = $1 and id = any($2::uuid[]) order by id for update`,
)

/** Adds timeline entries that say why an alert did not verify an intent: at most 20 for an intent, and one for the same alert
 *  and reason. Index: primary key. */
export const insertNotMatched = statement(
  'insert_not_matched',
  noColumns,
  (entries: readonly NotMatched[]) => [
    entries.map((entry) => entry.accountId),
    entries.map((entry) => entry.intentId),
    entries.map((entry) => entry.entryId),
    entries.map((entry) => entry.alertId),
    entries.map((entry) => at(entry.at)),
    entries.map((entry) => entry.facts),
  ],
  `
  insert into intent_moves (account_id, intent_id, id, at, kind, by, alert_id, facts)
  select n.account_id, n.intent_id, n.id, n.at, 'not_matched', 'alert', n.alert_id, n.facts
    from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::timestamptz[], $6::json[])
      as n (account_id, intent_id, id, alert_id, at, facts)
   where (select count(*) < 20 and count(*) filter (where m.alert_id = n.alert_id and m.facts::text = n.facts::text) = 0
            from intent_moves m
           where m.account_id = n.account_id and m.intent_id = n.intent_id and m.kind = 'not_matched')`,
)
