import type { Instant } from '../../core/clock.ts'
import type { AlertId, WalletId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { at, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import { alertOfToday } from '../alert-today.ts'

export type FittingSearch = {
  readonly scope: Scope
  readonly walletId: WalletId
  readonly payable: Minor
  readonly currency: string
  readonly createdAt: Instant
  readonly referenceKey: string | null
  readonly firstId: string
  readonly lastId: string
  readonly most: number
}

/**
 * Unmatched money of a real wallet, of exactly this amount, that a member may book: between two ids, or with the reference at any
 * time since. The nearest to the creation first. Index: alerts_unclaimed.
 */
export const alertsThatFit = scoped(
  'alerts_that_fit',
  {
    id: uuid<AlertId>(),
    amount: minor(),
    currency: text(),
    reference: nullable(text()),
    payer: nullable(text()),
    sender: text(),
    received_at: instant(),
  },
  (search: FittingSearch) => [
    search.scope.accountId,
    search.walletId,
    String(search.payable),
    search.currency,
    search.firstId,
    search.lastId,
    search.referenceKey,
    at(search.createdAt),
    search.most,
  ],
  (only) => `
  select u.id, u.amount, u.currency, u.reference, u.payer, u.sender, u.received_at
    from alerts u
   where u.account_id = $1 and u.amount = $3::bigint
     and u.identity = (select w.identity from wallets w where w.account_id = $1 and w.id = $2)
     and u.state in ('waiting', 'review', 'wrong_amount') and u.id >= $5::uuid
     and (u.id < $6::uuid or u.reference_key = $7::text)
     and u.direction = 'credit' and u.currency = $4 ${only('u.wallet_id')} ${only.today(alertOfToday('u'))}
   order by u.reference_key = $7::text desc nulls last, abs(extract(epoch from u.received_at - $8::timestamptz)), u.id
   limit $9`,
)
