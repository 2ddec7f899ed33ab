/**
 * Counts the intents that were created after the tallied hours, up to a minute in which no more are created. Their statuses
 * may still change, but their number cannot. So each minute is counted once and cached, and the list of a busy account does
 * not count hours of intents each time.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import type { CountPlan, Filter } from '../../intents/list/intent-list.ts'
import { countCreated, countCreatedInWallet } from '../../intents/totals/tally-sql.ts'
import type { Session } from '../../postgres/connection/database.ts'

export type CreatedCounts = (filter: Filter, final: CountPlan['final']) => number | Promise<number>

/** One entry for each account and wallet that is listed; the counts start again with each tallied hour. */
const mostCached = 10_000

export const createdCounts = (db: Session): CreatedCounts => {
  const cached = new LRUCache<string, { readonly until: Instant; readonly made: number }>({ max: mostCached })

  const countIn = async ({ scope, walletId }: Filter, from: Instant, until: Instant): Promise<number> => {
    const [row] =
      walletId === undefined
        ? await countCreated(db, scope, from, until)
        : await countCreatedInWallet(db, scope, from, until, walletId)
    return row!.made
  }

  return (filter, final) => {
    if (final === undefined) return 0
    const { from, until } = final
    const key = `${filter.scope.accountId} ${filter.walletId ?? 'all'} ${from}`
    const known = cached.get(key)
    if (known?.until === until) return known.made
    // A count with an earlier end than the cached one is not worth caching.
    if (known !== undefined && known.until > until) return countIn(filter, from, until)
    return countIn(filter, known?.until ?? from, until).then((more) => {
      const made = (known?.made ?? 0) + more
      if ((cached.get(key)?.until ?? from) < until) cached.set(key, { until, made })
      return made
    })
  }
}
