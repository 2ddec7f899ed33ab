/**
 * Gives an intent its public address, or takes it away. Sharing again returns the same address while it works. The buyer's page
 * shares too, but not after the shop has revoked an address: only a member makes the next one.
 */
import type { Instant } from '../../core/clock.ts'
import { type IntentId, timeOrderedId, type VoucherId } from '../../core/ids.ts'
import { hashOfOwn } from '../../core/public-token.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { lockIntent } from '../intent-sql.ts'
import { mostVouchers, type VoucherTokens } from './voucher.ts'
import { insertVoucher, revokeLiveVoucher, vouchersOf } from './voucher-sql.ts'

export type ShareRequest = {
  readonly scope: Scope
  readonly intentId: IntentId
  readonly by: string
  /** The buyer asks, on the page of the checkout. */
  readonly byPage?: true
}

/** `first`: this call made the address. */
export type SharedVoucher = { readonly token: string; readonly first: boolean }

export type ShareRefusal = Refusal<'intent_unknown' | 'voucher_limit' | 'voucher_revoked'>

export const shareVoucher = async (
  tx: Tx,
  tokens: VoucherTokens,
  request: ShareRequest,
  now: Instant,
): Promise<SharedVoucher | ShareRefusal> => {
  const { scope, intentId, by } = request
  const { accountId } = scope
  const [intent] = await lockIntent(tx, scope, intentId)
  if (intent === undefined) return refuse('intent_unknown')
  const earlier = await vouchersOf(tx, scope, intentId)
  const live = earlier.find(({ revoked_at }) => revoked_at === null)
  if (live !== undefined) {
    if (live.token_hash === hashOfOwn(tokens, accountId, live.id))
      return { token: tokens.of(accountId, live.id), first: false }
    // Made with another key, which was lost: nobody can show this address again.
    await revokeLiveVoucher(tx, scope, intentId, by, now)
  }
  if (request.byPage === true && live === undefined && earlier.length > 0) return refuse('voucher_revoked')
  if (earlier.length >= mostVouchers) return refuse('voucher_limit', { most: String(mostVouchers) })
  const id = timeOrderedId<VoucherId>(now)
  await insertVoucher(tx, { accountId, id, intentId, tokenHash: hashOfOwn(tokens, accountId, id), by, at: now })
  return { token: tokens.of(accountId, id), first: true }
}

/** Returns whether there was an address to revoke. */
export const revokeVoucher = async (
  tx: Tx,
  request: { readonly scope: Scope; readonly intentId: IntentId; readonly by: string },
  now: Instant,
): Promise<boolean | Refusal<'intent_unknown'>> => {
  const { scope, intentId, by } = request
  const [intent] = await lockIntent(tx, scope, intentId)
  if (intent === undefined) return refuse('intent_unknown')
  return (await revokeLiveVoucher(tx, scope, intentId, by, now)).length > 0
}
