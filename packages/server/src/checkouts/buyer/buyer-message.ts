/**
 * Finds the reference in a text that a buyer typed or pasted: the number alone, or the whole message of the wallet. In a message a
 * number counts only in its place in a sentence of the company, or after a known phrase: amounts, balances and phone numbers are
 * never taken for a reference. If two phrases stand before different numbers, none is chosen.
 *
 * A message that was cut never gives a wrong number: at the end of the text a number counts only if it has the length of all
 * references of the company. The buyer always sees the reference before it is sent. Pure.
 */
import { compileTemplate, read, type Template } from '../../alerts/templates/template.ts'
import { normalise } from '../../alerts/texts/normalise.ts'
import { asciiDigits } from '../../core/digits.ts'
import type { Minor } from '../../core/money.ts'
import { companyMessages, phrases } from './buyer-templates.ts'

export type BuyerMessage =
  /** The text is the reference itself. */
  | { readonly kind: 'reference'; readonly reference: string }
  /** Found in a message; the buyer must confirm it. `amount`: the amount in the message, if its sentence is known. */
  | { readonly kind: 'found'; readonly reference: string; readonly amount: Minor | undefined }
  /** The number is at the end of the text: a part of it may be missing. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'not found' }
  | { readonly kind: 'too long' }

export const longestMessage = 2_000
const longestReference = 128

const invisible = /[\p{Cf}\u0640\u064b-\u0652]/gu

/** One spelling for letters that users and companies write differently. */
const unifySpelling = (text: string): string =>
  asciiDigits(text.normalize('NFKC'))
    .replace(invisible, '')
    .replace(/[أإآٱ]/g, 'ا')
    .replace(/ة/g, 'ه')
    .replace(/ى/g, 'ي')
    .replace(/\s+/g, ' ')
    .trim()

// A reference has a digit, and ends where no letter or digit follows.
const number = '(?=[A-Za-z-]*\\d)([A-Za-z0-9][A-Za-z0-9-]{3,62}[A-Za-z0-9])(?![A-Za-z0-9-])'
const labelled = new RegExp(
  `(?:^|[^\\p{L}\\p{N}])(?:${phrases.map((phrase) => phrase.replaceAll(' ', ' ?')).join('|')})\\.? ?(?:هو|هي|is)? ?[:#.=-]* ?${number}`,
  'giu',
)
const alone = /^(?=.*\d)[\p{L}\p{N}][\p{L}\p{N}/_.-]*$/u

const compiled = new Map<string, readonly Template[]>()

const sentencesOf = (provider: string): readonly Template[] => {
  const known = compiled.get(provider)
  if (known !== undefined) return known
  const templates = (companyMessages[provider]?.sentences ?? []).map((sentence) => {
    const result = compileTemplate(sentence)
    if (!result.ok) throw new Error(`a sentence of ${provider} is wrong: ${result.error.sentence}`)
    return result.template
  })
  if (templates.length > 0) compiled.set(provider, templates)
  return templates
}

const readBySentence = (text: string, provider: string): BuyerMessage | undefined => {
  for (const sentence of sentencesOf(provider)) {
    const fields = read(sentence, text)
    if (fields?.reference !== undefined)
      return { kind: 'found', reference: fields.reference.toUpperCase(), amount: fields.amount }
  }
  return undefined
}

const readByPhrases = (text: string, digits: number | undefined): BuyerMessage => {
  const found = new Set<string>()
  let cut = false
  for (const match of text.matchAll(labelled)) {
    const reference = match[1]!
    const isWhole = digits === reference.length && /^\d+$/.test(reference)
    // The text ends here, or with the dots of apps that shorten a text.
    if (!isWhole && /^(?: ?\.{2,}.*)?$/.test(text.slice(match.index + match[0].length))) cut = true
    else found.add(reference.toUpperCase())
  }
  const [reference] = found
  if (found.size === 1 && !cut) return { kind: 'found', reference: reference!, amount: undefined }
  return { kind: cut ? 'cut' : 'not found' }
}

/** `provider`: the key of the company of the wallet that the buyer has chosen. Empty: its messages are not known. */
export const readBuyerMessage = (sent: string, provider = ''): BuyerMessage => {
  if (sent.length > longestMessage) return { kind: 'too long' }
  const text = unifySpelling(sent)
  // Wallets group the digits of a long number.
  const joined = /^[\d ]+$/.test(text) ? text.replaceAll(' ', '') : text
  if (alone.test(joined) && joined.length <= longestReference) return { kind: 'reference', reference: joined }
  return readBySentence(normalise(sent), provider) ?? readByPhrases(text, companyMessages[provider]?.digits)
}
