import type { Instant } from '../ground/clock.ts'
import { type AccountId, firstIdAt, type WalletId } from '../ground/ids.ts'
import { at, minor, text, uuid, whole } from '../postgres/columns.ts'
import { statement } from '../postgres/statement.ts'
import type { Status } from './intent.ts'

/** Testing wallets are an account's own few: what they show is no money. */
const noTest = 'i.wallet_id not in (select w.id from wallets w where w.account_id = $1 and w.is_test)'

/** What was verified since an instant, whenever it was made. Index: intents_verified. */
export const verifiedSince = statement(
  'verified_since',
  { count: whole(), sum: minor() },
  (accountId: AccountId, since: Instant) => [accountId, at(since)],
  `
  select count(*) as count, coalesce(sum(i.payable), 0)::bigint as sum
    from intents i
   where i.account_id = $1 and i.verified_at >= $2 and i.verified_at is not null and ${noTest}`,
)

/** What waits now. Index: intents_status; no more than an hour's intents and those no sweep has seen yet. */
export const waitingNow = statement(
  'waiting_now',
  { count: whole(), sum: minor(), without_reference: whole() },
  (accountId: AccountId, now: Instant) => [accountId, at(now)],
  `
  select count(*) as count, coalesce(sum(i.payable), 0)::bigint as sum,
         count(*) filter (where i.reference = '') as without_reference
    from intents i
   where i.account_id = $1 and i.status = 'PENDING' and i.expires_at > $2 and ${noTest}`,
)

/**
 * Intents made since the first of these days, by day, wallet and what they show now. Index: primary key, the range of ids
 * from the first day on; nothing older is read.
 */
export const figuresByDay = statement(
  'figures_by_day',
  { day: whole(), wallet_id: uuid<WalletId>(), status: text<Status>(), count: whole(), sum: minor() },
  (accountId: AccountId, walletId: string | null, days: readonly Instant[], now: Instant) => [
    accountId,
    walletId,
    days.map(at),
    firstIdAt(days[0]!),
    at(now),
  ],
  `
  select width_bucket(i.created_at, $3::timestamptz[]) - 1 as day, i.wallet_id,
         case when i.status = 'PENDING' and i.expires_at <= $5 then 'EXPIRED' else i.status end as status,
         count(*) as count, sum(i.payable)::bigint as sum
    from intents i
   where i.account_id = $1 and i.id >= $4 and ($2::uuid is null or i.wallet_id = $2) and ${noTest}
   group by 1, 2, 3
   order by 1, 2, 3`,
)

/**
 * How long verifying took, by the day an intent was made, and over all days (day -1). Index: intents_status, the range of
 * ids from the first day on.
 */
export const waitsByDay = statement(
  'waits_by_day',
  { day: whole(), count: whole(), p50_s: whole(), p90_s: whole() },
  (accountId: AccountId, walletId: string | null, days: readonly Instant[]) => [
    accountId,
    walletId,
    days.map(at),
    firstIdAt(days[0]!),
  ],
  `
  select coalesce(v.day, -1) as day, count(*) as count,
         percentile_disc(0.5) within group (order by v.wait_s) as p50_s,
         percentile_disc(0.9) within group (order by v.wait_s) as p90_s
    from (select width_bucket(i.created_at, $3::timestamptz[]) - 1 as day,
                 extract(epoch from i.verified_at - i.created_at)::int as wait_s
            from intents i
           where i.account_id = $1 and i.status = 'VERIFIED' and i.id >= $4
             and ($2::uuid is null or i.wallet_id = $2) and ${noTest}) as v
   group by grouping sets ((v.day), ())
  having count(*) > 0
   order by 1`,
)
