/**
 * Text as Python treats it. The API answers as Django REST Framework does, so white space, lengths, integers and the values
 * shown in messages follow Python, which differs from JavaScript in small ways. How JSON values are shown in messages is in
 * `http/body/python-value.ts`.
 */
import { asciiDigits } from './digits.ts'

/**
 * Python's white space, as the inside of a character class. JavaScript's `\s` has U+FEFF and lacks U+0085 and the
 * separators U+001C-001F.
 */
export const SPACE = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000'
const ANY_SPACE = new RegExp(`[${SPACE}]`)

/** The text without white space, or without the characters that `edge` matches, at its ends. Takes linear time. */
export const strip = (text: string, edge: RegExp = ANY_SPACE): string => {
  let start = 0
  let end = text.length
  while (start < end && edge.test(text[start]!)) start++
  while (end > start && edge.test(text[end - 1]!)) end--
  return start === 0 && end === text.length ? text : text.slice(start, end)
}

/** The number of characters, as error messages count them: code points, a lone surrogate counting as one. */
export const codePoints = (text: string): number => {
  let count = text.length
  for (let i = 1; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0xdc00 || unit > 0xdfff) continue
    const before = text.charCodeAt(i - 1)
    if (before >= 0xd800 && before <= 0xdbff) count--
  }
  return count
}

const INTEGER = /^([+-]?)(\d+(?:_\d+)*)$/
// Around an integer the separators U+001C-001F are not white space: Python's `int` does not strip them.
const INTEGER_SPACE = new RegExp(`(?![\\x1c-\\x1f])[${SPACE}]`)
const LONGEST_INTEGER = 4300

/** The text without the white space that is allowed around an integer. */
export const stripInteger = (text: string): string => strip(text, INTEGER_SPACE)

/** Reads an integer: digits of any script, spaces around, a sign, single underscores between digits. */
export const readInteger = (text: string): bigint | undefined => {
  const parsed = INTEGER.exec(asciiDigits(stripInteger(text)))
  if (!parsed) return undefined
  const digits = parsed[2]!.replaceAll('_', '')
  // Python's own limit: the time to read a number grows with the square of its length.
  if (digits.length > LONGEST_INTEGER) return undefined
  return parsed[1] === '-' ? -BigInt(digits) : BigInt(digits)
}

/** A float as Python prints it: `5.0`, `1e+16`, `1e-05`, `inf`. The digits are the shortest that read back the same. */
export const floatText = (n: number): string => {
  if (Number.isNaN(n)) return 'nan'
  if (!Number.isFinite(n)) return n < 0 ? '-inf' : 'inf'
  const sign = n < 0 || Object.is(n, -0) ? '-' : ''
  const [mantissa, power] = Math.abs(n).toExponential().split('e') as [string, string]
  const digits = mantissa.replace('.', '')
  const exponent = Number(power)
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0')
    return `${sign}${mantissa}e${exponent < 0 ? '-' : '+'}${size}`
  }
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
  return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
}

const PLAIN = /^[ -&(-[\]-~]*$/
const UNPRINTABLE = /[\\\p{C}\p{Z}]/gu
const SHORT: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** A text as Python shows it inside a list or an object: quoted, with unprintable characters escaped. */
export const quoted = (text: string): string => {
  if (PLAIN.test(text)) return `'${text}'`
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inside = text.replace(UNPRINTABLE, (character) => {
    if (character === ' ') return ' '
    const short = SHORT[character]
    if (short) return short
    const hex = character.codePointAt(0)!.toString(16)
    if (hex.length <= 2) return `\\x${hex.padStart(2, '0')}`
    return hex.length <= 4 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
  })
  return quote + (quote === "'" ? inside.replaceAll("'", "\\'") : inside) + quote
}
