import type { AlertState } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import {
  type AccountId,
  type AlertId,
  firstIdAt,
  type IntentId,
  type PhoneId,
  type WalletId,
  type WalletIdentity,
} from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, type RowOf, scoped, statement } from '../../postgres/query/statement.ts'
import type { NotMatched } from '../records/alert-row.ts'

/** A credit as `mayBeSamePayment` compares it. */
const creditColumns = {
  id: uuid<AlertId>(),
  device_id: uuid<PhoneId>(),
  adapter: text(),
  kind: text(),
  wallet_id: nullable(uuid<WalletId>()),
  identity: uuid<WalletIdentity>(),
  amount: minor(),
  state: text<AlertState>(),
  intent_id: nullable(uuid<IntentId>()),
  reference_key: nullable(text()),
  currency: nullable(text()),
  payer: nullable(text()),
  balance: nullable(minor()),
  raw_text: text(),
  sent_at: nullable(instant()),
  phone_received_at: nullable(instant()),
  received_at: instant(),
  chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  chain_missing: nullable(minor()),
  chain_since: nullable(instant()),
  erased_at: nullable(instant()),
}

/** The fields of a stored alert that are compared. */
export type StoredCredit = {
  readonly id: AlertId
  readonly direction: 'credit' | 'debit' | null
  readonly identity: WalletIdentity | null
  readonly amount: Minor | null
} & Omit<RowOf<typeof creditColumns>, 'id' | 'identity' | 'amount' | 'state' | 'intent_id'>

const creditFields = Object.keys(creditColumns)
  .map((name) => `a.${name}`)
  .join(', ')

/** Whether a real wallet asks about later messages: it does unless its open entry has that switched off. Index:
 *  wallets_of_account. */
export const laterMessages = scoped(
  'later_messages',
  { identity: uuid<WalletIdentity>(), reviewed: bool() },
  (scope: Scope, identities: readonly WalletIdentity[]) => [scope.accountId, identities],
  `
  select identity, coalesce(bool_or(review_later_messages) filter (where active), true) as reviewed
    from wallets
   where account_id = $1 and identity = any($2::uuid[])
   group by identity`,
)

export type WalletAmount = {
  readonly accountId: AccountId
  readonly identity: WalletIdentity
  readonly amount: Minor
  /** Whether a credit that will be compared has no reference. Then stored credits with a reference are read too. */
  readonly withoutReference: boolean
  /** Whether the wallet has unique amounts. Then credits without a reference that nobody has used are read too. */
  readonly uniqueAmounts: boolean
  /** The earliest time of arrival of stored credits (`comparedSince`). */
  readonly since: Instant
}

/** How many credits of each kind are read for one amount. If there are more, one of them may be the same payment: a member
 *  decides. */
export const mostCompared = 500

const sameAmount = `a.identity = n.identity and a.amount >= n.amount and a.amount <= n.amount and a.id >= n.first_id
            and a.account_id = n.account_id`

/**
 * Credits of these amounts on these real wallets, newest first, and of each kind one more than `mostCompared` at the most. The
 * kinds: spent without a reference (by the service or by a member), not spent with a reference, spent with a reference, and, for
 * unique amounts, not spent without a reference. Another alert may report the same payment. Index: alerts_spent_amount,
 * alerts_unclaimed, alerts_spent_reference.
 */
export const recentAmounts = statement(
  'recent_amounts',
  creditColumns,
  (amounts: readonly WalletAmount[]) => [
    amounts.map(({ accountId }) => accountId),
    amounts.map(({ identity }) => identity),
    amounts.map(({ amount }) => String(amount)),
    amounts.map(({ withoutReference }) => withoutReference),
    amounts.map(({ since }) => firstIdAt(since)),
    mostCompared + 1,
    amounts.map(({ uniqueAmounts }) => uniqueAmounts),
  ],
  `
  select ${creditFields}
    from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bool[], $5::uuid[], $7::bool[])
      as n (account_id, identity, amount, without_reference, first_id, unique_amounts)
   cross join lateral (
        (select ${creditFields} from alerts a
          where ${sameAmount}
            and a.state in ('matched', 'booked') and a.reference_key is null
          order by a.amount desc, a.id desc
          limit $6)
         union all
        (select ${creditFields} from alerts a
          where n.without_reference and ${sameAmount}
            and a.state in ('waiting', 'review', 'held', 'wrong_amount')
            and a.state in ('waiting', 'wrong_amount') and a.reference_key is not null
          order by a.amount desc, a.id desc
          limit $6)
         union all
        (select ${creditFields} from alerts a
          where n.without_reference and ${sameAmount}
            and a.state in ('matched', 'booked') and a.reference_key is not null
          order by a.amount desc, a.id desc
          limit $6)
         union all
        (select ${creditFields} from alerts a
          where n.unique_amounts and ${sameAmount}
            and a.state in ('waiting', 'review', 'held', 'wrong_amount')
            and a.state in ('review', 'held') and a.direction = 'credit' and a.reference_key is null
          order by a.amount desc, a.id desc
          limit $6)) as a`,
)

/**
 * Marks credits with a reference as possible copies of the payment `other`, which is spent. Waiting credits go to review. A credit
 * that ended an intent as WRONG_AMOUNT keeps its state, but its reference verifies no intent any more. The caller has locked the
 * rows. Index: primary key.
 */
export const doubtCredits = scoped(
  'doubt_credits',
  noColumns,
  (scope: Scope, ids: readonly AlertId[], other: AlertId) => [scope.accountId, ids, other],
  `
  update alerts
     set similar_to = $3, reason = case state when 'waiting' then 'amount_seen' else reason end,
         state = case state when 'waiting' then 'review' else state end
   where account_id = $1 and id = any($2::uuid[]) and state in ('waiting', 'wrong_amount')`,
)

/** Removes the mark: a member said that the credit is another payment. The caller has locked the row. Index: primary key. */
export const acceptCredit = scoped(
  'accept_credit',
  noColumns,
  (scope: Scope, id: AlertId) => [scope.accountId, id],
  `update alerts set similar_to = null where account_id = $1 and id = $2`,
)

/** Locks these alerts until the transaction ends, and returns their states. Index: primary key. */
export const lockCredits = scoped(
  'lock_credits',
  { id: uuid<AlertId>(), state: text<AlertState>() },
  (scope: Scope, ids: readonly AlertId[]) => [scope.accountId, ids],
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
