/**
 * The access token: requested once for all calls that wait for it, kept until shortly before it expires, and dropped when
 * the service refuses it.
 */
import { unlessAborted } from './send.js'

/** @import { TokenAnswer } from '../types/merchant-api.d.ts' */

const margin_ms = 60_000

/**
 * @param {() => Promise<TokenAnswer>} requestToken
 * @param {() => number} now
 */
export const tokenSource = (requestToken, now) => {
  /** @type {{ value: string, until: number } | undefined} */
  let current
  /** @type {Promise<string> | undefined} */
  let pending

  const renew = async () => {
    try {
      const { access_token: value, expires_in } = await requestToken()
      const lifetime_ms = expires_in * 1000
      // A short-lived token is used for at least half of its life.
      current = { value, until: now() + lifetime_ms - Math.min(margin_ms, lifetime_ms / 2) }
      return value
    } finally {
      pending = undefined
    }
  }

  return {
    /**
     * @param {AbortSignal} [signal]
     * @returns {Promise<string>}
     */
    get(signal) {
      if (current !== undefined && now() < current.until) return Promise.resolve(current.value)
      pending ??= renew()
      return unlessAborted(pending, signal)
    },
    /**
     * Drops the token, if it is still the current one: when many calls are refused, only one of them renews it.
     *
     * @param {string} value
     */
    forget(value) {
      if (current?.value === value) current = undefined
    },
  }
}
