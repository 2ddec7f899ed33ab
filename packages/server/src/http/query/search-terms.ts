/**
 * What a search asks for: words between white space or commas, and "quoted phrases" kept whole. Every term must occur;
 * where, and that `%` and `_` are plain characters, is the query's business. NUL in a search is refused by the caller.
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
    // An empty term occurs everywhere: it asks for nothing.
    for (const term of termsOf(word)) if (term !== '') terms.add(term)
    if (terms.size >= MOST_TERMS) break
  }
  return [...terms].slice(0, MOST_TERMS)
}

const termsOf = (word: string): string[] => {
  const bare = strip(word, /,/)
  const quote = bare[0]
  // Only a word that is quoted from end to end is a phrase; a quotation mark elsewhere is a character like any other.
  if ((quote === '"' || quote === "'") && bare.endsWith(quote)) return [unescaped(bare.slice(1, -1), quote)]
  return bare.split(',').map((part) => strip(part))
}

const unescaped = (phrase: string, quote: string): string =>
  phrase.replaceAll(`\\${quote}`, quote).replaceAll('\\\\', '\\')
