import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { AlertId, IntentId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { arrivalColumns, arrivalRow } from '../../intents/arrival-sql.ts'
import type { Status } from '../../intents/intent.ts'
import { bool, instant, minor, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { type RowOf, scoped } from '../../postgres/query/statement.ts'

/** A wallet and the time zone of its account. Index: primary keys. */
export const walletOfDay = scoped(
  'wallet_of_day',
  { id: uuid<WalletId>(), name: text(), currency: text(), time_zone: text() },
  (scope: Scope, walletId: string) => [scope.accountId, walletId],
  (only) => `
  select w.id, w.name, w.currency, a.time_zone
    from wallets w
    join accounts a on a.id = w.account_id
   where w.account_id = $1 and w.id = $2 ${only('w.id')}`,
)

const lineColumns = {
  id: uuid<AlertId>(),
  received_at: instant(),
  state: text<AlertState>(),
  reason: text<Reason>(),
  direction: nullable(text<'credit' | 'debit'>()),
  amount: nullable(minor()),
  currency: nullable(text()),
  reference: nullable(text()),
  payer: nullable(text()),
  balance: nullable(minor()),
  chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  chain_missing: nullable(minor()),
  /** It was taken as a sale. */
  sale: bool(),
  intent_id: nullable(uuid<IntentId>()),
  intent_code: nullable(text()),
  intent_status: nullable(text<Status>()),
  intent_payable: nullable(minor()),
  ...arrivalColumns,
  intent_manual: nullable(bool()),
}
export type DayRow = RowOf<typeof lineColumns>

/** Alerts of a wallet between two ids, oldest first, without duplicates and hidden alerts. Index: alerts_of_wallet. */
export const dayRows = scoped(
  'day_rows',
  lineColumns,
  (scope: Scope, walletId: WalletId, after: string, before: string, most: number) => [
    scope.accountId,
    walletId,
    after,
    before,
    most,
  ],
  (only) => `
  select a.id, a.received_at, a.state, a.reason, a.direction, a.amount, a.currency, a.reference, a.payer, a.balance, a.chain,
         a.chain_missing, a.taken_from is not null as sale, a.intent_id, i.code as intent_code, i.status as intent_status,
         i.payable as intent_payable, ${arrivalRow('i')}, i.manual as intent_manual
    from alerts a
    left join intents i on i.account_id = a.account_id and i.id = a.intent_id
   where a.account_id = $1 and a.wallet_id = $2 ${only('a.wallet_id')} and a.id > $3 and a.id < $4
     and a.state not in ('duplicate', 'hidden')
   order by a.id
   limit $5`,
)

/** The last movements of a wallet before an instant, oldest first. Index: alerts_of_wallet. */
export const movementsBefore = scoped(
  'movements_before',
  {
    received_at: instant(),
    state: text<AlertState>(),
    reason: text<Reason>(),
    intent_id: nullable(uuid<IntentId>()),
    direction: text<'credit' | 'debit'>(),
    amount: minor(),
    balance: nullable(minor()),
    chain: nullable(text<'fits' | 'break' | 'unknown'>()),
  },
  (scope: Scope, walletId: WalletId, currency: string, before: string, most: number) => [
    scope.accountId,
    walletId,
    currency,
    before,
    most,
  ],
  (only) => `
  select received_at, state, reason, intent_id, direction, amount, balance, chain
    from (select a.id, a.received_at, a.state, a.reason, a.intent_id, a.direction, a.amount, a.currency, a.balance, a.chain
            from alerts a
           where a.account_id = $1 and a.wallet_id = $2 ${only('a.wallet_id')} and a.id < $4
           order by a.id desc
           limit $5) as last
   where state <> 'duplicate' and direction is not null and amount is not null and currency = $3
   order by id`,
)

/**
 * For each day: whether it has alerts, and the number and sum of its breaks (at most 1,000 are read). Index:
 * alerts_of_wallet, alerts_breaks.
 */
export const daysOfWallet = scoped(
  'days_of_wallet',
  { alerts: bool(), breaks: whole(), missing: minor() },
  (scope: Scope, walletId: WalletId, firsts: readonly string[], lasts: readonly string[]) => [
    scope.accountId,
    walletId,
    firsts,
    lasts,
  ],
  (only) => `
  select exists (select from alerts a
                  where a.account_id = $1 and a.wallet_id = $2 and a.id >= d.first and a.id < d.last ${only('a.wallet_id')}) as alerts,
         b.breaks, b.missing
    from unnest($3::uuid[], $4::uuid[]) with ordinality as d (first, last, n)
   cross join lateral (
         select count(*)::int as breaks, coalesce(sum(x.chain_missing), 0)::bigint as missing
           from (select a.chain_missing from alerts a
                  where a.account_id = $1 and a.wallet_id = $2 and a.chain = 'break' ${only('a.wallet_id')} and a.id >= d.first and a.id < d.last
                  limit 1000) as x) as b
   order by d.n`,
)
