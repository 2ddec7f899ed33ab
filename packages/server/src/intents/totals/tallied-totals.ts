/**
 * How many intents the tallied hours have. A tally never changes, so a total is read once and cached: adding it up over all
 * wallets and statuses costs more than reading a page of the list.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { type Status, statuses } from '../intent.ts'
import type { CountPlan, Filter } from '../list/intent-list.ts'
import { readTalliedTotal } from './tally-sql.ts'

export type TalliedTotals = (filter: Filter, tallied: CountPlan['tallied']) => number | Promise<number>

/** Totals are cached by hour, so each hour adds new ones. */
const mostCached = 10_000

/** The final statuses: PENDING is never tallied. */
const finalStatuses = statuses.filter((status) => status !== 'PENDING')
const finalStatusesOf = (filter: Filter): readonly Status[] =>
  filter.statuses === undefined ? finalStatuses : finalStatuses.filter((status) => filter.statuses!.has(status))

export const talliedTotals = (db: Session): TalliedTotals => {
  const cache = new LRUCache<string, number>({ max: mostCached })

  const totalAt = (filter: Filter, hour: Instant): number | Promise<number> => {
    // Before the first hour there is nothing.
    if (hour === Number.NEGATIVE_INFINITY) return 0
    const { scope, walletId } = filter
    const wanted = finalStatusesOf(filter)
    const key = `${scope.accountId} ${walletId ?? 'all'} ${filter.statuses === undefined ? 'all' : wanted} ${hour}`
    const known = cache.get(key)
    if (known !== undefined) return known
    return readTalliedTotal(db, scope, walletId, wanted, hour).then(([row]) => {
      cache.set(key, row!.total)
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
