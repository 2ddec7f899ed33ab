/** Books unmatched money onto a pending intent, or onto a copy of an expired one, with its audit entries. */
import { type BookedInCheckout, bookInCheckout } from '../../../checkouts/book-in-checkout.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import { isRefusal, refuse } from '../../../core/refusal.ts'
import type { Zone } from '../../../core/zone.ts'
import { type BookingRefusal, bookAlert, bookExpired } from '../../../matching/queue/book-alert.ts'
import { findAlert } from '../../../views/alerts/list-alerts.ts'
import { intentFinder } from '../../../views/intents/find-intents.ts'
import { type Acting, type Done, onWhole } from '../limited-act.ts'
import { checkoutHints } from './booking-hints.ts'
import { arrivalAudit, shortNotice } from './booking-notice.ts'

export type BookAct = {
  readonly act: 'book' | 'book_copy'
  readonly alertId: string
  readonly intentId: string
  /** The amounts as the member saw them. */
  readonly alertAmount: Minor
  readonly intentAmount: Minor
  readonly anotherPayment: boolean
}

export const bookAct = async (
  { zone }: { readonly zone: Zone },
  { db, audit, doer, now }: Acting,
  { act, alertId, intentId, alertAmount, intentAmount, anotherPayment }: BookAct,
): Promise<(Done & { readonly booked: BookedInCheckout }) | BookingRefusal> => {
  const before = await findAlert(db, doer.scope, alertId)
  if (before === undefined) return refuse('alert_unknown')
  // The order must be of a wallet that the member sees, as the money is.
  if ((await intentFinder(db)(doer.scope, intentId)) === undefined)
    return refuse('intent_unknown', { intent: intentId })
  const booking = {
    ...onWhole(doer),
    alertId: before.id,
    intentId,
    seen: { alertAmount, intentAmount },
    anotherPayment,
  }
  const verb = act === 'book' ? bookAlert : bookExpired
  const booked = await bookInCheckout(db, booking, () => verb(db, zone, booking, now), zone, now)
  if (isRefusal(booked)) return booked
  const { intent } = booked
  const payment = { intent: intent.id, payment: intent.code, payable_amount: formatMinor(intent.payable) }
  const another = anotherPayment ? { another_payment: true } : {}
  const paid = { alert: before.id, amount: formatMinor(alertAmount), ...arrivalAudit(intent), ...another }
  audit({
    action: 'alert.book',
    kind: 'alert',
    id: before.id,
    before: { state: before.state },
    after: { state: 'booked', ...payment, ...paid },
  })
  audit({
    action: 'intent.book',
    kind: 'intent',
    id: intent.id,
    before: intent.id === intentId ? { status: 'PENDING' } : { copy_of: intentId },
    after: { status: intent.status, manual_override: true, ...payment, ...paid },
    ...shortNotice(intent, before.wallet_is_test === true),
  })
  return { booked, intentId: intent.id, hints: checkoutHints(booked) }
}
