/**
 * An API key and what it is good for at an instant. Pure: who may call is decided here, rows come from elsewhere.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, ClientId } from '../../core/ids.ts'
import { sameFingerprint } from '../../core/seal.ts'

export type ApiKey = {
  readonly clientId: ClientId
  readonly accountId: AccountId
  readonly name: string
  readonly accountActive: boolean
  /** Intents a calendar month; null: as many as they like. */
  readonly monthlyIntentQuota: number | null
  readonly secretHash: Buffer
  readonly generation: number
  readonly previousSecretHash: Buffer | null
  readonly previousUntil: Instant | null
  readonly revokedAt: Instant | null
}

const usable = (key: ApiKey): boolean => key.revokedAt === null && key.accountActive

/** Which generation of the key this secret is; undefined when it buys nothing now. */
export const generationOf = (key: ApiKey, secretHash: Buffer, now: Instant): number | undefined => {
  // Both are compared always: how long it takes tells nothing of which one it was.
  const newest = sameFingerprint(key.secretHash, secretHash)
  const previous = key.previousSecretHash !== null && sameFingerprint(key.previousSecretHash, secretHash)
  if (!usable(key)) return undefined
  if (newest) return key.generation
  if (previous && honours(key, key.generation - 1, now)) return key.generation - 1
  return undefined
}

/** Whether a token bought with this generation of the secret is still good. */
export const honours = (key: ApiKey, generation: number, now: Instant): boolean => {
  if (!usable(key)) return false
  if (generation === key.generation) return true
  return generation === key.generation - 1 && key.previousUntil !== null && now < key.previousUntil
}
