/**
 * An amount as users type or paste it: digits of any script, a point or `٫` before at most two decimals, thousands separators.
 * What can be read in two ways is refused, never guessed: `250,5` may mean 250.5 or 2505. Pure.
 */
import { storedDecimals, wholeDigits } from '@sanad/contract/currency'

export type TypedAmount =
  /** A plain decimal: `1500`, `1500.5`, `0.50`. */
  | { readonly kind: 'ok'; readonly amount: string }
  | { readonly kind: 'no'; readonly code: 'invalid' | 'max_decimal_places' | 'max_whole_digits' }

const mostCharacters = 100
/** The server's limits, by the code of its refusal. */
export const amountLimits = { max_whole_digits: wholeDigits, max_decimal_places: storedDecimals } as const

/** In Unicode the ten digits of a script follow each other. Runs of several tens (mathematical digits) begin with a zero too. */
export const asciiDigits = (text: string): string =>
  text.replaceAll(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!
    let first = code
    while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--
    return String((code - first) % 10)
  })

const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
/** A comma, an Arabic comma, `٬` or a space is a thousands separator only between groups of three digits. */
const groups = /^\d{1,3}(?:([,\u060C\u066C]|\s)\d{3}(?:\1\d{3})*)$/
const number = /^(\d[\d,\u060C\u066C\s]*)?(?:[.\u066B](\d*))?$/

const refused = (code: Extract<TypedAmount, { kind: 'no' }>['code']): TypedAmount => ({ kind: 'no', code })

const readNumber = (text: string): TypedAmount => {
  if (text.length > mostCharacters) return refused('invalid')
  const [, whole = '', decimals = ''] = number.exec(asciiDigits(text.replaceAll(directionMarks, '').trim())) ?? []
  if (whole + decimals === '' || !(/^\d*$/.test(whole) || groups.test(whole))) return refused('invalid')
  const digits = whole.replaceAll(/\D/g, '').replace(/^0+(?=\d)/, '')
  if (digits.length > amountLimits.max_whole_digits) return refused('max_whole_digits')
  if (decimals.length > amountLimits.max_decimal_places) return refused('max_decimal_places')
  return { kind: 'ok', amount: `${digits || '0'}${decimals === '' ? '' : `.${decimals}`}` }
}

/** The riyal of Yemen as texts write it. Another currency, or a word such as ألف (thousand), is not dropped but refused. */
const currency = /(?:yer|\uFDFC|ر\.?\s?ي\.?|ريال(?:\s?يمني)?)$/i

/** Reads the text. A currency after the number is dropped: `1,500.00 YER`. */
export const readTypedAmount = (text: string): TypedAmount =>
  text.length > mostCharacters
    ? refused('invalid')
    : readNumber(text.replaceAll(directionMarks, '').trim().replace(currency, ''))

/** The amount as it is sent. A text that is no amount is sent as it is: the server refuses it and says why. */
export const amountToSend = (text: string): string => {
  const reading = readTypedAmount(text)
  return reading.kind === 'ok' ? reading.amount : text.trim()
}

/** The amount of a text that is a number alone, without a currency. */
export const readAmountAlone = (text: string): string | undefined => {
  const reading = readNumber(text)
  return reading.kind === 'ok' ? reading.amount : undefined
}
