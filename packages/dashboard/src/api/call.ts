/**
 * One call of the dashboard's API, typed by the contract: `call('signIn', { body })`. A problem is thrown as a
 * `ProblemAnswer` with its codes; screens choose the text for it. No other module sends requests to the server.
 *
 * Every call contains the account that this page shows. Another tab may have switched the session to another account: a
 * change made here applies to the account on the page, or is refused.
 */

import { calls } from 'virtual:calls'
import type * as contract from '@sanad/contract/dashboard/operations-by-name'
import type { AnswerOf, BodyOf, Operation, PathOf, SentQuery } from '@sanad/contract/operation'
import {
  checkService,
  isUnavailable,
  onReconnect,
  reportAnswered,
  reportUnreachable,
  setServiceCheck,
} from './connection.ts'
import { clearPreloaded, peekPreloaded, takePreloaded } from './preloaded.ts'
import { askForProof } from './proof.ts'

type Contract = typeof contract
export type CallName = {
  [Name in keyof Contract]: Contract[Name] extends Operation ? Name : never
}[keyof Contract]
type OperationOf<Name extends CallName> = Contract[Name] extends Operation ? Contract[Name] : never
export type Answer<Name extends CallName> = AnswerOf<OperationOf<Name>>

/** The ids in the path of a call: required where it has any. */
type PathInput<Name extends CallName> = [keyof PathOf<OperationOf<Name>>] extends [never]
  ? { readonly path?: undefined }
  : { readonly path: PathOf<OperationOf<Name>> }

export type CallQuery<Name extends CallName> = SentQuery<OperationOf<Name>>

export type AddressInput<Name extends CallName> = PathInput<Name> & { readonly query?: CallQuery<Name> }

export type CallInput<Name extends CallName> = AddressInput<Name> & {
  readonly body?: BodyOf<OperationOf<Name>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** The call changes nothing, even if it has a body. */
  readonly reads?: boolean
}

/** The last argument of a function: it may be left out if nothing in it is required. */
export type Argument<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input]

/** The input of any call, as this module handles it: its types were checked where it was given. */
type AnyInput = {
  readonly path?: Readonly<Record<string, string>> | undefined
  readonly query?: object
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  readonly reads?: boolean
}

export type ProblemEntry = { readonly code: string; readonly detail: string; readonly attr: string | null }

/**
 * What is known about a call without an answer. `reads`: it changes nothing. `not_sent`: the browser is offline. `unknown`:
 * it may have been carried out.
 */
export type Unanswered = 'reads' | 'not_sent' | 'unknown'

/** A refusal or an error of the server. Status 0: no answer came. */
export class ProblemAnswer extends Error {
  readonly status: number
  readonly errors: readonly ProblemEntry[]
  readonly retryAfter_s: number | undefined
  /** The values that the text of the problem contains, by name. */
  readonly facts: Readonly<Record<string, string>>
  /** Undefined: the server answered. */
  readonly unanswered: Unanswered | undefined
  /** Asks a manager to confirm what is over the user's limit. Undefined: it was refused for another reason. */
  ask: (() => Promise<unknown>) | undefined

  constructor(
    status: number,
    errors: readonly ProblemEntry[],
    retryAfter_s?: number,
    facts: Readonly<Record<string, string>> = {},
    unanswered?: Unanswered,
  ) {
    super(errors[0]?.detail ?? `status ${status}`)
    this.status = status
    this.errors = errors
    this.retryAfter_s = retryAfter_s
    this.facts = facts
    this.unanswered = unanswered
  }

  has(code: string): boolean {
    return this.errors.some((error) => error.code === code)
  }
}

const base = '/api/v1/dashboard'

/** The account of this page, as the server last reported it; undefined before sign-in. */
let shownAccount: string | undefined
/** The cashier of this page, at a counter; undefined elsewhere. Another tab may have switched the counter to another cashier. */
let shownCashier: string | undefined

const showSession = (me: Answer<'showMe'>): void => {
  shownAccount = me.account?.id
  shownCashier = me.counter === null ? undefined : me.user.id
}

/** The calls whose answer is the session: the user and the account. */
const sessionCalls: readonly CallName[] = [
  'signIn',
  'signInWithPasskey',
  'showMe',
  'switchAccount',
  'changeMe',
  'leaveAccount',
  'acceptInvitation',
  'enterPin',
]
/** What a counter does without a cashier, or with any. */
const counterCalls: readonly CallName[] = ['showCounterHere', 'enterPin', 'lockCounter', 'touchCounter']
/** A 401 of these calls means that there is no session yet, not that it ended. */
const callsWithoutSession: readonly CallName[] = [
  'signIn',
  'signInWithPasskey',
  'showMe',
  'acceptInvitation',
  ...counterCalls,
]

/** The URL of a call for requests without headers: links that the browser follows, such as a CSV, and streams. */
export const urlOf = <Name extends CallName>(name: Name, ...[input]: Argument<AddressInput<Name>>): string => {
  const { path, query }: AnyInput = input ?? {}
  return pathOf(name, { path, query: { ...query, acting_for: shownAccount, acting_as: shownCashier } })
}

const pathOf = (name: CallName, { path = {}, query = {} }: AnyInput = {}): string => {
  const [, pattern] = calls[name as string]!
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => encodeURIComponent(path[parameter]!))
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') parameters.set(key, String(value))
  return `${base}${filled}${parameters.size === 0 ? '' : `?${parameters}`}`
}

/** Set by the frame: shows the sign-in page when the session has ended. */
let onSignedOut: () => void = () => {}
export const setSignedOutHandler = (handler: () => void): void => {
  onSignedOut = handler
}

/** The answer to this call that came with the page, once; undefined: it must be fetched. */
export const preloaded = <Name extends CallName>(name: Name, input: AnyInput): Answer<Name> | undefined => {
  if (calls[name as string]![0] !== 'GET') return undefined
  const path = pathOf(name, input)
  const answer = peekPreloaded(path)
  // Null: there is no session. The call itself turns that into a 401.
  if (answer === undefined || answer === null) return undefined
  takePreloaded(path)
  if (sessionCalls.includes(name)) showSession(answer as Answer<'showMe'>)
  return answer as Answer<Name>
}

/**
 * Grows when a sign-out by the user begins and when it ends. A call that began before a sign-out may be answered with 401
 * after it. That answer is ignored: it says nothing about the session of a user who signed in since.
 */
let signOuts = 0
/** Counts sign-ins on this page. */
let signIns = 0
let isSigningOut = false
let isSignedOutByUser = false

/** Whether the user has signed out since the last sign-in: then a 401 is expected. */
export const signedOutByUser = (): boolean => isSignedOutByUser

/** Whether the user is signing out: then the end of the session is expected. */
export const isLeaving = (): boolean => isSigningOut

/** Set by the frame: shows another account of the user when they lost access to this one. */
let onAccountLost: () => void = () => {}
export const setAccountLostHandler = (handler: () => void): void => {
  onAccountLost = handler
}

/** Set by the frame: a second factor is required now, so that only its set-up is shown. */
let onFactorNeeded: () => void = () => {}
export const setFactorNeededHandler = (handler: () => void): void => {
  onFactorNeeded = handler
}

/** Set by the frame: the account is used at another address, which is shown instead. */
let onAccountMoved: (origin: string) => void = () => {}
export const setAccountMovedHandler = (handler: (origin: string) => void): void => {
  onAccountMoved = handler
}

export const call = <Name extends CallName>(name: Name, ...[input]: Argument<CallInput<Name>>): Promise<Answer<Name>> =>
  callWith(name, input ?? {})

/** A call whose input was checked before: the hooks take it as their options. */
export const callWith = async <Name extends CallName>(name: Name, input: AnyInput): Promise<Answer<Name>> => {
  if (name !== 'signOut') return send(name, input)
  isSigningOut = true
  isSignedOutByUser = true
  signOuts++
  try {
    return await send(name, input)
  } finally {
    isSigningOut = false
    signOuts++
  }
}

/** Calls that find out who is there. */
const isOfAnyCashier = (name: CallName): boolean =>
  name === 'showMe' ||
  name === 'signOut' ||
  name === 'signIn' ||
  name === 'signInWithPasskey' ||
  counterCalls.includes(name)

const isJson = (headers: Headers): boolean => headers.get('content-type')?.startsWith('application/json') ?? false
/** The service never answers a call with an HTML page. */
const isPage = (headers: Headers): boolean => headers.get('content-type')?.startsWith('text/html') ?? false

/** The response and its JSON. Throws a `ProblemAnswer` with status 0 if no answer comes. */
const request = async (name: CallName, input: AnyInput) => {
  const [method] = calls[name as string]!
  const { body, headers, signal } = input
  const isRead = method === 'GET' || input.reads === true
  const path = pathOf(name, input)
  if (method !== 'GET') clearPreloaded()
  if (takePreloaded(path) === null) throw new ProblemAnswer(401, [])
  const limit = timeLimit(signal, isRead ? readWithin_ms : changeWithin_ms, isRead)
  try {
    const response = await fetch(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        // Signing out works whatever account is shown.
        ...(shownAccount === undefined || name === 'signOut' ? {} : { 'x-sanad-account': shownAccount }),
        ...(shownCashier === undefined || isOfAnyCashier(name) ? {} : { 'x-sanad-cashier': shownCashier }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: limit.signal,
    })
    // Some networks answer every request with a page of their own.
    const hasJson = isJson(response.headers)
    if (isPage(response.headers)) throw new TypeError('not an answer of the service')
    const json: unknown = hasJson ? await response.json() : undefined
    if (isUnavailable(response.status)) reportUnreachable()
    else reportAnswered()
    return { response, json, isRead }
  } catch (fault) {
    if (signal?.aborted) throw fault
    reportUnreachable()
    const unanswered = isRead ? 'reads' : navigator.onLine ? 'unknown' : 'not_sent'
    const entry = { code: 'unreachable', detail: 'The service could not be reached.', attr: null }
    throw new ProblemAnswer(0, [entry], undefined, {}, unanswered)
  } finally {
    limit.end()
  }
}

/** The time limit of the check whether the service answers. The check is a cheap call that every visitor may make. */
const checkWithin_ms = 8_000
setServiceCheck(async () => {
  try {
    const { status, headers } = await fetch(pathOf('showMe'), {
      method: 'HEAD',
      cache: 'no-store',
      signal: AbortSignal.timeout(checkWithin_ms),
    })
    return !isUnavailable(status) && isJson(headers)
  } catch {
    return false
  }
})

/** A call that takes longer counts as unanswered. A slow network needs time, but a dead one must not block the page. */
const readWithin_ms = 30_000
const changeWithin_ms = 60_000

/** After this time without an answer the service is checked, so that the page can say that it does not answer. */
const checkAfter_ms = 8_000

/** A read that is this old when the connection comes back was lost with the connection: it is aborted and made again. */
const lostAfter_ms = 5_000
const runningReads = new Map<() => void, number>()
onReconnect(() => {
  for (const [abort, since] of runningReads) if (performance.now() - since > lostAfter_ms) abort()
})

/** A signal that aborts with the caller's signal or after the time. */
const timeLimit = (signal: AbortSignal | undefined, ms: number, isRead: boolean) => {
  const controller = new AbortController()
  const abort = (): void => controller.abort()
  const timer = setTimeout(abort, ms)
  const check = setTimeout(() => void checkService(), checkAfter_ms)
  if (isRead) runningReads.set(abort, performance.now())
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort)
  return {
    signal: controller.signal,
    end: (): void => {
      clearTimeout(timer)
      clearTimeout(check)
      runningReads.delete(abort)
      signal?.removeEventListener('abort', abort)
    },
  }
}

const send = async <Name extends CallName>(name: Name, input: AnyInput): Promise<Answer<Name>> => {
  const [signOutsBefore, signInsBefore] = [signOuts, signIns]
  const { response, json, isRead } = await request(name, input)
  // The call began before the user signed in: its 401 says nothing about the current session.
  if (response.status === 401 && isRead && signIns !== signInsBefore) return send(name, input)
  if (response.ok) {
    if (name === 'signIn' || name === 'signInWithPasskey' || name === 'acceptInvitation' || name === 'enterPin') {
      signIns++
      isSignedOutByUser = false
    }
    if (sessionCalls.includes(name)) showSession(json as Answer<'showMe'>)
    if (name === 'signOut') {
      shownAccount = undefined
      shownCashier = undefined
    }
    return json as Answer<Name>
  }
  const { errors = [], facts } = (json ?? {}) as { errors?: ProblemEntry[]; facts?: Record<string, string> }
  const retryAfter_s = Number(response.headers.get('retry-after') ?? '')
  const problem = new ProblemAnswer(
    response.status,
    errors,
    retryAfter_s > 0 ? retryAfter_s : undefined,
    facts,
    isUnavailable(response.status) ? (isRead ? 'reads' : 'unknown') : undefined,
  )
  // Refused before anything was done: after the proof the same call is made again.
  if (problem.has('confirmation_required') && (await askForProof())) return send(name, input)
  const isAccountLost = problem.has('account_not_allowed') || problem.has('cashier_changed')
  const isStale = isSigningOut || signOuts !== signOutsBefore
  if ((isAccountLost || response.status === 401) && !isStale) {
    shownAccount = undefined
    shownCashier = undefined
  }
  if (isAccountLost && !isStale) onAccountLost()
  if (problem.has('account_moved') && problem.facts.origin !== undefined && !isStale) {
    // Asked again without an account, the service answers for another one that is used here.
    shownAccount = undefined
    onAccountMoved(problem.facts.origin)
  }
  // With 401 it is the answer to a sign-in without its code.
  if (response.status === 403 && problem.has('second_factor_required') && !isStale) onFactorNeeded()
  if (response.status === 401 && !isStale && !callsWithoutSession.includes(name)) onSignedOut()
  throw problem
}
