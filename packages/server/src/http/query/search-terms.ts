/**
 * The terms of a search: words between white space or commas, and "quoted phrases" as one term. Every term must occur;
 * the query decides where, and escapes `%` and `_`. The caller refuses NUL.
 */
import { SPACE, strip } from '../../core/python-text.ts'

/** More different terms than any reference, code and order id could hold; each one costs the database a look. */
const MOST_TERMS = 32
/** What lies beyond could not make a search find more. */
const MOST_CHARACTERS = 2048

const QUOTED = `"(?:[^"\\\\]|\\\\.)*"|'(?:[^'\\\\]|\\\\.)*'`
const BARE = `[^${SPACE}'"]*`
const WORD = new RegExp(`${BARE}(?:(?:${QUOTED})${BARE})+|[^${SPACE}]+`, 'g')

export const searchTerms = (text: string): string[] => {
  const terms = new Set<string>()
  for (const [word] of text.slice(0, MOST_CHARACTERS).matchAll(WORD)) {
    // An empty term occurs everywhere: it is left out.
    for (const term of termsOf(word)) if (term !== '') terms.add(term)
    if (terms.size >= MOST_TERMS) break
  }
  return [...terms].slice(0, MOST_TERMS)
}

const termsOf = (word: string): string[] => {
  const bare = strip(word, /,/)
  const quote = bare[0]
  // Only a term that is quoted from end to end is a phrase; a quotation mark in another place is a plain character.
  if ((quote === '"' || quote === "'") && bare.endsWith(quote)) return [unescaped(bare.slice(1, -1), quote)]
  return bare.split(',').map((part) => strip(part))
}

const unescaped = (phrase: string, quote: string): string =>
  phrase.replaceAll(`\\${quote}`, quote).replaceAll('\\\\', '\\')
