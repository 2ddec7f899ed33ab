/** An API key, and whether a secret or a token of it is valid at an instant. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { ClientId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { sameFingerprint } from '../../core/seal.ts'

export type ApiKey = {
  readonly clientId: ClientId
  /** Its account, and the wallets that its limits leave. */
  readonly scope: Scope
  /** It sees the test wallet alone. */
  readonly isTest: boolean
  readonly readOnly: boolean
  readonly allowsAddress: (address: string) => boolean
  readonly name: string
  readonly accountActive: boolean
  /** Intents per calendar month; null: no limit. */
  readonly monthlyIntentQuota: number | null
  readonly secretHash: Buffer
  readonly generation: number
  readonly previousSecretHash: Buffer | null
  readonly previousUntil: Instant | null
  readonly revokedAt: Instant | null
}

const isUsable = (key: ApiKey): boolean => key.revokedAt === null && key.accountActive

/** The generation of the key that this secret belongs to; undefined: the secret is not valid now. */
export const generationOf = (key: ApiKey, secretHash: Buffer, now: Instant): number | undefined => {
  // Both are always compared, so that the time taken does not reveal which one matched.
  const newest = sameFingerprint(key.secretHash, secretHash)
  const previous = key.previousSecretHash !== null && sameFingerprint(key.previousSecretHash, secretHash)
  if (!isUsable(key)) return undefined
  if (newest) return key.generation
  if (previous && acceptsGeneration(key, key.generation - 1, now)) return key.generation - 1
  return undefined
}

/** Whether a token issued for this generation of the secret is still valid. */
export const acceptsGeneration = (key: ApiKey, generation: number, now: Instant): boolean => {
  if (!isUsable(key)) return false
  if (generation === key.generation) return true
  return generation === key.generation - 1 && key.previousUntil !== null && now < key.previousUntil
}
