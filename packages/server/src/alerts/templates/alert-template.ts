/**
 * How one provider words one kind of alert, and what a text from a sender means under all such templates. A version
 * never changes: it is drafted, active, then retired. Nothing is guessed: two templates that read different money out of
 * one text leave it to a person.
 */
import { LRUCache } from 'lru-cache'
import type { ProviderId } from '../../core/ids.ts'
import { normalise } from '../texts/normalise.ts'
import { type Compiled, compileStored, type Fields, read } from './template.ts'

/** Only a credit can verify; a debit is read for the running balance alone. */
export type Direction = 'credit' | 'debit'

/** Fields as a person writes them down: money as a decimal text, `1500.00`. What is left out must not be there. */
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
  /** What the versions of one template have in common; left out, their provider and their name. */
  readonly lineage?: string
  readonly name: string
  /** As the phone shows the sender, compared by exact code points. */
  readonly senderNames: readonly string[]
  readonly direction: Direction
  /** The sentence names it in its own words, so that an alert in another currency does not fit. */
  readonly currency: string
  readonly sentence: string
  readonly version: number
  readonly status: 'draft' | 'active' | 'retired'
  readonly samples: readonly Sample[]
  readonly counterSamples: readonly CounterSample[]
}

export type Reading = Fields & { readonly direction: Direction; readonly currency: string }
export type TemplateReading = { readonly template: AlertTemplate; readonly reading: Reading }

export type Understanding =
  | ({ readonly kind: 'read' } & TemplateReading)
  | { readonly kind: 'unread'; readonly reason: 'sender_unknown' | 'text_unknown' }
  | { readonly kind: 'ambiguous'; readonly readings: readonly TemplateReading[] }

/** What the sender's raw text says under the active templates of that sender. */
export const understand = (
  templates: readonly AlertTemplate[],
  alert: { readonly sender: string; readonly text: string },
): Understanding => {
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
  // They agree on the money; the one that also knows the balance or the payer says more.
  const richest = more.reduce((best, other) => (detail(other.reading) > detail(best.reading) ? other : best), first)
  return { kind: 'read', ...richest }
}

/** One template on a normalised text, whatever the template's status. A sentence that does not compile reads nothing. */
export const readAlert = (template: AlertTemplate, normalisedText: string): Reading | undefined => {
  const compiled = compiledOf(template)
  const fields = compiled.ok ? read(compiled.template, normalisedText) : undefined
  return fields && { ...fields, direction: template.direction, currency: template.currency }
}

/** Whether two readings mean the same payment. */
export const sameMoney = (one: Reading, other: Reading): boolean =>
  one.direction === other.direction &&
  one.amount === other.amount &&
  one.currency === other.currency &&
  one.reference === other.reference

const detail = (reading: Reading): number =>
  [reading.balance, reading.payer, reading.phone, reading.fee].filter((field) => field !== undefined).length

// Templates come out of the database as new objects each time, and compiling one takes a hundred times as long as reading.
const compiledSentences = new LRUCache<string, Compiled>({ max: 500 })

// The same template reads every alert of a second or so: then nothing of it needs to be looked up by its words.
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

/** How long the references of all samples are, if they agree. */
const referenceLength = (samples: readonly Sample[]): number | undefined => {
  const lengths = new Set(
    samples.flatMap(({ expect: { reference } }) => (reference === undefined ? [] : [reference.length])),
  )
  return lengths.size === 1 ? [...lengths][0] : undefined
}
