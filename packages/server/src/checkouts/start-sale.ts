/**
 * Starts a sale at the counter: a checkout and its intent together, in the transaction of the caller. The cashier has chosen the
 * wallet, so the account number and the exact amount are known at once, without the buyer's page. The page of the checkout shows
 * the same intent, and the buyer can still choose another wallet there. A repeated key gets the first sale, as it is now.
 */

import type { Instant } from '../core/clock.ts'
import type { IntentId } from '../core/ids.ts'
import type { Minor } from '../core/money.ts'
import { isRefusal } from '../core/refusal.ts'
import type { Scope } from '../core/scope.ts'
import type { Wallet } from '../wallets/wallet.ts'
import type { Checkout } from './checkout.ts'
import type { CheckoutTokens } from './checkout-token.ts'
import { type CheckoutKeyRefusal, type CheckoutRequest, createCheckout, emptyDraft } from './create-checkout.ts'
import { type OpenDeps, type OpenIntentRefusal, openIntent } from './open-intent.ts'

/** `db` of the dependencies must be inside the transaction of the caller, which a refusal must undo. */
export type SaleDeps = OpenDeps & { readonly tokens: CheckoutTokens }

export type SaleRequest = {
  readonly scope: Scope
  readonly amount: Minor
  readonly externalOrderId: string
  readonly wallet: Wallet
  readonly createdBy: string
  readonly quota: number | null
  readonly idempotency: CheckoutRequest['idempotency']
}

export type StartedSale =
  | { readonly kind: 'created'; readonly checkout: Checkout; readonly intents: readonly IntentId[] }
  | { readonly kind: 'replayed'; readonly checkout: Checkout }

/** How long a sale can be paid: as long as its intent. */
const life_s = 3600

export const startSale = async (
  deps: SaleDeps,
  request: SaleRequest,
  now: Instant,
): Promise<StartedSale | CheckoutKeyRefusal | OpenIntentRefusal> => {
  const { scope, createdBy, wallet, quota, idempotency } = request
  const draft = {
    ...emptyDraft,
    amount: request.amount,
    currency: wallet.currency,
    externalOrderId: request.externalOrderId,
    // The buyer may choose another real wallet on the page. The test wallet is offered only where it is named.
    wallets: wallet.isTest ? [wallet.id] : [],
    life_s,
  }
  const created = await createCheckout(deps, { scope, createdBy, draft, idempotency }, now)
  if (isRefusal(created)) return created
  const { checkout } = created
  if (created.kind === 'replayed') return { kind: 'replayed', checkout }
  const opened = await openIntent(deps, { scope, id: checkout.id, walletId: wallet.id, quota, by: createdBy }, now)
  return isRefusal(opened) ? opened : { kind: 'created', checkout, intents: opened.changed }
}
