/**
 * For an alert that nobody claimed: the intents it most likely belongs to, with the reason, for a person to decide. Nothing
 * here books anything.
 */
import type { Instant } from '../ground/clock.ts'
import { type AccountId, firstIdAt, type IntentId } from '../ground/ids.ts'
import type { Minor } from '../ground/money.ts'
import { type Status, statusAt } from '../intents/intent.ts'
import type { Session } from '../postgres/database.ts'
import { intentsNear } from './likely-sql.ts'

export type Likely = {
  readonly intentId: IntentId
  readonly code: string
  readonly externalOrderId: string
  readonly status: Status
  readonly payable: Minor
  readonly sameAmount: boolean
  /** Negative: the intent was made before the alert came. */
  readonly apart_ms: number
  readonly hasReference: boolean
}

const before_ms = 2 * 3_600_000
const after_ms = 10 * 60_000

/** Best first: the same amount, then the nearer in time. */
export const rank = (candidates: readonly Likely[]): Likely[] =>
  candidates.toSorted(
    (a, b) =>
      Number(b.sameAmount) - Number(a.sameAmount) ||
      Number(a.hasReference) - Number(b.hasReference) ||
      Math.abs(a.apart_ms) - Math.abs(b.apart_ms),
  )

export const likelyIntents = async (
  db: Session,
  accountId: AccountId,
  alert: { readonly id: string; readonly amount: Minor; readonly receivedAt: Instant },
  now: Instant,
): Promise<Likely[]> => {
  const rows = await intentsNear(
    db,
    accountId,
    alert.id,
    firstIdAt(alert.receivedAt - before_ms),
    firstIdAt(alert.receivedAt + after_ms),
  )
  const likely = rows.map((row) => ({
    intentId: row.id,
    code: row.code,
    externalOrderId: row.external_order_id,
    status: statusAt({ status: row.status as Status, expiresAt: row.expires_at }, now),
    payable: row.payable,
    sameAmount: row.payable === alert.amount,
    apart_ms: row.created_at - alert.receivedAt,
    hasReference: row.reference !== '',
  }))
  return rank(likely).slice(0, 5)
}
