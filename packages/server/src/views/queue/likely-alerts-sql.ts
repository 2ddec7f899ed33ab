import type { AlertId, IntentId, WalletId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { at, instant, uuid, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import { alertOfToday } from '../alert-today.ts'

export type IntentWindow = {
  readonly id: IntentId
  readonly walletId: WalletId
  readonly payable: Minor
  readonly currency: string
  readonly createdAt: number
  readonly firstId: string
  readonly lastId: string
}

/**
 * For each intent the unmatched alert of its wallet and amount that is nearest in time, and how many such alerts there are
 * (at most 20 are counted). Index: alerts_unclaimed, one lookup for each.
 */
export const unmatchedNear = scoped(
  'unmatched_near',
  { intent_id: uuid<IntentId>(), alert_id: uuid<AlertId>(), received_at: instant(), count: whole() },
  (scope: Scope, intents: readonly IntentWindow[]) => [
    scope.accountId,
    intents.map(({ id }) => id),
    intents.map(({ walletId }) => walletId),
    intents.map(({ payable }) => String(payable)),
    intents.map(({ currency }) => currency),
    intents.map(({ createdAt }) => at(createdAt)),
    intents.map(({ firstId }) => firstId),
    intents.map(({ lastId }) => lastId),
  ],
  (only) => `
  select p.intent_id, near.id as alert_id, near.received_at, near.n::int as count
    from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::text[], $6::timestamptz[], $7::uuid[], $8::uuid[])
      as p (intent_id, wallet_id, payable, currency, created_at, first_id, last_id)
   cross join lateral (
         select a.id, a.received_at, count(*) over () as n
           from (select u.id, u.received_at
                   from alerts u
                  where u.account_id = $1 and u.amount = p.payable
                    and u.identity = (select w.identity from wallets w where w.account_id = $1 and w.id = p.wallet_id)
                    and u.state in ('waiting', 'review', 'held', 'wrong_amount') and u.id >= p.first_id and u.id < p.last_id
                    and u.direction = 'credit' and u.currency = p.currency ${only('u.wallet_id')} ${only.today(alertOfToday('u'))}
                  order by u.id
                  limit 20) as a
          order by abs(extract(epoch from a.received_at - p.created_at)), a.id
          limit 1) as near`,
)
