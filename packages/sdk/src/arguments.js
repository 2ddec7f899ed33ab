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

/** @param {unknown} key */
export const keyHeader = (key) => {
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,128}$/.test(key)) {
    throw new TypeError('idempotencyKey must be a text of 1 to 128 visible ASCII characters, such as a UUID.')
  }
  return { 'service-idempotency-key': key }
}

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
