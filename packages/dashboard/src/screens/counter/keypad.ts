/** Typed input at the counter: an amount on the keypad (whole riyals, at most twelve digits), and texts to search for. Pure. */
export const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', 'back'] as const
export type Key = (typeof keys)[number]

const mostDigits = 12

const tidy = (digits: string): string => digits.replace(/^0+/, '').slice(0, mostDigits)

export const press = (amount: string, key: Key): string => {
  if (key === 'back') return amount.slice(0, -1)
  // A digit that does not fit is ignored.
  const next = tidy(amount + key)
  return amount.length + key.length > mostDigits ? amount : next
}

const arabicIndic = '٠١٢٣٤٥٦٧٨٩'
const persian = '۰۱۲۳۴۵۶۷۸۹'

/** Replaces the digits of an Arabic or Persian keyboard by Latin ones. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String(Math.max(arabicIndic.indexOf(digit), persian.indexOf(digit))))

/** The amount in a typed or pasted text: its digits, without decimals if the text ends with them. */
export const typedAmount = (text: string): string =>
  tidy(
    latinDigits(text)
      .replace(/[.\u066B]\d*$/, '')
      .replaceAll(/\D/g, ''),
  )

/** The text of a search as it is sent: a number from an Arabic keyboard is sent in Latin digits. */
export const searchText = (text: string): string => {
  const plain = text.trim()
  return /\p{L}/u.test(plain) ? plain : latinDigits(plain).replaceAll('\u066C', ',').replaceAll('\u066B', '.')
}
