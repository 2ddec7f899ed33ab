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
  readonly sendersOf: (tx: Tx, scope: Scope, providerId: ProviderId) => Promise<ProviderSenders>
}

/** The refusal, if the change needs an owner and this is none. */
export const refuseWithoutOwner = (
  { as }: Authority,
  reasons: readonly OwnerReason[],
): Refusal<'owner_needed'> | undefined =>
  as === 'owner' || reasons.length === 0 ? undefined : refuse('owner_needed', { reasons: reasons.join(',') })
