/**
 * Splits a search into terms: words between white space or commas; a "quoted phrase" is one term. A row must contain every
 * term; the statement decides in which columns, and escapes `%` and `_`. The caller refuses NUL.
 */
import { SPACE, strip } from '../../core/python-text.ts'

/** More different terms than a reference, code and order id can contain. Each term costs the database time. */
const MOST_TERMS = 32
/** Longer than any text that can be searched. The rest is ignored. */
const MOST_CHARACTERS = 2048

const QUOTED = `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'`
const BARE = `[^${SPACE}'"]*`
const WORD = new RegExp(`${BARE}(?:(?:${QUOTED})${BARE})+|[^${SPACE}]+`, 'g')

export const searchTerms = (text: string): string[] => {
  const terms = new Set<string>()
  for (const [word] of text.slice(0, MOST_CHARACTERS).matchAll(WORD)) {
    // An empty term would occur in every row, so it is left out.
    for (const term of termsOf(word)) if (term !== '') terms.add(term)
    if (terms.size >= MOST_TERMS) break
  }
  return [...terms].slice(0, MOST_TERMS)
}

const termsOf = (word: string): string[] => {
  const bare = strip(word, /,/)
  const quote = bare[0]
  // Only a term with quotation marks at both ends is a phrase; any other quotation mark is a plain character.
  if ((quote === '"' || quote === "'") && bare.endsWith(quote)) return [unescaped(bare.slice(1, -1), quote)]
  return bare.split(',').map((part) => strip(part))
}

const unescaped = (phrase: string, quote: string): string =>
  phrase.replaceAll(`\\${quote}`, quote).replaceAll('\\\\', '\\')
