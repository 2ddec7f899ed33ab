/**
 * How many intents were created after the tallied hours, up to a minute in which no more are created. Their statuses
 * may still change, their number cannot: so each minute is counted once, and the list of a busy account does not count
 * hours of intents each time.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import type { Filter, Stretch } from '../../intents/list/intent-list.ts'
import { countCreated, countCreatedInWallet } from '../../intents/totals/tally-sql.ts'
import type { Db } from '../../postgres/connection/database.ts'

export type SettledCounts = (filter: Filter, settled: Stretch['settled']) => number | Promise<number>

/** One for each account and wallet that is listed; they start again with each tallied hour. */
const mostKept = 10_000

export const settledCounts = (db: Db): SettledCounts => {
  const kept = new LRUCache<string, { readonly until: Instant; readonly made: number }>({ max: mostKept })

  const madeIn = async ({ accountId, walletId }: Filter, from: Instant, until: Instant): Promise<number> => {
    const [row] =
      walletId === undefined
        ? await countCreated(db, accountId, from, until)
        : await countCreatedInWallet(db, accountId, from, until, walletId)
    return row!.made
  }

  return (filter, settled) => {
    if (settled === undefined) return 0
    const { from, until } = settled
    const key = `${filter.accountId} ${filter.walletId ?? 'all'} ${from}`
    const known = kept.get(key)
    if (known?.until === until) return known.made
    // An earlier end than the known one is not worth caching.
    if (known !== undefined && known.until > until) return madeIn(filter, from, until)
    return madeIn(filter, known?.until ?? from, until).then((more) => {
      const made = (known?.made ?? 0) + more
      if ((kept.get(key)?.until ?? from) < until) kept.set(key, { until, made })
      return made
    })
  }
}
