/**
 * How many intents the tallied hours have. A tally never changes, so a total is read once and cached: adding it up from
 * every wallet and status costs more than reading a page.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { type Status, statuses } from '../intent.ts'
import type { Filter, Stretch } from '../list/intent-list.ts'
import { readTotal } from './tally-sql.ts'

export type TalliedTotals = (filter: Filter, tallied: Stretch['tallied']) => number | Promise<number>

/** Each new hour has new totals. */
const mostKept = 10_000

/** The final statuses: PENDING is never tallied. */
const finals = statuses.filter((status) => status !== 'PENDING')
const finalOf = (filter: Filter): readonly Status[] =>
  filter.statuses === undefined ? finals : finals.filter((status) => filter.statuses!.has(status))

export const talliedTotals = (db: Db): TalliedTotals => {
  const kept = new LRUCache<string, number>({ max: mostKept })

  const totalAt = (filter: Filter, hour: Instant): number | Promise<number> => {
    // Before the first hour there is nothing.
    if (hour === Number.NEGATIVE_INFINITY) return 0
    const { accountId, walletId } = filter
    const wanted = finalOf(filter)
    const key = `${accountId} ${walletId ?? 'all'} ${filter.statuses === undefined ? 'all' : wanted} ${hour}`
    const known = kept.get(key)
    if (known !== undefined) return known
    return readTotal(db, accountId, walletId, wanted, hour).then(([row]) => {
      kept.set(key, row!.total)
      return row!.total
    })
  }

  return (filter, tallied) => {
    if (tallied === undefined) return 0
    const [until, from] = [totalAt(filter, tallied.until), totalAt(filter, tallied.from)]
    if (typeof until === 'number' && typeof from === 'number') return until - from
    return Promise.all([until, from]).then(([later, earlier]) => later - earlier)
  }
}
