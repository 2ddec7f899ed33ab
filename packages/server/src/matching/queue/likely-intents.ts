/**
 * Finds the intents that unmatched alerts likely belong to; a member decides. Likely means: the same real wallet, and the alert
 * has the intent's reference, or has exactly its amount and arrived inside the intent's window or shortly before it. An intent
 * with the reference may ask for another amount: the member should see it. The claimed payer only ranks the intents. Members find other intents by searching. It changes nothing.
 */
import type { Instant } from '../../core/clock.ts'
import { hour_ms, minute_ms } from '../../core/duration.ts'
import { type AlertId, firstIdAt, type IntentId, type WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { type Scope, wholeOf } from '../../core/scope.ts'
import { statusAt } from '../../intents/intent.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { claimedPayers } from '../payers/claimed-payer-sql.ts'
import { type ClaimedPayer, noClaim } from '../records/claimed-payer.ts'
import { comparePayer, type PayerLikeness, payerRank } from '../rules/payer-likeness.ts'
import { likelyOf } from './queue-sql.ts'

/** An alert with a wallet and an amount: without them no intent can be found. */
export type UnmatchedAlert = {
  readonly id: AlertId
  readonly identity: WalletIdentity
  readonly amount: Minor
  readonly currency: string | null
  readonly reference: string | null
  readonly referenceKey: string | null
  readonly receivedAt: Instant
  /** The payer that the alert shows. */
  readonly payer: string | null
}

export type Likely = {
  readonly intentId: IntentId
  readonly code: string
  readonly externalOrderId: string
  readonly status: 'PENDING' | 'EXPIRED'
  readonly payable: Minor
  readonly currency: string
  readonly reference: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly sameReference: boolean
  /** False only with the same reference. */
  readonly sameAmount: boolean
  /** Below zero: the intent was created before the alert arrived. */
  readonly apart_ms: number
  readonly hasReference: boolean
  /** Empty: none was claimed. */
  readonly claimed: ClaimedPayer
  readonly payer: PayerLikeness
}

/** Intents that were created up to this long before the alert are candidates. */
const before_ms = 25 * hour_ms
/** At a counter the buyer may pay before the cashier has created the intent. */
const after_ms = 10 * minute_ms
/** The most intents that are returned for one alert. */
const maxPerAlert = 3

/** Best first: with the same reference (of these, with the same amount), then by the payer, then without a reference yet, then nearer in time. */
export const rank = (candidates: readonly Likely[]): Likely[] =>
  candidates.toSorted(
    (a, b) =>
      Number(b.sameReference) - Number(a.sameReference) ||
      Number(b.sameAmount) - Number(a.sameAmount) ||
      payerRank(a.payer) - payerRank(b.payer) ||
      Number(a.hasReference) - Number(b.hasReference) ||
      Math.abs(a.apart_ms) - Math.abs(b.apart_ms),
  )

export const likelyIntents = async (
  db: Session,
  scope: Scope,
  alerts: readonly UnmatchedAlert[],
  now: Instant,
): Promise<Map<AlertId, Likely[]>> => {
  const found = new Map<AlertId, Likely[]>(alerts.map(({ id }) => [id, []]))
  if (alerts.length === 0) return found
  const byId = new Map(alerts.map((alert) => [alert.id, alert]))
  const rows = await likelyOf(
    db,
    scope,
    alerts.map((alert) => ({
      ...alert,
      firstId: firstIdAt(alert.receivedAt - before_ms),
      lastId: firstIdAt(alert.receivedAt + after_ms),
    })),
  )
  const claims = await claimsOf(
    db,
    scope,
    rows.map(({ id }) => id),
  )
  for (const row of rows) {
    const alert = byId.get(row.alert_id)!
    if (alert.currency !== row.currency) continue
    const sameReference = row.reference_key !== null && row.reference_key === alert.referenceKey
    const inWindow = alert.receivedAt >= row.created_at - after_ms && alert.receivedAt < row.expires_at
    const sameAmount = row.payable === alert.amount
    if (!sameReference && !(sameAmount && inWindow)) continue
    const claimed = claims.get(row.id) ?? noClaim
    found.get(alert.id)!.push({
      intentId: row.id,
      code: row.code,
      externalOrderId: row.external_order_id,
      status: statusAt({ status: row.status, expiresAt: row.expires_at }, now) as Likely['status'],
      payable: row.payable,
      currency: row.currency,
      reference: row.reference,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      sameReference,
      sameAmount,
      apart_ms: row.created_at - alert.receivedAt,
      hasReference: row.reference !== '',
      claimed,
      payer: comparePayer(claimed, alert.payer),
    })
  }
  for (const [id, likely] of found) found.set(id, rank(likely).slice(0, maxPerAlert))
  return found
}

/** The payers that were claimed for intents; those without a claim are left out. */
const claimsOf = async (
  db: Session,
  scope: Scope,
  intentIds: readonly IntentId[],
): Promise<ReadonlyMap<IntentId, ClaimedPayer>> => {
  if (intentIds.length === 0) return new Map()
  const rows = await claimedPayers(db, wholeOf(scope), [...new Set(intentIds)])
  return new Map(rows.map(({ intent_id, name, phone }) => [intent_id, { name, phone }]))
}
