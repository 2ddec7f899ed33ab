/** The lists of the fake: the filters, the order and the pages of the service. */

/** @import { Checkout, Intent } from '../../types/sdk.d.ts' */
/** @import { Entry } from './bodies.js' */
/** @import { Row } from './ledger.js' */
/**
 * @typedef {{
 *   sent: (name: string) => string,
 *   wanted: string[],
 *   wallet: string,
 *   words: string[],
 *   isInTime: (at: number) => boolean,
 * }} Filter
 */

const statuses = ['PENDING', 'VERIFIED', 'WRONG_AMOUNT', 'EXPIRED', 'CANCELLED']
const sortable = ['created_at', 'verified_at', 'payable_amount', 'status']
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * The filters that lists of intents and of checkouts have in common.
 *
 * @param {URLSearchParams} query
 * @param {readonly string[]} known The statuses there are.
 * @returns {{ errors: Entry[] } | Filter}
 */
const readFilter = (query, known) => {
  /** @type {Entry[]} */
  const errors = []
  // Of a parameter that comes twice, the last counts.
  const sent = (/** @type {string} */ name) => (query.getAll(name).at(-1) ?? '').trim()
  const wanted = sent('status')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  const wrong = wanted.find((one) => !known.includes(one))
  if (wrong !== undefined) {
    const detail = `Select a valid choice. ${wrong} is not one of the available choices.`
    errors.push({ code: 'invalid_choice', detail, attr: 'status' })
  }
  const wallet = sent('wallet').toLowerCase()
  if (wallet !== '' && !uuid.test(wallet))
    errors.push({ code: 'invalid', detail: 'Enter a valid UUID.', attr: 'wallet' })
  const time = (/** @type {string} */ name) => {
    if (sent(name) === '') return undefined
    const at = Date.parse(sent(name))
    if (Number.isNaN(at)) errors.push({ code: 'invalid', detail: 'Enter a valid date/time.', attr: name })
    return at
  }
  const [after, before] = [time('created_after'), time('created_before')]
  if (errors.length > 0) return { errors }

  const words = sent('search')
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((word) => word !== '')
  return {
    sent,
    wanted,
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
  const read = readFilter(query, statuses)
  if ('errors' in read) return read
  const { sent, wanted, wallet, words, isInTime } = read
  const found = rows
    .filter(({ at }) => isInTime(at))
    .map(({ intent }) => intent)
    .filter((intent) => {
      const texts = [intent.reference, intent.code, intent.external_order_id].map((text) => text.toLowerCase())
      return (
        (wanted.length === 0 || wanted.includes(intent.status)) &&
        (wallet === '' || intent.wallet.id === wallet) &&
        ['code', 'reference', 'external_order_id'].every(
          (name) => sent(name) === '' || Reflect.get(intent, name) === sent(name),
        ) &&
        words.every((word) => texts.some((text) => text.includes(word)))
      )
    })
    .toSorted(comparison(sent('ordering')))

  return pageOf(found, query, address)
}

/**
 * As the service writes a query: other marks are escaped than by URLSearchParams.
 *
 * @param {URLSearchParams} query
 */
const written = (query) => String(query).replaceAll('*', '%2A').replaceAll('%7E', '~')

/**
 * @template T
 * @param {readonly T[]} found
 * @param {URLSearchParams} query
 * @param {string} address
 * @returns {{ page: object } | undefined} Undefined: there is no such page.
 */
export const pageOf = (found, query, address) => {
  const sent = (/** @type {string} */ name) => (query.getAll(name).at(-1) ?? '').trim()
  const whole = (/** @type {string} */ text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0)
  const size = Math.min(100, whole(sent('page_size')) || 20)
  const last = Math.max(1, Math.ceil(found.length / size))
  const number = sent('page') === 'last' ? last : whole(sent('page') || '1')
  if (number < 1 || number > last) return undefined
  const link = (/** @type {number} */ to) => {
    const changed = new URLSearchParams(query)
    if (to === 1) changed.delete('page')
    else changed.set('page', String(to))
    changed.sort()
    return changed.size === 0 ? address : `${address}?${written(changed)}`
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
  const known = ordering.split(',').filter((one) => sortable.includes(one.trim().replace(/^-/, '')))
  const order = known.length === 0 ? ['-created_at'] : known.map((one) => one.trim())
  return (a, b) => {
    for (const one of order) {
      const name = one.replace(/^-/, '')
      const [left, right] = [sortValue(a, name), sortValue(b, name)]
      if (left === right) continue
      if (left === null || right === null) return left === null ? 1 : -1
      return (left < right ? -1 : 1) * (one.startsWith('-') ? -1 : 1)
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
  const read = readFilter(query, checkoutStatuses)
  if ('errors' in read) return read
  const { sent, wanted, wallet, words, isInTime } = read
  const orderId = sent('external_order_id')
  const found = rows
    .filter(({ at }) => isInTime(at))
    .map(({ checkout }) => checkout)
    .filter((one) => {
      const texts = [one.external_order_id, one.description, one.customer.name, one.customer.phone]
      const found = one.intents.some(
        (intent) =>
          (wallet === '' || intent.wallet.id === wallet) &&
          (sent('reference') === '' || intent.reference === sent('reference')),
      )
      return (
        (wanted.length === 0 || wanted.includes(one.status)) &&
        (orderId === '' || one.external_order_id === orderId) &&
        (found || (wallet === '' && sent('reference') === '')) &&
        words.every((word) => texts.some((text) => text.toLowerCase().includes(word)))
      )
    })
  const order =
    sent('ordering')
      .split(',')
      .map((one) => one.trim())
      .find((one) => checkoutOrders.includes(one.replace(/^-/, ''))) ?? '-created_at'
  return pageOf(found.toSorted(checkoutComparison(order)), query, address)
}

/**
 * @param {string} order
 * @returns {(a: Checkout, b: Checkout) => number}
 */
const checkoutComparison = (order) => {
  const name = order.replace(/^-/, '')
  const down = order.startsWith('-') ? -1 : 1
  const value = (/** @type {Checkout} */ one) =>
    name === 'amount' ? BigInt(one.amount.replace('.', '')) : name === 'status' ? one.status : one.id
  return (a, b) => {
    const [left, right] = [value(a), value(b)]
    if (left === right) return a.id < b.id ? -1 : 1
    return (left < right ? -1 : 1) * down
  }
}
