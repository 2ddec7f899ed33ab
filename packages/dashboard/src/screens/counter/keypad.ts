/** Typed input at the counter: an amount on the keypad, which has no decimal point, and texts to search for. Pure. */
import { readTypedAmount } from '../../parts/format/typed-amount.ts'

export const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', 'back'] as const
export type Key = (typeof keys)[number]

/** The text after a key. The keypad continues what is shown: an amount that was typed with separators loses them. */
export const press = (text: string, key: Key): string => {
  const reading = readTypedAmount(text)
  const shown = reading.kind === 'ok' ? reading.amount : text
  if (key === 'back') return shown.slice(0, -1)
  const next = readTypedAmount(shown + key)
  if (next.kind === 'ok') return next.amount === '0' ? '' : next.amount
  // A digit that does not fit is ignored.
  return reading.kind === 'ok' ? shown : text + key
}

/**
 * The text after the first change of an amount that was shown with separators. A character typed or deleted at its end
 * changes the amount without separators: `1,500` and a zero is 15000. Any other change, such as a paste, is kept as it is.
 */
export const continueTyping = (amount: string, shown: string, text: string, inputType: string | undefined): string => {
  if (inputType === 'insertText' && text.slice(0, -1) === shown) return amount + text.slice(-1)
  if (inputType === 'deleteContentBackward' && text === shown.slice(0, -1)) return amount.slice(0, -1)
  return text
}

const arabicIndic = '٠١٢٣٤٥٦٧٨٩'
const persian = '۰۱۲۳۴۵۶۷۸۹'

/** Replaces the digits of an Arabic or Persian keyboard by Latin ones. */
const latinDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String(Math.max(arabicIndic.indexOf(digit), persian.indexOf(digit))))

/** The text of a search as it is sent: a number from an Arabic keyboard is sent in Latin digits. */
export const searchText = (text: string): string => {
  const plain = text.trim()
  return /\p{L}/u.test(plain) ? plain : latinDigits(plain).replaceAll('\u066C', ',').replaceAll('\u066B', '.')
}
