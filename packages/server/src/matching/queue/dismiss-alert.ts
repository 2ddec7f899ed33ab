/**
 * Puts money of the queue aside, with a reason, and takes it back. What is put aside matches nothing: a reference that
 * comes for it finds no alert, a message that repeats it is a duplicate. What is taken back gets its chance again: an intent
 * that holds its reference is given it, and what nobody understood is read anew.
 */
import { queueStates } from '../../alerts/alert-list.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId } from '../../core/ids.ts'
import { formatMinor } from '../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import type { AlertToResolve } from '../resolve/known-alerts.ts'
import { holdIntentsByReference } from '../resolve/matching-sql.ts'
import { endsIntent, resolutionOf } from '../resolve/resolution.ts'
import { resolveAlerts } from '../resolve/settle.ts'
import { writeResolutions } from '../resolve/write-resolutions.ts'
import { judge } from '../rules/judge.ts'
import { type HeldAlert, holdQueueAlert, notOpen, resolvingAlert } from './hold-queue-alert.ts'
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
  item: AlertToResolve,
  now: Instant,
): Promise<AlertId | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_dismissed' | 'reference_taken'>> =>
  db.transaction(async (tx) => {
    const row = await holdQueueAlert(tx, asked, zone, alertLocks([item]))
    if (isRefusal(row)) return row
    if (row.state !== 'dismissed') return refuse('alert_not_dismissed', { state: row.state })
    const [aside] = await asideFrom(tx, asked.accountId, row.id)
    const stands = aside?.from === 'waiting' || aside?.from === 'wrong_amount'
    const other = stands ? await placeTaken(tx, row) : undefined
    if (other !== undefined) return other
    const [back] = await takeBack(tx, asked.accountId, row.id)
    if (back?.state === 'waiting' || back?.state === 'wrong_amount') await matchAgain(tx, zone, row, back.state, now)
    if (back?.state === 'unread' && item.reading.kind === 'read')
      await resolveAlerts(tx, [{ ...item, stored: { ...item.stored!, was: 'unread' } }], zone)
    return row.id
  })

/** While it was aside, other money may have been booked under its reference. */
const placeTaken = async (tx: Tx, row: HeldAlert): Promise<Refusal<'reference_taken'> | undefined> => {
  if (row.identity === null || row.reference_key === null) return undefined
  const [other] = await standingAlert(tx, row.identity, row.reference_key, row.id)
  return other && refuse('reference_taken', { alert: other.id, state: other.state, amount: formatMinor(other.amount!) })
}

/** The intent that got its reference meanwhile is resolved by it. The caller holds the lock of the reference. */
const matchAgain = async (
  tx: Tx,
  zone: Zone,
  alert: HeldAlert,
  state: 'waiting' | 'wrong_amount',
  now: Instant,
): Promise<void> => {
  const { wallet_id: walletId, identity, reference_key: referenceKey, amount, received_at: receivedAt, trusted } = alert
  if (walletId === null || identity === null || referenceKey === null || amount === null) return
  const [row] = await holdIntentsByReference(tx, [{ identity, referenceKey }])
  if (row === undefined) return
  const intent = { ...row, externalOrderId: row.external_order_id, expiresAt: row.expires_at }
  const outcome = judge(intent, { amount, receivedAt, trusted }, now)
  if (!endsIntent(outcome)) return
  const by = { way: 'alert', referencesTried: row.tried } as const
  writeResolutions(tx, [
    resolutionOf(intent, { ...resolvingAlert(alert), from: state }, outcome, by, walletId, now, zone),
  ])
}
