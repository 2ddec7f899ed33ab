import type { Instant } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/**
 * How far the buyers of payment links came, by period. A buyer counts at every step in the period in which the checkout was created, so
 * a step is never larger than the one before. `bounds`: where each period begins, and last where the last one ends. `linkId`
 * undefined: all links. A period without buyers has no row. Index: primary key of payment_links (at most 1,000 links), then for each
 * link one range of checkouts_link and one of the primary key of link_views; checkout_intents by its primary key. `offset 0` keeps
 * the ranges, and the subquery for `chosen` stays a lookup: it is no join. It reads the buyers of these periods and no others.
 */
export const funnelInPeriods = scoped(
  'funnel_in_periods',
  {
    period: whole(),
    opened: whole(),
    started: whole(),
    chosen: whole(),
    sent: whole(),
    paid: whole(),
    paid_unsent: whole(),
  },
  (scope: Scope, linkId: string | undefined, bounds: readonly Instant[]) => [
    scope.accountId,
    linkId ?? null,
    bounds.map((bound) => firstIdAt(bound)),
    bounds.map(at),
    firstIdAt(bounds[0]!),
    firstIdAt(bounds.at(-1)!),
    at(bounds[0]!),
    at(bounds.at(-1)!),
  ],
  (only) => `
  with links as materialized (
    select k.id from payment_links k where k.account_id = $1 and ($2::uuid is null or k.id = $2) ${only.all('k.wallets')}),
  steps as (
    select k.id, width_bucket(c.id, $3::uuid[]) - 1 as period, 0 as views, 1 as started, c.chosen::int as chosen,
           (c.references_tried > 0)::int as sent, (c.status = 'COMPLETE')::int as paid,
           (c.status = 'COMPLETE' and c.references_tried = 0)::int as paid_unsent
      from links k
     cross join lateral (
           select o.id, o.status, o.references_tried,
                  coalesce((select true from checkout_intents l
                             where l.account_id = $1 and l.checkout_id = o.id and l.position = 1), false) as chosen
             from checkouts o
            where o.account_id = $1 and o.link_id = k.id and o.id >= $5 and o.id < $6 ${only.today((day) => `o.id >= ${day.first}`)}
           offset 0) as c
    union all
    select k.id, width_bucket(v.at, $4::timestamptz[]) - 1, v.views, 0, 0, 0, 0, 0
      from links k
     cross join lateral (
           select w.at, w.views from link_views w
            where w.account_id = $1 and w.link_id = k.id and w.at >= $7 and w.at < $8 ${only.today((day) => `w.at >= ${day.since}`)}
           offset 0) as v),
  by_link as (
    select period, greatest(sum(views), sum(started)) as opened, sum(started) as started, sum(chosen) as chosen, sum(sent) as sent,
           sum(paid) as paid, sum(paid_unsent) as paid_unsent
      from steps
     group by id, period)
  select period, sum(opened)::bigint as opened, sum(started)::bigint as started, sum(chosen)::bigint as chosen,
         sum(sent)::bigint as sent, sum(paid)::bigint as paid, sum(paid_unsent)::bigint as paid_unsent
    from by_link
   group by period
   order by period`,
)
