/**
 * Finds unmatched alerts that likely belong to intents that are not verified: same wallet, same amount, near in time. One
 * query for a whole page of intents.
 */
import type { Instant } from '../../core/clock.ts'
import { hour_ms, minute_ms } from '../../core/duration.ts'
import { type AlertId, firstIdAt } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { type Intent, statusAt } from '../../intents/intent.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { unmatchedNear } from './likely-alerts-sql.ts'

/** How long before and after the creation of an intent a likely alert may arrive. */
export const before_ms = 10 * minute_ms
export const after_ms = 2 * hour_ms

export type LikelyAlert = { readonly alertId: AlertId; readonly receivedAt: Instant; readonly count: number }

const isUnpaid = (intent: Intent, now: Instant): boolean => ['PENDING', 'EXPIRED'].includes(statusAt(intent, now))

/** The nearest likely alert by the intent's id; intents without one are left out. */
export const likelyAlerts = async (
  db: Session,
  scope: Scope,
  intents: readonly Intent[],
  now: Instant,
): Promise<ReadonlyMap<string, LikelyAlert>> => {
  const unpaid = intents
    .filter((intent) => isUnpaid(intent, now))
    .map((intent) => ({
      ...intent,
      firstId: firstIdAt(intent.createdAt - before_ms),
      lastId: firstIdAt(intent.createdAt + after_ms),
    }))
  if (unpaid.length === 0) return new Map()
  const rows = await unmatchedNear(db, scope, unpaid)
  return new Map(
    rows.map((row) => [row.intent_id, { alertId: row.alert_id, receivedAt: row.received_at, count: row.count }]),
  )
}
