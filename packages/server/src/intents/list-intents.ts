/**
 * One page of an account's intents, and how many there are in all. Fast at a million intents in one account: a page is
 * read in the order of an index, and the count comes from the tallies of what can no longer change.
 */
import type { Instant } from '../ground/clock.ts'
import { whole } from '../postgres/columns.ts'
import type { Db } from '../postgres/database.ts'
import { readRows } from '../postgres/statement.ts'
import type { Intent } from './intent.ts'
import { type Filter, namesFew, type Order, stretchOf } from './intent-list.ts'
import { countFewQuery, countManyQuery, pageQuery } from './intent-list-sql.ts'
import { intentColumns, intentOf } from './intent-sql.ts'

export type ListIntents = {
  count(filter: Filter, now: Instant): Promise<number>
  page(filter: Filter, order: readonly Order[], limit: number, offset: number, now: Instant): Promise<Intent[]>
}

export const intentLister = (db: Db, sealedUntil: (now: Instant) => Instant | Promise<Instant>): ListIntents => ({
  async count(filter, now) {
    const query = namesFew(filter)
      ? countFewQuery(filter, now)
      : countManyQuery(filter, stretchOf(filter.from, filter.until, await sealedUntil(now)), now)
    const [row] = readRows({ count: whole() }, await db.run(query))
    return row!.count
  },
  async page(filter, order, limit, offset, now) {
    return readRows(intentColumns, await db.run(pageQuery(filter, order, limit, offset, now))).map(intentOf)
  },
})
