/**
 * How alerts spell a currency, in normalised text. Known spellings only; a currency that is not listed is spelled by its
 * code. Used to see that a template names its currency, never to guess one.
 */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  YER: ['YER', 'ر.ي', 'ريال'],
  SAR: ['SAR', 'ر.س', 'ريال سعودي'],
  USD: ['USD', '$', 'دولار'],
  BDT: ['BDT', 'Tk', '৳'],
  KES: ['KES', 'Ksh'],
  EGP: ['EGP', 'جنيه', 'ج.م'],
}

/** The spellings of a currency, the code first. */
export const currencyWords = (currency: string): readonly string[] => WORDS[currency] ?? [currency]

const foreignWords = (currency: string): string[] =>
  Object.keys(WORDS)
    .filter((other) => other !== currency)
    .flatMap(currencyWords)

/** The spelling of the currency that this text uses. ريال is not YER's where ريال سعودي is written. */
export const currencyIn = (text: string, currency: string): string | undefined => {
  const foreign = foreignWords(currency).filter((word) => text.includes(word))
  return currencyWords(currency).find((word) => text.includes(word) && !foreign.some((other) => other.includes(word)))
}

/** No alert names its currency more often; a text that does would make a multitude of texts. */
const MOST_PLACES = 8

/** The text as it would be in other currencies, in each of their spellings: everywhere, and in one place at a time. */
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

/** Every spelling of every currency that is known, the longest first. */
export const allCurrencyWords: readonly string[] = Object.values(WORDS)
  .flat()
  .sort((one, other) => other.length - one.length)
