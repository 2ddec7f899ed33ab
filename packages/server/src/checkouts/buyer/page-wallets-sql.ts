/** What the buyer's page says of wallets: whether their phones report, and how long their payments take. */
import type { Instant } from '../../core/clock.ts'
import type { WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, nullable, uuid, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import { isSilentSql } from '../../wallets/silence/silence-sql.ts'

/** The wallets for which no phone reports at the moment: no phone is switched on, or all of them are silent. Index: primary
 *  keys. */
export const silentWallets = scoped(
  'silent_wallets',
  { id: uuid<WalletId>() },
  (scope: Scope, walletIds: readonly WalletId[], now: Instant) => [scope.accountId, walletIds, at(now)],
  `
  select w.id
    from wallets w
   where w.account_id = $1 and w.id = any($2::uuid[])
     and not exists (
           select from (
                  select w.device_id as id
                  union all
                  select f.device_id from wallet_phones f where f.account_id = w.account_id and f.wallet_id = w.id) as p
             join devices d on d.account_id = w.account_id and d.id = p.id and d.switched_on
             left join phone_rhythms r on r.account_id = d.account_id and r.device_id = d.id
            where not (${isSilentSql('d', 'r', '$3::timestamptz')}))`,
)

/**
 * How long the last payments of a wallet took from their reference to VERIFIED: the median in milliseconds, and how many payments
 * there were. Null: there were none. Index: intents_wallet.
 */
export const usualWait = scoped(
  'usual_wait',
  { wait_ms: nullable(whole()), count: whole() },
  (scope: Scope, walletId: WalletId) => [scope.accountId, walletId],
  `
  select (percentile_disc(0.5) within group (order by extract(epoch from i.verified_at - i.reference_at)) * 1000)::bigint
           as wait_ms,
         count(*)::int as count
    from (select verified_at, reference_at, manual from intents
           where account_id = $1 and wallet_id = $2
           order by id desc limit 200) as i
   where i.verified_at is not null and i.reference_at is not null and not i.manual`,
)
