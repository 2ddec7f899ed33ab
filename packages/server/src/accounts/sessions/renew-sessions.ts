/**
 * After a change of credentials: ends all sessions that were opened with the old ones, and opens a new one for the browser
 * that made the change. Tokens end by themselves, because they contain the time of the credentials.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { ClientInfo } from '../people/signed-in-user.ts'
import { endOtherSessionRows } from './session-sql.ts'
import { type NewSession, openSession } from './sign-in.ts'

/** A user who changes their own credentials; `inSession`: in a browser, not with a token. */
export type CredentialChanger = {
  readonly userId: UserId
  readonly accountId: AccountId | null
  readonly inSession: boolean
  /** Since when the credentials of the session or token are valid. */
  readonly validFrom: Instant
  readonly from: ClientInfo
}

/**
 * Called in the transaction of the change, after it. `validFrom`: the new time of the credentials. `provedAt`: when the person proved
 * that it is them, for the new session; left out: by this change.
 */
export const renewSessions = async (
  tx: Session,
  changer: CredentialChanger,
  validFrom: Instant,
  now: Instant,
  provedAt: Instant = now,
): Promise<NewSession | null> => {
  await endOtherSessionRows(tx, changer.userId, null, now)
  if (!changer.inSession) return null
  const session = await openSession(tx, { ...changer, validFrom }, changer.from, now, provedAt)
  if (isRefusal(session)) throw new Error('the credentials changed twice in one transaction')
  return session
}
