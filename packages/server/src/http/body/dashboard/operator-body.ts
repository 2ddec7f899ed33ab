/** The bodies of what operators share with everybody: providers and templates. */
import type { CounterSample, Expected, Sample } from '../../../alerts/templates/alert-template.ts'
import type { TemplateDraft } from '../../../alerts/templates/publish-template.ts'
import { LONGEST_SENTENCE } from '../../../alerts/templates/template-sentence.ts'
import type { ProviderId, TemplateId } from '../../../core/ids.ts'
import type { ProviderChanges } from '../../../wallets/providers/shared-provider-sql.ts'
import type { NewProvider } from '../../../wallets/providers/shared-providers.ts'
import { inside, NON_FIELD } from '../field-error.ts'
import {
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
  withDefault,
} from '../fields.ts'
import type { Json } from '../json.ts'
import { packageNames } from './package-names.ts'

/** A text of a certain form. */
const written =
  (max: number, form: RegExp, detail: string, blank = false): Kind<string> =>
  (value, attr) => {
    const reading = text({ max, blank })(value, attr)
    if (reading.kind === 'no' || (blank && reading.value === '') || form.test(reading.value)) return reading
    return { kind: 'no', errors: [{ attr, code: 'invalid', detail }] }
  }

const name = written(100, /^[a-z0-9][a-z0-9_-]*$/, 'Use lower-case letters, digits, "-" and "_".')
const displayName = text({ max: 100 })
const color: Kind<string> = (value, attr) => {
  const reading = written(7, /^#[0-9A-Fa-f]{6}$/, 'Use the form #RRGGBB.')(value, attr)
  return reading.kind === 'no' ? reading : { kind: 'ok', value: reading.value.toUpperCase() }
}
const logo = written(500, /^https:\/\/[^\s"'<>\\]+$/, 'Use an address that begins with https://.', true)

const newProvider = object({
  name: required(name),
  display_name: required(displayName),
  theme_color: required(color),
  logo_url: withDefault(logo, ''),
  packages: withDefault(packageNames, []),
})

export const readNewProvider = (sent: Json): Reading<NewProvider> => {
  const reading = readBody(newProvider, sent)
  if (reading.kind === 'no') return reading
  const { name, display_name, theme_color, logo_url, packages } = reading.value
  return {
    kind: 'ok',
    value: { name, displayName: display_name, themeColor: theme_color, logoUrl: logo_url, packages },
  }
}

const providerChanges = object({
  display_name: optional(displayName),
  theme_color: optional(color),
  logo_url: optional(logo),
  provider_status: optional(choice(['ACTIVE', 'INACTIVE', 'MAINTENANCE'])),
  packages: optional(packageNames),
})

export const readProviderChanges = (sent: Json): Reading<ProviderChanges> => {
  const reading = readBody(providerChanges, sent)
  if (reading.kind === 'no') return reading
  const { display_name, theme_color, logo_url, provider_status, packages } = reading.value
  return {
    kind: 'ok',
    value: { displayName: display_name, themeColor: theme_color, logoUrl: logo_url, status: provider_status, packages },
  }
}

const alertText = text({ max: 4000, trim: false })
const money = written(20, /^\d{1,12}\.\d{2}$/, 'Write money as 1500.00.')
const word = text({ max: 200 })

const expected = object({
  amount: required(money),
  reference: optional(word),
  payer: optional(word),
  phone: optional(word),
  balance: optional(money),
  fee: optional(money),
})

/** What was left out must not be there: it is left out of what is kept, too. */
const expectation: Kind<Expected> = (value, attr) => {
  const reading = expected(value, attr)
  if (reading.kind === 'no') return reading
  const said = Object.entries(reading.value).filter(([, one]) => one !== undefined)
  return { kind: 'ok', value: Object.fromEntries(said) as Expected }
}

const samples: Kind<Sample[]> = list(object({ text: required(alertText), expect: required(expectation) }), { max: 50 })
const counterSamples: Kind<CounterSample[]> = list(
  object({ text: required(alertText), why: required(text({ max: 200 })) }),
  { max: 50 },
)

const senderNames: Kind<string[]> = (value, attr) => {
  const reading = list(text({ max: 64 }), { max: 20 })(value, attr)
  if (reading.kind === 'no' || reading.value.length > 0) return reading
  const errors = [{ attr: inside(attr, NON_FIELD), code: 'empty', detail: 'This list may not be empty.' }]
  return { kind: 'no', errors }
}

const template = object({
  provider: required(uuid<ProviderId>()),
  replaces: optional(uuid<TemplateId>()),
  name: required(text({ max: 100 })),
  sender_names: required(senderNames),
  direction: withDefault(choice(['credit', 'debit']), 'credit'),
  currency: withDefault(written(3, /^[A-Z]{3}$/, 'Use three capital letters.'), 'YER'),
  sentence: required(text({ max: LONGEST_SENTENCE })),
  samples: withDefault(samples, []),
  counter_samples: withDefault(counterSamples, []),
})

export type NewTemplateBody = {
  readonly draft: Omit<TemplateDraft, 'accountId'>
  readonly replaces: TemplateId | undefined
}

export const readNewTemplate = (sent: Json): Reading<NewTemplateBody> => {
  const reading = readBody(template, sent)
  if (reading.kind === 'no') return reading
  const { provider, replaces, sender_names, counter_samples, direction, ...more } = reading.value
  const draft = {
    ...more,
    providerId: provider,
    senderNames: [...new Set(sender_names)],
    direction: direction as 'credit' | 'debit',
    counterSamples: counter_samples,
  }
  return { kind: 'ok', value: { draft, replaces } }
}

const bothSamples = object({ samples: required(samples), counter_samples: required(counterSamples) })

export const readSamples = (sent: Json): Reading<{ samples: Sample[]; counter_samples: CounterSample[] }> =>
  readBody(bothSamples, sent)
