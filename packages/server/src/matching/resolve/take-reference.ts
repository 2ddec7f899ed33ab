/**
 * Moves a reference from the intent that has it (the holder) to an intent that claims it, because a member decided so. Possible
 * until money has come: both intents are PENDING, and the money of the reference is not spent. The claimer gets the reference
 * exactly as if it had been attached: an alert that waits resolves it in the same transaction. The holder's claim is kept, so that
 * the reference can be moved back.
 */
import type { Instant } from '../../core/clock.ts'
import { type IntentId, timeOrderedId } from '../../core/ids.ts'
import { referenceKey } from '../../core/reference-key.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import {
  claimedReference,
  endReferenceClaims,
  lockClaimParties,
  makeRoomForClaim,
  storeReferenceClaim,
} from '../../intents/claims/reference-claims-sql.ts'
import { type Intent, statusAt } from '../../intents/intent.ts'
import { mostReferences, referenceActor, releaseReference } from '../../intents/reference-sql.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { referenceLock } from './alert-locks.ts'
import { attach } from './attach-references.ts'
import { lockKeys } from './matching-sql.ts'
import { spentOnReference } from './take-reference-sql.ts'

export type Taking = {
  readonly scope: Scope
  /** The intent that claims the reference. */
  readonly id: string
  /** The intent that has it, as the member saw it. */
  readonly from: string
  readonly reference: string
  readonly by: string
}

export type TakingRefusal = Refusal<
  | 'intent_unknown'
  | 'intent_not_pending'
  | 'claim_unknown'
  | 'reference_not_held'
  | 'reference_spent'
  | 'reference_limit'
>

export type Taken = {
  readonly intent: Intent
  readonly holder: { readonly id: IntentId; readonly code: string; readonly reference: string }
}

type Party = Awaited<ReturnType<typeof lockClaimParties>>[number]

const statusOf = (party: Party, now: Instant) => statusAt({ status: party.status, expiresAt: party.expires_at }, now)

/** Everything is checked before the first change: a refusal changes nothing. */
export const takeReference = async (
  tx: Tx,
  zone: Zone,
  { scope, id, from, reference, by }: Taking,
  now: Instant,
): Promise<Taken | TakingRefusal> => {
  const key = referenceKey(reference)
  await lockKeys(tx, [referenceLock(scope.accountId, key)])
  const parties = await lockClaimParties(tx, scope, [id, from], key)
  const claimer = parties.find((party) => party.id === id)
  const holder = parties.find((party) => party.id === from)
  if (claimer === undefined) return refuse('intent_unknown')
  if (holder === undefined) return refuse('intent_unknown', { intent: from, attr: 'from' })
  const status = statusOf(claimer, now)
  if (status !== 'PENDING') return refuse('intent_not_pending', { status })
  const [claim] = await claimedReference(tx, scope, claimer.id, key)
  if (claim === undefined) return refuse('claim_unknown')
  const holderStatus = statusOf(holder, now)
  if (holderStatus !== 'PENDING' || holder.reference_key !== key || holder.identity !== claimer.identity)
    return refuse('reference_not_held', { intent: holder.id, payment: holder.code, status: holderStatus })
  const [spent] = await spentOnReference(tx, claimer.identity, key)
  if (spent !== undefined)
    return refuse('reference_spent', { alert: spent.id, intent: spent.intent_id ?? '', payment: spent.code ?? '' })
  if (claimer.tried >= mostReferences && !claimer.tried_before)
    return refuse('reference_limit', { most: String(mostReferences) })
  await release(tx, scope, holder, claimer, key, by, now)
  const attachment = { accountId: scope.accountId, id, reference: claim.reference, referenceKey: key, by, now }
  const [intent] = await attach(tx, [{ ...attachment, entryId: timeOrderedId<string>(now) }], zone)
  if (intent === undefined || intent === 'too many')
    throw new Error('a reference could not be attached after it was moved')
  return { intent, holder }
}

/** Takes the reference from the holder, and keeps its claim in place of the claimer's. */
const release = async (
  tx: Tx,
  scope: Scope,
  holder: Party,
  claimer: Party,
  key: string,
  by: string,
  now: Instant,
): Promise<void> => {
  const [given] = await referenceActor(tx, scope, holder.id)
  const facts = {
    reference: holder.reference,
    intent: claimer.id,
    payment: claimer.code,
    order: claimer.external_order_id,
  }
  const entry = { id: timeOrderedId<string>(now), by, facts }
  await releaseReference(tx, { accountId: scope.accountId, id: holder.id, referenceKey: key }, entry, now)
  await endReferenceClaims(tx, scope, claimer.id)
  const claim = {
    accountId: scope.accountId,
    intentId: holder.id,
    reference: holder.reference,
    referenceKey: key,
    by: given?.by ?? by,
    claimedAt: holder.reference_at ?? now,
  }
  await makeRoomForClaim(tx, claim, holder.identity, now)
  await storeReferenceClaim(tx, claim)
}
