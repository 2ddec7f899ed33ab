/** `sanad.intents`: create, retrieve, attach the reference, list and wait. Amounts are texts all the way. */
import { SanadError, SanadWaitError } from './errors.js'

/** @import { CreateIntent, Intent, IntentFilter, IntentPage, Intents, WaitOptions } from '../types/sdk.d.ts' */
/** @import { Call } from './client.js' */
/** @import { Transport } from './send.js' */

const firstPoll_ms = 2000
const slowestPoll_ms = 15_000

/**
 * @param {Call} call
 * @param {Pick<Transport, 'sleep' | 'now'>} time
 * @returns {Intents}
 */
export const intentsOf = (call, { sleep, now }) => {
  /** @type {Intents['retrieve']} */
  const retrieve = async (id, { signal } = {}) =>
    /** @type {Intent} */ ((await call('GET', pathOf(id), { signal })).body)

  /** @type {Intents['page']} */
  const page = async (filter = {}, { signal } = {}) =>
    /** @type {IntentPage} */ ((await call('GET', `/intents/${queryOf(filter)}`, { signal })).body)

  return {
    retrieve,
    page,

    async create(body, { idempotencyKey = crypto.randomUUID(), signal } = {}) {
      requireTextAmounts(body)
      if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(idempotencyKey)) {
        throw new TypeError('idempotencyKey must be a text of 1 to 128 visible ASCII characters, such as a UUID.')
      }
      const headers = { 'service-idempotency-key': idempotencyKey }
      const { body: created, header } = await call('POST', '/intents/', { body, headers, signal })
      const intent = /** @type {Intent} */ (created)
      // A replay is the answer as it was then: by now the intent may be paid or expired.
      return header('idempotent-replayed') === null ? intent : retrieve(intent.id, { signal })
    },

    async attachReference(id, reference, { signal } = {}) {
      if (typeof reference !== 'string') throw new TypeError('reference must be a string: a number can lose digits.')
      try {
        const { body } = await call('PATCH', pathOf(id), { body: { reference }, signal })
        return /** @type {Intent} */ (body)
      } catch (fault) {
        if (!(fault instanceof SanadError) || !fault.has('intent_not_pending')) throw fault
        // The answer of an earlier attempt may have been lost after it verified the intent.
        const intent = await retrieve(id, { signal })
        const isResolved = intent.status === 'VERIFIED' || intent.status === 'WRONG_AMOUNT'
        if (isResolved && intent.reference === reference.trim()) return intent
        throw fault
      }
    },

    async *list(filter = {}, { signal } = {}) {
      let query = queryOf(filter)
      /** @type {ReadonlySet<string>} */
      let before = new Set()
      for (;;) {
        const { results, next } = await nextPage(query)
        // A new intent pushes others to the next page: those are not returned twice.
        for (const intent of results) if (!before.has(intent.id)) yield intent
        if (next === null) return
        before = new Set(results.map(({ id }) => id))
        // Only its query: the token is sent to no other address than baseUrl.
        query = new URL(next).search
      }

      /** @param {string} from */
      async function nextPage(from) {
        try {
          return /** @type {IntentPage} */ ((await call('GET', `/intents/${from}`, { signal })).body)
        } catch (fault) {
          // Fewer intents than a moment ago: the last page has gone.
          const isGone = before.size > 0 && fault instanceof SanadError && fault.status === 404
          if (isGone) return { results: [], next: null }
          throw fault
        }
      }
    },

    async wait(id, { until, timeout = 600_000, signal } = {}) {
      const isReached = ruleOf(until)
      const end = now() + timeout
      for (let pause = firstPoll_ms; ; pause = Math.min(slowestPoll_ms, pause * 1.5)) {
        const intent = await retrieve(id, { signal })
        if (intent.status !== 'PENDING' || isReached(intent)) return intent
        const left = end - now()
        if (left <= 0) throw new SanadWaitError(intent, timeout)
        await sleep(Math.min(pause, left), signal)
      }
    },
  }
}

/** @param {string} id */
const pathOf = (id) => {
  if (typeof id !== 'string' || id === '') throw new TypeError('id must be the id of an intent.')
  return `/intents/${encodeURIComponent(id)}/`
}

/** @param {Record<string, unknown> | IntentFilter} filter */
const queryOf = (filter) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined) continue
    const text = value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(',') : String(value)
    query.set(name, text)
  }
  return query.size === 0 ? '' : `?${query}`
}

/**
 * @param {WaitOptions['until']} until
 * @returns {(intent: Intent) => boolean}
 */
const ruleOf = (until) => {
  if (until === undefined) return () => false
  if (typeof until === 'function') return until
  const statuses = typeof until === 'string' ? [until] : until
  return ({ status }) => statuses.includes(status)
}

/** @param {CreateIntent} body */
const requireTextAmounts = ({ amount, items = [] }) => {
  /** @type {(name: string, value: unknown) => void} */
  const requireText = (name, value) => {
    if (value !== undefined && typeof value !== 'string') {
      throw new TypeError(`${name} must be a string such as "1500.00": a number is not exact.`)
    }
  }
  requireText('amount', amount)
  for (const [index, item] of items.entries()) requireText(`items.${index}.price`, item.price)
}
