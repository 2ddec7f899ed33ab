/**
 * Watches sign-ins: who signs in from a new browser, and how often it was tried in vain. The user is told, and the owners of their
 * accounts (notices/write-notices.ts). Called in the transaction of the sign-in, or in one of its own if it was refused.
 *
 * A browser is new if the random name in its cookie is not stored for the user (sessions/known-browser.ts); what the browser says of
 * itself decides nothing. A script has no cookie: its network address is stored instead. The first sign-in of a user is not
 * announced: there is nothing to compare it with, and it follows the act that created the user.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import type { AccountId, SessionId, UserId } from '../../core/ids.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { NoticeFacts } from '../notices/owner-notice.ts'
import { tellOfUser } from '../notices/write-notices.ts'
import type { ClientInfo } from '../people/signed-in-user.ts'
import { browserOf } from '../sessions/browser.ts'
import { findTried, hasSignedIn, lockFailures, makeFailures, rememberBrowserRow, saveFailures } from './watch-sql.ts'
import { countWrongSignIn } from './wrong-sign-ins.ts'

/** As long as the cookie of a browser lasts. */
export const knownBrowserLife_ms = 366 * day_ms

/** The network address and browser, for the sentence of a notice. */
export const clientFacts = ({ address, agent }: ClientInfo): NoticeFacts => {
  const { browser, system } = browserOf(agent)
  return {
    ...(address === '' ? {} : { address }),
    ...(browser === '' ? {} : { browser }),
    ...(system === '' ? {} : { system }),
  }
}

/** `name`: the random name in the cookie of a browser, or the network of a script. `wasKnown`: its cookie was signed for this user. */
export type SignInPlace =
  | { readonly kind: 'browser'; readonly name: string; readonly wasKnown: boolean }
  | { readonly kind: 'script'; readonly network: string }

const hashOf = (place: SignInPlace): Buffer =>
  fingerprint(place.kind === 'browser' ? `browser ${place.name}` : `script ${place.network}`)

/** Returns the accounts whose owners were told, for hints after the commit. */
export const watchSignIn = async (
  tx: Session,
  user: { readonly id: UserId; readonly email: string },
  session: SessionId,
  place: SignInPlace,
  from: ClientInfo,
  now: Instant,
): Promise<AccountId[]> => {
  const [browser] = await rememberBrowserRow(tx, user.id, hashOf(place), now)
  if (browser?.is_new !== true) return []
  if (browser.others === 0) {
    // After an upgrade nothing is stored yet: a cookie that was signed for this user is enough.
    if (place.kind === 'browser' && place.wasKnown) return []
    const [signedIn] = await hasSignedIn(tx, user.id, session)
    if (signedIn?.before !== true) return []
  }
  const facts = { ...clientFacts(from), ...(place.kind === 'script' ? { script: true } : {}) }
  return tellOfUser(tx, user, { kind: 'sign_in_new', facts }, user.email, now)
}

/** The browser in which somebody joined or set a password: it is theirs from the start. */
export const rememberWithoutNotice = async (
  tx: Session,
  userId: UserId,
  place: SignInPlace,
  now: Instant,
): Promise<void> => {
  await rememberBrowserRow(tx, userId, hashOf(place), now)
}

/** For an address that nobody has, one of 256 rows is counted: the answer takes as long. No user has such an id. */
const nobodysKey = (email: string): string =>
  `00000000-0000-0000-0000-0000000000${fingerprint(email).subarray(0, 1).toString('hex')}`

/** Counts a wrong password or code of whoever signs in with this address. Returns the accounts whose owners were told. */
export const watchWrongSignIn = async (tx: Tx, email: string, from: ClientInfo, now: Instant): Promise<AccountId[]> => {
  const [user] = await findTried(tx, email)
  const key = user?.id ?? nobodysKey(email)
  await makeFailures(tx, key)
  const [row] = await lockFailures(tx, key)
  const { counted, told_at: toldAt } = row!
  const { after, tell } = countWrongSignIn({ recent: JSON.parse(row!.recent), counted, toldAt }, now)
  await saveFailures(tx, key, after.recent, after.counted, after.toldAt)
  if (user === undefined || tell === undefined) return []
  return tellOfUser(tx, user, { kind: 'sign_in_wrong', facts: { ...clientFacts(from), count: tell } }, '', now)
}
