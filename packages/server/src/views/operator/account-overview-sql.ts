import { settingsColumns } from '../../accounts/tenants/settings-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, firstIdAt, largestId } from '../../core/ids.ts'
import { at, instant, nullable, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import { isNotMoved } from '../../postgres/tenancy/move-sql.ts'
import { isSilentSql } from '../../wallets/silence/silence-sql.ts'

export const overviewColumns = {
  ...settingsColumns,
  oldest_due_at: nullable(instant()),
  phones: whole(),
  silent_phones: whole(),
  unread_alerts: whole(),
}

/**
 * The figures of each account of a page; the cost does not grow with the size of the account. Indexes:
 * webhook_endpoints_pkey and deliveries_due, devices (account_id, id), phone_rhythms_pkey, alerts_unread. $1: now.
 */
const figures = `
  select p.id, p.name, p.status, p.time_zone, p.country, p.monthly_intent_quota, p.created_at,
         hooks.oldest_due_at, phones.phones, phones.silent_phones, unread.unread_alerts
    from page p
   cross join lateral (
         select min(d.due_at) as oldest_due_at
           from webhook_endpoints e
          cross join lateral (
                select due_at from deliveries
                 where endpoint_id = e.id and lease_id is null and due_at <= $1 order by due_at limit 1) as d
          where e.account_id = p.id and e.enabled) as hooks
   cross join lateral (
         select count(*)::int as phones,
                (count(*) filter (where ${isSilentSql('d', 'r', '$1::timestamptz')}))::int as silent_phones
           from devices d
           left join phone_rhythms r on r.account_id = d.account_id and r.device_id = d.id
          where d.account_id = p.id and d.switched_on) as phones
   cross join lateral (
         select count(*)::int as unread_alerts
           from (select from alerts where account_id = p.id and state = 'unread' limit 1000) as a) as unread`

const columns = 'id, name, status, time_zone, country, monthly_intent_quota, created_at'

export type AccountsPage = {
  readonly before: { readonly createdAt: Instant; readonly id: string } | undefined
  readonly status: string | undefined
  readonly limit: number
}

const farFuture = '9999-01-01T00:00:00Z'

const pageValues = (now: Instant, { before, status, limit }: AccountsPage) => [
  at(now),
  before === undefined ? farFuture : at(before.createdAt),
  before?.id ?? largestId,
  status ?? null,
  limit,
]

/** Newest first. Index: accounts_newest. */
export const accountOverviews = statement(
  'account_overviews',
  overviewColumns,
  (now: Instant, page: AccountsPage) => pageValues(now, page),
  `
  with page as materialized (
    select ${columns} from accounts
     where (created_at, id) < ($2, $3) and ($4::text is null or status = $4)
     order by created_at desc, id desc
     limit $5)
  ${figures}
   order by p.created_at desc, p.id desc`,
)

/** Accounts whose name contains the text. Index: accounts_name. */
export const searchAccountOverviews = statement(
  'search_account_overviews',
  overviewColumns,
  (now: Instant, page: AccountsPage, pattern: string) => [...pageValues(now, page), pattern],
  `
  with page as materialized (
    select ${columns} from accounts
     where name ilike $6 and (created_at, id) < ($2, $3) and ($4::text is null or status = $4)
     order by created_at desc, id desc
     limit $5)
  ${figures}
   order by p.created_at desc, p.id desc`,
)

export const accountOverviewById = statement(
  'account_overview_by_id',
  overviewColumns,
  (now: Instant, id: AccountId) => [at(now), id],
  `
  with page as materialized (
    select ${columns} from accounts where id = $2)
  ${figures}`,
)

/** Figures of the whole service, without accounts that are used in another cell: its service counts them. Small tables are counted
 *  completely; alerts up to a limit. Index: alerts_unread. */
export const serviceFigures = statement(
  'service_figures',
  { accounts: whole(), suspended: whole(), phones: whole(), silent_phones: whole(), unread_alerts: whole() },
  (now: Instant) => [at(now)],
  `
  select (count(*) filter (where status = 'ACTIVE'))::int as accounts,
         (count(*) filter (where status = 'SUSPENDED'))::int as suspended,
         (select count(*)::int from devices where switched_on and ${isNotMoved('account_id')}) as phones,
         (select count(*)::int
            from devices d
            left join phone_rhythms r on r.account_id = d.account_id and r.device_id = d.id
           where d.switched_on and ${isNotMoved('d.account_id')} and ${isSilentSql('d', 'r', '$1::timestamptz')}) as silent_phones,
         (select count(*)::int
            from (select from alerts where state = 'unread' and ${isNotMoved('account_id')} limit 10000) as a) as unread_alerts
    from accounts
   where ${isNotMoved('id')}`,
)

/**
 * The alerts of a period that no intent took and no user handled, of each account at most 1,000. Index: alerts_queue, one range for
 * each account: it reads the waiting alerts of the period and no others.
 */
export const countUnmatched = statement(
  'count_unmatched',
  { unmatched: whole() },
  (from: Instant, until: Instant) => [firstIdAt(from), firstIdAt(until)],
  `
  select coalesce(sum(q.n), 0)::int as unmatched
    from accounts a
   cross join lateral (
         select count(*) as n
           from (select from alerts x
                  where x.account_id = a.id and x.id >= $1 and x.id < $2
                    and x.state in ('waiting', 'review')
                  limit 1000) as one) as q
   where ${isNotMoved('a.id')}`,
)

/**
 * The number of intents of all accounts since an instant, counted up to 100,000. Index: primary key of intents, once for
 * each account.
 */
export const countIntentsSince = statement(
  'count_intents_since',
  { made: whole() },
  (firstId: string) => [firstId],
  `
  select count(*)::int as made
    from (select from accounts a
           cross join lateral (select from intents i where i.account_id = a.id and i.id >= $1) as one
           limit 100000) as counted`,
)
