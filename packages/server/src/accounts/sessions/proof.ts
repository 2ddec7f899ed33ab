/**
 * The proof that the signed-in person is there, before what cannot be taken back. It is stored with the session, so it counts on
 * every node and ends with the session. Signing in is a proof. A user without a second factor proves it with the password; a user
 * who has one proves it with that: the password alone may be what a thief has. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'

export const proofLife_ms = 10 * minute_ms

/** `provedAt` of a node whose clock is a little ahead may be later than `now`. */
export const isProved = (provedAt: Instant | null, now: Instant): boolean =>
  provedAt !== null && now - provedAt < proofLife_ms

export const proofWays = ['password', 'code', 'passkey'] as const
export type ProofWay = (typeof proofWays)[number]

/** What counts as a proof for a user. `code`: of the second factor, or a recovery code. */
export const waysOf = (own: { readonly totp_since: Instant | null; readonly passkeys: number }): ProofWay[] => {
  if (own.passkeys > 0) return ['code', 'passkey']
  return own.totp_since === null ? ['password'] : ['code']
}
