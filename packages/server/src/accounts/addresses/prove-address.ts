/**
 * Proves the address of a signed-in user by a link that is mailed to it. The link works only for a session of that user: the
 * person who opens it has the password and the mailbox, so nothing is lost but the other sessions and tokens. Somebody who has the
 * mailbox alone asks for a new password instead (take-over-user.ts). The caller opens the transaction.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { type LinkId, newSecret, randomId, type SessionId, type UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { endOtherSessionRows } from '../sessions/session-sql.ts'
import { findProofLink, insertProofLink, isAddressProved, proveAddressRow, takeProofLink } from './address-sql.ts'

const proofLife_ms = day_ms
/** Nobody can fill another user's mailbox. */
const mostOpenProofs = 3

/** `session`: the one of this call, which stays. `validFrom`: since when its credentials are valid. */
export type ProvingUser = {
  readonly userId: UserId
  readonly validFrom: Instant
  readonly session: SessionId | null
}

export const makeProofLink = async (
  tx: Session,
  userId: UserId,
  now: Instant,
): Promise<{ readonly email: string; readonly token: string } | Refusal<'address_proved' | 'proof_limit'>> => {
  const [address] = await isAddressProved(tx, userId)
  if (address?.proved) return refuse('address_proved')
  const token = newSecret()
  const link = { id: randomId<LinkId>(), tokenHash: fingerprint(token), now, expiresAt: now + proofLife_ms }
  const [inserted] = await insertProofLink(tx, link, userId, mostOpenProofs)
  return inserted === undefined ? refuse('proof_limit') : { email: inserted.email, token }
}

/** The address is proved by a link that this user holds. False: it was proved before, or the credentials were changed meanwhile. */
export const proveSignedIn = async (tx: Session, user: ProvingUser, now: Instant): Promise<boolean> => {
  const proved = await proveAddressRow(tx, user.userId, now, user.validFrom)
  if (proved.length === 0) return false
  await endOtherSessionRows(tx, user.userId, user.session, now)
  return true
}

export const proveByLink = async (
  tx: Session,
  token: string,
  user: ProvingUser,
  now: Instant,
): Promise<{ readonly proved: boolean } | Refusal<'link_over' | 'other_person'>> => {
  const tokenHash = fingerprint(token)
  const [link] = await findProofLink(tx, tokenHash, now)
  if (link === undefined) return refuse('link_over')
  if (link.user_id !== user.userId) return refuse('other_person')
  const proved = await proveSignedIn(tx, user, now)
  const [address] = await isAddressProved(tx, user.userId)
  // The session has ended in this moment: the link stays good for who signs in with the new credentials.
  if (!address?.proved) return refuse('link_over')
  const taken = await takeProofLink(tx, tokenHash, now)
  return taken.length === 0 ? refuse('link_over') : { proved }
}
