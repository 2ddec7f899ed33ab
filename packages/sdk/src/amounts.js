/** Amounts as texts and as whole numbers of the smallest unit. Exact: no amount passes through a floating-point number. */

/** @param {bigint} minor */
export const decimal = (minor) => {
  const digits = String(minor).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Null: it is missing, or written in a way that only the service reads, such as `1e3`.
 *
 * @param {unknown} text
 * @returns {bigint | null}
 */
export const minorOf = (text) => {
  const found = typeof text === 'string' ? /^\s*\+?(\d{1,12})(?:\.(\d{0,2}))?\s*$/.exec(text) : null
  return found === null ? null : BigInt(`${found[1]}${(found[2] ?? '').padEnd(2, '0')}`)
}

/**
 * What an order asks for: the sum of its lines, or else its amount. Null: it cannot be told.
 *
 * @param {{
 *   amount?: string | undefined,
 *   items?: readonly { price: string, quantity?: number | undefined }[] | undefined,
 * }} order
 * @returns {bigint | null}
 */
export const totalOf = ({ amount, items }) => {
  if (items === undefined || items.length === 0) return minorOf(amount)
  let total = 0n
  for (const { price, quantity = 1 } of items) {
    const minor = minorOf(price)
    if (minor === null || !Number.isSafeInteger(quantity)) return null
    total += minor * BigInt(quantity)
  }
  return total
}
