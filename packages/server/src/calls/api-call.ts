/**
 * One API call of an account, as the log for its developers stores it: without secrets, and a limited number per account. Pure.
 */
import type { Instant } from '../core/clock.ts'
import type { AccountId } from '../core/ids.ts'

export type ApiCallId = string & { readonly of: 'api call' }

export type ApiCall = {
  readonly accountId: AccountId
  readonly id: ApiCallId
  readonly at: Instant
  readonly clientId: string
  readonly method: string
  /** The path with its query. */
  readonly path: string
  readonly status: number
  /** The code of the first error; empty: none. */
  readonly code: string
  readonly took_ms: number
  readonly requestId: string
  /** Stored only for a failed call, and never for a token request. */
  readonly requestBody: string
  readonly errorBody: string
  /** How to repair the request; empty: no hint. */
  readonly hint: string
  /** Names of what was sent and had no effect; empty: none. */
  readonly ignored: string
  /** How many calls before this one were not stored. */
  readonly skipped: number
}

export const hasFailed = (status: number): boolean => status >= 400

const longestPath = 500
const longestBody = 2_000

const secretName = /secret|passw|token|authorization|api_?key|private|pin\b|otp/i

/** A signing secret, a token, or a long random text such as a client secret, in any place where it was put by mistake. */
const secretValue =
  /whsec_[\w-]+|eyJ[\w-]{8,}(?:\.[\w-]*)*|(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{40,}(?![\w-])/g

/** The text without what looks like a secret. */
export const withoutSecrets = (text: string): string => text.replace(secretValue, '***')

/** A JSON name, and its value or the beginning of it. A string is one value, so that no name is found inside it. */
const field = /("(?:[^"\\]|\\.)*")(\s*:\s*)("(?:[^"\\]|\\.)*"?|[[{]|[^\s,}\]]+)/g

/** The name without escapes: `client\u005fsecret` is `client_secret`. */
const unescapedName = (quoted: string): string => {
  try {
    return JSON.parse(quoted)
  } catch {
    return quoted
  }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The text cut to `longest`, without characters that PostgreSQL cannot store. */
const storable = (text: string, longest: number): string => text.replaceAll('\0', '').slice(0, longest).toWellFormed()

/** `parameter` matches one: the mark before it, its name, its value. */
const maskParameters = (text: string, parameter: RegExp): string =>
  text.replace(parameter, (whole, mark: string, name: string) =>
    secretName.test(decoded(name)) ? `${mark}${name}=***` : whole,
  )

/** The path without the values of parameters that are named like a secret, which a developer may send by mistake. */
export const loggedPath = (url: string): string =>
  storable(maskParameters(url, /([?&])([^=&?]*)=[^&]*/g).replace(secretValue, '***'), longestPath)

const looksLikeJson = (text: string): boolean => /^\s*["[{]/.test(text)

/** The beginning of a body, without the values of JSON or form fields that are named like a secret. */
export const loggedBody = (sent: string): string => {
  const text = looksLikeJson(sent) ? sent : maskParameters(sent, /(^|&)([^=&]*)=[^&]*/g)
  let end = text.length
  const hidden = text.replace(field, (whole, name: string, colon: string, value: string, at: number) => {
    if (at >= end || !secretName.test(unescapedName(name))) return whole
    // The end of a list or an object is not known without parsing it, so the rest of the body is dropped.
    if (/^[[{]/.test(value)) end = at
    return `${name}${colon}"***"`
  })
  const cut = end === text.length ? hidden : `${loggedBody(text.slice(0, end))}…`
  return storable(cut.replace(secretValue, '***'), longestBody)
}

/** The body of an error, which may repeat a part of the request. */
export const loggedAnswer = (text: string): string => storable(text.replace(secretValue, '***'), longestBody)

/** How many calls of an account are stored: `most` at once, and then one each `refill_ms`. */
export type Allowance = { readonly most: number; readonly refill_ms: number }

export type AllowanceState = { readonly left: number; readonly at: Instant }

/** The state after one call; undefined: the allowance is used up. A clock that is set back refills nothing. */
export const takeOne = (
  { most, refill_ms }: Allowance,
  state: AllowanceState | undefined,
  now: Instant,
): AllowanceState | undefined => {
  const gained = state === undefined ? most : Math.max(0, now - state.at) / refill_ms
  const left = Math.min(most, (state?.left ?? 0) + gained)
  return left < 1 ? undefined : { left: left - 1, at: now }
}
