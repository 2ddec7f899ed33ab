/**
 * One live intent for each order. Before anything is sent, the attempt is stored: its number, its idempotency key and its
 * body. So a request whose answer was lost is repeated with the same key, a second call finds the first, and after expiry
 * a new attempt gets a new key. An order that is paid never gets another intent.
 *
 * Keys are random, not made from the order number: two shops of one account may have the same numbers.
 */
import { SanadError } from './errors.js'

/** @import { CheckoutOptions, CheckoutRecord, CheckoutState, CheckoutStore, CreateIntent } from '../types/sdk.d.ts' */
/** @import { Intent, Intents } from '../types/sdk.d.ts' */

/** How many rounds may be lost to concurrent calls. Each lost round means that another call made progress. */
const mostRounds = 10

/**
 * @param {Intents} intents
 * @param {CheckoutOptions} options
 * @returns {Promise<{ state: CheckoutState, intent: Intent, attempt: number }>}
 */
export const startCheckout = async (intents, options) => {
  const { orderId, store, again = false, signal } = options
  if (typeof orderId !== 'string' || orderId === '')
    throw new TypeError('orderId must be your order number, as a text.')
  const request = requestOf(options)
  /** @param {CheckoutRecord | undefined} previous */
  const newAttempt = (previous) =>
    store.set(orderId, {
      version: (previous?.version ?? 0) + 1,
      attempt: (previous?.attempt ?? 0) + 1,
      idempotencyKey: crypto.randomUUID(),
      request,
      intentId: null,
      since: previous?.since ?? null,
    })

  for (let round = 0; round < mostRounds; round++) {
    const record = (await store.get(orderId)) ?? undefined
    if (record === undefined) {
      await newAttempt(undefined)
      continue
    }
    if (record.intentId === null) {
      const created = await createOnce(intents, record, signal)
      if (created instanceof SanadError) {
        // Nothing was created. A refused request of an earlier call does not stop this one.
        if (isSame(record.request, request)) throw created
        await newAttempt(record)
      } else {
        const since = record.since ?? created.created_at
        await store.set(orderId, { ...record, version: record.version + 1, intentId: created.id, since })
      }
      continue
    }
    const intent = await intents.retrieve(record.intentId, { signal })
    const state = stateOf(intent)
    const hasEndedAttempt = record.attempt > 1 || state === undefined || state === 'wrong_amount'
    const booked =
      state !== 'paid' && hasEndedAttempt ? await bookedIntent(intents, orderId, record, signal) : undefined
    if (booked !== undefined) return { state: 'paid', intent: booked, attempt: record.attempt }
    const isOver = state === undefined || (state === 'wrong_amount' && again)
    // Another wallet or amount, and no payment under way: the buyer has changed their choice.
    const isChanged = state === 'pay' && !isSame(record.request, request)
    if (!isOver && !isChanged) return { state, intent, attempt: record.attempt }
    await newAttempt(record)
  }
  throw new Error(`The store never kept a record of order ${orderId}: does its set() compare versions?`)
}

/**
 * The intent of this attempt, however often it is requested. If the service refuses, the refusal: there is no intent.
 *
 * @param {Intents} intents
 * @param {CheckoutRecord} record
 * @param {AbortSignal | undefined} signal
 */
const createOnce = async (intents, { request, idempotencyKey }, signal) => {
  try {
    return await intents.create(request, { idempotencyKey, signal })
  } catch (fault) {
    if (fault instanceof SanadError && fault.status === 400) return fault
    throw fault
  }
}

/**
 * The intent by which a user booked late or wrong money. A booking to an intent that has ended makes a new intent of the
 * same order, which no attempt knows. Only intents since the first attempt count: a shop may reuse its order numbers.
 *
 * @param {Intents} intents
 * @param {string} orderId
 * @param {CheckoutRecord} record
 * @param {AbortSignal | undefined} signal
 */
const bookedIntent = async (intents, orderId, { since }, signal) => {
  if (since === null) return undefined
  const filter = { external_order_id: orderId, status: /** @type {const} */ ('VERIFIED'), created_after: since }
  const { results } = await intents.page({ ...filter, page_size: 100 }, { signal })
  return results.find((intent) => intent.manual_override)
}

/**
 * Undefined: the intent ended without money, so a new attempt may begin.
 *
 * @param {Intent} intent
 * @returns {CheckoutState | undefined}
 */
const stateOf = ({ status, reference }) => {
  if (status === 'VERIFIED') return 'paid'
  if (status === 'WRONG_AMOUNT') return 'wrong_amount'
  if (status === 'PENDING') return reference === '' ? 'pay' : 'checking'
  return undefined
}

/**
 * @param {CheckoutOptions} options
 * @returns {CreateIntent}
 */
const requestOf = ({ orderId, wallet, amount, items, notes }) => ({
  wallet,
  ...(amount === undefined ? {} : { amount }),
  ...(items === undefined ? {} : { items }),
  external_order_id: orderId,
  ...(notes === undefined ? {} : { notes }),
})

/**
 * Compares two JSON values. The order of fields does not matter: a database may change it.
 *
 * @param {unknown} a
 * @param {unknown} b
 * @returns {boolean}
 */
const isSame = (a, b) => {
  if (typeof a !== 'object' || a === null || typeof b !== 'object' || b === null) return a === b
  const [left, right] = [Object.entries(a), Object.entries(b)]
  return left.length === right.length && left.every(([name, value]) => isSame(value, Reflect.get(b, name)))
}

/** @returns {CheckoutStore} */
export const memoryStore = () => {
  /** @type {Map<string, string>} */
  const records = new Map()
  /** @param {string} orderId */
  const read = (orderId) => {
    const text = records.get(orderId)
    return text === undefined ? null : /** @type {CheckoutRecord} */ (JSON.parse(text))
  }
  return {
    get: async (orderId) => read(orderId),
    async set(orderId, record) {
      if ((read(orderId)?.version ?? 0) !== record.version - 1) return false
      records.set(orderId, JSON.stringify(record))
      return true
    },
  }
}
