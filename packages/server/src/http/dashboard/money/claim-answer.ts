/** JSON answers: claims on references, with the two orders of each. */

import type { Claim, ClaimParty } from '@sanad/contract/dashboard/money/claim'
import { formatMinor } from '../../../core/money.ts'
import { type Scope, wholeOf } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import type { Session } from '../../../postgres/connection/database.ts'
import type { ClaimParty as Party, ShownClaim } from '../../../views/claims/list-claims.ts'
import { actorNames } from '../actor-names.ts'
import { byOf } from '../intent-timeline.ts'
import { timeIn } from '../time-text.ts'

const partyAnswer = (party: Party, zone: Zone): ClaimParty => ({
  id: party.id,
  code: party.code,
  external_order_id: party.order,
  status: party.status,
  payable_amount: formatMinor(party.payable),
  currency: party.currency,
  created_at: timeIn(zone, party.createdAt),
})

export const claimAnswers = async (
  db: Session,
  scope: Scope,
  claims: readonly ShownClaim[],
  zone: Zone,
): Promise<Claim[]> => {
  const names = await actorNames(
    db,
    wholeOf(scope),
    claims.map(({ by }) => by),
  )
  return claims.map((claim) => ({
    reference: claim.reference,
    claimed_at: timeIn(zone, claim.claimedAt),
    by: byOf(claim.by, names),
    claimer: partyAnswer(claim.claimer, zone),
    holder: claim.holder && partyAnswer(claim.holder, zone),
    state: claim.state,
  }))
}
