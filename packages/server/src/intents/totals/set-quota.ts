/**
 * Sets how many intents an account may create in a calendar month, and counts those that the current month already has.
 */
import { saveQuota } from '../../accounts/tenants/account-sql.ts'
import { quotaMonth } from '../../accounts/tenants/quota-month.ts'
import type { Instant } from '../../core/clock.ts'
import { firstIdAt } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { countIntoQuotaMonth } from './quota-sql.ts'

/** `quota` null: no limit. Returns how many intents this month already has; undefined: no such account. */
export const setQuota = async (
  tx: Tx,
  scope: Scope,
  quota: number | null,
  zone: Zone,
  now: Instant,
): Promise<number | undefined> => {
  const [saved] = await saveQuota(tx, scope, quota)
  if (saved === undefined) return undefined
  const month = quotaMonth(zone, now)
  const [row] = await countIntoQuotaMonth(tx, scope, month.name, firstIdAt(month.start))
  return row!.used
}
