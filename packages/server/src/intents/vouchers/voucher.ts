/** A public address of an intent, and its token. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { IntentId, VoucherId } from '../../core/ids.ts'
import { type PublicTokens, publicTokens } from '../../core/public-token.ts'
import type { Keys } from '../../core/seal.ts'

export type Voucher = {
  readonly id: VoucherId
  readonly intentId: IntentId
  readonly sharedBy: string
  readonly sharedAt: Instant
  /** Both null: the address works. */
  readonly revokedBy: string | null
  readonly revokedAt: Instant | null
}

export type VoucherTokens = PublicTokens<VoucherId>

export const voucherTokens = (keys: Keys): VoucherTokens => publicTokens(keys, 'voucher token')

/** An intent gets at most so many addresses, one after another. */
export const mostVouchers = 20
