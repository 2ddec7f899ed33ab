/**
 * Makes a template's sentence from the raw text of one alert and the marks that a member put on it. Text without a mark becomes
 * the sentence's own text. The sentence reads the same text, each slot with the marked value; if that is not possible, the
 * reason is returned. Samples show whether it reads other alerts too. Pure.
 */
import { formatMinor } from '../../core/money.ts'
import { normalise } from '../texts/normalise.ts'
import type { Expected } from './alert-template.ts'
import { KNOWN_SLOTS, OTHER_SLOTS, type SlotType, slotValue } from './slot.ts'
import { compileTemplate, type Fields, read } from './template.ts'
import type { SentenceError } from './template-sentence.ts'

/** `from` and `to` count UTF-16 units into the text. `slot`: a name, or `name:type`. */
export type Mark = { readonly from: number; readonly to: number; readonly slot: string }

export type MarkedSentence =
  | { readonly ok: true; readonly sentence: string; readonly fields: Fields }
  | { readonly ok: false; readonly sentence: string; readonly error: SentenceError }

type Slot = { readonly from: number; readonly to: number; readonly name: string; readonly type: SlotType }

export const sentenceFromMarks = (text: string, marks: readonly Mark[]): MarkedSentence => {
  const slots: Slot[] = []
  let end = 0
  for (const mark of [...marks].sort((a, b) => a.from - b.from)) {
    if (mark.from < end) return refused('', mark.from, 'Two marks overlap.')
    if (mark.to > text.length || mark.from >= mark.to)
      return refused('', mark.from, 'A mark must hold some of the text.')
    end = mark.to
    const slot = slotOf(text, mark)
    if ('sentence' in slot) return refused('', slot.at, slot.sentence)
    slots.push(slot)
  }
  const sentence = sentenceOf(text, slots)
  const compiled = compileTemplate(sentence)
  if (!compiled.ok) return { ok: false, sentence, error: compiled.error }
  const unsafe = slots.find(({ from, to, name, type }) => {
    const edge = compiled.template.slots.find((slot) => slot.name === name)?.edge
    return type === 'money' && slotValue({ type, edge }, normalise(text.slice(from, to))) === null
  })
  if (unsafe !== undefined)
    return refused(
      sentence,
      unsafe.from,
      `{${unsafe.name}} ends the text without two decimals, so a cut number would look whole. Mark it as other text.`,
    )
  const fields = read(compiled.template, normalise(text))
  if (fields === undefined) return refused(sentence, 0, 'The sentence could read this text in two ways, or not at all.')
  const other = slots.find(({ from, to, name, type }) => {
    const marked = slotValue({ type }, normalise(text.slice(from, to)))
    return marked == null || marked !== valueIn(fields, name)
  })
  if (other !== undefined)
    return refused(sentence, 0, `{${other.name}} would not read what is marked, but something else.`)
  return { ok: true, sentence, fields }
}

const refused = (sentence: string, at: number, why: string): MarkedSentence => ({
  ok: false,
  sentence,
  error: { at, sentence: why },
})

/** The value of the slot with this name. */
export const valueIn = (fields: Fields, name: string) =>
  Object.hasOwn(KNOWN_SLOTS, name) ? fields[name as Exclude<keyof Fields, 'others'>] : fields.others[name]

const SLOT_NAME = /^([a-z][a-z0-9_]{0,31})(?::([a-z]+))?$/
/** The first type that fits is chosen, so that a phone number becomes `phone`, not `any`. */
const NARROWEST_FIRST: readonly SlotType[] = ['money', 'reference', 'phone', 'name', 'any']

const slotOf = (text: string, { from, to, slot }: Mark): Slot | SentenceError => {
  const [, name = '', type] = SLOT_NAME.exec(slot.trim()) ?? []
  if (name === '') return { at: from, sentence: `"${slot.slice(0, 40)}" is no name of a slot.` }
  const allowed = Object.hasOwn(KNOWN_SLOTS, name) ? KNOWN_SLOTS[name]! : OTHER_SLOTS
  const possible = NARROWEST_FIRST.filter((each) => allowed.includes(each) && (type === undefined || type === each))
  const marked = normalise(text.slice(from, to))
  const fitting = possible.find((each) => marked !== '' && slotValue({ type: each }, marked) != null)
  if (fitting === undefined) return { at: from, sentence: `What is marked is no ${type ?? allowed.join(' or ')}.` }
  // White space at the edges of a mark belongs to the text beside it.
  const inner = text.slice(from, to)
  const start = from + (inner.length - inner.trimStart().length)
  return { from: start, to: start + inner.trim().length, name, type: fitting }
}

const sentenceOf = (text: string, slots: readonly Slot[]): string => {
  let sentence = ''
  let at = 0
  for (const { from, to, name, type } of slots) {
    const atEdge = [text.slice(0, from), text.slice(to)].some((beyond) => normalise(beyond) === '')
    // At the edge of a text a reference is read only with its length.
    const length = type === 'reference' && atEdge ? `:${normalise(text.slice(from, to)).length}` : ''
    sentence += `${escapeText(text.slice(at, from))}{${name}:${type}${length}}`
    at = to
  }
  return (sentence + escapeText(text.slice(at))).trim()
}

const escapeText = (text: string): string => text.replace(/\s+/g, ' ').replace(/[\\{}]/g, '\\$&')

/** The expected fields of a sample with this text. */
export const expectedOf = (fields: Fields): Expected => ({
  amount: formatMinor(fields.amount),
  ...(fields.reference === undefined ? {} : { reference: fields.reference }),
  ...(fields.payer === undefined ? {} : { payer: fields.payer }),
  ...(fields.phone === undefined ? {} : { phone: fields.phone }),
  ...(fields.balance === undefined ? {} : { balance: formatMinor(fields.balance) }),
  ...(fields.fee === undefined ? {} : { fee: formatMinor(fields.fee) }),
})
