/**
 * `/session/` and `/token/`: signing in and out, the signed-in user, and the account that the user acts for.
 * `sign-in-limits.ts` limits guessing. The audit log has every sign-in, and every right password with a wrong code. A
 * wrong password is only counted: audit entries are kept for ever, and anybody could fill the log.
 */

import { issueToken, showMe, signIn, signOut, switchAccount } from '@sanad/contract/dashboard/people/session'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, changeWithAudit, recordChange } from '../../../accounts/audit/audit.ts'
import type { ClientInfo } from '../../../accounts/people/signed-in-user.ts'
import { checkPasskey } from '../../../accounts/sessions/check-passkey.ts'
import { accountsOfUser, actForAccount, endSessionRow } from '../../../accounts/sessions/session-sql.ts'
import {
  checkPassword,
  openSession,
  openTokenSession,
  type SignedIn,
  type SigningIn,
  takeCode,
} from '../../../accounts/sessions/sign-in.ts'
import { type SignInPlace, watchSignIn, watchWrongSignIn } from '../../../accounts/watch/watch-sign-ins.ts'
import type { Instant } from '../../../core/clock.ts'
import type { AccountId, SessionId } from '../../../core/ids.ts'
import { isRefusal, type Refusal } from '../../../core/refusal.ts'
import type { Tx } from '../../../postgres/connection/database.ts'
import { isFrozen } from '../../../postgres/connection/unavailable.ts'
import { notFound } from '../../answers.ts'
import type { ReadBody } from '../../body/schema-reader.ts'
import { addressKey } from '../../limits/address-key.ts'
import { requireAccountHere } from '../../moved-account.ts'
import { addressAndAgent, sessionCookie, sessionTokenIn } from '../authenticate.ts'
import { forwardSignIn, signedInHere } from '../moved-user.ts'
import { type Answerable, accepted, answerTo } from '../refusals.ts'
import { change, openRoute, type Route, userRoute } from '../route.ts'
import {
  browserOf,
  expiryOf,
  lockCounterIn,
  meAtCounter,
  meOf,
  reloadedMe,
  type SessionDeps,
  setBrowserCookie,
  setSessionCookie,
} from './me.ts'
import { countCode, countPassword } from './sign-in-limits.ts'

export const sessionRoutes = (deps: SessionDeps): Route[] => [
  openRoute(signIn, async ({ request, reply, body, now }) => {
    const { signedIn, actor } = await checkSignIn(deps, request, body, 'session', now)
    return openInBrowser(deps, request, reply, signedIn, actor, now)
  }),
  openRoute(issueToken, async ({ request, body, now }) => {
    await forwardSignIn(deps, request, body)
    const { signedIn, actor } = await checkSignIn(deps, request, body, 'token', now)
    // A token acts for an account: a user without one gets none.
    if (signedIn.accountId === null) throw answerTo({ refused: 'credentials_wrong' })
    const place = { kind: 'script', network: addressKey(request.ip) } as const
    const session = await openWithAudit(deps, signedIn, actor, place, now, (tx, from) =>
      openTokenSession(tx, signedIn, from, deps.tokenTtl_s, now),
    )
    const { userId: sub, accountId: acc, validFrom } = signedIn
    const bearer = { typ: 'user', sub, acc, validFrom, sessionId: session.id } as const
    const access_token = await deps.tokens.issue(bearer, deps.tokenTtl_s, now)
    return { access_token, token_type: 'Bearer' as const, expires_in: deps.tokenTtl_s }
  }),
  userRoute(showMe, async (call) =>
    call.counter === undefined
      ? meOf(deps, call.user, await expiryOf(deps, call), call.now)
      : meAtCounter(deps, call.counter, call.now),
  ),
  userRoute(signOut, async (call) => {
    const { request, reply, user, via, now } = call
    if (via.kind === 'counter') {
      await lockCounterIn(deps, request, now)
      return undefined
    }
    const { id } = via
    if (id !== null) {
      await change(deps, call, async (db, audit) => {
        const ended = await endSessionRow(db, user.userId, id, now)
        if (ended.length > 0) audit({ action: 'user.sign_out', kind: 'user', id: user.userId })
      })
      if (via.kind === 'token') deps.sessions.forgetTokenSession(id)
      else deps.sessions.forgetSession(sessionTokenIn(request, deps) ?? '')
    }
    reply.clearCookie(sessionCookie(deps), { path: '/', secure: deps.secure })
    return undefined
  }),
  userRoute(switchAccount, async (call) => {
    const { user, via } = call
    const { account } = call.body
    const accounts = await accountsOfUser(deps.db, user.userId)
    const chosen = accounts.find(({ id }) => id === account)
    // The account of a token never changes.
    if (chosen === undefined || via.kind !== 'session') throw notFound()
    requireAccountHere(call.request.server, chosen.id)
    await change(deps, call, async (db, audit) => {
      const [previous] = await actForAccount(db, via.id, chosen.id)
      if (previous !== undefined && previous.account_id !== chosen.id)
        audit({ action: 'user.switch_account', kind: 'user', id: user.userId, accountId: chosen.id })
    })
    return reloadedMe(deps, call, chosen.id)
  }),
]

/** Opens the session of a user who signed in with a browser, sets its cookie, and answers who is signed in. */
export const openInBrowser = async (
  deps: SessionDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  signedIn: SignedIn,
  actor: Actor,
  now: Instant,
) => {
  const browser = browserOf(deps, request, actor.actor)
  const session = await openWithAudit(deps, signedIn, actor, browser.place, now, (tx, from) =>
    openSession(tx, signedIn, from, now),
  )
  const found = await deps.sessions.bySession(session.token, request.ip, now)
  // The user lost access in this moment: no cookie is set.
  if (found === undefined) throw answerTo({ refused: 'credentials_wrong' })
  await lockCounterIn(deps, request, now)
  setSessionCookie(deps, reply, session)
  setBrowserCookie(deps, reply, browser)
  return meOf(deps, found.user, session.expiresAt, now)
}

/** Open screens of owners and of the user load their notices again. Called after the commit. */
const hintNotices = (deps: SessionDeps, accountIds: readonly AccountId[]): void => {
  for (const accountId of accountIds) deps.sendHint(accountId, { kind: 'notice', id: '' })
}

/**
 * Opens the session of a user who signed in, with its audit entry and, from a new place, its notices: all are written or none. The
 * password and the code were checked before, outside of any transaction, because hashing is slow. `actor.actor` is the address.
 */
const openWithAudit = async <T extends { readonly id: SessionId } | Refusal<'credentials_wrong'>>(
  deps: SessionDeps,
  signedIn: SignedIn,
  actor: Actor,
  place: SignInPlace,
  now: Instant,
  open: (tx: Tx, from: ClientInfo) => Promise<T & Answerable<T>>,
) => {
  const { result } = await changeWithAudit(deps.db, actor, now, async (tx, audit) => {
    const from = { address: actor.address, agent: actor.agent }
    const session = accepted(await open(tx, from))
    audit({ action: 'user.sign_in', kind: 'user', id: signedIn.userId })
    const user = { id: signedIn.userId, email: actor.actor }
    return { session, told: await watchSignIn(tx, user, session.id, place, from, now) }
  })
  hintNotices(deps, result.told)
  return result.session
}

/** Counts a wrong sign-in of this address. */
export const countWrong = async (
  deps: SessionDeps,
  request: FastifyRequest,
  email: string,
  now: Instant,
): Promise<void> => {
  const from = addressAndAgent(request)
  try {
    hintNotices(deps, await deps.db.transaction((tx) => watchWrongSignIn(tx, email, from, now)))
  } catch (fault) {
    // Owners of an account that is frozen or has moved are not told: the guess stays counted by its address.
    if (!isFrozen(fault)) throw fault
  }
}

const checkSignIn = async (
  deps: SessionDeps,
  request: FastifyRequest,
  body: ReadBody<typeof signIn.body>,
  via: 'session' | 'token',
  now: Instant,
): Promise<{ readonly signedIn: SignedIn; readonly actor: Actor }> => {
  const email = body.email.trim().toLowerCase()
  const attempt = await countPassword(deps, request, email, now)
  const user = await checkPassword(deps.db, body, attempt.turn)
  if (isRefusal(user)) {
    if (user.refused === 'sign_in_busy') await attempt.notChecked()
    else await countWrong(deps, request, email, now)
    throw answerTo(user)
  }
  await attempt.succeeded()
  const actorIn = (accountId: AccountId | null): Actor => ({
    accountId,
    userId: user.id,
    actor: user.email,
    via,
    ...addressAndAgent(request),
  })
  const usual = await signedInHere(deps, request, user, undefined, now)
  if (!(await isFactorRight(deps, request, user, body, now))) {
    const wrong = { action: 'user.second_factor_wrong', kind: 'user', id: user.id } as const
    await recordChange(deps.db, actorIn(usual.accountId), wrong, now)
    await countWrong(deps, request, user.email, now)
    throw answerTo({ refused: 'second_factor_wrong' })
  }
  const signedIn = body.account === undefined ? usual : await signedInHere(deps, request, user, body.account, now)
  return { signedIn, actor: actorIn(signedIn.accountId) }
}

const isFactorRight = async (
  deps: SessionDeps,
  request: FastifyRequest,
  user: SigningIn,
  { code, passkey }: ReadBody<typeof signIn.body>,
  now: Instant,
): Promise<boolean> => {
  const { id, email, totp_sealed, totp_step, has_passkey } = user
  if (totp_sealed === null && !has_passkey) return true
  const hasCode = code !== undefined && code !== ''
  if (!hasCode && passkey === undefined) throw answerTo({ refused: 'second_factor_required' })
  await countCode(deps, request, user, now)
  if (hasCode)
    return deps.db.transaction((tx) => takeCode(tx, deps.factor, { id, email, totp_sealed, totp_step }, code, now))
  const use = { purpose: 'sign_in', userId: id, origin: deps.ownOrigin(request) } as const
  return !isRefusal(await checkPasskey(deps.db, deps.challenges, passkey!, use, now))
}
