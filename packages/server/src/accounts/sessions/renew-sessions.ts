/**
 * After credentials have changed: everything that was opened with the old ones is over, and whoever made the change goes on
 * in a session of its own. Tokens end by themselves, since they name the credentials that bought them.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { ClientInfo } from '../people/signed-in-user.ts'
import { endOthers } from './session-sql.ts'
import { type NewSession, openSession } from './sign-in.ts'

/** Somebody who changes their own credentials; `inSession`: by a browser, not by a token. */
export type Changer = {
  readonly userId: UserId
  readonly accountId: AccountId | null
  readonly inSession: boolean
  readonly from: ClientInfo
}

/** In the transaction of the change, after it: `validFrom` is what the change made of it. */
export const renewSessions = async (
  tx: Session,
  who: Changer,
  validFrom: Instant,
  now: Instant,
): Promise<NewSession | null> => {
  await endOthers(tx, who.userId, null, now)
  if (!who.inSession) return null
  const session = await openSession(tx, { ...who, validFrom }, who.from, now)
  if (isRefusal(session)) throw new Error('the credentials changed twice in one transaction')
  return session
}
