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

const secretName = '[^"=&?]*(?:secret|passw|token|authorization|api_?key|private|pin\\b|otp)[^"=&?]*'
const inQuery = new RegExp(`([?&]${secretName}=)[^&]*`, 'gi')
const inJson = new RegExp(`("${secretName}"\\s*:\\s*)("(?:[^"\\\\]|\\\\.)*"?|[^\\s,}\\]]+)`, 'gi')

/** What PostgreSQL can store, and no more than it should. */
const storable = (text: string, longest: number): string => text.replaceAll('\0', '').slice(0, longest).toWellFormed()

/** Without the values of parameters whose names sound like a secret. The API has none; a developer may send one by mistake. */
export const keptPath = (url: string): string => storable(url.replace(inQuery, '$1***'), longestPath)

/** The beginning of a body, without the values of fields whose names sound like a secret. */
export const keptBody = (text: string): string => storable(text.replace(inJson, '$1"***"'), longestBody)

export const keptAnswer = (text: string): string => storable(text, longestBody)

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
