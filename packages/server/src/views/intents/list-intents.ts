/**
 * Reads one page of an account's intents, and the number of all. Fast with a million intents in one account: a page is read
 * in the order of an index, and the count comes from the tallies of hours in which nothing changes any more and from the counts of the
 * hours since.
 */
import type { Instant } from '../../core/clock.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Intent } from '../../intents/intent.ts'
import { intentColumns, intentOf } from '../../intents/intent-sql.ts'
import { type CountPlan, countPlanOf, type Filter, findsFew, type Order } from '../../intents/list/intent-list.ts'
import { talliedTotals } from '../../intents/totals/tallied-totals.ts'
import type { RawRow, Session } from '../../postgres/connection/database.ts'
import { whole } from '../../postgres/query/columns.ts'
import { rowReader } from '../../postgres/query/statement.ts'
import { countFewQuery, countRestQuery, firstPageQuery, pageQuery, type Query } from './intent-list-sql.ts'

export type ListIntents = {
  count(filter: Filter, now: Instant): Promise<number>
  /** The first page and the count, in one query where that is faster. */
  first(filter: Filter, order: readonly Order[], limit: number, now: Instant): Promise<FirstPage>
  page(filter: Filter, order: readonly Order[], limit: number, offset: number, now: Instant): Promise<Intent[]>
}

export type FirstPage = { readonly count: number; readonly intents: readonly Intent[] }

/** Queries with the same text are planned once, up to this many texts: more than merchants' programs use. */
const mostPlanned = 200

const readIntents = rowReader(intentColumns)
const readCount = rowReader({ count: whole() })
const readFirst = rowReader({ ...intentColumns, count: whole() })

export const intentLister = (deps: {
  /** Plans each query for its own values. */
  readonly db: Session
  /** Plans a query once, by its indexes. */
  readonly shared: Session
  readonly talliedUntil: (now: Instant) => Instant | Promise<Instant>
  /** What its queries are called where statements are listed. */
  readonly label?: string
}): ListIntents => {
  const { db, shared, talliedUntil, label = 'list_intents' } = deps
  const tallied = talliedTotals(shared)
  const statementNames = new Map<string, string>()

  // Without a search, the plan of the first page depends on the text of the query, not on its values; and planning costs
  // more than reading.
  const run = (filter: Filter, query: Query, offset = 0): Promise<RawRow[]> => {
    if (filter.terms.length > 0 || offset > 0) return db.run({ ...query, label })
    let name = statementNames.get(query.text)
    if (name === undefined) {
      if (statementNames.size >= mostPlanned) return db.run({ ...query, label })
      name = `list_${fingerprint(query.text).toString('hex').slice(0, 20)}`
      statementNames.set(query.text, name)
    }
    return shared.run({ name, ...query, label })
  }

  const plan = async (filter: Filter, now: Instant): Promise<CountPlan> =>
    countPlanOf(filter.from, filter.until, await talliedUntil(now), now)

  const count = async (filter: Filter, now: Instant): Promise<number> => {
    if (findsFew(filter)) return readCount(await run(filter, countFewQuery(filter, now)))[0]!.count
    const counting = await plan(filter, now)
    const [rest, total] = await Promise.all([
      counting.counted === undefined && counting.rows.length === 0
        ? []
        : run(filter, countRestQuery(filter, counting, now)),
      tallied(filter, counting.tallied),
    ])
    return total + (readCount(rest)[0]?.count ?? 0)
  }

  const page: ListIntents['page'] = async (filter, order, limit, offset, now) =>
    readIntents(await run(filter, pageQuery(filter, order, limit, offset, now), offset)).map(intentOf)

  return {
    count,
    page,
    async first(filter, order, limit, now) {
      // Both queries of a search can take long, so they run in parallel.
      if (filter.terms.length > 0) {
        const [counted, intents] = await Promise.all([count(filter, now), page(filter, order, limit, 0, now)])
        return { count: counted, intents }
      }
      const counting = findsFew(filter) ? undefined : await plan(filter, now)
      const [raw, total] = await Promise.all([
        run(filter, firstPageQuery(filter, order, limit, counting, now)),
        counting === undefined ? 0 : tallied(filter, counting.tallied),
      ])
      const rows = readFirst(raw)
      return { count: rows.length === 0 ? 0 : total + rows[0]!.count, intents: rows.map(intentOf) }
    },
  }
}
