/**
 * Keeps the claim of a PENDING intent on a reference that was refused to it, because another intent has the reference or its
 * money. Nothing else changes. A reference takes five claims; the answer to the request is the same whether the claim is kept.
 */
import { wholeAccount } from '../../core/scope.ts'
import type { Attachment } from '../../intents/attachment.ts'
import { lockClaimParties, makeRoomForClaim, storeReferenceClaim } from '../../intents/claims/reference-claims-sql.ts'
import { statusAt } from '../../intents/intent.ts'
import type { Tx } from '../../postgres/connection/database.ts'

/** What a kept claim is about: the claimer, the alert with the reference, and the intents that have the reference or its money. */
export type KeptClaim = { readonly claimer: string; readonly others: readonly string[]; readonly alert: string | null }

/** Undefined: the claim is not kept. The caller has locked the reference. */
export const keepClaim = async (tx: Tx, attachment: Attachment): Promise<KeptClaim | undefined> => {
  const { accountId, id, reference, referenceKey, by, now } = attachment
  const [claimer] = await lockClaimParties(tx, wholeAccount(accountId), [id], referenceKey)
  if (claimer === undefined || claimer.reference_key === referenceKey) return undefined
  if (statusAt({ status: claimer.status, expiresAt: claimer.expires_at }, now) !== 'PENDING') return undefined
  const claim = { accountId, intentId: id, reference, referenceKey, by, claimedAt: now }
  await makeRoomForClaim(tx, claim, claimer.identity, now)
  const [stored] = await storeReferenceClaim(tx, claim)
  if (stored === undefined) return undefined
  const others = [stored.holder_id, stored.paid_id].filter((other) => other !== null)
  return { claimer: claimer.id, others, alert: stored.alert_id }
}

/** A kept claim as the facts of the refusal, for the screens that show it. */
export const claimFacts = ({ claimer, others, alert }: KeptClaim): Record<string, string> => ({
  claimer,
  others: others.join(' '),
  alert: alert ?? '',
})

/** The objects whose screens show the claim that a refusal kept; none if it kept no claim. */
export const claimHints = ({ claimer, others = '', alert = '' }: Readonly<Record<string, string>> = {}) => {
  if (claimer === undefined) return []
  const intents = [claimer, ...others.split(' ').filter((id) => id !== '')]
  return [
    ...intents.map((id) => ({ kind: 'intent' as const, id })),
    ...(alert === '' ? [] : [{ kind: 'alert' as const, id: alert }]),
  ]
}
