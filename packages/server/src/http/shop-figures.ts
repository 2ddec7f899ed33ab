/** Reads the figures of all accounts for the metrics. */
import type { Clock } from '../core/clock.ts'
import type { Db } from '../postgres/connection/database.ts'
import { serviceFigures } from '../views/operator/account-overview-sql.ts'
import type { ShopFigures } from './metrics.ts'

export const shopFigures = (db: Db, clock: Clock) => async (): Promise<ShopFigures> => {
  const [figures] = await serviceFigures(db, clock.now())
  const { accounts, phones, silent_phones: silentPhones, unread_alerts: unreadAlerts } = figures!
  return { accounts, phones, silentPhones, unreadAlerts }
}
