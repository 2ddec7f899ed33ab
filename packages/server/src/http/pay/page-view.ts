/** Which page a buyer sees, decided from the checkout and its intents at an instant. Pure. */
import {
  type Checkout,
  type CheckoutIntent,
  type CheckoutState,
  mayOpenIntent,
  openIntentAt,
  payableRest,
  receivedOf,
  remainingOf,
  type Shortfall,
  stateAt,
  type WithIntents,
} from '../../checkouts/checkout.ts'
import type { Instant } from '../../core/clock.ts'
import type { WalletId } from '../../core/ids.ts'
import { type Minor, minor } from '../../core/money.ts'
import { statusAt as intentStatusAt } from '../../intents/intent.ts'

export type PageView =
  /** `before`: how the previous intent ended, if there was one. */
  | { readonly kind: 'choose'; readonly before: 'expired' | 'cancelled' | undefined }
  | { readonly kind: 'pay'; readonly intent: CheckoutIntent }
  | { readonly kind: 'looking'; readonly intent: CheckoutIntent }
  | {
      readonly kind: 'wrong'
      readonly intent: CheckoutIntent
      readonly arrived: Minor
      /** The amount that is missing; below zero: the amount that is too much. */
      readonly missing: Minor
      /** The rest that the buyer may pay; undefined: they may not. */
      readonly rest: Shortfall | undefined
      /** Whether the buyer may begin again. */
      readonly mayBegin: boolean
    }
  | { readonly kind: 'paid'; readonly returns: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'cancelled' }

/** A paid page redirects to the shop only this long after the payment: later it stays open as a receipt. */
const returnsWithin_ms = 120_000

const viewOfOpen = (checkout: Checkout, intents: readonly CheckoutIntent[], now: Instant): PageView => {
  const open = openIntentAt(intents, now)
  if (open !== undefined) return { kind: open.reference === '' ? 'pay' : 'looking', intent: open }
  const last = intents.at(-1)
  if (last?.status === 'WRONG_AMOUNT' && last.paid !== null)
    return {
      kind: 'wrong',
      intent: last,
      arrived: last.paid,
      missing: minor(last.payable - last.paid),
      rest: payableRest(checkout, intents, now),
      mayBegin: mayOpenIntent(checkout, intents, now),
    }
  if (!mayOpenIntent(checkout, intents, now)) return { kind: 'expired' }
  const ended = last === undefined ? undefined : intentStatusAt(last, now)
  return { kind: 'choose', before: ended === 'EXPIRED' ? 'expired' : ended === 'CANCELLED' ? 'cancelled' : undefined }
}

export const viewAt = ({ checkout, intents }: WithIntents, now: Instant): PageView => {
  const state: CheckoutState = stateAt(checkout, intents, now)
  if (state.status === 'COMPLETE')
    return { kind: 'paid', returns: checkout.returnUrl !== '' && now - (state.endedAt ?? 0) < returnsWithin_ms }
  if (state.status === 'CANCELLED') return { kind: 'cancelled' }
  if (state.status === 'OPEN') return viewOfOpen(checkout, intents, now)
  // A wrong amount that arrived is still shown after the checkout has expired.
  const last = intents.at(-1)
  if (last?.status === 'WRONG_AMOUNT' && last.paid !== null) return viewOfOpen(checkout, intents, now)
  return { kind: 'expired' }
}

/** The condition of the open intent's wallet. `late`: its phone is silent. `closed`: it takes no new payments. */
export type WalletCondition = 'good' | 'late' | 'closed'

export const conditionOf = (
  walletId: WalletId,
  { usable, silent }: { readonly usable: readonly { readonly id: WalletId }[]; readonly silent: ReadonlySet<string> },
): WalletCondition => {
  if (!usable.some(({ id }) => id === walletId)) return 'closed'
  return silent.has(walletId) ? 'late' : 'good'
}

/** The state that the page's script compares: it changes with the checkout and its intents. */
export const stateKey = ({ checkout, intents }: WithIntents, now: Instant): string => {
  const last = intents.at(-1)
  const intentState = last === undefined ? 'none' : `${intentStatusAt(last, now)}.${last.reference === '' ? 0 : 1}`
  return `${stateAt(checkout, intents, now).status}.${intents.length}.${intentState}`
}

/** The state key with the condition of the open intent's wallet: the page warns of a wallet that is late or closed. */
export const pageKey = (found: WithIntents, condition: WalletCondition, now: Instant): string =>
  condition === 'good' ? stateKey(found, now) : `${stateKey(found, now)}~${condition}`

/** The amount paid so far and the rest; undefined: nothing has been paid yet. */
export const paidAndRest = ({ checkout, intents }: WithIntents): { paid: Minor; rest: Minor } | undefined => {
  const paid = receivedOf(intents).arrived
  return paid === 0n ? undefined : { paid, rest: remainingOf(checkout, intents) }
}
