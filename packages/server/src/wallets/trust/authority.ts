/** Who decides about a change, and the senders that a provider has. Templates name the senders, so that alerts/ reads them. */
import type { ProviderId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { OwnerReason } from './needs-owner.ts'

/** The senders of the active templates of a provider that read alerts of an account. */
export type ProviderSenders = {
  readonly all: readonly string[]
  /** Those that the operator's templates name: the operator vouches for them. */
  readonly operators: readonly string[]
}

export type Authority = {
  /** `owner`: also the operator's commands. */
  readonly as: 'owner' | 'manager'
  /** Whether the person has just proved that it is them; true for the operator's commands. */
  readonly proved: boolean
  readonly sendersOf: (tx: Tx, scope: Scope, providerId: ProviderId) => Promise<ProviderSenders>
}

/** Of what needs an owner, the limits: an owner loosens one only with a fresh proof that it is them (docs/decisions/0084). */
const isLimit = (reason: OwnerReason): boolean => reason !== 'sender' && reason !== 'app'

/** The refusal, if the change needs an owner and this is none, or loosens a limit and the owner has not proved that it is them. */
export const refuseWithoutOwner = (
  { as, proved }: Authority,
  reasons: readonly OwnerReason[],
): Refusal<'owner_needed' | 'confirmation_required'> | undefined => {
  if (reasons.length === 0) return undefined
  if (as !== 'owner') return refuse('owner_needed', { reasons: reasons.join(',') })
  return proved || !reasons.some(isLimit) ? undefined : refuse('confirmation_required')
}
