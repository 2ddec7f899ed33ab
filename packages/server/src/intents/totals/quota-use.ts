/**
 * How many intents of an account count for this calendar month, in the service's time zone. Those of the test wallet do not.
 * With a quota they are counted when they are created; without a quota they are counted here, from the tallies.
 */
import { quotaMonth } from '../../accounts/tenants/quota-month.ts'
import type { Instant } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { createdSince, type Filter } from '../list/intent-list.ts'
import { usedInMonth } from './quota-sql.ts'

type CountIntents = { count(filter: Filter, now: Instant): Promise<number> }

export type QuotaUse = { readonly used: number; readonly monthFrom: Instant }

export const quotaUse = async (
  deps: { readonly db: Db; readonly list: CountIntents; readonly zone: Zone },
  scope: Scope,
  quota: number | null,
  now: Instant,
): Promise<QuotaUse> => {
  const { name, start } = quotaMonth(deps.zone, now)
  const [row] = await usedInMonth(deps.db, scope, name)
  if (quota !== null) return { used: row!.used ?? 0, monthFrom: start }
  const created = await deps.list.count(createdSince(scope, start), now)
  const test = row!.test_wallet
  const free = test === null ? 0 : await deps.list.count(createdSince(scope, start, test), now)
  return { used: created - free, monthFrom: start }
}
