/** Cancels a checkout, and collects the rest after a payment that was too small, with their audit entries. */
import { cancelCheckout } from '../../../checkouts/cancel-checkout.ts'
import type { WithIntents } from '../../../checkouts/checkout.ts'
import { type Collected, type CollectRefusal, collectRest } from '../../../checkouts/collect-rest.ts'
import { readCheckout } from '../../../checkouts/list-checkouts.ts'
import { formatMinor, type Minor } from '../../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../../core/refusal.ts'
import { statusAt } from '../../../intents/intent.ts'
import { findAlert } from '../../../views/alerts/list-alerts.ts'
import { intentFinder } from '../../../views/intents/find-intents.ts'
import { type IntentRouteDeps, walletOf } from '../intents/intent-deps.ts'
import { type Acting, type Done, onWhole } from '../limited-act.ts'
import type { CheckoutAnswerDeps } from './checkout-answers.ts'

export type CancelCheckoutAct = { readonly act: 'cancel_checkout'; readonly checkoutId: string }

/** `ended`: the checkout had ended by itself; its end was stored with its event, although the cancellation is refused. */
export type CancelledCheckout =
  | (Done & { readonly found: WithIntents })
  | (Refusal<'checkout_unknown' | 'checkout_not_open' | 'over_limit'> & { readonly ended: boolean })

export const cancelCheckoutAct = async (
  { zone }: Pick<IntentRouteDeps, 'zone'>,
  { db, audit, doer, now }: Acting,
  { checkoutId: id }: CancelCheckoutAct,
): Promise<CancelledCheckout> => {
  if ((await readCheckout(db, doer.scope, id)) === undefined) return { ...refuse('checkout_unknown'), ended: false }
  const done = await cancelCheckout(db, zone, { ...onWhole(doer), id }, now)
  if (done.kind === 'refused') return { ...done.refusal, ended: done.ended }
  const { cancelledIntent, ...found } = done.cancelled
  const { checkout } = found
  audit({
    action: 'checkout.cancel',
    kind: 'checkout',
    id: checkout.id,
    before: { status: 'OPEN' },
    after: { status: 'CANCELLED', external_order_id: checkout.externalOrderId, amount: formatMinor(checkout.amount) },
  })
  const hints = cancelledIntent === undefined ? [] : [{ kind: 'intent' as const, id: cancelledIntent }]
  return { found, intentId: cancelledIntent ?? null, hints }
}

export type CollectAct = {
  readonly act: 'collect_rest'
  readonly intentId: string
  /** What arrived, as the member saw it. */
  readonly paid: Minor
  readonly anotherPayment: boolean
}

/** A refusal must undo the transaction. */
export const collectAct = async (
  deps: CheckoutAnswerDeps & IntentRouteDeps,
  { db, audit, doer, now }: Acting,
  { intentId, paid, anotherPayment }: CollectAct,
): Promise<(Done & { readonly collected: Collected }) | CollectRefusal> => {
  const intent = await intentFinder(db)(doer.scope, intentId)
  if (intent === undefined) return refuse('intent_unknown')
  const { matched } = intent
  if (intent.status !== 'WRONG_AMOUNT' || matched === null)
    return refuse('intent_not_wrong', { status: statusAt(intent, now) })
  if ((await findAlert(db, doer.scope, matched.id)) === undefined) return refuse('alert_unknown')
  const { isTest } = await walletOf(deps, intent, now)
  const request = { ...onWhole(doer), intent, isTest, paid, anotherPayment }
  const tools = { zone: deps.zone, tokens: deps.checkoutTokens }
  const collected = await db.transaction((tx) => collectRest(tx, tools, request, now))
  if (isRefusal(collected)) return collected
  const { part, rest, checkoutId, cancelled } = collected
  const payment = {
    intent: part.id,
    payment: part.code,
    payable_amount: formatMinor(part.payable),
    checkout: checkoutId,
    rest: formatMinor(rest),
  }
  audit({
    action: 'alert.book',
    kind: 'alert',
    id: matched.id,
    before: { state: 'wrong_amount' },
    after: { state: 'booked', ...payment },
  })
  audit({
    action: 'intent.collect_rest',
    kind: 'intent',
    id: part.id,
    before: { copy_of: intent.id, payable_amount: formatMinor(intent.payable) },
    after: { status: part.status, manual_override: true, ...payment, alert: matched.id },
  })
  const intents = cancelled === undefined ? [part.id] : [part.id, cancelled]
  const hints = [
    { kind: 'alert' as const, id: matched.id },
    ...intents.map((id) => ({ kind: 'intent' as const, id })),
    { kind: 'checkout' as const, id: checkoutId },
  ]
  return { collected, intentId: part.id, hints }
}
