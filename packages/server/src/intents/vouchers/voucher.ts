/** A public address of an intent, and its token. Pure. */
import type { VoucherId } from '../../core/ids.ts'
import { type PublicTokens, publicTokens } from '../../core/public-token.ts'
import type { Keys } from '../../core/seal.ts'

export type VoucherTokens = PublicTokens<VoucherId>

export const voucherTokens = (keys: Keys): VoucherTokens => publicTokens(keys, 'voucher token')

/** An intent gets at most so many addresses, one after another. */
export const mostVouchers = 20
