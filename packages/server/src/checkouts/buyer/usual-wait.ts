/**
 * How long payments of a wallet usually take from the reference to VERIFIED, for the buyer who waits: the median of the wallet's
 * last payments. Cached for a minute, because the pages of many buyers need it.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import type { WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { usualWait } from './page-wallets-sql.ts'

/** In milliseconds. Undefined: too few payments are known. */
export type UsualWait = (scope: Scope, walletId: WalletId, now: Instant) => Promise<number | undefined>

const leastPayments = 5
const cached_ms = minute_ms

export const usualWaits = (db: Session): UsualWait => {
  const cache = new LRUCache<string, { readonly until: Instant; readonly wait_ms: number | undefined }>({ max: 5_000 })
  return async (scope, walletId, now) => {
    const known = cache.get(walletId)
    if (known !== undefined && now < known.until) return known.wait_ms
    const [row] = await usualWait(db, scope, walletId)
    const wait_ms = row === undefined || row.count < leastPayments || row.wait_ms === null ? undefined : row.wait_ms
    cache.set(walletId, { until: now + cached_ms, wait_ms })
    return wait_ms
  }
}
