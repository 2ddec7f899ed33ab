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

/** The spelling of the currency that this text uses, the longest if one is part of another. */
export const currencyIn = (text: string, currency: string): string | undefined =>
  currencyWords(currency)
    .filter((word) => text.includes(word))
    .sort((one, other) => other.length - one.length)[0]

/** The text as it would be in each other currency, spelled by its code and by its other words. */
export const inOtherCurrencies = (text: string, currency: string): string[] => {
  const word = currencyIn(text, currency)
  if (word === undefined) return []
  const foreign = Object.keys(WORDS).filter((other) => other !== currency)
  return foreign.flatMap(currencyWords).map((other) => text.replaceAll(word, other))
}
