/**
 * How many intents an account made this calendar month, in the service's zone; the test wallet's are free. With a quota
 * they are counted as they are made; without one they are counted here, from the tallies.
 */
import { quotaMonth } from '../../accounts/tenants/quota-month.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { madeSince } from '../list/intent-list.ts'
import type { ListIntents } from '../list/list-intents.ts'
import { usedInMonth } from './quota-sql.ts'

export type QuotaUse = { readonly used: number; readonly monthFrom: Instant }

export const quotaUse = async (
  deps: { readonly db: Db; readonly list: ListIntents; readonly zone: Zone },
  accountId: AccountId,
  quota: number | null,
  now: Instant,
): Promise<QuotaUse> => {
  const { name, start } = quotaMonth(deps.zone, now)
  const [row] = await usedInMonth(deps.db, accountId, name)
  if (quota !== null) return { used: row!.used ?? 0, monthFrom: start }
  const made = await deps.list.count(madeSince(accountId, start), now)
  const test = row!.test_wallet
  const free = test === null ? 0 : await deps.list.count(madeSince(accountId, start, test), now)
  return { used: made - free, monthFrom: start }
}
