/**
 * For intents that were not paid, as far as anybody knows: unmatched money that likely is theirs, as a hint for a person.
 * The same wallet and amount, near in time. One question for a whole page. Nothing here books anything.
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type AlertId, firstIdAt } from '../../core/ids.ts'
import { type Intent, statusAt } from '../../intents/intent.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { unclaimedNear } from './likely-alerts-sql.ts'

/** The same stretch in which `likely-intents` looks, seen from the intent. */
export const before_ms = 10 * 60_000
export const after_ms = 2 * 3_600_000

export type Hint = { readonly alertId: AlertId; readonly receivedAt: Instant; readonly count: number }

const unpaid = (intent: Intent, now: Instant): boolean => ['PENDING', 'EXPIRED'].includes(statusAt(intent, now))

/** By the intent's id; an intent without a hint is not there. */
export const likelyAlerts = async (
  db: Session,
  accountId: AccountId,
  intents: readonly Intent[],
  now: Instant,
): Promise<ReadonlyMap<string, Hint>> => {
  const asked = intents
    .filter((intent) => unpaid(intent, now))
    .map((intent) => ({
      ...intent,
      firstId: firstIdAt(intent.createdAt - before_ms),
      lastId: firstIdAt(intent.createdAt + after_ms),
    }))
  if (asked.length === 0) return new Map()
  const rows = await unclaimedNear(db, accountId, asked)
  return new Map(
    rows.map((row) => [row.intent_id, { alertId: row.alert_id, receivedAt: row.received_at, count: row.count }]),
  )
}
