import type { Instant } from '../../core/clock.ts'
import { type AccountId, firstIdAt, largestId, type WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, jsonText, minor, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotMoved } from '../../postgres/tenancy/move-sql.ts'
import { arrivedSql } from '../arrival-sql.ts'
import type { Status } from '../intent.ts'
import { intentOfToday } from '../intent-today.ts'
import type { FigurePeriods } from './figure-periods.ts'

/** Leaves out test wallets: their intents are not money. An account has few of them. */
const noTest = (wallet: string): string =>
  `${wallet} not in (select w.id from wallets w where w.account_id = $1 and w.is_test)`

/** Each bucket of seconds is a tenth longer than the previous one. */
const bucket = 'floor(ln(greatest(extract(epoch from i.verified_at - i.created_at), 1)) / ln(1.1))::int'

/** `|| ''` keeps the planner from the index of VERIFIED intents: the rows are read by a range of ids. */
const verified = `i.status || '' = 'VERIFIED'`

/** The intents that were verified since an instant, whenever they were created, by currency: what arrived, and what was forgiven. Index:
 *  intents_verified. */
export const verifiedSince = scoped(
  'verified_since',
  { currency: text(), count: whole(), sum: minor(), forgiven: minor() },
  (scope: Scope, since: Instant) => [scope.accountId, at(since)],
  (only) => `
  select i.currency, count(*) as count, coalesce(sum(${arrivedSql('i')}), 0)::bigint as sum,
         coalesce(sum(i.forgiven), 0)::bigint as forgiven
    from intents i
   where i.account_id = $1 and i.verified_at >= $2 and i.verified_at is not null and ${noTest('i.wallet_id')} ${only('i.wallet_id')}
     ${only.today((day) => `i.verified_at >= ${day.since}`)}
   group by i.currency
   order by i.currency`,
)

/**
 * Intents that are PENDING now, by currency. Index: intents_status: it reads the intents with an open window, and those whose expiry is
 * not stored yet.
 */
export const waitingNow = scoped(
  'waiting_now',
  { currency: text(), count: whole(), sum: minor(), without_reference: whole() },
  (scope: Scope, now: Instant) => [scope.accountId, at(now)],
  (only) => `
  select i.currency, count(*) as count, coalesce(sum(i.payable), 0)::bigint as sum,
         count(*) filter (where i.reference = '') as without_reference
    from intents i
   where i.account_id = $1 and i.status = 'PENDING' and i.expires_at > $2 and ${noTest('i.wallet_id')} ${only('i.wallet_id')} ${only.today(intentOfToday('i'))}
   group by i.currency
   order by i.currency`,
)

/** `offset 0` makes each range one lookup in the primary key. Without it PostgreSQL may compare each row with all ranges. */
const rowByRow = `from unnest($6::uuid[], $7::uuid[]) as r (from_id, until_id)
           cross join lateral (
                 select j.wallet_id, j.status, j.payable, j.created_at, j.expires_at, j.verified_at
                   from intents j
                  where j.account_id = $1 and j.id >= r.from_id and j.id < r.until_id
                 offset 0) as i`

const periodValues = (accountId: AccountId, { days, hours, ranges }: FigurePeriods) => [
  accountId,
  days.map(at),
  at(hours.from),
  at(hours.until),
  hours.without.map(at),
  ranges.map(({ from }) => firstIdAt(from)),
  ranges.map(({ until }) => (until === undefined ? largestId : firstIdAt(until))),
]

/**
 * Intents by the day they were created, by wallet and by their status now. Whole tallied hours come from intent_hours,
 * the rest row by row; both count what was asked. Intents to which a member booked another amount correct the sum to what
 * arrived. Hours are not corrected where they are stored, because a node of an earlier version may store them. Index: primary
 * keys of intent_hours and of intents, a range of ids for each period; intents_differing, a range of ids.
 */
export const figuresByDay = scoped(
  'figures_by_day',
  {
    day: whole(),
    wallet_id: uuid<WalletId>(),
    status: text<Status>(),
    count: whole(),
    sum: minor(),
    forgiven: minor(),
  },
  (scope: Scope, periods: FigurePeriods, now: Instant) => [
    ...periodValues(scope.accountId, periods),
    at(now),
    firstIdAt(periods.days[0]!),
  ],
  (only) => `
  select f.day, f.wallet_id, f.status, sum(f.count)::bigint as count, sum(f.sum)::bigint as sum,
         sum(f.forgiven)::bigint as forgiven
    from (select width_bucket(h.hour, $2::timestamptz[]) - 1 as day, h.wallet_id, h.status, sum(h.count) as count,
                 sum(h.sum) as sum, 0 as forgiven
            from intent_hours h
           where h.account_id = $1 and h.hour >= $3 and h.hour < $4 and h.hour <> all($5::timestamptz[])
                 ${only.today((day) => `h.hour >= ${day.since}`)}
           group by 1, 2, 3
          union all
          select width_bucket(i.created_at, $2::timestamptz[]) - 1, i.wallet_id,
                 case when i.status = 'PENDING' and i.expires_at <= $8 then 'EXPIRED' else i.status end, count(*),
                 sum(i.payable), 0
            ${rowByRow} where true ${only.today((day) => `i.created_at >= ${day.since}`)}
           group by 1, 2, 3
          union all
          select width_bucket(i.created_at, $2::timestamptz[]) - 1, i.wallet_id, i.status, 0, sum(i.arrived - i.payable),
                 sum(i.forgiven)
            from intents i
           where i.account_id = $1 and i.id >= $9 and i.arrived is not null ${only.today((day) => `i.id >= ${day.first}`)}
           group by 1, 2, 3) as f
   where ${noTest('f.wallet_id')} ${only('f.wallet_id')}
   group by 1, 2, 3
   order by 1, 2, 3`,
)

/**
 * How long verification took, by the day an intent was created: counts by bucket, several rows for a day. Indexes: the same.
 */
export const waitsByDay = scoped(
  'waits_by_day',
  { day: whole(), waits: jsonText() },
  (scope: Scope, periods: FigurePeriods) => periodValues(scope.accountId, periods),
  `
  select width_bucket(h.hour, $2::timestamptz[]) - 1 as day, h.waits
    from intent_waits h
   where h.account_id = $1 and h.hour >= $3 and h.hour < $4 and h.hour <> all($5::timestamptz[])
  union all
  select b.day, json_object_agg(b.bucket, b.n)
    from (select width_bucket(i.created_at, $2::timestamptz[]) - 1 as day, ${bucket} as bucket, count(*) as n
            ${rowByRow}
           where ${verified} and ${noTest('i.wallet_id')}
           group by 1, 2) as b
   group by b.day`,
)

/**
 * Stores the figures of hours in which nothing can change any more. Index: primary key of intents, once for each
 * account.
 */
export const addIntentHours = statement(
  'add_intent_hours',
  noColumns,
  (from: Instant, until: Instant, accountId: AccountId | null) => [firstIdAt(from), firstIdAt(until), accountId],
  `
  insert into intent_hours (account_id, hour, wallet_id, status, count, sum)
  select a.id, f.hour, f.wallet_id, f.status, f.n, f.sum
    from accounts a
   cross join lateral (
         select date_trunc('hour', i.created_at, 'UTC') as hour, i.wallet_id,
                case i.status when 'PENDING' then 'EXPIRED' else i.status end as status, count(*) as n,
                sum(i.payable) as sum
           from intents i
          where i.account_id = a.id and i.id >= $1 and i.id < $2
          group by 1, 2, 3) as f
   where ($3::uuid is null or a.id = $3) and ${isNotMoved('a.id')}`,
)

/** The same for how long verification took. */
export const addIntentWaits = statement(
  'add_intent_waits',
  noColumns,
  (from: Instant, until: Instant, accountId: AccountId | null) => [firstIdAt(from), firstIdAt(until), accountId],
  `
  insert into intent_waits (account_id, hour, waits)
  select a.id, f.hour, json_object_agg(f.bucket, f.n)
    from accounts a
   cross join lateral (
         select date_trunc('hour', i.created_at, 'UTC') as hour, ${bucket} as bucket, count(*) as n
           from intents i
           join wallets w on w.id = i.wallet_id and not w.is_test
          where i.account_id = a.id and i.id >= $1 and i.id < $2 and ${verified}
          group by 1, 2) as f
   where ($3::uuid is null or a.id = $3) and ${isNotMoved('a.id')}
   group by 1, 2`,
)
