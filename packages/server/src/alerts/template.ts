/**
 * A template: a sentence with typed slots that reads an alert's text, whole or not at all.
 *
 * The sentence (its language is told in `template-sentence.ts`) becomes one anchored expression of RE2's kind, matched in
 * time that grows with the text and no faster, whatever a merchant wrote and whatever a phone sent. Letters that Arabic
 * writers exchange freely are one letter in the sentence's text: أ إ آ ٱ ا, ى ي ی, and ة ه. That is safe because a
 * template reads whole sentences: no two alerts of opposite meaning differ only by those. Slots keep what was written.
 *
 * A text that could be read in two ways is not read. The expression is matched twice, every run as long and every run as
 * short as can be: the two are the first and the last of all ways to read the text, so if they are one, there is no other.
 * Direction and currency are the alert template's (`alert-template.ts`).
 */
import { RE2JS } from 're2js'
import { type Minor, minor } from '../ground/money.ts'
import { SHAPES, slotValue } from './slot.ts'
import { type Part, parseSentence, type SentenceError, type Slot, wordsOf } from './template-sentence.ts'

export type Template = {
  readonly sentence: string
  readonly slots: readonly Slot[]
  /** The sentence's own text, normalised. */
  readonly words: string
  /** The longest text it can read, in UTF-16 units. */
  readonly longest: number
  /** Every run as long as can be, and as short. */
  readonly greedy: RE2JS
  readonly lazy: RE2JS
}

/** What the slots of one text hold. `others` are the slots whose names mean nothing to matching. */
export type Fields = {
  readonly amount: Minor
  readonly reference?: string
  readonly payer?: string
  readonly phone?: string
  readonly balance?: Minor
  readonly fee?: Minor
  readonly others: Readonly<Record<string, string>>
}

export type Compiled =
  | { readonly ok: true; readonly template: Template }
  | { readonly ok: false; readonly error: SentenceError }

/**
 * The most that the length of a text times the size of the expression may come to: that many steps a reading can take.
 * Up to here the engine keeps one bit for each (about 5 ms at the very worst); beyond, it is twenty times slower.
 */
const MOST_STEPS = 262_144

export const compileTemplate = (sentence: string): Compiled => {
  const parsed = parseSentence(sentence)
  if (!parsed.ok) return parsed
  const { parts } = parsed
  const expression = parts.map((part, i) => edge(parts[i - 1], part) + expressionOf(part)).join('')
  const template: Template = {
    sentence,
    slots: parts.filter((part) => part.kind === 'slot'),
    words: wordsOf(parts),
    longest: parts.reduce((sum, part) => sum + longestOf(part) + 1, 0),
    greedy: RE2JS.compile(expression),
    lazy: RE2JS.compile(`(?U)${expression}`),
  }
  if (template.longest * template.greedy.programSize() > MOST_STEPS) return { ok: false, error: tooMuch }
  return { ok: true, template }
}

const tooMuch: SentenceError = {
  at: 0,
  sentence:
    'The sentence is too long for all that its slots leave open: shorten its text, or use fewer any and name slots.',
}

/** The fields of a normalised text, if the template reads all of it, and in one way only. */
export const read = (template: Template, text: string): Fields | undefined => {
  if (text.length > template.longest) return undefined
  // Whether it fits at all is far cheaper to know than what stands where, and most texts fit no template.
  if (!template.greedy.testExact(text)) return undefined
  const spelled = slotsOf(template.greedy, text, template.slots.length)
  const again = slotsOf(template.lazy, text, template.slots.length)
  if (spelled.some((slot, i) => slot !== again[i])) return undefined
  return fieldsOf(template.slots, spelled)
}

/** White space may come or go at the edge of a slot; inside a text that is written as `maybe`. */
const maybe = ' ?'
const edge = (before: Part | undefined, part: Part): string =>
  before === undefined || before.kind === 'gap' || part.kind === 'gap' ? '' : maybe

const expressionOf = (part: Part): string => {
  if (part.kind === 'slot') return `(${SHAPES[part.type].expression})`
  return part.kind === 'gap' ? ' ' : [...part.text].map(letter).join('')
}

const EXCHANGED = ['اأإآٱ', 'ىيی', 'ةه']

const letter = (character: string): string => {
  if (character === ' ') return maybe
  const all = EXCHANGED.find((letters) => letters.includes(character))
  return all === undefined ? RE2JS.quote(character) : `[${all}]`
}

const longestOf = (part: Part): number => {
  if (part.kind === 'slot') return SHAPES[part.type].longest
  return part.kind === 'gap' ? 1 : part.text.length
}

const slotsOf = (expression: RE2JS, text: string, count: number): string[] => {
  const matcher = expression.matcher(text)
  if (!matcher.matches()) throw new Error(`an expression that fits does not match: ${expression.pattern()}`)
  return Array.from({ length: count }, (_, i) => matcher.group(i + 1) ?? '')
}

const fieldsOf = (slots: readonly Slot[], spelled: readonly string[]): Fields | undefined => {
  const money: { amount?: Minor; balance?: Minor; fee?: Minor } = {}
  const words: { reference?: string; payer?: string; phone?: string } = {}
  const others: Record<string, string> = {}
  for (const [i, { name, type }] of slots.entries()) {
    const value = slotValue(type, spelled[i]!)
    if (value === undefined) return undefined
    if (typeof value === 'bigint') money[name as keyof typeof money] = value
    else if (name === 'reference' || name === 'payer' || name === 'phone') words[name] = value
    else others[name] = value
  }
  // Nothing arrived and nothing left: whatever such a text is, it is no payment.
  if (money.amount === undefined || money.amount <= minor(0n)) return undefined
  return { ...money, amount: money.amount, ...words, others }
}
