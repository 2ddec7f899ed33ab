import type { Instant } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import { at, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/**
 * How many alerts all accounts stored in a period, and how many intents were verified in it. Index: primary key of alerts and
 * intents_verified, one range of each for each account; it reads the entries of the period and no others. Each count is an aggregate
 * of its own, so no plan joins the tables.
 */
export const countServicePart = statement(
  'count_service_part',
  { messages: whole(), payments: whole() },
  (from: Instant, until: Instant) => [firstIdAt(from), firstIdAt(until), at(from), at(until)],
  `
  select coalesce(sum(m.n), 0)::bigint as messages, coalesce(sum(p.n), 0)::bigint as payments
    from accounts a
   cross join lateral (
         select count(*) as n from alerts x where x.account_id = a.id and x.id >= $1 and x.id < $2) as m
   cross join lateral (
         select count(*) as n from intents i
          where i.account_id = a.id and i.verified_at >= $3 and i.verified_at < $4 and i.verified_at is not null) as p`,
)
