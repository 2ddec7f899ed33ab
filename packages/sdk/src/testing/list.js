/** The lists of the fake: the filters, the order and the pages of the service. */

import { uuid } from './bodies.js'

/** @import { Checkout, Intent } from '../../types/sdk.d.ts' */
/** @import { Entry } from './bodies.js' */
/** @import { Row } from './ledger.js' */
/**
 * @typedef {{
 *   parameter: (name: string) => string,
 *   wantedStatuses: string[],
 *   wallet: string,
 *   words: string[],
 *   isInTime: (at: number) => boolean,
 * }} Filter
 */

const statuses = ['PENDING', 'VERIFIED', 'WRONG_AMOUNT', 'EXPIRED', 'CANCELLED']
const sortable = ['created_at', 'verified_at', 'payable_amount', 'status']

/**
 * A parameter of the query. If it is repeated, the last one counts.
 *
 * @type {(query: URLSearchParams, name: string) => string}
 */
const parameterOf = (query, name) => (query.getAll(name).at(-1) ?? '').trim()

/**
 * The filters that lists of intents and of checkouts have in common.
 *
 * @param {URLSearchParams} query
 * @param {readonly string[]} known The known statuses.
 * @returns {{ errors: Entry[] } | Filter}
 */
const readFilter = (query, known) => {
  /** @type {Entry[]} */
  const errors = []
  const parameter = (/** @type {string} */ name) => parameterOf(query, name)
  const wantedStatuses = parameter('status')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const wrong = wantedStatuses.find((part) => !known.includes(part))
  if (wrong !== undefined) {
    const detail = `Select a valid choice. ${wrong} is not one of the available choices.`
    errors.push({ code: 'invalid_choice', detail, attr: 'status' })
  }
  const wallet = parameter('wallet').toLowerCase()
  if (wallet !== '' && !uuid.test(wallet))
    errors.push({ code: 'invalid', detail: 'Enter a valid UUID.', attr: 'wallet' })
  const time = (/** @type {string} */ name) => {
    if (parameter(name) === '') return undefined
    const at = Date.parse(parameter(name))
    if (Number.isNaN(at)) errors.push({ code: 'invalid', detail: 'Enter a valid date/time.', attr: name })
    return at
  }
  const [after, before] = [time('created_after'), time('created_before')]
  if (errors.length > 0) return { errors }

  const words = parameter('search')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
  return {
    parameter,
    wantedStatuses,
    wallet,
    words,
    isInTime: (/** @type {number} */ at) =>
      (after === undefined || at >= after) && (before === undefined || at <= before),
  }
}

/**
 * @param {readonly Row[]} rows
 * @param {URLSearchParams} query
 * @param {string} address
 * @returns {{ errors: Entry[] } | { page: object } | undefined} Undefined: there is no such page.
 */
export const listPage = (rows, query, address) => {
  const filter = readFilter(query, statuses)
  if ('errors' in filter) return filter
  const { parameter, wantedStatuses, wallet, words, isInTime } = filter
  const found = rows
    .filter(({ at }) => isInTime(at))
    .map(({ intent }) => intent)
    .filter((intent) => {
      const texts = [intent.reference, intent.code, intent.external_order_id].map((text) => text.toLowerCase())
      return (
        (wantedStatuses.length === 0 || wantedStatuses.includes(intent.status)) &&
        (wallet === '' || intent.wallet.id === wallet) &&
        ['code', 'reference', 'external_order_id'].every(
          (name) => parameter(name) === '' || Reflect.get(intent, name) === parameter(name),
        ) &&
        words.every((word) => texts.some((text) => text.includes(word)))
      )
    })
    .toSorted(comparison(parameter('ordering')))

  return pageOf(found, query, address)
}

/**
 * The query as the service writes it: it escapes other characters than URLSearchParams does.
 *
 * @param {URLSearchParams} query
 */
const queryText = (query) => String(query).replaceAll('*', '%2A').replaceAll('%7E', '~')

/**
 * @template T
 * @param {readonly T[]} found
 * @param {URLSearchParams} query
 * @param {string} address
 * @returns {{ page: object } | undefined} Undefined: there is no such page.
 */
export const pageOf = (found, query, address) => {
  const parameter = (/** @type {string} */ name) => parameterOf(query, name)
  const whole = (/** @type {string} */ text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0)
  const size = Math.min(100, whole(parameter('page_size')) || 20)
  const last = Math.max(1, Math.ceil(found.length / size))
  const number = parameter('page') === 'last' ? last : whole(parameter('page') || '1')
  if (number < 1 || number > last) return undefined
  const link = (/** @type {number} */ to) => {
    const changed = new URLSearchParams(query)
    if (to === 1) changed.delete('page')
    else changed.set('page', String(to))
    changed.sort()
    return changed.size === 0 ? address : `${address}?${queryText(changed)}`
  }
  return {
    page: {
      count: found.length,
      next: number < last ? link(number + 1) : null,
      previous: number > 1 ? link(number - 1) : null,
      results: found.slice((number - 1) * size, number * size),
    },
  }
}

/**
 * @param {string} ordering
 * @returns {(a: Intent, b: Intent) => number}
 */
const comparison = (ordering) => {
  const known = ordering.split(',').filter((part) => sortable.includes(part.trim().replace(/^-/, '')))
  const order = known.length === 0 ? ['-created_at'] : known.map((part) => part.trim())
  return (a, b) => {
    for (const part of order) {
      const name = part.replace(/^-/, '')
      const [left, right] = [sortValue(a, name), sortValue(b, name)]
      if (left === right) continue
      if (left === null || right === null) return left === null ? 1 : -1
      return (left < right ? -1 : 1) * (part.startsWith('-') ? -1 : 1)
    }
    return (a.id < b.id ? -1 : 1) * (order[0]?.startsWith('-') ? -1 : 1)
  }
}

/**
 * @param {Intent} intent
 * @param {string} name
 * @returns {string | bigint | null}
 */
const sortValue = (intent, name) => {
  const value = /** @type {string | null} */ (Reflect.get(intent, name))
  return name === 'payable_amount' && value !== null ? BigInt(value.replace('.', '')) : value
}

const checkoutStatuses = ['OPEN', 'COMPLETE', 'EXPIRED', 'CANCELLED']
const checkoutOrders = ['created_at', 'amount', 'status']

/**
 * @param {readonly { at: number, checkout: Checkout }[]} rows
 * @param {URLSearchParams} query
 * @param {string} address
 * @returns {{ errors: Entry[] } | { page: object } | undefined} Undefined: there is no such page.
 */
export const checkoutPage = (rows, query, address) => {
  const filter = readFilter(query, checkoutStatuses)
  if ('errors' in filter) return filter
  const { parameter, wantedStatuses, wallet, words, isInTime } = filter
  const orderId = parameter('external_order_id')
  const found = rows
    .filter(({ at }) => isInTime(at))
    .map(({ checkout }) => checkout)
    .filter((checkout) => {
      const texts = [checkout.external_order_id, checkout.description, checkout.customer.name, checkout.customer.phone]
      const hasIntent = checkout.intents.some(
        (intent) =>
          (wallet === '' || intent.wallet.id === wallet) &&
          (parameter('reference') === '' || intent.reference === parameter('reference')),
      )
      return (
        (wantedStatuses.length === 0 || wantedStatuses.includes(checkout.status)) &&
        (orderId === '' || checkout.external_order_id === orderId) &&
        (hasIntent || (wallet === '' && parameter('reference') === '')) &&
        words.every((word) => texts.some((text) => text.toLowerCase().includes(word)))
      )
    })
  const order =
    parameter('ordering')
      .split(',')
      .map((part) => part.trim())
      .find((part) => checkoutOrders.includes(part.replace(/^-/, ''))) ?? '-created_at'
  return pageOf(found.toSorted(checkoutComparison(order)), query, address)
}

/**
 * @param {string} order
 * @returns {(a: Checkout, b: Checkout) => number}
 */
const checkoutComparison = (order) => {
  const name = order.replace(/^-/, '')
  const direction = order.startsWith('-') ? -1 : 1
  const value = (/** @type {Checkout} */ checkout) =>
    name === 'amount' ? BigInt(checkout.amount.replace('.', '')) : name === 'status' ? checkout.status : checkout.id
  return (a, b) => {
    const [left, right] = [value(a), value(b)]
    if (left === right) return a.id < b.id ? -1 : 1
    return (left < right ? -1 : 1) * direction
  }
}
