/** Reads the figures of all accounts for the metrics. */
import type { Clock } from '../core/clock.ts'
import { backupAge, recordsAhead_ms } from '../postgres/backup/backup-age.ts'
import { latestBackup } from '../postgres/backup/backups-sql.ts'
import type { Db } from '../postgres/connection/database.ts'
import { serviceFigures } from '../views/operator/account-overview-sql.ts'
import type { ShopFigures } from './metrics.ts'

export const shopFigures = (db: Db, clock: Clock) => async (): Promise<ShopFigures> => {
  const now = clock.now()
  const [figures] = await serviceFigures(db, now)
  const [backup] = await latestBackup(db, now + recordsAhead_ms)
  const { accounts, phones, silent_phones: silentPhones, unread_alerts: unreadAlerts } = figures!
  return {
    accounts,
    phones,
    silentPhones,
    unreadAlerts,
    backup: backup && { at_s: backup.made_at / 1000, age_s: backupAge(backup, now, undefined).age_ms / 1000 },
  }
}
