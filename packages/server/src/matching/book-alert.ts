/**
 * Books money from the unmatched queue by hand: onto a PENDING intent, or onto a new one that copies an expired order, in
 * one action. A person decides; the amounts may differ. Of two people, or a person and an alert, one wins.
 */
import type { AlertState } from '../alerts/alert.ts'
import type { Instant } from '../ground/clock.ts'
import { type AccountId, type AlertId, type EventId, growingId } from '../ground/ids.ts'
import { type Refusal, refuse } from '../ground/refusal.ts'
import type { Zone } from '../ground/zone.ts'
import { begin, type Intent, statusAt } from '../intents/intent.ts'
import { intentOf } from '../intents/intent-sql.ts'
import type { Db, Tx } from '../postgres/database.ts'
import { verifiedBody } from '../webhooks/event.ts'
import { insertEvents } from '../webhooks/event-sql.ts'
import { copyIntent, holdIntent, referenceOf } from './book-sql.ts'
import { lockKeys, type MovedAlert, moveAlerts, type Resolved, resolveIntents } from './matching-sql.ts'
import { referenceLock } from './settle.ts'
import { holdAlert } from './stored-alert-sql.ts'

export type Booking = {
  readonly accountId: AccountId
  readonly alertId: string
  readonly intentId: string
  /** Who decided. */
  readonly by: string
}

type No = Refusal<'alert_unknown' | 'alert_not_open' | 'intent_unknown' | 'intent_not_pending' | 'intent_not_expired'>

const openAlert = async (tx: Tx, asked: Booking) => {
  const [first] = await holdAlert(tx, asked.accountId, asked.alertId)
  if (first === undefined) return refuse('alert_unknown')
  if (first.wallet_id === null || first.amount === null || !['waiting', 'review'].includes(first.state))
    return refuse('alert_not_open')
  return { ...first, walletId: first.wallet_id }
}

/** Money of this reference that comes meanwhile waits. Taken before any row is held, as everyone does. */
const lockReference = async (tx: Tx, asked: Booking): Promise<void> => {
  const [alert] = await referenceOf(tx, asked.accountId, asked.alertId)
  if (alert !== undefined && alert.reference_key !== null)
    await lockKeys(tx, [referenceLock(asked.accountId, alert.reference_key)])
}

export const bookAlert = (db: Db, zone: Zone, asked: Booking, now: Instant): Promise<Intent | No> =>
  db.transaction(async (tx) => {
    await lockReference(tx, asked)
    const alert = await openAlert(tx, asked)
    if ('refused' in alert) return alert
    const [row] = await holdIntent(tx, asked.accountId, asked.intentId)
    if (row === undefined) return refuse('intent_unknown')
    const intent = intentOf(row)
    if (statusAt(intent, now) !== 'PENDING' || intent.walletId !== alert.walletId) return refuse('intent_not_pending')
    settleByHand(tx, zone, asked, intent, alert.id, alert.state, now)
    return { ...intent, status: 'VERIFIED', verifiedAt: now, manual: true }
  })

/** The order is copied into a new intent, which is verified at once. */
export const bookExpired = (db: Db, zone: Zone, asked: Booking, now: Instant): Promise<Intent | No> =>
  db.transaction(async (tx) => {
    await lockReference(tx, asked)
    const alert = await openAlert(tx, asked)
    if ('refused' in alert) return alert
    const [row] = await holdIntent(tx, asked.accountId, asked.intentId)
    if (row === undefined) return refuse('intent_unknown')
    const old = intentOf(row)
    if (statusAt(old, now) !== 'EXPIRED') return refuse('intent_not_expired')
    const draft = {
      walletId: alert.walletId,
      total: old.payable,
      currency: old.currency,
      externalOrderId: old.externalOrderId,
      notes: old.notes,
      items: old.items,
    }
    const fresh = begin(asked.accountId, draft, 60_000, now)
    await copyIntent(tx, fresh, asked.by)
    settleByHand(tx, zone, asked, fresh, alert.id, alert.state, now)
    return { ...fresh, status: 'VERIFIED', verifiedAt: now, manual: true }
  })

const settleByHand = (
  tx: Tx,
  zone: Zone,
  asked: Booking,
  intent: Intent,
  alertId: AlertId,
  from: AlertState,
  now: Instant,
): void => {
  const { accountId, by } = asked
  const moved: MovedAlert = {
    accountId,
    id: alertId,
    from,
    state: 'booked',
    reason: '',
    intentId: intent.id,
    duplicateOf: null,
    unmatchedOwed: false,
  }
  const resolved: Resolved = {
    accountId,
    intentId: intent.id,
    alertId,
    status: 'VERIFIED',
    paid: null,
    verifiedAt: now,
    manual: true,
    moveId: growingId(now),
    kind: 'booked',
    by,
    at: now,
  }
  moveAlerts.atEnd(tx, [moved])
  resolveIntents.atEnd(tx, [resolved])
  insertEvents.atEnd(tx, [
    {
      accountId,
      id: growingId<EventId>(now),
      kind: 'payment.verified',
      walletId: intent.walletId,
      intentId: intent.id,
      alertId,
      body: verifiedBody({ ...intent, manual: true }, now, zone),
      createdAt: now,
    },
  ])
}
