/** Reads the figures of all accounts for the metrics. */
import type { Clock } from '../core/clock.ts'
import { day_ms, minute_ms } from '../core/duration.ts'
import { backupAge, recordsAhead_ms } from '../postgres/backup/backup-age.ts'
import { latestBackup } from '../postgres/backup/backups-sql.ts'
import type { Db } from '../postgres/connection/database.ts'
import { countUnmatched, serviceFigures } from '../views/operator/account-overview-sql.ts'
import type { ShopFigures } from './metrics.ts'

/** An alert often comes before the reference that it pays: only after this time is it unmatched. */
const unmatchedAfter_ms = 5 * minute_ms

export const shopFigures = (db: Db, clock: Clock) => async (): Promise<ShopFigures> => {
  const now = clock.now()
  const [[figures], [waiting], [backup]] = await Promise.all([
    serviceFigures(db, now),
    countUnmatched(db, now - day_ms, now - unmatchedAfter_ms),
    latestBackup(db, now + recordsAhead_ms),
  ])
  const { accounts, phones, silent_phones: silentPhones, unread_alerts: unreadAlerts } = figures!
  return {
    accounts,
    phones,
    silentPhones,
    unreadAlerts,
    unmatchedAlerts: waiting!.unmatched,
    backup: backup && { at_s: backup.made_at / 1000, age_s: backupAge(backup, now, undefined).age_ms / 1000 },
  }
}
