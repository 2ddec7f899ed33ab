/** Checks the arguments of a call before anything is sent: amounts that are not texts, keys and ids of the wrong form. */

/**
 * Amounts are texts: a number is not exact.
 *
 * @param {Readonly<Record<string, unknown>>} body
 * @param {readonly string[]} names
 */
export const requireTextAmounts = (body, names) => {
  /** @type {(name: string, value: unknown) => void} */
  const requireText = (name, value) => {
    if (value !== undefined && typeof value !== 'string') {
      throw new TypeError(`${name} must be a string such as "1500.00": a number is not exact.`)
    }
  }
  for (const name of names) requireText(name, body[name])
  const { items } = body
  if (!Array.isArray(items)) return
  for (const [index, item] of items.entries()) requireText(`items.${index}.price`, item?.price)
}

/** What the service removes from both ends of a text. `trim` removes the byte order mark too, which it keeps. */
const blanks = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const blank = new RegExp(`[${blanks}]`)

/**
 * The order number as the service stores it. A blank one is refused: a list filtered by it would contain every order.
 *
 * @param {unknown} orderId
 */
export const orderIdOf = (orderId) => {
  const text = typeof orderId === 'string' ? orderId : ''
  let [start, end] = [0, text.length]
  while (start < end && blank.test(text.charAt(start))) start++
  while (end > start && blank.test(text.charAt(end - 1))) end--
  if (start === end) throw new TypeError('orderId must be your order number, as a text.')
  return text.slice(start, end)
}

/** @param {unknown} key */
export const keyHeader = (key) => {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) {
    throw new TypeError('idempotencyKey must be a text of 1 to 128 visible ASCII characters, such as a UUID.')
  }
  return { 'service-idempotency-key': key }
}

/**
 * What to do when it is not known whether a create was processed.
 *
 * @type {(kind: string, idempotencyKey: string) => string}
 */
export const adviceOf = (kind, idempotencyKey) =>
  `The ${kind} may exist all the same: repeat the same call within 24 hours with the idempotencyKey ${idempotencyKey}, ` +
  `and there is one ${kind}.`

/**
 * The path of one object.
 *
 * @param {string} list Such as `/intents/`.
 * @param {unknown} id
 * @param {string} kind Such as `an intent`.
 */
export const pathOf = (list, id, kind) => {
  if (typeof id !== 'string' || id === '') throw new TypeError(`id must be the id of ${kind}.`)
  return `${list}${encodeURIComponent(id)}/`
}
