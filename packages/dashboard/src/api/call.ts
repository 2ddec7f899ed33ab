/**
 * One call of the dashboard's API, typed by the contract: `call('signIn', { body })`. A problem is thrown as a
 * `ProblemAnswer` with its codes; what to say of it is for the screens. Nobody else speaks to the server.
 *
 * Every call names the account that this page shows. Another tab may have switched the session to another one: what is done
 * here lands where the page says that it does, or is refused.
 */

import { calls } from 'virtual:calls'
import type * as contract from '@sanad/contract/dashboard/calls'
import type { AnswerOf, BodyOf, Operation } from '@sanad/contract/dashboard/operation'
import { forgetFirst, peekFirst, takeFirst } from './first-answers.ts'

type Contract = typeof contract
export type CallName = {
  [Name in keyof Contract]: Contract[Name] extends Operation ? Name : never
}[keyof Contract]
type OperationOf<Name extends CallName> = Contract[Name] extends Operation ? Contract[Name] : never
export type Answer<Name extends CallName> = AnswerOf<OperationOf<Name>>

export type Question<Name extends CallName> = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: BodyOf<OperationOf<Name>>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export type ProblemEntry = { readonly code: string; readonly detail: string; readonly attr: string | null }

/** What the server said no with. Status 0: it could not be reached. */
export class ProblemAnswer extends Error {
  readonly status: number
  readonly errors: readonly ProblemEntry[]
  readonly retryAfter_s: number | undefined
  /** What the sentence speaks of, by its name. */
  readonly facts: Readonly<Record<string, string>>

  constructor(
    status: number,
    errors: readonly ProblemEntry[],
    retryAfter_s?: number,
    facts: Readonly<Record<string, string>> = {},
  ) {
    super(errors[0]?.detail ?? `status ${status}`)
    this.status = status
    this.errors = errors
    this.retryAfter_s = retryAfter_s
    this.facts = facts
  }

  has(code: string): boolean {
    return this.errors.some((error) => error.code === code)
  }
}

const base = '/api/v1/dashboard'

/** As the server last said it to this page; undefined before anybody is signed in. */
let shown: string | undefined
/** The calls that answer who is signed in, and in which account. */
const tellsWho: readonly CallName[] = [
  'signIn',
  'showMe',
  'switchAccount',
  'changeMe',
  'leaveAccount',
  'acceptInvitation',
]

/** The address of a call for what carries no headers: links that a browser follows by itself, such as a CSV, and streams. */
export const addressOf = <Name extends CallName>(
  name: Name,
  { path = {}, query = {} }: Pick<Question<Name>, 'path' | 'query'> = {},
): string => placeOf(name, { path, query: { ...query, acting_for: shown } })

const placeOf = <Name extends CallName>(
  name: Name,
  { path = {}, query = {} }: Pick<Question<Name>, 'path' | 'query'> = {},
): string => {
  const [, pattern] = calls[name as string]!
  const filled = pattern.replaceAll(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(path[place] ?? ''))
  const asked = new URLSearchParams()
  for (const [key, value] of Object.entries(query))
    if (value !== undefined && value !== '') asked.set(key, String(value))
  return `${base}${filled}${asked.size === 0 ? '' : `?${asked}`}`
}

/** Set by the frame: somebody whose session ended is led to the door. */
let onSignedOut: () => void = () => {}
export const whenSignedOut = (then: () => void): void => {
  onSignedOut = then
}

/** What the page brought as the answer to this question, once: undefined where it must be asked. */
export const brought = <Name extends CallName>(name: Name, question: Question<Name>): Answer<Name> | undefined => {
  if (calls[name as string]![0] !== 'GET') return undefined
  const place = placeOf(name, question)
  const answer = peekFirst(place)
  // That nobody is signed in is told as the server tells it.
  if (answer === undefined || answer === null) return undefined
  takeFirst(place)
  if (tellsWho.includes(name)) shown = (answer as Answer<'showMe'>).account?.id
  return answer as Answer<Name>
}

/**
 * Counts how often somebody went out by themselves. What was asked before they did may be answered after it: that its session
 * is over tells them nothing new, and nothing of whoever came in since.
 */
let departures = 0
let leaving = false

/** Set by the frame: somebody who may no longer act for the account they look at is shown another of theirs. */
let onAccountLost: () => void = () => {}
export const whenAccountLost = (then: () => void): void => {
  onAccountLost = then
}

export const call = async <Name extends CallName>(name: Name, question: Question<Name> = {}): Promise<Answer<Name>> => {
  if (name !== 'signOut') return ask(name, question)
  leaving = true
  departures++
  try {
    return await ask(name, question)
  } finally {
    leaving = false
    departures++
  }
}

const ask = async <Name extends CallName>(name: Name, question: Question<Name>): Promise<Answer<Name>> => {
  const before = departures
  const [method] = calls[name as string]!
  const { body, headers, signal } = question
  const place = placeOf(name, question)
  if (method !== 'GET') forgetFirst()
  if (takeFirst(place) === null) throw new ProblemAnswer(401, [])
  const asked = fetch(place, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      // The way out is open from anywhere.
      ...(shown === undefined || name === 'signOut' ? {} : { 'x-sanad-account': shown }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  })
  const answer = await asked.catch((fault: unknown) => {
    if (signal?.aborted) throw fault
    throw new ProblemAnswer(0, [{ code: 'unreachable', detail: 'The service could not be reached.', attr: null }])
  })
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  const said: unknown = isJson ? await answer.json() : undefined
  if (answer.ok) {
    if (tellsWho.includes(name)) shown = (said as Answer<'showMe'>).account?.id
    if (name === 'signOut') shown = undefined
    return said as Answer<Name>
  }
  const { errors = [], facts } = (said ?? {}) as { errors?: ProblemEntry[]; facts?: Record<string, string> }
  const retry = Number(answer.headers.get('retry-after') ?? '')
  const atTheDoor: readonly CallName[] = ['signIn', 'showMe', 'acceptInvitation']
  const problem = new ProblemAnswer(answer.status, errors, retry > 0 ? retry : undefined, facts)
  const lost = problem.has('account_not_allowed')
  const isPast = leaving || departures !== before
  if ((lost || answer.status === 401) && !isPast) shown = undefined
  if (lost && !isPast) onAccountLost()
  if (answer.status === 401 && !isPast && !atTheDoor.includes(name)) onSignedOut()
  throw problem
}
