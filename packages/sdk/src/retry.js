/** Decides whether a failed request is sent again, and after which wait. Pure. */
import { SanadConnectionError, SanadError } from './errors.js'

const first_ms = 500
const longest_ms = 8000

// 408, 502 and 504 come from proxies. 401 is not among them: calls.js renews the token.
const retriedStatuses = new Set([408, 409, 429, 500, 502, 503, 504])

/**
 * `Retry-After` in seconds: a whole number or a date.
 *
 * @param {string | null} header
 * @param {number} now
 * @returns {number | null}
 */
export const retryAfterSeconds = (header, now) => {
  if (header === null || header.trim() === '') return null
  if (/^\d{1,9}$/.test(header.trim())) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now) / 1000))
}

/**
 * The wait in milliseconds before the request is sent again; undefined: it is not sent again. All but one of the SDK's
 * requests are safe to repeat: reads, the attachment of a reference, a token, and a create with its key. The exception is a
 * new payment link, which has no key: it is repeated only after a 429, because a 429 has created nothing.
 *
 * @param {unknown} fault
 * @param {{ attempt: number, maxRetries: number, maxRetryWait: number, random: number, isRepeatable?: boolean }} rules
 *   `attempt` counts from 1.
 * @returns {number | undefined}
 */
export const retryWait = (fault, { attempt, maxRetries, maxRetryWait, random, isRepeatable = true }) => {
  if (attempt > maxRetries || !isRetryable(fault)) return undefined
  if (!isRepeatable && !(fault instanceof SanadError && fault.status === 429)) return undefined
  // Half of it is random: servers that failed together must not come back together.
  const backoff = Math.min(longest_ms, first_ms * 2 ** (attempt - 1)) * (0.5 + random / 2)
  const retryAfter = fault instanceof SanadError && fault.retryAfter !== null ? fault.retryAfter * 1000 : 0
  // A daily limit can ask for a wait of hours: the caller gets the error instead.
  if (retryAfter > maxRetryWait) return undefined
  return Math.min(maxRetryWait, retryAfter === 0 ? backoff : retryAfter + backoff / 4)
}

/** @param {unknown} fault */
const isRetryable = (fault) => {
  if (fault instanceof SanadError) return retriedStatuses.has(fault.status)
  if (!(fault instanceof SanadConnectionError)) return false
  return fault.status === null || retriedStatuses.has(fault.status)
}
