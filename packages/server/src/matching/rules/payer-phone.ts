/**
 * Compares phone numbers of payers. A country code, a leading zero, spaces and digits of other scripts make no difference.
 * Messages may hide digits (`77***123`, `77XXXXX00`). Pure.
 */
import { asciiDigits } from '../../core/digits.ts'

export type PhoneLikeness = 'same' | 'same_as_far_as_shown' | 'differs' | 'unknown'

/** A number with `*` for each run of hidden digits, without its country code. */
type Pattern = {
  readonly text: string
  readonly digits: number
  readonly masked: boolean
  /** The country code, if it is a known one. */
  readonly code: string
  /** Whether it begins with `+` or `00`. */
  readonly international: boolean
}

/** Country codes, each with the first digit of the mobile numbers after it. */
const codes = /^(?:967(?=0?[7*])|966(?=0?[5*])|254(?=0?[17*])|880(?=0?[1*])|20(?=0?[1*]))/
const separators = /[\s\p{Cf}()]/gu
/** Signs for a hidden digit, as the inside of a character class. */
export const maskSigns = 'Xx#*•●○∗×٭·_?'
const mask = new RegExp(`(?:[${maskSigns}…]|[.-]{2,})+`, 'g')
const phoneForm = /^(?:\+|00)?[\d*]+$/

/** National mobile numbers have nine digits or more. Shorter ones are account numbers or service numbers. */
const shortestMobile = 9
/** A number may have an unknown country code: it is the same if it ends with the other number, of at least this length. */
const shortestTail = 8
/** Fewer visible digits prove nothing: half of a country has numbers that begin with 77. */
const fewestShown = 4

/** Undefined: the text is no phone number. */
const patternOf = (text: string): Pattern | undefined => {
  const plain = asciiDigits(text.normalize('NFKC')).replace(separators, '').replace(mask, '*').replace(/[.-]/g, '')
  if (!phoneForm.test(plain)) return undefined
  const international = /^(?:\+|00)/.test(plain)
  const number = plain.replace(/^(?:\+|00)/, '')
  const hasCode = international || number.replaceAll('*', '').length > shortestMobile || /^967\d*\*/.test(number)
  const [code = ''] = (hasCode ? codes.exec(number) : undefined) ?? []
  const national = number.slice(code.length).replace(/^0+/, '')
  const digits = national.replaceAll('*', '').length
  return digits === 0 ? undefined : { text: national, digits, masked: national.includes('*'), code, international }
}

export const isPhone = (text: string): boolean => patternOf(text) !== undefined

/** Whether a claim may have this number: no hidden digits, and 5 to 15 digits. */
export const isWholePhone = (text: string): boolean => {
  const pattern = patternOf(text)
  return pattern !== undefined && !pattern.masked && pattern.digits >= 5 && pattern.digits <= 15
}

/** Either number may have hidden digits. */
export const comparePhones = (claimed: string, shown: string): PhoneLikeness => {
  const a = patternOf(claimed)
  const b = patternOf(shown)
  if (a === undefined || b === undefined) return 'unknown'
  if (a.code !== '' && b.code !== '' && a.code !== b.code) return 'differs'
  if (!a.masked && !b.masked) return compareWhole(a, b)
  const [whole, part] = a.masked ? [b, a] : [a, b]
  if (whole.masked) return a.text === b.text && a.digits >= fewestShown ? 'same_as_far_as_shown' : 'unknown'
  if (whole.digits < shortestMobile) return 'unknown'
  if (!fitsPattern(part.text, whole.text)) return 'differs'
  return part.digits >= fewestShown ? 'same_as_far_as_shown' : 'unknown'
}

const compareWhole = (a: Pattern, b: Pattern): PhoneLikeness => {
  if (a.text === b.text) return 'same'
  const [short, long] = a.digits <= b.digits ? [a, b] : [b, a]
  // One of them may have a country code that is not in `codes`.
  if (!(a.international && b.international) && short.digits >= shortestTail && long.text.endsWith(short.text))
    return 'same'
  return short.digits >= shortestMobile ? 'differs' : 'unknown'
}

/** Whether the number fits the visible digits: at its beginning, at its end, and in order between. */
const fitsPattern = (pattern: string, number: string): boolean => {
  const parts = pattern.split('*')
  const first = parts[0]!
  const last = parts.at(-1)!
  if (!number.startsWith(first) || !number.endsWith(last)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = number.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= number.length - last.length
}
