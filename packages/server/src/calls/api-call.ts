/**
 * A call of an account to the API as its developers see it: what is kept of it, without secrets, and how many are kept. Pure.
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
  /** With its query. */
  readonly path: string
  readonly status: number
  /** The code of the first error; empty: none. */
  readonly code: string
  readonly took_ms: number
  readonly requestId: string
  /** Only of a failed call; never of a token request. */
  readonly requestBody: string
  readonly errorBody: string
  /** Calls before this one that were left out. */
  readonly skipped: number
}

export const hasFailed = (status: number): boolean => status >= 400

const longestPath = 500
const longestBody = 2_000

const soundsSecret = /secret|passw|token|authorization|api_?key|private|pin\b|otp/i

/** A signing secret, a token, and any long random text, such as a client secret: wherever a developer has put it by mistake. */
const looksSecret =
  /whsec_[\w-]+|eyJ[\w-]{8,}(?:\.[\w-]*)*|(?<![\w-])(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{40,}(?![\w-])/g

/** A name, and the value or its beginning. A string is one value, so that nothing inside of it is taken for a name. */
const field = /("(?:[^"\\]|\\.)*")(\s*:\s*)("(?:[^"\\]|\\.)*"?|[[{]|[^\s,}\]]+)/g

/** The name as it is meant: `client\u005fsecret` is `client_secret`. */
const nameIn = (quoted: string): string => {
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

/** What PostgreSQL can store, and no more than it should. */
const storable = (text: string, longest: number): string => text.replaceAll('\0', '').slice(0, longest).toWellFormed()

/** Without the values of parameters whose names sound like a secret. The API has none; a developer may send one by mistake. */
export const keptPath = (url: string): string => {
  const hidden = url.replace(/([?&])([^=&?]*)=[^&]*/g, (whole, mark: string, name: string) =>
    soundsSecret.test(decoded(name)) ? `${mark}${name}=***` : whole,
  )
  return storable(hidden.replace(looksSecret, '***'), longestPath)
}

/** The beginning of a body, without the values of fields whose names sound like a secret. */
export const keptBody = (text: string): string => {
  let end = text.length
  const hidden = text.replace(field, (whole, name: string, colon: string, value: string, at: number) => {
    if (at >= end || !soundsSecret.test(nameIn(name))) return whole
    // A list or an object: where it ends is not known without reading it. The rest is not kept.
    if (/^[[{]/.test(value)) end = at
    return `${name}${colon}"***"`
  })
  const cut = end === text.length ? hidden : `${keptBody(text.slice(0, end))}…`
  return storable(cut.replace(looksSecret, '***'), longestBody)
}

/** An error repeats some of what was sent. */
export const keptAnswer = (text: string): string => storable(text.replace(looksSecret, '***'), longestBody)

/** How many calls of an account may be kept: so many at once, and then one each `refill_ms`. */
export type Allowance = { readonly most: number; readonly refill_ms: number }

export type AllowanceState = { readonly left: number; readonly at: Instant }

/** Takes one; undefined: none is left. A clock that was set back gives nothing and takes nothing away. */
export const takeOne = (
  { most, refill_ms }: Allowance,
  state: AllowanceState | undefined,
  now: Instant,
): AllowanceState | undefined => {
  const gained = state === undefined ? most : Math.max(0, now - state.at) / refill_ms
  const left = Math.min(most, (state?.left ?? 0) + gained)
  return left < 1 ? undefined : { left: left - 1, at: now }
}
