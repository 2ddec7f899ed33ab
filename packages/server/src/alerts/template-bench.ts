/**
 * The bench a template must pass before it is published: it reads each of its samples as expected and none of its
 * counter-samples, it names its currency and reads no other, nothing put around an alert changes what it says, and no
 * active template of the same sender reads other money out of the same text. Retiring what it replaces is the caller's.
 */
import { setImmediate as room } from 'node:timers/promises'
import { formatMinor } from '../ground/money.ts'
import {
  type AlertTemplate,
  type CounterSample,
  type Expected,
  type Reading,
  readAlert,
  type Sample,
  sameMoney,
} from './alert-template.ts'
import { currencyIn, currencyWords, inOtherCurrencies } from './currency-words.ts'
import { normalise } from './normalise.ts'
import { compileTemplate } from './template.ts'

export type BenchResult = { readonly green: true } | { readonly green: false; readonly failures: readonly string[] }

/** Texts that any sender sends and that are never a payment. */
const NEVER = [
  'رمز التحقق الخاص بك هو 123456 لا تشاركه مع أحد',
  'Your verification code is 123456. Do not share it with anyone.',
  'عرض خاص: اشحن 5000 ريال واحصل على 500 ريال هدية',
]
/** What a forger would put before and after an alert. */
const AROUND: readonly (readonly [string, string])[] = [
  ['', ' رمز العملية 987654321'],
  ['', '\nتم خصم 100 ر.ي'],
  ['', '. Call 770000000 to confirm'],
  ['تجربة: ', ''],
  ['FWD: ', ''],
]

export type SampleResult = {
  readonly text: string
  readonly reading: Reading | undefined
  readonly failures: readonly string[]
}
/** A counter-sample is green when nothing is read. */
export type CounterResult = CounterSample & { readonly reading: Reading | undefined }

/** What came of each sample, and all that is wrong besides. */
export type BenchReport = {
  readonly failures: readonly string[]
  readonly samples: readonly SampleResult[]
  readonly counterSamples: readonly CounterResult[]
}

/** `others`: the templates it will live with. Only active ones of a sender they share count, and no earlier version of itself. */
export const benchTemplate = (template: AlertTemplate, others: readonly AlertTemplate[]): BenchResult => {
  const { failures } = benchReport(template, others)
  return failures.length === 0 ? { green: true } : { green: false, failures }
}

export const benchReport = (template: AlertTemplate, others: readonly AlertTemplate[]): BenchReport => {
  const bench = steps(template, others)
  for (;;) {
    const step = bench.next()
    if (step.done) return step.value
  }
}

/** The same, with room for others between the steps: a hostile template can make each of them slow. */
export const benchGently = async (template: AlertTemplate, others: readonly AlertTemplate[]): Promise<BenchReport> => {
  const bench = steps(template, others)
  for (;;) {
    const step = bench.next()
    if (step.done) return step.value
    await room()
  }
}

function* steps(template: AlertTemplate, others: readonly AlertTemplate[]): Generator<void, BenchReport> {
  const compiled = compileTemplate(template.sentence)
  if (!compiled.ok) {
    const failure = `The sentence does not compile, at character ${compiled.error.at + 1}: ${compiled.error.sentence}`
    return {
      failures: [failure],
      samples: template.samples.map(({ text }) => ({ text, reading: undefined, failures: [] })),
      counterSamples: template.counterSamples.map((one) => ({ ...one, reading: undefined })),
    }
  }
  const samples: SampleResult[] = []
  for (const sample of template.samples) {
    const reading = readAlert(template, normalise(sample.text))
    samples.push({ text: sample.text, reading, failures: sampleFaults(template, sample) })
    yield
  }
  const counter = (one: CounterSample) => ({ ...one, reading: readAlert(template, normalise(one.text)) })
  const counterSamples = template.counterSamples.map(counter)
  const never = NEVER.map((text) => counter({ text, why: 'never a payment' }))
  const failures = [
    ...equipmentFaults(template, compiled.template.words),
    ...samples.flatMap((sample) => sample.failures),
    ...[...counterSamples, ...never].flatMap(counterFaults),
  ]
  for (const other of others.filter((one) => livesWith(template, one))) {
    yield
    failures.push(...quarrels(template, other))
  }
  return { failures, samples, counterSamples }
}

const equipmentFaults = (template: AlertTemplate, words: string): string[] => {
  const faults: string[] = []
  if (template.senderNames.length === 0) faults.push('It has no sender name.')
  if (template.samples.length === 0) faults.push('It has no sample.')
  if (template.direction === 'credit' && template.counterSamples.length === 0)
    faults.push('It has no counter-sample: a credit needs at least one text that must not read, such as a debit.')
  if (currencyIn(words, template.currency) === undefined)
    faults.push(`Its words do not name its currency: one of ${currencyWords(template.currency).join(', ')}.`)
  return faults
}

const sampleFaults = (template: AlertTemplate, sample: Sample): string[] => {
  const reading = readAlert(template, normalise(sample.text))
  if (reading === undefined) return [`It does not read its sample ${shown(sample.text)}.`]
  return [...fieldFaults(reading, sample), ...forgeryFaults(template, reading, sample.text)]
}

const FIELDS = ['amount', 'reference', 'payer', 'phone', 'balance', 'fee'] as const satisfies (keyof Expected)[]

const fieldFaults = (reading: Reading, sample: Sample): string[] =>
  FIELDS.flatMap((field) => {
    const value = reading[field]
    const found = typeof value === 'bigint' ? formatMinor(value) : value
    const expected = sample.expect[field]
    if (found === expected) return []
    return [`In the sample ${shown(sample.text)} ${field} is ${found ?? 'absent'}, expected ${expected ?? 'none'}.`]
  })

const forgeryFaults = (template: AlertTemplate, reading: Reading, text: string): string[] => {
  const faults: string[] = []
  for (const [before, after] of AROUND) {
    const forged = before + text + after
    const read = readAlert(template, normalise(forged))
    // A sentence that ends in a name goes on being one; what it says about money must stay.
    if (read !== undefined && !(sameMoney(read, reading) && read.balance === reading.balance))
      faults.push(`It reads other money out of the forged ${shown(forged)}.`)
  }
  for (const foreign of inOtherCurrencies(normalise(text), template.currency))
    if (readAlert(template, foreign) !== undefined)
      faults.push(`It reads another currency as its own: ${shown(foreign)}.`)
  return faults
}

const counterFaults = ({ text, why, reading }: CounterResult): string[] =>
  reading === undefined ? [] : [`It reads the counter-sample ${shown(text)} (${why}).`]

const livesWith = (template: AlertTemplate, other: AlertTemplate): boolean =>
  other.status === 'active' &&
  other.id !== template.id &&
  !sameTemplate(template, other) &&
  other.senderNames.some((sender) => template.senderNames.includes(sender))

/** Whether two are versions of one another. */
const sameTemplate = (one: AlertTemplate, other: AlertTemplate): boolean =>
  one.lineage !== undefined && other.lineage !== undefined
    ? one.lineage === other.lineage
    : one.providerId === other.providerId && one.name === other.name

const quarrels = (template: AlertTemplate, other: AlertTemplate): string[] =>
  [...template.samples, ...other.samples].flatMap(({ text }) => {
    const plain = normalise(text)
    const mine = readAlert(template, plain)
    const theirs = readAlert(other, plain)
    if (mine === undefined || theirs === undefined || sameMoney(mine, theirs)) return []
    return [`It and "${other.name}" read ${shown(text)} differently: ${told(mine)}; ${told(theirs)}.`]
  })

const told = (reading: Reading): string =>
  `${reading.direction} ${formatMinor(reading.amount)} ${reading.currency}, reference ${reading.reference ?? 'none'}`

const shown = (text: string): string => {
  const plain = normalise(text)
  return `"${plain.length > 80 ? `${plain.slice(0, 79).toWellFormed()}…` : plain}"`
}
