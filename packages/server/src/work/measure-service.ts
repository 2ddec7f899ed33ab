/**
 * Keeps the figures of the last hours for the operator's pictures. Each run stores how late deliveries are and how many phones are
 * silent, and counts the messages and payments of the next five minutes that are over. A part is counted once, by whichever node is
 * first.
 */
import {
  addToServiceHour,
  nextHourToCount,
  pruneServiceHours,
  saveServiceSample,
} from '../accounts/tenants/service-hours-sql.ts'
import type { Instant } from '../core/clock.ts'
import type { Db } from '../postgres/connection/database.ts'
import { serviceFigures } from '../views/operator/account-overview-sql.ts'
import { countServicePart } from '../views/operator/service-counts-sql.ts'
import { firstOfDay, hourOf, nextPart, serviceHoursLife_ms } from '../views/operator/service-hours.ts'
import { queueState } from '../webhooks/sending/delivery-sql.ts'

/** Stores what is seen now. */
export const sampleService = async (db: Db, now: Instant): Promise<void> => {
  const [queue] = await queueState(db, now)
  const [figures] = await serviceFigures(db, now)
  const oldest = queue!.oldest_sendable_at
  await saveServiceSample(db, firstOfDay(now), hourOf(now), {
    lag_s: oldest === null ? 0 : Math.max(0, Math.floor((now - oldest) / 1000)),
    phones: figures!.phones,
    silentPhones: figures!.silent_phones,
  })
  await pruneServiceHours(db, hourOf(now) - serviceHoursLife_ms)
}

/** Counts the next part. True: there may be another one. */
export const countService = async (db: Db, now: Instant): Promise<boolean> => {
  const [row] = await nextHourToCount(db, firstOfDay(now))
  const part = row === undefined ? undefined : nextPart(row.hour, row.counted_until, now)
  if (part === undefined) return false
  const [counts] = await countServicePart(db, part.from, part.until)
  await addToServiceHour(db, { hour: row!.hour, ...part, ...counts! })
  return true
}
