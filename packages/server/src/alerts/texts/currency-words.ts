/**
 * The spellings of currencies in normalised alerts; a currency that is not listed is spelled by its code. Used to check that
 * a template contains its currency, never to guess one. Pure.
 */
import { currencies, currencyFacts } from '@sanad/contract/currency'

/** The spellings of a currency, the code first. */
export const currencyWords = (currency: string): readonly string[] => currencyFacts(currency)?.spellings ?? [currency]

const foreignWords = (currency: string): string[] =>
  Object.keys(currencies)
    .filter((other) => other !== currency)
    .flatMap(currencyWords)

/** The spelling of the currency that this text uses. In ريال سعودي the word ريال is not YER. */
export const currencyIn = (text: string, currency: string): string | undefined => {
  const foreign = foreignWords(currency).filter((word) => text.includes(word))
  return currencyWords(currency).find((word) => text.includes(word) && !foreign.some((other) => other.includes(word)))
}

/** A limit for the number of texts. No alert contains its currency more often. */
const MOST_PLACES = 8

/** The text with its currency replaced by each spelling of other currencies: everywhere, and in one place at a time. */
export const inOtherCurrencies = (text: string, currency: string): string[] => {
  const word = currencyIn(text, currency)
  if (word === undefined) return []
  const pieces = text.split(word)
  const places = pieces.slice(1, MOST_PLACES + 1)
  const texts = foreignWords(currency).flatMap((other) => [
    pieces.join(other),
    ...places.map((_, i) => pieces.slice(0, i + 1).join(word) + other + pieces.slice(i + 1).join(word)),
  ])
  return [...new Set(texts)]
}

/** Every spelling of every known currency, the longest first. */
export const allCurrencyWords: readonly string[] = Object.values(currencies)
  .flatMap(({ spellings }) => spellings)
  .sort((a, b) => b.length - a.length)
