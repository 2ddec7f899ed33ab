/**
 * Signing in: an address, a password and, where it is set up, a code of the second factor or a recovery code. Nothing is
 * said of which part was wrong, except that a right password asks for the second factor. How often somebody may try is
 * counted at the door.
 */
import type { Instant } from '../ground/clock.ts'
import { type AccountId, newSecret, plainId, type SessionId, type UserId } from '../ground/ids.ts'
import { type Refusal, refuse } from '../ground/refusal.ts'
import { fingerprint } from '../ground/seal.ts'
import type { Db } from '../postgres/database.ts'
import { passwordFits } from './password.ts'
import type { Whereabouts } from './person.ts'
import { recoveryHash, type SecondFactor } from './second-factor.ts'
import { wholeLife_ms } from './session.ts'
import { accountsOfUser, findSigningIn, insertSession, takeRecoveryCode, takeTotpStep } from './session-sql.ts'

export type Credentials = {
  readonly email: string
  readonly password: string
  /** Of the second factor, or a recovery code. */
  readonly code: string | undefined
  /** Which account to act for; left out: the one they belong to longest. */
  readonly accountId: string | undefined
}

export type SignedIn = { readonly userId: UserId; readonly accountId: AccountId | null }

type No = Refusal<'credentials_wrong' | 'second_factor_required' | 'second_factor_wrong' | 'door_busy'>

export const checkCredentials = async (
  db: Db,
  factor: SecondFactor,
  given: Credentials,
  now: Instant,
): Promise<SignedIn | No> => {
  const [user] = await findSigningIn(db, given.email.trim().toLowerCase())
  const fits = await passwordFits(user?.password_hash ?? null, given.password)
  if (fits === 'busy') return refuse('door_busy')
  if (user === undefined || !fits || user.disabled) return refuse('credentials_wrong')
  if (user.totp_sealed !== null) {
    if (given.code === undefined || given.code === '') return refuse('second_factor_required')
    const step = await factor.stepOf(user.id, user.totp_sealed, given.code, user.totp_step, now)
    const taken =
      step === undefined
        ? await takeRecoveryCode(db, user.id, recoveryHash(user.id, given.code))
        : await takeTotpStep(db, user.id, step)
    if (taken.length === 0) return refuse('second_factor_wrong')
  }
  const accounts = await accountsOfUser(db, user.id)
  const asked = given.accountId
  const account = asked === undefined ? accounts[0] : accounts.find(({ id }) => id === asked)
  // An account that is not theirs is as good as wrong credentials: it is not said which accounts there are.
  if (asked !== undefined && account === undefined) return refuse('credentials_wrong')
  return { userId: user.id, accountId: account?.id ?? null }
}

/** The token goes into the person's cookie; only its hash stays. */
export const openSession = async (
  db: Db,
  who: SignedIn,
  from: Whereabouts,
  now: Instant,
): Promise<{ readonly id: SessionId; readonly token: string; readonly expiresAt: Instant }> => {
  const session = { id: plainId<SessionId>(), token: newSecret(), expiresAt: now + wholeLife_ms }
  const { userId, accountId } = who
  const tokenHash = fingerprint(session.token)
  await insertSession(db, { id: session.id, tokenHash, userId, accountId, ...from, now, expiresAt: session.expiresAt })
  return session
}
