/**
 * The signed-in user and their permissions as a JSON answer; and the two cookies of the dashboard: of the session, and of
 * a browser that the user signed in with before.
 */

import type { Me } from '@sanad/contract/dashboard/people/session'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenCounter } from '../../../accounts/counters/counter.ts'
import { lockCounterRow } from '../../../accounts/counters/counter-sql.ts'
import type { PinSealer } from '../../../accounts/counters/sealed-pin.ts'
import { actionsOf, counterActions, type MemberRole } from '../../../accounts/people/permission.ts'
import type { KnownBrowser, KnownBrowsers } from '../../../accounts/sessions/known-browser.ts'
import type { PasskeyChallenges } from '../../../accounts/sessions/passkey-challenge.ts'
import type { SecondFactor } from '../../../accounts/sessions/second-factor.ts'
import { wholeLife_ms } from '../../../accounts/sessions/session.ts'
import { accountsOfUser, protectionOfUser, requestsOfUser } from '../../../accounts/sessions/session-sql.ts'
import type { NewSession } from '../../../accounts/sessions/sign-in.ts'
import type { SignInPlace } from '../../../accounts/watch/watch-sign-ins.ts'
import type { Instant } from '../../../core/clock.ts'
import { day_s } from '../../../core/duration.ts'
import { wholeAccount } from '../../../core/scope.ts'
import type { Zone } from '../../../core/zone.ts'
import type { RowOf } from '../../../postgres/query/statement.ts'
import { cellOf } from '../../moved-account.ts'
import {
  type Authenticated,
  cookieName,
  counterCookie,
  counterIn,
  sessionCookie,
  sessionTokenIn,
} from '../authenticate.ts'
import type { DashboardContext, UserCall } from '../route.ts'
import { timeOrNull } from '../time-text.ts'
import { namedWallets } from './given-wallets.ts'

export type SessionDeps = DashboardContext & {
  readonly zone: Zone
  readonly factor: SecondFactor
  readonly challenges: PasskeyChallenges
  readonly pins: PinSealer
  readonly knownBrowsers: KnownBrowsers
  readonly tokenTtl_s: number
  /** Whether emails can be sent. */
  readonly mails: boolean
}

const browserCookie = (deps: Pick<SessionDeps, 'secure'>): string => cookieName('sanad_device', deps)
const year_s = 365 * day_s

const cookieOptions = (deps: Pick<SessionDeps, 'secure'>, maxAge: number) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: deps.secure, maxAge }) as const

export const setSessionCookie = (deps: SessionDeps, reply: FastifyReply, session: NewSession): void => {
  reply.setCookie(sessionCookie(deps), session.token, cookieOptions(deps, wholeLife_ms / 1000))
}

/** The cookie of a counter is set again with every PIN, so that it lasts as long as the counter is used. */
export const setCounterCookie = (deps: SessionDeps, reply: FastifyReply, token: string): void => {
  reply.setCookie(counterCookie(deps), token, cookieOptions(deps, year_s))
}

/** A member signs in with a password at a counter: afterwards it is locked, and not the cashier's again. */
export const lockCounterIn = async (deps: SessionDeps, request: FastifyRequest, now: Instant): Promise<void> => {
  const counter = await counterIn(request, deps, now)
  if (counter !== undefined && cellOf(request.server, counter.accountId) === undefined)
    await lockCounterRow(deps.db, wholeAccount(counter.accountId), counter.id)
}

/** The browser of this request, if it is known for `email`: its guesses at the password are counted under its `name`. */
export const knownBrowserIn = (deps: SessionDeps, request: FastifyRequest, email: string): KnownBrowser | undefined =>
  deps.knownBrowsers.find(request.cookies[browserCookie(deps)], email)

/** This browser as it is known for `email` from now on: its name, whether it had it before, and its cookie. */
export const browserOf = (
  deps: SessionDeps,
  request: FastifyRequest,
  email: string,
  how: KnownBrowser['how'] = 'signed_in',
): { readonly place: SignInPlace; readonly cookie: string } => {
  const before = knownBrowserIn(deps, request, email)
  const cookie = deps.knownBrowsers.remember(request.cookies[browserCookie(deps)], email, how)
  const { name } = deps.knownBrowsers.find(cookie, email)!
  const wasKnown = before?.name === name && before.how === 'signed_in'
  return { place: { kind: 'browser', name, wasKnown }, cookie }
}

export const setBrowserCookie = (deps: SessionDeps, reply: FastifyReply, { cookie }: { cookie: string }): void => {
  reply.setCookie(browserCookie(deps), cookie, cookieOptions(deps, year_s))
}

export const expiryOf = async (deps: SessionDeps, { request, via, now }: UserCall): Promise<Instant | null> => {
  if (via.kind !== 'session') return null
  const session = await deps.sessions.bySession(sessionTokenIn(request, deps) ?? '', request.ip, now)
  return session?.expiresAt ?? null
}

/**
 * The user after a change of their session, read past the cache: in the account of the call, if they still belong to it,
 * or else in the account of the session.
 */
export const reloadedMe = async (
  deps: SessionDeps,
  call: UserCall,
  accountId = call.user.member?.accountId,
): Promise<Me> => {
  const token = sessionTokenIn(call.request, deps) ?? ''
  if (call.via.kind !== 'session') return meOf(deps, call.user, null, call.now)
  deps.sessions.forgetSession(token)
  const session = await deps.sessions.bySession(token, call.request.ip, call.now)
  if (session === undefined) return meOf(deps, call.user, null, call.now)
  const { user, expiresAt } = session
  const inAccount = accountId === undefined ? undefined : await deps.sessions.inAccount(user, accountId, call.now)
  return meOf(deps, inAccount ?? user, expiresAt, call.now)
}

type OwnAccountRow = RowOf<(typeof accountsOfUser)['columns']>

export const meOf = async (
  deps: SessionDeps,
  user: Authenticated['user'],
  expiresAt: Instant | null,
  now: Instant,
): Promise<Me> => {
  const accountAnswer = ({ id, name, role, time_zone }: OwnAccountRow) => ({
    id,
    name,
    role: role as MemberRole,
    time_zone: time_zone === '' ? deps.zone.name : time_zone,
  })
  const accounts = (await accountsOfUser(deps.db, user.userId)).map(accountAnswer)
  const requests = (await requestsOfUser(deps.db, user.userId)).map(accountAnswer)
  const [protection] = await protectionOfUser(deps.db, user.userId)
  const hasFactor = protection?.second_factor ?? false
  const deadline = user.member?.factorDeadline ?? null
  return {
    user: {
      id: user.userId,
      email: user.email,
      name: user.name,
      operator: user.operator,
      second_factor: hasFactor,
      address_proved: protection?.proved ?? false,
    },
    account: accounts.find(({ id }) => id === user.member?.accountId) ?? null,
    accounts,
    requests,
    second_factor_due:
      deadline === null || hasFactor ? null : { at: deps.zone.format(new Date(deadline)), over: now >= deadline },
    operator_needs_factor: user.operator && deps.operatorsNeedFactor && !hasFactor,
    wallets:
      user.member === null
        ? null
        : await namedWallets(deps.db, wholeAccount(user.member.accountId), user.member.wallets),
    today_only: user.member?.todayOnly ?? false,
    actions: user.member === null ? [] : actionsOf(user.member),
    service_time_zone: deps.zone.name,
    sends_mail: deps.mails,
    expires_at: timeOrNull(deps.zone, expiresAt),
    counter: null,
  }
}

/** A cashier at a counter: this account alone, and nothing of their address or their other accounts. */
export const meAtCounter = async (deps: SessionDeps, counter: OpenCounter, now: Instant): Promise<Me> => {
  const { cashier, accountId } = counter
  if (cashier === null) throw new Error('a locked counter has nobody')
  const { zone } = await deps.terms(accountId, now)
  const account = { id: accountId, name: counter.account, role: 'cashier' as const, time_zone: zone.name }
  return {
    user: {
      id: cashier.userId,
      email: '',
      name: cashier.name === '' ? cashier.email : cashier.name,
      operator: false,
      second_factor: false,
      address_proved: false,
    },
    account,
    accounts: [account],
    requests: [],
    wallets: await namedWallets(deps.db, wholeAccount(accountId), cashier.member!.wallets),
    today_only: cashier.member!.todayOnly,
    actions: counterActions(cashier.member!),
    second_factor_due: null,
    operator_needs_factor: false,
    service_time_zone: deps.zone.name,
    sends_mail: deps.mails,
    expires_at: null,
    counter: { name: counter.name, idle_minutes: counter.idle_minutes },
  }
}
