/**
 * The access token: requested once for all calls that wait for it, kept until shortly before it expires, and dropped when
 * the service refuses it.
 */
import { unlessAborted } from './send.js'

/** @import { TokenAnswer } from '../types/merchant-api.d.ts' */

const margin_ms = 60_000

/**
 * @param {() => Promise<TokenAnswer>} buy
 * @param {() => number} now
 */
export const tokenSource = (buy, now) => {
  /** @type {{ value: string, until: number } | undefined} */
  let held
  /** @type {Promise<string> | undefined} */
  let buying

  const renew = async () => {
    try {
      const { access_token: value, expires_in } = await buy()
      const lifetime_ms = expires_in * 1000
      // A short-lived token is used for at least half of its life.
      held = { value, until: now() + lifetime_ms - Math.min(margin_ms, lifetime_ms / 2) }
      return value
    } finally {
      buying = undefined
    }
  }

  return {
    /**
     * @param {AbortSignal} [signal]
     * @returns {Promise<string>}
     */
    get(signal) {
      if (held !== undefined && now() < held.until) return Promise.resolve(held.value)
      buying ??= renew()
      return unlessAborted(buying, signal)
    },
    /**
     * Only if it is still the one in use: of many calls that were refused, one renews.
     *
     * @param {string} value
     */
    forget(value) {
      if (held?.value === value) held = undefined
    },
  }
}
