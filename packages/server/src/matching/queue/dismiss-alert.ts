/**
 * Puts money of the queue aside, with a reason, and takes it back. What is put aside matches nothing: a reference that
 * comes for it finds no alert, a message that repeats it is a duplicate. What is taken back gets its chance again: an intent
 * that holds its reference is given it, and what nobody understood is read anew.
 */
import { queueStates } from '../../alerts/alert-list.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type AlertId, type EventId, growingId } from '../../core/ids.ts'
import { formatMinor } from '../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { verifiedBody } from '../../webhooks/event.ts'
import { insertEvents } from '../../webhooks/event-sql.ts'
import type { Settling } from '../resolve/known-alerts.ts'
import { holdClaims, moveAlerts, type Resolved, resolveIntents } from '../resolve/matching-sql.ts'
import { locksOf, settle } from '../resolve/settle.ts'
import { doubtFacts, doubtsOf } from '../rules/doubts.ts'
import { judge } from '../rules/judge.ts'
import { type HeldAlert, holdQueueAlert, notOpen } from './hold-queue-alert.ts'
import { asideFrom, putAside, standingAlert, takeBack } from './queue-sql.ts'

type Asked = { readonly accountId: AccountId; readonly alertId: string }

export const dismissAlert = (
  db: Db,
  zone: Zone,
  asked: Asked & { readonly by: string; readonly why: string },
  now: Instant,
): Promise<AlertId | Refusal<'alert_unknown' | 'alert_not_open'>> =>
  db.transaction(async (tx) => {
    const row = await holdQueueAlert(tx, asked, zone)
    if (isRefusal(row)) return row
    const from = queueStates.find((state) => state === row.state)
    if (from === undefined) return notOpen(tx, asked, zone)
    const { accountId, by, why } = asked
    const done = await putAside(tx, { accountId, id: row.id, from, by: by.slice(0, 300), why }, now)
    if (done.length !== 1) throw new Error('an alert changed while it was held')
    return row.id
  })

/** `item`: the alert read anew, in case nobody understood it before. */
export const undoDismissal = (
  db: Db,
  zone: Zone,
  asked: Asked,
  item: Settling,
  now: Instant,
): Promise<AlertId | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_dismissed' | 'reference_taken'>> =>
  db.transaction(async (tx) => {
    const row = await holdQueueAlert(tx, asked, zone, locksOf([item]))
    if (isRefusal(row)) return row
    if (row.state !== 'dismissed') return refuse('alert_not_dismissed', { state: row.state })
    const [aside] = await asideFrom(tx, asked.accountId, row.id)
    const stands = aside?.from === 'waiting' || aside?.from === 'wrong_amount'
    const other = stands ? await placeTaken(tx, row) : undefined
    if (other !== undefined) return other
    const [back] = await takeBack(tx, asked.accountId, row.id)
    if (back?.state === 'waiting' || back?.state === 'wrong_amount') await claimAgain(tx, zone, row, back.state, now)
    if (back?.state === 'unread' && item.understood.kind === 'read')
      await settle(tx, [{ ...item, stored: { ...item.stored!, was: 'unread' } }], zone)
    return row.id
  })

/** While it was aside, other money may have been booked under its reference. */
const placeTaken = async (tx: Tx, row: HeldAlert): Promise<Refusal<'reference_taken'> | undefined> => {
  if (row.identity === null || row.reference_key === null) return undefined
  const [other] = await standingAlert(tx, row.identity, row.reference_key, row.id)
  return other && refuse('reference_taken', { alert: other.id, state: other.state, amount: formatMinor(other.amount!) })
}

/** The intent that came for it meanwhile is given it. The caller holds the lock of the reference. */
const claimAgain = async (
  tx: Tx,
  zone: Zone,
  row: HeldAlert,
  from: 'waiting' | 'wrong_amount',
  now: Instant,
): Promise<void> => {
  const { account_id: accountId, id: alertId, wallet_id: walletId, identity, reference_key: referenceKey, amount } = row
  if (walletId === null || identity === null || referenceKey === null || amount === null) return
  const [claim] = await holdClaims(tx, [{ identity, referenceKey }])
  if (claim === undefined) return
  const intent = { ...claim, externalOrderId: claim.external_order_id, expiresAt: claim.expires_at }
  const outcome = judge(intent, { amount, receivedAt: row.received_at, trusted: row.trusted }, now)
  if (outcome.kind === 'late' || outcome.kind === 'unproved') return
  const verified = outcome.kind === 'verified'
  const moved = {
    accountId,
    id: alertId,
    from,
    state: verified ? 'matched' : 'wrong_amount',
    reason: '',
    intentId: claim.id,
    duplicateOf: null,
    unmatchedOwed: false,
  } as const
  const resolved: Resolved = {
    accountId,
    intentId: claim.id,
    alertId,
    status: verified ? 'VERIFIED' : 'WRONG_AMOUNT',
    paid: verified ? null : outcome.paid,
    verifiedAt: verified ? now : null,
    manual: false,
    moveId: growingId(now),
    kind: verified ? 'verified' : 'wrong_amount',
    by: 'alert',
    facts: doubtFacts(
      doubtsOf(
        {
          trusted: row.trusted,
          chain: row.chain,
          chainMissing: row.chain_missing,
          phoneNew: row.phone_new,
          similarTo: row.similar_to,
        },
        claim.tried,
      ),
    ),
    at: now,
  }
  await moveAlerts(tx, [moved])
  await resolveIntents(tx, [resolved])
  if (!verified) return
  const body = verifiedBody({ ...intent, manual: false }, now, zone)
  const id = growingId<EventId>(now)
  const event = { accountId, id, walletId, intentId: claim.id, alertId, body, createdAt: now }
  await insertEvents(tx, [{ ...event, kind: 'payment.verified' }])
}
