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
import { type Minor, minor } from '../../core/money.ts'
import { standsAsBalance } from '../texts/balance-words.ts'
import { SHAPES, slotValue } from './slot.ts'
import { edgeFault, type Part, parseSentence, type SentenceError, type Slot, wordsOf } from './template-sentence.ts'

export type Template = {
  readonly sentence: string
  readonly slots: readonly Slot[]
  /** The sentence's own text, normalised. */
  readonly words: string
  /** The letters with which every text that it reads begins and ends, as `plainLetters` spells them. */
  readonly head: string
  readonly tail: string
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
  const error = edgeFault(parsed.parts) ?? balanceFault(parsed.parts)
  return error ? { ok: false, error } : compileParts(sentence, parsed.parts)
}

/**
 * A sentence that may have been published before references had lengths. Where one at the edge has none it takes
 * `referenceLength`; if that is not known either, the text is read without its reference. Money that begins the sentence is
 * not read, so an amount that stands there reads nothing.
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
  const expression = parts.map((part, i) => edge(parts[i - 1], part) + expressionOf(part)).join('')
  const template: Template = {
    sentence,
    slots: parts.filter((part) => part.kind === 'slot'),
    words: wordsOf(parts),
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

/** The fields of a normalised text, if the template reads all of it, and in one way only. */
export const read = (template: Template, text: string): Fields | undefined => {
  if (text.length > template.longest) return undefined
  // Whether it fits at all is far cheaper to know than what stands where, and most texts fit no template.
  if (!template.greedy.testExact(text)) return undefined
  const found = slotsOf(template.greedy, text, template.slots.length)
  const again = slotsOf(template.lazy, text, template.slots.length)
  if (found.some(({ spelled }, i) => spelled !== again[i]!.spelled)) return undefined
  // Whatever the sentence says: a number that the text itself calls the balance is not what was paid.
  return isBalance(template, text, found) ? undefined : fieldsOf(template.slots, found)
}

/** Whether it reads nothing in a text that it fits because the text calls the amount its balance. */
export const takesBalanceForAmount = (template: Template, text: string): boolean =>
  text.length <= template.longest &&
  template.greedy.testExact(text) &&
  isBalance(template, text, slotsOf(template.greedy, text, template.slots.length))

const isBalance = (template: Template, text: string, found: readonly Found[]): boolean => {
  const { from, spelled } = found[template.slots.findIndex(({ name }) => name === 'amount')]!
  return standsAsBalance(text, from, from + spelled.length)
}

/** The same of the sentence itself. */
const balanceFault = (parts: readonly Part[]): SentenceError | undefined => {
  const at = parts.findIndex((part) => part.kind === 'slot' && part.name === 'amount')
  const said = (some: readonly Part[]) => some.map(inPlace).join(' ')
  const [before, after] = [`${said(parts.slice(0, at))} `, ` ${said(parts.slice(at + 1))}`]
  if (!standsAsBalance(`${before}0${after}`, before.length, before.length + 1)) return undefined
  return { at: parts[at]!.at, sentence: '{amount:money} stands where the text tells the balance. Mark what was paid.' }
}

const inPlace = (part: Part): string => {
  if (part.kind === 'text') return part.text
  return part.kind === 'slot' && part.type !== 'name' ? '0' : ' '
}

type Found = { readonly spelled: string; readonly from: number }

/** White space may come or go at the edge of a slot; inside a text that is written as `maybe`. */
const maybe = ' ?'
const edge = (before: Part | undefined, part: Part): string =>
  before === undefined || before.kind === 'gap' || part.kind === 'gap' ? '' : maybe

const expressionOf = (part: Part): string => {
  if (part.kind === 'slot') return `(${SHAPES[part.type].expression})`
  return part.kind === 'gap' ? ' ' : [...part.text].map(letter).join('')
}

// The last of each stands for all of them.
const EXCHANGED = ['أإآٱا', 'ىیي', 'ةه']

const letter = (character: string): string => {
  if (character === ' ') return maybe
  const all = EXCHANGED.find((letters) => letters.includes(character))
  return all === undefined ? RE2JS.quote(character) : `[${all}]`
}

/** Without white space, and one letter for all that are exchanged: what is left of a text that a sentence's own text fits. */
export const plainLetters = (text: string): string =>
  text.replace(/[ أإآٱىیة]/g, (character) => {
    if (character === ' ') return ''
    return EXCHANGED.find((letters) => letters.includes(character))!.at(-1)!
  })

const ownLetters = (part: Part | undefined): string => (part?.kind === 'text' ? plainLetters(part.text) : '')

const longestOf = (part: Part): number => {
  if (part.kind === 'slot') return SHAPES[part.type].longest
  return part.kind === 'gap' ? 1 : part.text.length
}

const slotsOf = (expression: RE2JS, text: string, count: number): Found[] => {
  const matcher = expression.matcher(text)
  if (!matcher.matches()) throw new Error(`an expression that fits does not match: ${expression.pattern()}`)
  return Array.from({ length: count }, (_, i) => ({ spelled: matcher.group(i + 1) ?? '', from: matcher.start(i + 1) }))
}

const fieldsOf = (slots: readonly Slot[], found: readonly Found[]): Fields | undefined => {
  const money: { amount?: Minor; balance?: Minor; fee?: Minor } = {}
  const words: { reference?: string; payer?: string; phone?: string } = {}
  const others: Record<string, string> = {}
  for (const [i, slot] of slots.entries()) {
    const { name } = slot
    const value = slotValue(slot, found[i]!.spelled)
    if (value === undefined) return undefined
    if (value === null) continue
    if (typeof value === 'bigint') money[name as keyof typeof money] = value
    else if (name === 'reference' || name === 'payer' || name === 'phone') words[name] = value
    else others[name] = value
  }
  // Nothing arrived and nothing left: whatever such a text is, it is no payment.
  if (money.amount === undefined || money.amount <= minor(0n)) return undefined
  return { ...money, amount: money.amount, ...words, others }
}
