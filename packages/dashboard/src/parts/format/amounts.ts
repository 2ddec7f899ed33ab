/** Amounts are decimal strings. They are compared and subtracted as integers, never as floats. Pure. */

const minorOf = (amount: string): bigint => {
  const sign = amount.startsWith('-') ? -1n : 1n
  const [whole = '0', cents = ''] = amount.replace('-', '').split('.')
  return sign * (BigInt(whole) * 100n + BigInt(cents.padEnd(2, '0').slice(0, 2)))
}

const textOf = (minor: bigint): string => {
  const digits = String(minor < 0n ? -minor : minor).padStart(3, '0')
  return `${minor < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** `subtract('1400.00', '1500.00')` is `-100.00`. */
export const subtract = (one: string, other: string): string => textOf(minorOf(one) - minorOf(other))

export const isNegative = (amount: string): boolean => amount.startsWith('-')

export const withoutSign = (amount: string): string => amount.replace('-', '')

/** In Unicode the ten digits of every script follow each other: the value of a digit is its distance from zero. */
const asciiDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!
    let zero = code
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
    return String(code - zero)
  })

/** Whether the typed text is this amount: digits of any script, with or without grouping and decimals. */
export const isSameAmount = (typed: string, amount: string): boolean => {
  const plain = asciiDigits(typed)
    .replaceAll(/[\s,\u066C\u2066-\u2069\u200E\u200F]/g, '')
    .replace('\u066B', '.')
  return /^\d+(\.\d{1,2})?$/.test(plain) && minorOf(plain) === minorOf(amount)
}
