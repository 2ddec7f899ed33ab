/**
 * Creates checkouts. One statement writes the checkout and its idempotency key: after a crash both exist or neither. The answer
 * to a repeated key contains the address of the page, which is stored nowhere. So the answer is built again from the stored
 * checkout, as it was when it was created.
 */
import type { Instant } from '../core/clock.ts'
import { type CheckoutId, type PaymentLinkId, timeOrderedId } from '../core/ids.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import { sameFingerprint } from '../core/seal.ts'
import { keyLife_ms } from '../intents/create/create-intents.ts'
import { type Db, faultCode } from '../postgres/connection/database.ts'
import type { Checkout } from './checkout.ts'
import { checkoutOf, findCheckout, findCheckoutKey, insertCheckout } from './checkout-sql.ts'
import type { CheckoutTokens } from './checkout-token.ts'

/** What a request says of a checkout. */
export type CheckoutDraft = Omit<
  Checkout,
  | 'accountId'
  | 'id'
  | 'status'
  | 'referencesTried'
  | 'createdBy'
  | 'createdAt'
  | 'expiresAt'
  | 'endedAt'
  | 'linkId'
  | 'testOnly'
> & { readonly life_s: number }

/** What a checkout that no merchant's server describes leaves empty: a sale, the rest of an amount, one opened by a link. */
export const emptyDraft = {
  externalOrderId: '',
  description: '',
  items: '[]',
  wallets: [],
  returnUrl: '',
  cancelUrl: '',
  metadata: '{}',
  customerName: '',
  customerPhone: '',
  locale: '',
  allowRemaining: false,
} as const satisfies Partial<CheckoutDraft>

export type CheckoutRequest = {
  readonly scope: Scope
  readonly createdBy: string
  /** The payment link that creates it. */
  readonly linkId?: PaymentLinkId
  readonly draft: CheckoutDraft
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer } | undefined
}

export type CreatedCheckout = { readonly kind: 'created' | 'replayed'; readonly checkout: Checkout }

export type CheckoutKeyRefusal = Refusal<'idempotency_key_reused' | 'idempotency_in_progress'>

const newCheckout = ({ scope, createdBy, draft, linkId }: CheckoutRequest, now: Instant): Checkout => {
  const { life_s, ...fields } = draft
  return {
    accountId: scope.accountId,
    id: timeOrderedId<CheckoutId>(now),
    status: 'OPEN',
    ...fields,
    referencesTried: 0,
    createdBy,
    createdAt: now,
    expiresAt: now + life_s * 1000,
    endedAt: null,
    linkId: linkId ?? null,
    // Read from the database when it is written.
    testOnly: false,
  }
}

export const createCheckout = async (
  deps: { readonly db: Db; readonly tokens: CheckoutTokens },
  request: CheckoutRequest,
  now: Instant,
): Promise<CreatedCheckout | CheckoutKeyRefusal> => {
  const { db, tokens } = deps
  const { scope, idempotency } = request
  const checkout = newCheckout(request, now)
  const tokenHash = tokens.hash(tokens.of(scope.accountId, checkout.id))
  if (tokenHash === undefined) throw new Error('a token that this service created has the wrong form')
  try {
    const [inserted] = await insertCheckout(db, { checkout, tokenHash, idempotency }, now - keyLife_ms)
    if (inserted !== undefined) return { kind: 'created', checkout: { ...checkout, testOnly: inserted.test_only } }
  } catch (fault) {
    if (faultCode(fault) === '55P03' && idempotency !== undefined) return refuse('idempotency_in_progress')
    throw fault
  }
  const earlier = idempotency && (await replayedCheckout(db, scope, idempotency, now))
  if (earlier === undefined) throw new Error(`checkout ${checkout.id} was not created, and its key is free`)
  return earlier
}

/** The checkout of a key, as it was when it was created; a refusal if the key was used with another body. */
export const replayedCheckout = async (
  db: Db,
  scope: Scope,
  idempotency: { readonly key: string; readonly fingerprint: Buffer },
  now: Instant,
): Promise<CreatedCheckout | Refusal<'idempotency_key_reused'> | undefined> => {
  const [stored] = await findCheckoutKey(db, wholeAccount(scope.accountId), idempotency.key, now - keyLife_ms)
  if (stored === undefined) return undefined
  if (!sameFingerprint(stored.fingerprint, idempotency.fingerprint)) return refuse('idempotency_key_reused')
  const [row] = await findCheckout(db, scope, stored.checkout_id)
  // Another key or member of the account has used it, for a checkout of other wallets or of another day.
  if (row === undefined && (scope.wallets !== null || scope.today !== null)) return refuse('idempotency_key_reused')
  if (row === undefined) throw new Error(`checkout ${stored.checkout_id} of a key does not exist`)
  return { kind: 'replayed', checkout: { ...checkoutOf(row), status: 'OPEN', endedAt: null } }
}
