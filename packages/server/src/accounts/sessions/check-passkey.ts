/**
 * Checks the answer of a passkey: signed for our page, for a challenge of ours that was not used before, by a passkey that is still
 * stored. A challenge is used up only by a right answer. The caller counts tries.
 */
import type { Instant } from '../../core/clock.ts'
import type { SessionId, UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { challengeIn, readAssertion, relyingPartyOf, type SentAssertion } from './passkey.ts'
import { type ChallengePurpose, challengeLife_ms, type PasskeyChallenges } from './passkey-challenge.ts'
import { findPasskey, markPasskeyUsed, takePasskeyChallenge } from './passkey-sql.ts'

/** Who used a passkey, and since when their credentials are valid. */
export type PasskeyUser = { readonly userId: UserId; readonly email: string; readonly validFrom: Instant }

export type PasskeyUse = {
  readonly purpose: ChallengePurpose
  /** The session that the challenge was made for; undefined: signing in. */
  readonly session?: SessionId
  /** Whose passkey it must be; undefined: anybody's, who then signs in. */
  readonly userId?: UserId
  readonly origin: string
}

export const checkPasskey = async (
  db: Session,
  challenges: PasskeyChallenges,
  sent: SentAssertion,
  { purpose, session, userId, origin }: PasskeyUse,
  now: Instant,
): Promise<PasskeyUser | Refusal<'passkey_wrong'>> => {
  const host = relyingPartyOf(origin)
  const challenge = challengeIn(sent.response.clientDataJSON)
  if (host === undefined || !challenges.isGood(challenge, purpose, session ?? '', now)) return refuse('passkey_wrong')
  const [passkey] = await findPasskey(db, Buffer.from(sent.id, 'base64url'))
  if (passkey === undefined || (userId !== undefined && passkey.user_id !== userId)) return refuse('passkey_wrong')
  const read = await readAssertion(sent, passkey, { challenge, origin, host })
  if (read === undefined) return refuse('passkey_wrong')
  const taken = await takePasskeyChallenge(db, fingerprint(challenge), now + 2 * challengeLife_ms)
  if (taken.length === 0) return refuse('passkey_wrong')
  const used = await markPasskeyUsed(db, passkey.id, read.counter, now)
  if (used.length === 0) return refuse('passkey_wrong')
  return { userId: passkey.user_id, email: passkey.email, validFrom: passkey.valid_from }
}
