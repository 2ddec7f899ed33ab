/**
 * Finds the phone number of a buyer in texts, in every form in which messages, members and programs write it, by the rule that
 * matching uses for payers (payer-phone.ts). A number of which digits are hidden proves nothing: it is said and left. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'
import { comparePhones, isWholePhone, maskSigns } from '../rules/payer-phone.ts'

export type BuyerPhone = {
  /** The nine digits. */
  readonly digits: string
  readonly isIn: (text: string) => boolean
  /** Whether the text has a number that may be this one, as far as it is shown. */
  readonly mayBeIn: (text: string) => boolean
  /** The text without the number. JSON stays JSON, and what stands under a reference or an amount stays. */
  readonly erasedFrom: (text: string) => string
}

/** What stands in place of the number. Not longer than the number. */
export const erasedMark = '***'

/** What may stand between two digits of one number. */
const between = '[\\s\\p{Cf}().\\-\u2010-\u2015]{0,3}'
/** The digits of every script, by their value; made at the first use. */
let digitClasses: readonly string[] | undefined
const madeDigitClasses = (): readonly string[] => {
  const found: string[] = Array.from({ length: 10 }, () => '')
  // Beyond this there is no digit of any script; between these two there are no characters.
  for (let point = 0x30; point <= 0x1fbf9; point = point === 0xd7ff ? 0xe000 : point + 1) {
    const character = String.fromCodePoint(point)
    if (anyDigit.test(character)) found[Number(asciiDigits(character))] += character
  }
  return found.map((characters) => `[${characters}]`)
}
const anyDigit = /\p{Nd}/u
const digitClass = (digit: string): string => {
  digitClasses ??= madeDigitClasses()
  return digitClasses[Number(digit)]!
}
const spelled = (digits: string): string => [...digits].map(digitClass).join(between)

const hiddenNumber = new RegExp(`[+＋]?[\\p{Nd}${maskSigns}…]{5,20}`, 'gu')
const hiddenDigit = new RegExp(`[${maskSigns}…]{2}`)

/** Undefined: the text is no whole mobile number of Yemen. */
export const buyerPhone = (text: string): BuyerPhone | undefined => {
  if (text.length > 40 || !isWholePhone(text)) return undefined
  const plain = asciiDigits(text.normalize('NFKC')).replace(/[^+\d]/g, '')
  const digits = /^(?:(?:\+|00)?967)?0?(7\d{8})$/.exec(plain)?.[1]
  if (digits === undefined || comparePhones(text, `+967${digits}`) !== 'same') return undefined
  const code = `(?:(?:[+＋]|${spelled('00')})?${between}${spelled('967')}${between}(?:${digitClass('0')}${between})?|${digitClass('0')}${between})?`
  // Not a part of a longer number, of an amount with its cents, or of an id.
  const pattern = `(?<!\\p{Nd}[.,٫٬]?|[a-f])${code}${spelled(digits)}(?![.,٫٬]?\\p{Nd}|[a-zA-Z_])`
  const one = new RegExp(pattern, 'u')
  const all = new RegExp(pattern, 'gu')
  const plainErased = (part: string): string => part.replace(all, erasedMark)
  const erasedFrom = (whole: string): string =>
    /^\s*[[{]/.test(whole) ? erasedFromJson(whole, plainErased) : plainErased(whole)
  return {
    digits,
    isIn: (whole) => one.test(whole) && erasedFrom(whole) !== whole,
    mayBeIn: (whole) =>
      (whole.match(hiddenNumber) ?? []).some(
        (part) => hiddenDigit.test(part) && comparePhones(digits, part) === 'same_as_far_as_shown',
      ),
    erasedFrom,
  }
}

/** Names of fields whose values are money or what money is recognised by. */
const staysUnder = /reference|amount|price|total|paid|balance|quantity|^id$|_id$/
const tokens = /"((?:[^"\\]|\\.)*)("|$)(\s*:)?|-?\d[\d.eE+-]*/gsu

/** Also of JSON that was cut. A bare number becomes a text. */
const erasedFromJson = (json: string, erased: (part: string) => string): string => {
  let name = ''
  return json.replace(tokens, (token: string, text: string | undefined, end: string, colon: string | undefined) => {
    if (text !== undefined && colon !== undefined) {
      name = text
      return `"${erased(text)}"${colon}`
    }
    if (staysUnder.test(name) && name !== 'external_order_id') return token
    if (text !== undefined) return `"${erased(text)}${end}`
    return erased(token) === erasedMark ? `"${erasedMark}"` : token
  })
}
