import type { Instant } from '../../core/clock.ts'
import { type AccountId, type AlertId, firstIdAt, type WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { at, bool, minor, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'
import type { NotMatched } from './alert-row.ts'

/**
 * Earlier alerts with these amounts of real wallets: with a reference and not spent, or without a reference and spent (matched
 * or booked). A new alert may report the same payment in other words, or be a part of the same message. Index:
 * alerts_unclaimed, alerts_spent_amount.
 */
export const recentAmounts = statement(
  'recent_amounts',
  { id: uuid<AlertId>(), identity: uuid<WalletIdentity>(), amount: minor(), with_reference: bool(), raw_text: text() },
  (
    amounts: readonly { accountId: AccountId; identity: WalletIdentity; amount: Minor }[],
    since: Instant,
    /** The first instant for alerts without a reference. */
    spentSince: Instant,
  ) => [
    amounts.map(({ accountId }) => accountId),
    amounts.map(({ identity }) => identity),
    amounts.map(({ amount }) => String(amount)),
    firstIdAt(since),
    firstIdAt(spentSince),
  ],
  `
  select a.id, n.identity, n.amount, true as with_reference, '' as raw_text
    from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as n (account_id, identity, amount)
   cross join lateral (
         select a.id from alerts a
          where a.identity = n.identity and a.amount >= n.amount and a.amount <= n.amount and a.id >= $4
            and a.state in ('waiting', 'review', 'held', 'wrong_amount')
            and a.state in ('waiting', 'wrong_amount') and a.account_id = n.account_id and a.reference_key is not null
          order by a.amount desc, a.id desc
          limit 5) as a
  union all
  select a.id, n.identity, n.amount, false, a.raw_text
    from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as n (account_id, identity, amount)
   cross join lateral (
         select a.id, a.raw_text from alerts a
          where a.identity = n.identity and a.amount >= n.amount and a.amount <= n.amount and a.id >= $5
            and a.state in ('matched', 'booked') and a.reference_key is null and a.account_id = n.account_id
          order by a.amount desc, a.id desc
          limit 5) as a`,
)

/** Adds timeline entries that tell why an alert did not verify an intent: at most 20 for an intent, and one for the same alert
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
