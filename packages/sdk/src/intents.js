/** `sanad.intents`: create, retrieve, attach the reference, list and wait. Amounts are texts all the way. */
import { adviceOf, keyHeader, pathOf, requireTextAmounts } from './arguments.js'
import { SanadError, SanadWaitError } from './errors.js'
import { everyPage, queryOf } from './pages.js'

/** @import { Intent, IntentPage, Intents, WaitOptions } from '../types/sdk.d.ts' */
/** @import { Call } from './calls.js' */
/** @import { Transport } from './send.js' */

const firstPoll_ms = 2000
const slowestPoll_ms = 15_000

/**
 * @param {Call} call
 * @param {Pick<Transport, 'sleep' | 'now'>} time
 * @returns {Intents}
 */
export const intentsOf = (call, { sleep, now }) => {
  /** @param {string} id */
  const pathTo = (id) => pathOf('/intents/', id, 'an intent')

  /** @type {Intents['retrieve']} */
  const retrieve = async (id, { signal } = {}) =>
    /** @type {Intent} */ ((await call('GET', pathTo(id), { signal })).body)

  /** @type {Intents['page']} */
  const page = async (filter = {}, { signal } = {}) =>
    /** @type {IntentPage} */ ((await call('GET', `/intents/${queryOf(filter)}`, { signal })).body)

  return {
    retrieve,
    page,

    async create(body, { idempotencyKey = crypto.randomUUID(), signal } = {}) {
      requireTextAmounts(body, ['amount'])
      const headers = keyHeader(idempotencyKey)
      const advice = adviceOf('intent', idempotencyKey)
      const { body: created, header } = await call('POST', '/intents/', { body, headers, signal, advice })
      const intent = /** @type {Intent} */ (created)
      // A replay is the stored answer: meanwhile the intent may be paid or expired.
      return header('idempotent-replayed') === null ? intent : retrieve(intent.id, { signal })
    },

    async attachReference(id, reference, { signal } = {}) {
      if (typeof reference !== 'string') throw new TypeError('reference must be a string: a number can lose digits.')
      try {
        const { body } = await call('PATCH', pathTo(id), { body: { reference }, signal })
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

    list: (filter = {}, { signal } = {}) => everyPage(call, '/intents/', filter, { byTime: true, signal }),

    async wait(id, { until, timeout = 600_000, signal } = {}) {
      const isReached = ruleOf(until)
      const end = now() + timeout
      for (let pause = firstPoll_ms; ; pause = Math.min(slowestPoll_ms, pause * 1.5)) {
        const intent = await retrieve(id, { signal })
        if (intent.status !== 'PENDING' || isReached(intent)) return intent
        const remaining_ms = end - now()
        if (remaining_ms <= 0) throw new SanadWaitError(intent, timeout)
        await sleep(Math.min(pause, remaining_ms), signal)
      }
    },
  }
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
