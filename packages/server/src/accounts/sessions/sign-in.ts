/**
 * Signs a user in by email address, password and, if it is set up, a code of the second factor or a recovery code. A refusal
 * does not tell which part was wrong, except that after a right password the second factor is asked for. The caller counts
 * and limits attempts before each of the two checks (http/dashboard/people/sign-in-limits.ts).
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, newSecret, randomId, type SessionId, type UserId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { tellOfUser } from '../notices/write-notices.ts'
import type { Turn } from '../people/fair-queue.ts'
import { passwordFits } from '../people/password.ts'
import type { ClientInfo } from '../people/signed-in-user.ts'
import { plainRecoveryHash, type SecondFactor } from './second-factor.ts'
import { mostSessions, type SessionKind, wholeLife_ms } from './session.ts'
import {
  accountsOfUser,
  endOldestSessions,
  findSigningIn,
  insertSession,
  takeRecoveryCode,
  takeTotpStep,
} from './session-sql.ts'

export type SigningIn = RowOf<(typeof findSigningIn)['columns']>

/** `validFrom`: since when the checked credentials are valid. */
export type SignedIn = { readonly userId: UserId; readonly accountId: AccountId | null; readonly validFrom: Instant }

export const checkPassword = async (
  db: Session,
  credentials: { readonly email: string; readonly password: string },
  turn: Turn,
): Promise<SigningIn | Refusal<'credentials_wrong' | 'sign_in_busy'>> => {
  const [user] = await findSigningIn(db, credentials.email.trim().toLowerCase())
  const fits = await passwordFits(user?.password_hash ?? null, credentials.password, turn)
  if (fits === 'busy') return refuse('sign_in_busy')
  return user === undefined || !fits || user.disabled ? refuse('credentials_wrong') : user
}

/**
 * Uses up the code: a second request with it, later or at the same time, is refused. Of a recovery code the user and the owners of
 * their accounts are told: whoever has found the paper uses one. Called in a transaction.
 */
export const takeCode = async (
  tx: Session,
  factor: SecondFactor,
  user: Pick<SigningIn, 'id' | 'email' | 'totp_sealed' | 'totp_step'>,
  code: string,
  now: Instant,
): Promise<boolean> => {
  // Who has passkeys and no app has recovery codes alone.
  const step =
    user.totp_sealed === null ? undefined : await factor.stepOf(user.id, user.totp_sealed, code, user.totp_step, now)
  if (step !== undefined) return (await takeTotpStep(tx, user.id, step)).length > 0
  const hashes = [factor.recoveryHash(user.id, code), plainRecoveryHash(user.id, code)] as const
  const [taken] = await takeRecoveryCode(tx, user.id, ...hashes)
  if (taken === undefined) return false
  const facts = { change: 'recovery_code_used', count: taken.left } as const
  await tellOfUser(tx, user, { kind: 'second_factor_changed', facts }, user.email, now)
  return true
}

/** The account that the user acts for after signing in. */
export const chooseAccount = async (
  db: Session,
  user: Pick<SigningIn, 'id' | 'valid_from'>,
  requestedAccount: string | undefined,
): Promise<SignedIn | Refusal<'credentials_wrong'>> => {
  const accounts = await accountsOfUser(db, user.id)
  const account = requestedAccount === undefined ? accounts[0] : accounts.find(({ id }) => id === requestedAccount)
  // An account that is not theirs counts as wrong credentials: the answer does not reveal which accounts exist.
  if (requestedAccount !== undefined && account === undefined) return refuse('credentials_wrong')
  return { userId: user.id, accountId: account?.id ?? null, validFrom: user.valid_from }
}

/** Inserts a session, and ends the user's oldest ones above the limit. Refused if the credentials were changed meanwhile. */
const startSession = async (
  db: Session,
  signedIn: SignedIn,
  from: ClientInfo,
  session: {
    readonly kind: SessionKind
    readonly tokenHash: Buffer | null
    readonly life_ms: number
    readonly provedAt: Instant
  },
  now: Instant,
): Promise<{ readonly id: SessionId; readonly expiresAt: Instant } | Refusal<'credentials_wrong'>> => {
  const { kind, tokenHash, life_ms, provedAt } = session
  // The clock of the node that changed the credentials may be ahead: a new session must not look older than the credentials.
  const since = Math.max(now, signedIn.validFrom)
  const id = randomId<SessionId>()
  const expiresAt = since + life_ms
  const inserted = await insertSession(db, {
    ...signedIn,
    ...from,
    id,
    kind,
    tokenHash,
    now: since,
    provedAt,
    expiresAt,
  })
  if (inserted.length === 0) return refuse('credentials_wrong')
  await endOldestSessions(db, signedIn.userId, kind, mostSessions, now)
  return { id, expiresAt }
}

export type NewSession = { readonly id: SessionId; readonly token: string; readonly expiresAt: Instant }

/** The session of a browser. The token goes into the user's cookie; only its hash is stored. Signing in is a proof of the person. */
export const openSession = async (
  db: Session,
  signedIn: SignedIn,
  from: ClientInfo,
  now: Instant,
  provedAt: Instant = now,
): Promise<NewSession | Refusal<'credentials_wrong'>> => {
  const token = newSecret()
  const session = { kind: 'browser', tokenHash: fingerprint(token), life_ms: wholeLife_ms, provedAt } as const
  const started = await startSession(db, signedIn, from, session, now)
  return isRefusal(started) ? started : { ...started, token }
}

export type TokenSession = { readonly id: SessionId }

/** The session of a token (token.ts), which lasts as long as the token. */
export const openTokenSession = async (
  db: Session,
  signedIn: SignedIn,
  from: ClientInfo,
  ttl_s: number,
  now: Instant,
): Promise<TokenSession | Refusal<'credentials_wrong'>> => {
  const token = { kind: 'token', tokenHash: null, life_ms: ttl_s * 1000, provedAt: now } as const
  const started = await startSession(db, signedIn, from, token, now)
  return isRefusal(started) ? started : { id: started.id }
}
