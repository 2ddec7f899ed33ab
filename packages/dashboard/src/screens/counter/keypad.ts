/** What is typed at the counter: an amount on the keypad (whole riyals, at most twelve digits), and numbers to search for. Pure. */
export const keys = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '00', '0', 'back'] as const
export type Key = (typeof keys)[number]

const mostDigits = 12

const tidy = (digits: string): string => digits.replace(/^0+/, '').slice(0, mostDigits)

export const press = (amount: string, key: Key): string => {
  if (key === 'back') return amount.slice(0, -1)
  // A digit that does not fit is not taken: the amount stays what is on the screen.
  const next = tidy(amount + key)
  return amount.length + key.length > mostDigits ? amount : next
}

const arabicIndic = '٠١٢٣٤٥٦٧٨٩'
const persian = '۰۱۲۳۴۵۶۷۸۹'

/** Digits of an Arabic keyboard as ours. */
export const latinDigits = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String(Math.max(arabicIndic.indexOf(digit), persian.indexOf(digit))))

/** What a keyboard typed or a user pasted: the part before a decimal point, digits only. */
export const typedAmount = (text: string): string =>
  tidy(
    latinDigits(text)
      .replace(/[.\u066B]\d*$/, '')
      .replaceAll(/\D/g, ''),
  )

/** The text of a search as it is sent: a number that an Arabic keyboard typed is sent in our digits. */
export const searchText = (text: string): string => {
  const plain = text.trim()
  return /\p{L}/u.test(plain) ? plain : latinDigits(plain).replaceAll('\u066C', ',').replaceAll('\u066B', '.')
}
