/** The token in the address of a checkout or a payment link (core/public-token.ts). Pure. */
import type { CheckoutId, PaymentLinkId } from '../core/ids.ts'
import { hashParameter, type PublicTokens, publicTokens, type TokenHash } from '../core/public-token.ts'
import type { Keys } from '../core/seal.ts'

export { hashParameter, type TokenHash }

export type CheckoutTokens = PublicTokens<CheckoutId | PaymentLinkId>

export const checkoutTokens = (keys: Keys): CheckoutTokens => publicTokens(keys, 'checkout token')
