/**
 * A compiled template: a sentence with typed slots that reads an alert's text completely or not at all.
 *
 * The sentence (its language is described in `template-sentence.ts`) becomes one anchored RE2 expression, which matches in
 * linear time for any sentence and any text. Letters that Arabic writers use interchangeably are one letter in the sentence's
 * text: أ إ آ ٱ ا, ى ي ی, and ة ه. That is safe because a template reads whole texts: no two alerts of opposite meaning
 * differ only in those letters. Slots keep the original spelling.
 *
 * A text that could be read in two ways is not read. The expression is matched twice: with every run as long as possible, and
 * with every run as short as possible. These are the first and the last of all possible readings, so if they are equal, there
 * is only one. Direction and currency belong to the alert template (`alert-template.ts`).
 */
import { RE2JS } from 're2js'
import { type Minor, minor } from '../../core/money.ts'
import { isCalledBalance } from '../texts/balance-words.ts'
import { SHAPES, slotValue } from './slot.ts'
import { edgeFault, ownText, type Part, parseSentence, type SentenceError, type Slot } from './template-sentence.ts'

export type Template = {
  readonly sentence: string
  readonly slots: readonly Slot[]
  /** The sentence's own text, normalised. */
  readonly words: string
  /** The letters with which every matching text begins and ends, in the form of `plainLetters`. */
  readonly head: string
  readonly tail: string
  /** The longest text it can read, in UTF-16 units. */
  readonly longest: number
  /** The expression with every run as long, and as short, as possible. */
  readonly greedy: RE2JS
  readonly lazy: RE2JS
}

/** The values of the slots. `others`: slots that matching does not use. */
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
 * The limit for the length of a text times the size of the expression, which is the number of steps of a reading. Up to this
 * limit the engine keeps one bit for each step (about 5 ms at worst); above it, the engine is twenty times slower.
 */
const MOST_STEPS = 262_144

export const compileTemplate = (sentence: string): Compiled => {
  const parsed = parseSentence(sentence)
  if (!parsed.ok) return parsed
  const error = edgeFault(parsed.parts) ?? balanceFault(parsed.parts)
  return error ? { ok: false, error } : compileParts(sentence, parsed.parts)
}

/**
 * Compiles a stored sentence, which may be older than the rule that a reference at the edge has a length. Such a reference
 * gets `referenceLength`; if that is unknown, the text is read without its reference. Money at the beginning is not read,
 * so a sentence that begins with the amount reads nothing.
 */
export const compileStored = (sentence: string, referenceLength: number | undefined): Compiled => {
  const parsed = parseSentence(sentence)
  if (!parsed.ok) return parsed
  const parts = parsed.parts.map((part) =>
    part.kind === 'slot' && part.type === 'reference' && part.edge !== undefined && part.length === undefined
      ? { ...part, length: referenceLength }
      : part,
  )
  return compileParts(sentence, parts)
}

const compileParts = (sentence: string, parts: readonly Part[]): Compiled => {
  const expression = parts.map((part, i) => spaceBefore(parts[i - 1], part) + expressionOf(part)).join('')
  const template: Template = {
    sentence,
    slots: parts.filter((part) => part.kind === 'slot'),
    words: ownText(parts),
    head: ownLetters(parts[0]),
    tail: ownLetters(parts.at(-1)),
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

/** The fields of a normalised text, if the template reads all of it in exactly one way. */
export const read = (template: Template, text: string): Fields | undefined => {
  if (text.length > template.longest) return undefined
  // A test is far cheaper than finding the slots, and most templates do not match.
  if (!template.greedy.testExact(text)) return undefined
  const longest = slotsOf(template.greedy, text, template.slots.length)
  const shortest = slotsOf(template.lazy, text, template.slots.length)
  if (longest.some((slot, i) => slot.text !== shortest[i]!.text)) return undefined
  // With any sentence: a number that the text calls a balance is not the amount.
  return isBalance(template, text, longest) ? undefined : fieldsOf(template.slots, longest)
}

/** Whether the template matches the text, but reads nothing because the text calls the amount a balance. */
export const takesBalanceForAmount = (template: Template, text: string): boolean =>
  text.length <= template.longest &&
  template.greedy.testExact(text) &&
  isBalance(template, text, slotsOf(template.greedy, text, template.slots.length))

const isBalance = (template: Template, text: string, found: readonly SlotText[]): boolean => {
  const amount = found[template.slots.findIndex(({ name }) => name === 'amount')]!
  return isCalledBalance(text, amount.from, amount.from + amount.text.length)
}

/** Whether the sentence's own text calls the amount a balance. */
const balanceFault = (parts: readonly Part[]): SentenceError | undefined => {
  const at = parts.findIndex((part) => part.kind === 'slot' && part.name === 'amount')
  const example = (some: readonly Part[]) => some.map(exampleText).join(' ')
  const [before, after] = [`${example(parts.slice(0, at))} `, ` ${example(parts.slice(at + 1))}`]
  if (!isCalledBalance(`${before}0${after}`, before.length, before.length + 1)) return undefined
  return { at: parts[at]!.at, sentence: '{amount:money} stands where the text tells the balance. Mark what was paid.' }
}

const exampleText = (part: Part): string => {
  if (part.kind === 'text') return part.text
  return part.kind === 'slot' && part.type !== 'name' ? '0' : ' '
}

type SlotText = { readonly text: string; readonly from: number }

/** White space is optional at the edge of a slot, and so is every space inside the text. */
const optionalSpace = ' ?'
const spaceBefore = (before: Part | undefined, part: Part): string =>
  before === undefined || before.kind === 'gap' || part.kind === 'gap' ? '' : optionalSpace

const expressionOf = (part: Part): string => {
  if (part.kind === 'slot') return `(${SHAPES[part.type].expression})`
  return part.kind === 'gap' ? ' ' : [...part.text].map(letterExpression).join('')
}

// Groups of interchangeable letters. The last letter of a group stands for all of them.
const SAME_LETTERS = ['أإآٱا', 'ىیي', 'ةه']

const letterExpression = (character: string): string => {
  if (character === ' ') return optionalSpace
  const group = SAME_LETTERS.find((letters) => letters.includes(character))
  return group === undefined ? RE2JS.quote(character) : `[${group}]`
}

/** A text without white space and with one letter for each group, for a cheap comparison with a sentence's text. */
export const plainLetters = (text: string): string =>
  text.replace(/[ أإآٱىیة]/g, (character) => {
    if (character === ' ') return ''
    return SAME_LETTERS.find((letters) => letters.includes(character))!.at(-1)!
  })

const ownLetters = (part: Part | undefined): string => (part?.kind === 'text' ? plainLetters(part.text) : '')

const longestOf = (part: Part): number => {
  if (part.kind === 'slot') return SHAPES[part.type].longest
  return part.kind === 'gap' ? 1 : part.text.length
}

const slotsOf = (expression: RE2JS, text: string, count: number): SlotText[] => {
  const matcher = expression.matcher(text)
  if (!matcher.matches()) throw new Error(`an expression that matched before does not match: ${expression.pattern()}`)
  return Array.from({ length: count }, (_, i) => ({ text: matcher.group(i + 1) ?? '', from: matcher.start(i + 1) }))
}

const fieldsOf = (slots: readonly Slot[], found: readonly SlotText[]): Fields | undefined => {
  const money: { amount?: Minor; balance?: Minor; fee?: Minor } = {}
  const texts: { reference?: string; payer?: string; phone?: string } = {}
  const others: Record<string, string> = {}
  for (const [i, slot] of slots.entries()) {
    const { name } = slot
    const value = slotValue(slot, found[i]!.text)
    if (value === undefined) return undefined
    if (value === null) continue
    if (typeof value === 'bigint') money[name as keyof typeof money] = value
    else if (name === 'reference' || name === 'payer' || name === 'phone') texts[name] = value
    else others[name] = value
  }
  // Without an amount above zero the text is no payment.
  if (money.amount === undefined || money.amount <= minor(0n)) return undefined
  return { ...money, amount: money.amount, ...texts, others }
}
