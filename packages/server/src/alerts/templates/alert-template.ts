/**
 * A template of a provider's alerts, and the reading of a text by all active templates of its sender. A version is a draft,
 * then active, then retired; once active, it never changes. Nothing is guessed: if two templates read different money in one
 * text, the text is ambiguous and a member must decide.
 */
import { LRUCache } from 'lru-cache'
import type { ProviderId } from '../../core/ids.ts'
import { normalise } from '../texts/normalise.ts'
import { type Compiled, compileStored, type Fields, read } from './template.ts'
import { unexpectedWord } from './unexpected-words.ts'

/** Only a credit can verify; a debit is read only for the balance. */
export type Direction = 'credit' | 'debit'

/** The expected fields of a sample: money as a decimal, `1500.00`. A field that is left out must not be read. */
export type Expected = {
  readonly amount: string
  readonly reference?: string
  readonly payer?: string
  readonly phone?: string
  readonly balance?: string
  readonly fee?: string
}
export type Sample = { readonly text: string; readonly expect: Expected }
/** A text of the same sender that this template must not read. */
export type CounterSample = { readonly text: string; readonly why: string }

export type AlertTemplate = {
  readonly id: string
  readonly providerId: ProviderId
  /** The same for all versions of a template; if left out, versions have the same provider and name. */
  readonly lineage?: string
  readonly name: string
  /** The sender as the phone shows it, compared by exact code points. */
  readonly senderNames: readonly string[]
  readonly direction: Direction
  /** The sentence must contain it as text, so that an alert in another currency does not fit. */
  readonly currency: string
  readonly sentence: string
  readonly version: number
  readonly status: 'draft' | 'active' | 'retired'
  readonly samples: readonly Sample[]
  readonly counterSamples: readonly CounterSample[]
}

export type Reading = Fields & { readonly direction: Direction; readonly currency: string }
export type TemplateReading = { readonly template: AlertTemplate; readonly reading: Reading }

/** A word that should not be in the slot where it is, folded; see `unexpected-words.ts`. */
type Unexpected = { readonly unexpected: string | undefined }

export type TextReading =
  | ({ readonly kind: 'read' } & TemplateReading & Unexpected)
  | { readonly kind: 'unread'; readonly reason: 'sender_unknown' | 'text_unknown' }
  | { readonly kind: 'ambiguous'; readonly readings: readonly TemplateReading[] }

/** Reads a raw text with the active templates of its sender. */
export const readText = (
  templates: readonly AlertTemplate[],
  alert: { readonly sender: string; readonly text: string },
): TextReading => {
  const candidates = templates.filter(
    (template) => template.status === 'active' && template.senderNames.includes(alert.sender),
  )
  if (candidates.length === 0) return { kind: 'unread', reason: 'sender_unknown' }
  const text = normalise(alert.text)
  const readings: TemplateReading[] = []
  for (const template of candidates) {
    const reading = readAlert(template, text)
    if (reading !== undefined) readings.push({ template, reading })
  }
  const [first, ...more] = readings
  if (first === undefined) return { kind: 'unread', reason: 'text_unknown' }
  if (more.some((other) => !sameMoney(first.reading, other.reading))) return { kind: 'ambiguous', readings }
  // They agree on the money: the template that reads the most other fields is used. One whose own text contains the words that
  // another reads as a name explains them.
  const checked = readings.map((read) => ({ ...read, unexpected: unexpectedIn(read.template, read.reading) }))
  const expected = checked.filter(({ unexpected }) => unexpected === undefined)
  const richest = (expected.length > 0 ? expected : checked).reduce((best, other) =>
    detailCount(other.reading) > detailCount(best.reading) ? other : best,
  )
  return { kind: 'read', ...richest }
}

/** A word of a credit that is not expected in the slot where it is. A debit verifies nothing, and is not checked. */
export const unexpectedIn = (template: AlertTemplate, reading: Reading): string | undefined => {
  const compiled = compiledOf(template)
  if (template.direction === 'debit' || !compiled.ok) return undefined
  return unexpectedWord(compiled.template.slots, reading, () => sampleFieldsOf(template))
}

// Cached, because the samples of a template do not change while it is used.
const sampleFields = new WeakMap<object, readonly Fields[]>()

const sampleFieldsOf = (template: AlertTemplate): readonly Fields[] => {
  const known = sampleFields.get(template)
  if (known !== undefined) return known
  const fields = template.samples.flatMap(({ text }) => readAlert(template, normalise(text)) ?? [])
  sampleFields.set(template, fields)
  return fields
}

/** Reads a normalised text with one template of any status. A sentence that does not compile reads nothing. */
export const readAlert = (template: AlertTemplate, normalisedText: string): Reading | undefined => {
  const compiled = compiledOf(template)
  const fields = compiled.ok ? read(compiled.template, normalisedText) : undefined
  return fields && { ...fields, direction: template.direction, currency: template.currency }
}

/** Whether two readings mean the same payment. */
export const sameMoney = (a: Reading, b: Reading): boolean =>
  a.direction === b.direction && a.amount === b.amount && a.currency === b.currency && a.reference === b.reference

const detailCount = (reading: Reading): number =>
  [reading.balance, reading.payer, reading.phone, reading.fee].filter((field) => field !== undefined).length

// Cached by sentence: the database returns new objects, and compiling takes a hundred times as long as reading a text.
const compiledSentences = new LRUCache<string, Compiled>({ max: 500 })

// Cached by object too: the same template object is used for about a second, without a lookup by its sentence.
const compiledTemplates = new WeakMap<object, Compiled>()

export const compiledOf = (template: Pick<AlertTemplate, 'sentence' | 'samples'>): Compiled => {
  const known = compiledTemplates.get(template)
  if (known !== undefined) return known
  const length = referenceLength(template.samples)
  const key = `${length ?? ''} ${template.sentence}`
  const compiled = compiledSentences.get(key) ?? compileStored(template.sentence, length)
  compiledSentences.set(key, compiled)
  compiledTemplates.set(template, compiled)
  return compiled
}

/** The length of the references of all samples, if it is the same. */
const referenceLength = (samples: readonly Sample[]): number | undefined => {
  const lengths = new Set(
    samples.flatMap(({ expect: { reference } }) => (reference === undefined ? [] : [reference.length])),
  )
  return lengths.size === 1 ? [...lengths][0] : undefined
}
