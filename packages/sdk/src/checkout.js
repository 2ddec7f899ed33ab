/**
 * One live intent for each order. Before anything is sent, the attempt is stored: its number, its idempotency key and its
 * body. So a request whose answer was lost is repeated with the same key, a second call finds the first, and after expiry
 * a new attempt gets a new key.
 *
 * Nobody is asked to pay before all intents of the order were read: of earlier attempts, of another server, of a store that
 * was lost, and those that a user made by booking or accepting money. If one of them is VERIFIED, the order is paid.
 *
 * Keys are random, not made from the order number: two shops of one account may have the same numbers.
 */
import { decimal, totalOf } from './amounts.js'
import { orderIdOf, requireTextAmounts } from './arguments.js'
import { isChecking, isRelevant, isSameRequest, paymentsOf, sumOf } from './order-payments.js'

/** @import { CheckoutOptions, CheckoutRecord, CheckoutState, CheckoutStore, CreateIntent } from '../types/sdk.d.ts' */
/** @import { Intent, Intents, StartedCheckout, Wallets } from '../types/sdk.d.ts' */
/** @typedef {{ relevant: Intent[], ended: Set<string> }} OrderIntents `ended`: the ids of those that ended without money. */

/** How many rounds may be lost to concurrent calls. Each lost round means that another call made progress. */
const mostRounds = 10
/** So many wrong amounts of an order can be answered with `again`. */
const mostDecided = 100

/**
 * @param {{ intents: Intents, wallets: Wallets }} client
 * @param {CheckoutOptions} options
 * @returns {Promise<StartedCheckout>}
 */
export const startCheckout = async ({ intents, wallets }, options) => {
  const { orderId, store, again = false, signal } = options
  orderIdOf(orderId)
  requireTextAmounts(options, ['amount'])
  const request = requestOf(options)
  const total = totalOf(options)
  const asked = total === null ? null : decimal(total)
  /** @type {(record: CheckoutRecord | undefined, decided: string[]) => Promise<boolean>} */
  const newAttempt = (record, decided) =>
    store.set(orderId, {
      version: (record?.version ?? 0) + 1,
      attempt: (record?.attempt ?? 0) + 1,
      idempotencyKey: crypto.randomUUID(),
      request,
      intentId: null,
      decided,
    })

  /** @type {OrderIntents | undefined} Undefined: to be read, or to be read again. */
  let order
  for (let round = 0; round < mostRounds; round++) {
    const record = (await store.get(orderId)) ?? undefined
    order ??= await readOrder(intents, orderId, signal)
    const id = record?.intentId ?? null
    if (id !== null && !order.ended.has(id) && !order.relevant.some((intent) => intent.id === id)) {
      // Created after the others were read, by another server.
      const intent = await intents.retrieve(id, { signal })
      if (isRelevant(intent)) order.relevant.push(intent)
      else order.ended.add(id)
    }
    const counted = await countedIntents(wallets, options, order.relevant)
    const payments = paymentsOf(counted)
    /** @type {(state: CheckoutState, intent: Intent) => StartedCheckout} */
    const answer = (state, intent) => ({ state, intent, attempt: record?.attempt ?? 0, asked, paid: sumOf(payments) })

    const [payment] = payments
    if (payment !== undefined) return answer('paid', payment)
    const checking = counted.findLast(isChecking)
    if (checking !== undefined) return answer('checking', checking)
    const wrongAmounts = counted.filter(({ status }) => status === 'WRONG_AMOUNT')
    const decidedBefore = decidedOf(record, wrongAmounts)
    const undecided = wrongAmounts.filter((intent) => !decidedBefore.includes(intent.id))
    const wrong = undecided.at(-1)
    if (wrong !== undefined && !again) return answer('wrong_amount', wrong)
    const decided = [...decidedBefore, ...undecided.map((intent) => intent.id)].slice(-mostDecided)

    if (record !== undefined && isSameRequest(record.request, request)) {
      const open = counted.find((intent) => intent.id === id)
      if (open?.status === 'PENDING') {
        if (wrong === undefined) return answer('pay', open)
        // The shop has decided about the wrong amount of another attempt: this one continues.
        await store.set(orderId, { ...record, version: record.version + 1, decided })
        continue
      }
      if (id === null && wrong === undefined) {
        const created = await intents.create(record.request, { idempotencyKey: record.idempotencyKey, signal })
        await store.set(orderId, { ...record, version: record.version + 1, intentId: created.id })
        // If the order has other intents, one of them may have been paid while this one was created.
        const isFirst = order.relevant.length === 0 && order.ended.size === 0
        order = isFirst && isRelevant(created) ? { relevant: [created], ended: new Set() } : undefined
        continue
      }
    }
    // There is no attempt, it has ended, or the buyer has chosen another wallet or amount.
    const isStored = await newAttempt(record, decided)
    if (!isStored) order = undefined
  }
  throw new Error(`The store never kept a record of order ${orderId}: does its set() compare versions?`)
}

/**
 * All intents of the order. Every status is read: while intents leave a status, its pages change and one could be missed.
 *
 * @param {Intents} intents
 * @param {string} orderId
 * @param {AbortSignal | undefined} signal
 */
const readOrder = async (intents, orderId, signal) => {
  /** @type {OrderIntents} */
  const order = { relevant: [], ended: new Set() }
  const filter = { external_order_id: orderId, ordering: /** @type {const} */ ('created_at'), page_size: 100 }
  const stored = orderIdOf(orderId)
  for await (const intent of intents.list(filter, { signal })) {
    if (intent.external_order_id !== stored) continue
    if (isRelevant(intent)) order.relevant.push(intent)
    else order.ended.add(intent.id)
  }
  return order
}

/**
 * The intents that count for this call. Test money pays no order that is to be paid with real money; and `ignore` names those
 * that paid another order with the same number.
 *
 * @param {Wallets} wallets
 * @param {CheckoutOptions} options
 * @param {readonly Intent[]} intents
 */
const countedIntents = async (wallets, { wallet, ignore = [], signal }, intents) => {
  const counted = intents.filter(({ id }) => !ignore.includes(id))
  if (!counted.some((intent) => intent.wallet.is_test)) return counted
  const id = String(wallet).toLowerCase()
  const used = counted.find((intent) => intent.wallet.id === id)
  const isTest =
    used?.wallet.is_test ??
    (await wallets.list({ includeTest: true, signal })).find((offered) => offered.id === id)?.is_test ??
    false
  return isTest ? counted : counted.filter((intent) => !intent.wallet.is_test)
}

/**
 * The ids of the intents in which another amount arrived, and after which the shop asked once more.
 *
 * @param {CheckoutRecord | undefined} record
 * @param {readonly Intent[]} wrongAmounts
 */
const decidedOf = (record, wrongAmounts) => {
  if (record === undefined) return []
  // A record of an earlier version: a later attempt was begun only after the shop had decided.
  return record.decided ?? wrongAmounts.map(({ id }) => id).filter((id) => id !== record.intentId)
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
