/**
 * The bodies of drafting, changing and trying templates. Their sizes are bounded here, so that trying one is quick; whether
 * a sentence is one, and whether it may be published, is decided elsewhere.
 */

import type { ContentChanges, TemplateContent } from '../../../alerts/templates/account-templates.ts'
import type { CounterSample, Expected, Sample } from '../../../alerts/templates/alert-template.ts'
import type { Mark } from '../../../alerts/templates/mark-template.ts'
import { mostPreviewed, type PreviewAsked } from '../../../alerts/templates/preview-template.ts'
import { LONGEST_SENTENCE, MOST_SLOTS } from '../../../alerts/templates/template-sentence.ts'
import { LONGEST_TEXT } from '../../../alerts/texts/normalise.ts'
import type { ProviderId } from '../../../core/ids.ts'
import { formatMinor, minor } from '../../../core/money.ts'
import {
  amount,
  choice,
  type Kind,
  list,
  object,
  optional,
  type Reading,
  readBody,
  required,
  text,
  uuid,
  wholeNumber,
  withDefault,
} from '../fields.ts'
import type { Json } from '../json.ts'

const longestSample = 1000
const sampleText = text({ max: longestSample, trim: false })
const word = text({ max: 200 })

/** Money as it is compared: always with two decimals. */
const money: Kind<string> = (value, attr) => {
  const reading = amount({ min: minor(0n) })(value, attr)
  return reading.kind === 'no' ? reading : { kind: 'ok', value: formatMinor(reading.value) }
}

const said = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

const expectation = object({
  amount: required(money),
  reference: optional(word),
  payer: optional(word),
  phone: optional(word),
  balance: optional(money),
  fee: optional(money),
})
const expect: Kind<Expected> = (value, attr) => {
  const reading = expectation(value, attr)
  return reading.kind === 'no' ? reading : { kind: 'ok', value: said(reading.value) as Expected }
}

const samples: Kind<Sample[]> = list(object({ text: required(sampleText), expect: required(expect) }), { max: 20 })
const counterSamples: Kind<CounterSample[]> = list(
  object({ text: required(sampleText), why: withDefault(text({ max: 200, blank: true }), '') }),
  { max: 40 },
)

/** Each once. */
const senderNames: Kind<string[]> = (value, attr) => {
  const reading = list(text({ max: 64 }), { max: 20 })(value, attr)
  return reading.kind === 'no' ? reading : { kind: 'ok', value: [...new Set(reading.value)] }
}

const currency: Kind<string> = (value, attr) => {
  const reading = text({ max: 10 })(value, attr)
  if (reading.kind === 'no' || /^[A-Z]{3}$/.test(reading.value)) return reading
  return { kind: 'no', errors: [{ attr, code: 'invalid', detail: 'Write a currency as three letters, such as YER.' }] }
}

const name = text({ max: 100 })
// A sentence that begins or ends with white space means the same without it.
const sentence = text({ max: LONGEST_SENTENCE })
const direction = choice(['credit', 'debit'])

const draft = object({
  provider: required(uuid<ProviderId>()),
  name: required(name),
  sender_names: required(senderNames),
  direction: withDefault(direction, 'credit'),
  currency: withDefault(currency, 'YER'),
  sentence: required(sentence),
  samples: withDefault(samples, []),
  counter_samples: withDefault(counterSamples, []),
})

export const readNewTemplate = (sent: Json): Reading<{ providerId: ProviderId; content: TemplateContent }> => {
  const reading = readBody(draft, sent)
  if (reading.kind === 'no') return reading
  const { provider, sender_names, counter_samples, ...rest } = reading.value
  return {
    kind: 'ok',
    value: { providerId: provider, content: { ...rest, senderNames: sender_names, counterSamples: counter_samples } },
  }
}

const changes = object({
  name: optional(name),
  sender_names: optional(senderNames),
  direction: optional(direction),
  currency: optional(currency),
  sentence: optional(sentence),
  samples: optional(samples),
  counter_samples: optional(counterSamples),
})

export const readTemplateChanges = (sent: Json): Reading<ContentChanges> => {
  const reading = readBody(changes, sent)
  if (reading.kind === 'no') return reading
  const { sender_names, counter_samples, ...rest } = reading.value
  return { kind: 'ok', value: { ...rest, senderNames: sender_names, counterSamples: counter_samples } }
}

const trial = object({
  sentence: required(sentence),
  text: required(text({ max: LONGEST_TEXT, trim: false })),
  direction: withDefault(direction, 'credit'),
  currency: withDefault(currency, 'YER'),
})

export const readTrial = (
  sent: Json,
): Reading<{ sentence: string; text: string; direction: 'credit' | 'debit'; currency: string }> => readBody(trial, sent)

const place = wholeNumber({ min: 0, max: 10_000 })
const marked = object({
  text: required(sampleText),
  marks: required(
    list(object({ from: required(place), to: required(place), slot: required(text({ max: 60 })) }), {
      max: MOST_SLOTS,
    }),
  ),
})

export const readMarked = (sent: Json): Reading<{ text: string; marks: Mark[] }> => readBody(marked, sent)

const preview = object({
  provider: required(uuid<ProviderId>()),
  replaces: optional(uuid<string>()),
  sender_names: required(senderNames),
  sentence: required(sentence),
  direction: withDefault(direction, 'credit'),
  currency: withDefault(currency, 'YER'),
  limit: withDefault(wholeNumber({ min: 1, max: mostPreviewed }), 100),
})

export const readPreview = (sent: Json): Reading<PreviewAsked> => {
  const reading = readBody(preview, sent)
  if (reading.kind === 'no') return reading
  const { provider, sender_names, ...rest } = reading.value
  return { kind: 'ok', value: { ...rest, providerId: provider, senderNames: sender_names } }
}
