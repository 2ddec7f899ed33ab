/**
 * Stores the claimed payer of an intent, as a member, the merchant's server or the buyer says. The intent's row is locked, so
 * that money that arrives at the same time is compared either with the old claim or with the new one. An empty claim removes
 * the earlier one. The claim can be changed only while the intent is PENDING or EXPIRED.
 */
import type { Instant } from '../../core/clock.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import { type Intent, statusAt } from '../../intents/intent.ts'
import { intentOf, lockIntent } from '../../intents/intent-sql.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { type ClaimedPayer, isClaimed, noClaim, type PayerSource } from '../records/claimed-payer.ts'
import { claimedPayers, removeClaimedPayer, saveClaimedPayer } from './claimed-payer-sql.ts'

export type PayerClaim = ClaimedPayer & {
  readonly scope: Scope
  readonly intentId: string
  readonly source: PayerSource
}

/** The intent, and the payer that was claimed before. */
export type Claimed = { readonly intent: Intent; readonly before: ClaimedPayer }

export const claimPayer = async (
  tx: Tx,
  claim: PayerClaim,
  now: Instant,
): Promise<Claimed | Refusal<'intent_unknown' | 'intent_not_pending'>> => {
  const { scope, intentId } = claim
  const [row] = await lockIntent(tx, scope, intentId)
  if (row === undefined) return refuse('intent_unknown')
  const intent = intentOf(row)
  const status = statusAt(intent, now)
  if (status !== 'PENDING' && status !== 'EXPIRED') return refuse('intent_not_pending', { status })
  const [stored] = await claimedPayers(tx, scope, [intentId])
  if (isClaimed(claim)) await saveClaimedPayer(tx, scope, intentId, claim, now)
  else await removeClaimedPayer(tx, scope, intentId)
  return { intent, before: stored === undefined ? noClaim : { name: stored.name, phone: stored.phone } }
}

/** Stores the claim for an intent that was created in the same transaction, and so needs no lock. */
export const claimForNew = async (tx: Tx, claim: PayerClaim, now: Instant): Promise<void> => {
  if (isClaimed(claim)) await saveClaimedPayer(tx, claim.scope, claim.intentId, claim, now)
}
