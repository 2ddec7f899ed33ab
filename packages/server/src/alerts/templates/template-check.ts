/**
 * The check that a template must pass before it is published:
 * - it reads each of its samples as expected, and none of its counter-samples;
 * - its sentence contains its currency, and it reads no other currency;
 * - the names in its samples are names, and not sentences;
 * - its amount is not a fee, and its reference is not a phone number, a date or the same for two different amounts;
 * - text added before or after an alert does not change the money;
 * - no part of a sample is read as other money than the whole;
 * - no active template of the same sender reads other money in the same text.
 */

import { setImmediate as pause } from 'node:timers/promises'
import { sampleFields } from '@sanad/contract/kinds'
import { formatMinor } from '../../core/money.ts'
import { referenceKey } from '../../core/reference-key.ts'
import { currencyIn, currencyWords, inOtherCurrencies } from '../texts/currency-words.ts'
import { normalise } from '../texts/normalise.ts'
import {
  type AlertTemplate,
  type CounterSample,
  type Reading,
  readAlert,
  type Sample,
  sameMoney,
  unexpectedIn,
} from './alert-template.ts'
import { isCalledFee, mistakenReference } from './reference-check.ts'
import { compileTemplate, type Template, takesBalanceForAmount } from './template.ts'
import { type CutReading, cuttingOf, MOST_CUT_STEPS, misreadCut } from './template-cuts.ts'

export type CheckResult = { readonly green: true } | { readonly green: false; readonly failures: readonly string[] }

/** Texts that any sender may send and that are never a payment. */
const NEVER_PAYMENTS = [
  'رمز التحقق الخاص بك هو 123456 لا تشاركه مع أحد',
  'Your verification code is 123456. Do not share it with anyone.',
  'عرض خاص: اشحن 5000 ريال واحصل على 500 ريال هدية',
]
/** Text before and after an alert, as a forger would add it. */
const FORGERIES: readonly (readonly [string, string])[] = [
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
/** A counter-sample passes if the template does not read it. */
export type CounterResult = CounterSample & { readonly reading: Reading | undefined }

/** The result of each sample, and all failures. */
export type CheckReport = {
  readonly failures: readonly string[]
  readonly samples: readonly SampleResult[]
  readonly counterSamples: readonly CounterResult[]
}

/**
 * `others`: the templates to compare with. Of these, active ones with a common sender are used, except versions of itself. There
 * is a pause between the steps, so that a slow template does not block other requests.
 */
export const checkInSteps = async (template: AlertTemplate, others: readonly AlertTemplate[]): Promise<CheckReport> => {
  const check = steps(template, others)
  for (;;) {
    const step = check.next()
    if (step.done) return step.value
    await pause()
  }
}

function* steps(template: AlertTemplate, others: readonly AlertTemplate[]): Generator<void, CheckReport> {
  const compiled = compileTemplate(template.sentence)
  if (!compiled.ok) {
    const failure = `The sentence does not compile, at character ${compiled.error.at + 1}: ${compiled.error.sentence}`
    return {
      failures: [failure],
      samples: template.samples.map(({ text }) => ({ text, reading: undefined, failures: [] })),
      counterSamples: template.counterSamples.map((counter) => ({ ...counter, reading: undefined })),
    }
  }
  const samples: SampleResult[] = []
  for (const sample of template.samples) {
    const reading = readAlert(template, normalise(sample.text))
    samples.push({ text: sample.text, reading, failures: sampleFaults(template, compiled.template, sample) })
    yield
  }
  const readCounter = (counter: CounterSample) => ({
    ...counter,
    reading: readAlert(template, normalise(counter.text)),
  })
  const counterSamples = template.counterSamples.map(readCounter)
  const never = NEVER_PAYMENTS.map((text) => readCounter({ text, why: 'never a payment' }))
  const failures = [
    ...contentFaults(template, compiled.template.words),
    ...feeFaults(template),
    ...repeatedReferences(samples),
    ...samples.flatMap((sample) => sample.failures),
    ...[...counterSamples, ...never].flatMap(counterFaults),
  ]
  const neighbours = others.filter((other) => isNeighbour(template, other))
  for (const other of neighbours) {
    yield
    failures.push(...disagreements(template, other))
  }
  failures.push(...(yield* cutFaults(template, neighbours)))
  return { failures, samples, counterSamples }
}

const contentFaults = (template: AlertTemplate, words: string): string[] => {
  const faults: string[] = []
  if (template.senderNames.length === 0) faults.push('It has no sender name.')
  if (template.samples.length === 0) faults.push('It has no sample.')
  if (template.direction === 'credit' && template.counterSamples.length === 0)
    faults.push('It has no counter-sample: a credit needs at least one text that must not read, such as a debit.')
  if (currencyIn(words, template.currency) === undefined)
    faults.push(`Its words do not name its currency: one of ${currencyWords(template.currency).join(', ')}.`)
  return faults
}

const sampleFaults = (template: AlertTemplate, compiled: Template, sample: Sample): string[] => {
  const plain = normalise(sample.text)
  const reading = readAlert(template, plain)
  if (reading === undefined && takesBalanceForAmount(compiled, plain))
    return [`In the sample ${shown(sample.text)} it takes the balance for the amount.`]
  if (reading === undefined) return [`It does not read its sample ${shown(sample.text)}.`]
  return [
    ...fieldFaults(reading, sample),
    ...exchangedFaults(reading, sample),
    ...mistakenFaults(reading, sample),
    ...unexpectedFaults(template, reading, sample),
    ...forgeryFaults(template, reading, sample.text),
  ]
}

/** After a credit the balance is at least the amount less the fee: if it is less, the two slots are exchanged. */
const exchangedFaults = (reading: Reading, sample: Sample): string[] => {
  const { direction, amount, balance, fee = 0n } = reading
  if (direction !== 'credit' || balance === undefined || balance + fee >= amount) return []
  const [less, more] = [formatMinor(balance), formatMinor(amount)]
  return [
    `In the sample ${shown(sample.text)} the balance ${less} is less than the amount ${more}: are they exchanged?`,
  ]
}

const mistakenFaults = (reading: Reading, sample: Sample): string[] => {
  const mistaken = reading.direction === 'credit' ? mistakenReference(reading) : undefined
  return mistaken === undefined
    ? []
    : [`In the sample ${shown(sample.text)} the reference ${reading.reference} looks like ${mistaken}.`]
}

/** An alert like such a sample is never matched: its payer is more than a name. */
const unexpectedFaults = (template: AlertTemplate, reading: Reading, sample: Sample): string[] => {
  const word = unexpectedIn(template, reading)
  return word === undefined
    ? []
    : [
        `In the sample ${shown(sample.text)} "${word}" is no part of a name: such an alert waits for a member. Mark the name only.`,
      ]
}

/** A number that two samples of different amounts have in common is not the reference of a payment. */
const repeatedReferences = (samples: readonly SampleResult[]): string[] => {
  const byReference = Map.groupBy(
    samples.filter(({ reading }) => reading?.reference !== undefined),
    ({ reading }) => referenceKey(reading!.reference!),
  )
  return [...byReference.values()].flatMap((same) =>
    new Set(same.map(({ reading }) => reading!.amount)).size < 2
      ? []
      : [
          `Two samples of different amounts have the reference ${same[0]!.reading!.reference}: is it an account number?`,
        ],
  )
}

const feeFaults = ({ direction, sentence }: AlertTemplate): string[] => {
  const before = sentence.slice(0, Math.max(0, sentence.indexOf('{amount:'))).replace(/^.*\}/s, '')
  return direction === 'credit' && isCalledFee(before)
    ? ['{amount:money} stands where the text tells the fee. Mark what was paid.']
    : []
}

const fieldFaults = (reading: Reading, sample: Sample): string[] =>
  sampleFields.flatMap((field) => {
    const value = reading[field]
    const found = typeof value === 'bigint' ? formatMinor(value) : value
    const expected = sample.expect[field]
    if (found === expected) return []
    return [`In the sample ${shown(sample.text)} ${field} is ${found ?? 'absent'}, expected ${expected ?? 'none'}.`]
  })

const forgeryFaults = (template: AlertTemplate, reading: Reading, text: string): string[] => {
  const faults: string[] = []
  for (const [before, after] of FORGERIES) {
    const forged = before + text + after
    const read = readAlert(template, normalise(forged))
    // A name at the end may get longer; the money must stay the same.
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

const isNeighbour = (template: AlertTemplate, other: AlertTemplate): boolean =>
  other.status === 'active' &&
  other.id !== template.id &&
  !sameTemplate(template, other) &&
  other.senderNames.some((sender) => template.senderNames.includes(sender))

/** Whether the two are versions of one template. */
const sameTemplate = (a: AlertTemplate, b: AlertTemplate): boolean =>
  a.lineage !== undefined && b.lineage !== undefined
    ? a.lineage === b.lineage
    : a.providerId === b.providerId && a.name === b.name

const disagreements = (template: AlertTemplate, other: AlertTemplate): string[] =>
  [...template.samples, ...other.samples].flatMap(({ text }) => {
    const plain = normalise(text)
    const own = readAlert(template, plain)
    const theirs = readAlert(other, plain)
    if (own === undefined || theirs === undefined || sameMoney(own, theirs)) return []
    return [`It and "${other.name}" read ${shown(text)} differently: ${summary(own)}; ${summary(theirs)}.`]
  })

/** Reads every part of the samples: parts of its own samples with all templates, parts of other templates' samples with this
 *  one. A part that is read as other money would verify a payment that never came. */
function* cutFaults(template: AlertTemplate, neighbours: readonly AlertTemplate[]): Generator<void, string[]> {
  const faults: string[] = []
  const budget = { steps: MOST_CUT_STEPS }
  const pairs = [
    ...template.samples.map(({ text }) => ({ text, owner: template, readers: [template, ...neighbours] })),
    ...neighbours.flatMap((owner) => owner.samples.map(({ text }) => ({ text, owner, readers: [template] }))),
  ]
  for (const { text, owner, readers } of pairs) {
    const whole = readAlert(owner, normalise(text))
    if (whole === undefined) continue
    yield
    const cuts = yield* cuttingOf(text)
    for (const reader of readers) {
      // `disagreements` reports a reader that reads the whole sample as other money.
      const read = readAlert(reader, normalise(text))
      if (read !== undefined && !sameMoney(read, whole)) continue
      yield
      const found = yield* misreadCut(reader, cuts, whole, budget)
      if (budget.steps < 0)
        return [
          ...faults,
          'Its samples are too long or too many to try every part of them: use fewer, or shorter ones.',
        ]
      if (found !== undefined) faults.push(cutFault(reader === template ? 'It' : `"${reader.name}"`, found, whole))
    }
  }
  return faults
}

const cutFault = (reader: string, { cut, reading, field }: CutReading, whole: Reading): string => {
  const value = (from: Reading) => {
    const found = from[field]
    return typeof found === 'bigint' ? formatMinor(found) : (found ?? 'none')
  }
  return `${reader} reads ${shownCut(cut)}, a part of a sample, with ${field} ${value(reading)} instead of ${value(whole)}.`
}

/** Shows both ends of a part, because the text was cut at one of them. */
const shownCut = (cut: string): string =>
  cut.length > 80 ? `"${cut.slice(0, 39).toWellFormed()}…${cut.slice(-40).toWellFormed()}"` : `"${cut}"`

const summary = (reading: Reading): string =>
  `${reading.direction} ${formatMinor(reading.amount)} ${reading.currency}, reference ${reading.reference ?? 'none'}`

const shown = (text: string): string => {
  const plain = normalise(text)
  return `"${plain.length > 80 ? `${plain.slice(0, 79).toWellFormed()}…` : plain}"`
}
