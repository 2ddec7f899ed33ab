/** Accepts the amount that arrived instead of the expected one, and cancels an intent, with their audit entries. */
import { type BookedInCheckout, bookInCheckout } from '../../../checkouts/book-in-checkout.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../../core/refusal.ts'
import { cancelIntent } from '../../../intents/cancel-intent.ts'
import { type Intent, statusAt } from '../../../intents/intent.ts'
import { acceptPaid, type BookingRefusal } from '../../../matching/queue/book-alert.ts'
import { findAlert } from '../../../views/alerts/list-alerts.ts'
import { intentFinder } from '../../../views/intents/find-intents.ts'
import { type Acting, type Done, onWhole } from '../limited-act.ts'
import { checkoutHints } from '../money/booking-hints.ts'
import { arrivalAudit, shortNotice } from '../money/booking-notice.ts'
import { type IntentRouteDeps, walletOf } from './intent-deps.ts'

export type AcceptAct = {
  readonly act: 'accept_paid'
  readonly intentId: string
  /** What arrived, as the member saw it. */
  readonly paid: Minor
  readonly anotherPayment: boolean
}

export const acceptAct = async (
  deps: IntentRouteDeps,
  { db, audit, doer, now }: Acting,
  { intentId, paid, anotherPayment }: AcceptAct,
): Promise<(Done & { readonly booked: BookedInCheckout }) | BookingRefusal> => {
  const old = await intentFinder(db)(doer.scope, intentId)
  if (old === undefined) return refuse('intent_unknown')
  const { matched } = old
  if (old.status !== 'WRONG_AMOUNT' || matched === null)
    return refuse('intent_not_wrong', { status: statusAt(old, now) })
  if ((await findAlert(db, doer.scope, matched.id)) === undefined) return refuse('alert_unknown')
  const { isTest } = await walletOf(deps, old, now)
  const requested = { ...onWhole(doer), alertId: matched.id, intentId: old.id, paid, anotherPayment }
  const booked = await bookInCheckout(db, requested, () => acceptPaid(db, deps.zone, requested, now), deps.zone, now)
  if (isRefusal(booked)) return booked
  const created = booked.intent
  const payment = {
    intent: created.id,
    payment: created.code,
    payable_amount: formatMinor(created.payable),
    ...arrivalAudit(created),
  }
  const alert = { id: matched.id, before: { state: 'wrong_amount' }, after: { state: 'booked', ...payment } }
  audit({ action: 'alert.book', kind: 'alert', ...alert })
  audit({
    action: 'intent.accept_paid',
    kind: 'intent',
    id: created.id,
    before: { copy_of: old.id, payable_amount: formatMinor(old.payable) },
    after: { status: created.status, manual_override: true, ...payment, alert: matched.id },
    ...shortNotice(created, isTest),
  })
  return { booked, intentId: created.id, hints: [{ kind: 'alert', id: matched.id }, ...checkoutHints(booked)] }
}

export type CancelAct = { readonly act: 'cancel_intent'; readonly intentId: string }

export const cancelAct = async (
  { zone }: Pick<IntentRouteDeps, 'zone'>,
  { db, audit, doer, now }: Acting,
  { intentId: id }: CancelAct,
): Promise<(Done & { readonly intent: Intent }) | Refusal<'intent_unknown' | 'intent_not_pending' | 'over_limit'>> => {
  const find = intentFinder(db)
  if ((await find(doer.scope, id)) === undefined) return refuse('intent_unknown')
  const intent = await cancelIntent(db, zone, find, { ...onWhole(doer), id }, now)
  if (isRefusal(intent)) {
    if (intent.refused !== 'intent_not_pending') return intent
    const ended = await find(doer.scope, id)
    return refuse('intent_not_pending', { ...intent.facts, status: ended === undefined ? '' : statusAt(ended, now) })
  }
  audit({
    action: 'intent.cancel',
    kind: 'intent',
    id: intent.id,
    before: { status: 'PENDING' },
    after: { status: intent.status },
  })
  return { intent, intentId: intent.id, hints: [] }
}
