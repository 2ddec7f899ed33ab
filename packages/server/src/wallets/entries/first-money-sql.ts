import type { Instant } from '../../core/clock.ts'
import type { AccountId, WalletId } from '../../core/ids.ts'
import { at } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'

/**
 * Notes at wallets that their first money has come. A row that another transaction has locked is skipped, so that alerts never wait
 * for a change of their wallet: the next credit is noted instead. Index: primary key.
 */
export const noteFirstMoney = statement(
  'note_first_money',
  noColumns,
  (credits: readonly { readonly accountId: AccountId; readonly id: WalletId; readonly at: Instant }[]) => [
    credits.map(({ accountId }) => accountId),
    credits.map(({ id }) => id),
    credits.map((credit) => at(credit.at)),
  ],
  `
  update wallets w set first_received_at = f.at
    from (select o.account_id, o.id, n.at
            from (select account_id, id, min(at) as at
                    from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as n (account_id, id, at)
                   group by account_id, id) as n
           cross join lateral (
                 select account_id, id from wallets o
                  where o.account_id = n.account_id and o.id = n.id and o.first_received_at is null
                    for no key update skip locked) as o) as f
   where w.account_id = f.account_id and w.id = f.id`,
)
