/** Converts amounts exactly between Vendure (whole minor units) and Sanad (a text with two decimals). */

/**
 * @param {number} minor
 * @returns {string}
 */
export const toText = (minor) => {
  if (!Number.isSafeInteger(minor) || minor < 0) throw new RangeError(`${minor} is not an amount of minor units.`)
  const digits = String(minor).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * @param {string} text
 * @returns {number}
 */
export const toMinor = (text) => {
  const minor = /^\d{1,12}\.\d{2}$/.test(text) ? Number(text.replace('.', '')) : Number.NaN
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${text} is not an amount.`)
  return minor
}
