/**
 * Finds the phone number of a buyer in texts, in every form in which messages, members and programs write it, by the rule that
 * matching uses for payers (payer-phone.ts). A number of which digits are hidden proves nothing: it is said and left. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'
import {
  changeJson,
  isJson,
  type JsonPart,
  maskedJson,
  oneMobileNumber,
  stars,
  withoutMobileNumbers,
} from '../../core/numbers/mobile-number.ts'
import { comparePhones, isWholePhone, maskSigns } from '../rules/payer-phone.ts'

export type BuyerPhone = {
  /** The nine digits. */
  readonly digits: string
  readonly isIn: (text: string) => boolean
  /** Whether the text has a number that may be this one, as far as it is shown. */
  readonly mayBeIn: (text: string) => boolean
  /** The text without the number. JSON stays JSON, and what stands under a reference or an amount stays. */
  readonly erasedFrom: (text: string) => string
  /** JSON of as many characters, with stars in place of the number, but for its last two digits, and in place of all names. */
  readonly maskedIn: (json: string) => string
}

/** What stands in place of the number. Not longer than the number. */
export const erasedMark = '***'

const hiddenNumber = new RegExp(`[+＋]?[\\p{Nd}${maskSigns}…]{5,20}`, 'gu')
const hiddenDigit = new RegExp(`[${maskSigns}…]{2}`)

/** Undefined: the text is no whole mobile number of Yemen. */
export const buyerPhone = (text: string): BuyerPhone | undefined => {
  if (text.length > 40 || !isWholePhone(text)) return undefined
  const plain = asciiDigits(text.normalize('NFKC')).replace(/[^+\d]/g, '')
  const digits = /^(?:(?:\+|00)?967)?0?(7\d{8})$/.exec(plain)?.[1]
  if (digits === undefined || comparePhones(text, `+967${digits}`) !== 'same') return undefined
  const all = oneMobileNumber(digits)
  const plainErased = (part: string): string => part.replace(all, erasedMark)
  const erasedFrom = (whole: string): string =>
    isJson(whole) ? changeJson(whole, erasedPart(plainErased)) : plainErased(whole)
  const maskedIn = (whole: string): string =>
    maskedJson(whole, (text, name) =>
      name === 'name' ? stars(text) : text.replace(all, (found) => withoutMobileNumbers(found)),
    )
  return {
    digits,
    isIn: (whole) => whole.search(all) >= 0 && erasedFrom(whole) !== whole,
    mayBeIn: (whole) =>
      (whole.match(hiddenNumber) ?? []).some(
        (part) => hiddenDigit.test(part) && comparePhones(digits, part) === 'same_as_far_as_shown',
      ),
    erasedFrom,
    maskedIn,
  }
}

/** A bare number that is more than the buyer's stays. */
const erasedPart =
  (erased: (part: string) => string) =>
  (text: string, { bare }: JsonPart): string => {
    const done = erased(text)
    return bare && done !== erasedMark ? text : done
  }
