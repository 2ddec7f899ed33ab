/**
 * Parses a template's sentence into text, gaps and slots, or returns the place and the reason of an error.
 *
 *   استلمت مبلغ {amount:money} YER من {payer:phone} رصيدك هو {balance:money}
 *
 * - `{name:type}` is a slot; each name may occur once. `\{`, `\}` and `\\` are the characters themselves.
 * - `{reference:reference:14}` is a reference of exactly 14 characters. A reference at the beginning or the end of the
 *   sentence must have its length (`edgeFault`): otherwise a reference that was cut would look complete.
 * - The alert may lack white space of the sentence, and may have additional white space beside a slot. White space between
 *   two slots without other text is required.
 * - Everything else is text, normalised like the alert.
 *
 * Money at the end of the sentence is read only with both decimals, and money at its beginning is not read (`slot.ts`).
 * Sentences that are ambiguous, or that could split a number, are refused here, so that they cannot be misread later.
 */
import { LOST, normalise } from '../texts/normalise.ts'
import {
  type Edge,
  KNOWN_SLOTS,
  LONGEST_REFERENCE,
  OTHER_SLOTS,
  SHAPES,
  SHORTEST_REFERENCE,
  SLOT_TYPES,
  type SlotType,
} from './slot.ts'

export const LONGEST_SENTENCE = 2000
export const MOST_SLOTS = 12
const FEWEST_LETTERS = 3

export type Slot = {
  readonly kind: 'slot'
  readonly name: string
  readonly type: SlotType
  readonly at: number
  /** The length of a reference, if the sentence gives it. */
  readonly length: number | undefined
  /** The edge of the sentence at which the slot is. If the text is cut, the value of such a slot may be cut too. */
  readonly edge: Edge
}
/** The text is normalised. The alert may lack its spaces. */
type Text = { readonly kind: 'text'; readonly text: string; readonly at: number }
/** Only white space, between two slots. */
type Gap = { readonly kind: 'gap'; readonly at: number }
export type Part = Slot | Text | Gap

/** `at`: the place in the sentence, in UTF-16 units. `sentence`: the message for the author. */
export type SentenceError = { readonly at: number; readonly sentence: string }
export type Parsed =
  | { readonly ok: true; readonly parts: readonly Part[] }
  | { readonly ok: false; readonly error: SentenceError }

export const parseSentence = (sentence: string): Parsed => {
  if (sentence.length > LONGEST_SENTENCE)
    return refused(
      LONGEST_SENTENCE,
      `The sentence has ${sentence.length} characters; at most ${LONGEST_SENTENCE} are allowed.`,
    )
  const found = splitParts(sentence)
  if (!Array.isArray(found)) return { ok: false, error: found }
  const parts = withEdges(found.filter((part, i) => part.kind !== 'gap' || (i > 0 && i < found.length - 1)))
  const error = slotFault(parts) ?? neighbourFault(parts) ?? wordsFault(parts)
  return error ? { ok: false, error } : { ok: true, parts }
}

const refused = (at: number, sentence: string): Parsed => ({ ok: false, error: { at, sentence } })

const splitParts = (sentence: string): Part[] | SentenceError => {
  const parts: Part[] = []
  let text = ''
  let textAt = 0
  const endText = () => {
    if (text === '') return
    const plain = normalise(text)
    if (plain !== '') parts.push({ kind: 'text', text: plain, at: textAt })
    else if (/\s/.test(text)) parts.push({ kind: 'gap', at: textAt })
    text = ''
  }
  for (let at = 0; at < sentence.length; at++) {
    const character = sentence[at]!
    if (text === '') textAt = at
    if (character === '\\') {
      const next = sentence[++at]
      if (next !== '{' && next !== '}' && next !== '\\')
        return { at: at - 1, sentence: 'A backslash stands only before {, } or another backslash.' }
      text += next
    } else if (character === '}') {
      return { at, sentence: 'This } closes nothing. For the character itself write \\}.' }
    } else if (character === '{') {
      const end = sentence.indexOf('}', at)
      if (end < 0) return { at, sentence: 'This { is never closed. For the character itself write \\{.' }
      endText()
      const slot = readSlot(sentence.slice(at + 1, end), at)
      if (!('kind' in slot)) return slot
      parts.push(slot)
      at = end
    } else {
      text += character
    }
  }
  endText()
  return parts
}

const SLOT = /^([a-z][a-z0-9_]{0,31}) ?: ?([a-z]+)(?: ?: ?([0-9]{1,3}))?$/

const readSlot = (inside: string, at: number): Slot | SentenceError => {
  // Normalised, because a right-to-left editor may leave invisible marks here.
  const matched = SLOT.exec(normalise(inside))
  if (!matched)
    return {
      at,
      sentence: `{${inside}} is not a slot. A slot is {name:type}, such as {amount:money}, in small letters.`,
    }
  const [, name, type, digits] = matched as unknown as [string, string, string, string | undefined]
  if (!isSlotType(type))
    return { at, sentence: `There is no slot type "${type}". The types are ${SLOT_TYPES.join(', ')}.` }
  const allowed = Object.hasOwn(KNOWN_SLOTS, name) ? KNOWN_SLOTS[name]! : OTHER_SLOTS
  if (!allowed.includes(type))
    return { at, sentence: `{${name}} cannot be of the type ${type}; it can be ${allowed.join(' or ')}.` }
  const length = digits === undefined ? undefined : Number(digits)
  if (length !== undefined && type !== 'reference')
    return { at, sentence: `{${inside}} has a length; only a reference can have one.` }
  if (length !== undefined && (length < SHORTEST_REFERENCE || length > LONGEST_REFERENCE))
    return { at, sentence: `A reference has ${SHORTEST_REFERENCE} to ${LONGEST_REFERENCE} characters, not ${length}.` }
  return { kind: 'slot', name, type, at, length, edge: undefined }
}

/** A number counts as at the edge even if a point or comma follows or precedes it, because that may belong to the number. */
const withEdges = (parts: readonly Part[]): Part[] => {
  const isEdge = (beyond: readonly Part[], type: SlotType): boolean =>
    beyond.every((part) => type === 'money' && part.kind === 'text' && /^[.,]$/.test(part.text))
  return parts.map((part, i): Part => {
    if (part.kind !== 'slot') return part
    if (isEdge(parts.slice(0, i), part.type)) return { ...part, edge: 'start' }
    return isEdge(parts.slice(i + 1), part.type) ? { ...part, edge: 'end' } : part
  })
}

/** Why a sentence that parses may not be published: a part of a text could be read as another payment. */
export const edgeFault = (parts: readonly Part[]): SentenceError | undefined => {
  for (const slot of parts.filter(isSlot)) {
    if (slot.edge === undefined) continue
    const place = slot.edge === 'start' ? 'begins' : 'ends'
    if (slot.type === 'reference' && slot.length === undefined)
      return {
        at: slot.at,
        sentence: `${shown(slot)} ${place} the sentence, so a cut reference would look whole. Write its length, such as {reference:reference:12}.`,
      }
    if (slot.type === 'money' && slot.edge === 'start')
      return {
        at: slot.at,
        sentence: `${shown(slot)} begins the sentence, so a cut number would look whole. The words before it are needed.`,
      }
  }
  return undefined
}

const isSlotType = (type: string): type is SlotType => (SLOT_TYPES as readonly string[]).includes(type)
const isSlot = (part: Part): part is Slot => part.kind === 'slot'
const shown = (slot: Slot): string => `{${slot.name}:${slot.type}${slot.length === undefined ? '' : `:${slot.length}`}}`

const slotFault = (parts: readonly Part[]): SentenceError | undefined => {
  const slots = parts.filter(isSlot)
  const names = new Set<string>()
  for (const slot of slots) {
    if (names.has(slot.name)) return { at: slot.at, sentence: `{${slot.name}} stands twice; each slot may stand once.` }
    names.add(slot.name)
  }
  const beyond = slots[MOST_SLOTS]
  if (beyond) return { at: beyond.at, sentence: `There are ${slots.length} slots; at most ${MOST_SLOTS} are allowed.` }
  if (!names.has('amount'))
    return { at: 0, sentence: 'There is no {amount:money}: an alert without an amount proves nothing.' }
  return undefined
}

const neighbourFault = (parts: readonly Part[]): SentenceError | undefined => {
  for (const [i, part] of parts.entries()) {
    if (!isSlot(part)) continue
    const next = parts[i + 1]
    const afterGap = next?.kind === 'gap' ? parts[i + 2] : undefined
    if (next !== undefined && isSlot(next))
      return {
        at: next.at,
        sentence: `${shown(part)} and ${shown(next)} touch: there must be text or white space between them.`,
      }
    if (afterGap !== undefined && isSlot(afterGap) && !canSeparate(part, afterGap))
      return {
        at: afterGap.at,
        sentence: `${shown(part)} and ${shown(afterGap)} cannot be told apart: there must be text between them.`,
      }
    if (part.type !== 'money') continue
    const before = parts[i - 1]
    if (before?.kind === 'text' && splitsNumber([...before.text].reverse(), i - 1 === 0))
      return { at: part.at, sentence: `The text before ${shown(part)} could be part of its number.` }
    if (next?.kind === 'text' && splitsNumber([...next.text], i + 1 === parts.length - 1))
      return { at: next.at, sentence: `The text after ${shown(part)} could be part of its number.` }
  }
  return undefined
}

/** Whether two slots with only white space between them can be told apart: one of them must not contain white space, and
 *  `any` must not be next to a number or a reference, of which it could take a part. */
const canSeparate = (left: Slot, right: Slot): boolean => {
  if (SHAPES[left.type].spaced && SHAPES[right.type].spaced) return false
  const types = [left.type, right.type]
  return !(types.includes('any') && (types.includes('money') || types.includes('reference')))
}

/**
 * Whether the text beside a number could be part of the number. `outwards`: its characters, in the direction away from the
 * slot. A digit could be. A point or comma could be, unless a character other than a digit follows it (`Tk.`), or the
 * sentence ends there.
 */
const splitsNumber = (outwards: readonly string[], ends: boolean): boolean => {
  const [first, second] = outwards.filter((character) => character !== ' ')
  if (first === undefined || /[0-9]/.test(first)) return true
  if (!/[.,]/.test(first)) return false
  return second === undefined ? !ends : /[0-9.,]/.test(second)
}

const wordsFault = (parts: readonly Part[]): SentenceError | undefined => {
  for (const part of parts)
    if (part.kind === 'text' && part.text.includes(LOST))
      return { at: part.at, sentence: 'The text here has a character that was lost on its way. Copy it again.' }
  const letters = ownText(parts).match(/\p{L}/gu)?.length ?? 0
  if (letters >= FEWEST_LETTERS) return undefined
  return { at: 0, sentence: 'The sentence has hardly any words of its own: too many other texts would fit it.' }
}

/** The text of the sentence without its slots. */
export const ownText = (parts: readonly Part[]): string =>
  parts.map((part) => (part.kind === 'text' ? part.text : ' ')).join(' ')
