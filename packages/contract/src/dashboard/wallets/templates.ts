/** Templates, which read alerts: their versions and samples, and trying one before it is published. */
import { type Static, Type } from 'typebox'
import { usualCurrency } from '../../currency.ts'
import { templateStates } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { idFilter, listedField } from '../../query.ts'
import { amount, id, oneOf, timestamp } from '../../scalars.ts'
import { closed, flag, listOf, orNull, text, whole } from '../../schema.ts'
import { pageOf, pageQuery } from '../page.ts'
import {
  Direction,
  MarkedText,
  NewTemplate,
  SentenceTrial,
  TemplateChanges,
  TemplatePreview,
} from './template-bodies.ts'

/** What a sample must yield. Money is a decimal text; a field that is left out must not be found. */
export const Expected = closed({
  amount: text('Such as `1500.00`.'),
  reference: Type.Optional(Type.String()),
  payer: Type.Optional(Type.String()),
  phone: Type.Optional(Type.String()),
  balance: Type.Optional(Type.String()),
  fee: Type.Optional(Type.String()),
})
export const Sample = closed('A text that must be read, and as what.', {
  text: Type.String({ maxLength: 1000 }),
  expect: Expected,
})
export const CounterSample = closed('A text that must not be read, and why.', {
  text: Type.String({ maxLength: 1000 }),
  why: Type.String({ maxLength: 200 }),
})

const content = {
  name: Type.String({ maxLength: 100 }),
  sender_names: Type.Array(Type.String({ maxLength: 64 }), {
    maxItems: 20,
    description: 'Exactly as the phone shows them.',
  }),
  direction: Direction,
  currency: Type.String({
    pattern: '^[A-Z]{3}$',
    description: `Such as \`${usualCurrency}\`; the sentence must contain it.`,
  }),
  sentence: Type.String({
    maxLength: 2000,
    description: `Words and slots: \`received {amount:money} ${usualCurrency} from {payer:name}\`.`,
  }),
  samples: Type.Array(Sample, { maxItems: 20 }),
  counter_samples: Type.Array(CounterSample, { maxItems: 40 }),
}

export const Template = closed('One version of how an alert is worded.', {
  id: id('Identifier of this version.'),
  provider: id('Whose alerts it reads.'),
  lineage: Type.String({ format: 'uuid', description: 'The id that all its versions share.' }),
  version: Type.Integer(),
  status: oneOf(
    ['draft', 'active', 'retired'],
    'A version is a draft, then active, then retired. Only a draft can change.',
  ),
  shared: flag('The operator’s: read only.'),
  ...content,
  created_at: timestamp('When the draft was made.'),
})
export type Template = Static<typeof Template>

const optionalText = orNull(Type.String())
const optionalMoney = orNull(amount('Money.'))
export const Reading = closed('What a template reads in a text.', {
  direction: Direction,
  currency: Type.String(),
  amount: amount('What came or went.'),
  reference: optionalText,
  payer: optionalText,
  phone: optionalText,
  balance: optionalMoney,
  fee: optionalMoney,
  others: Type.Record(Type.String(), Type.String(), { description: 'Slots of other names.' }),
})
export type Reading = Static<typeof Reading>
const MaybeReading = orNull(Reading)

export const Bench = closed('A template tested against its samples and the other templates of its provider.', {
  green: flag('It may be published.'),
  failures: Type.Array(Type.String(), { description: 'All that is wrong, as sentences.' }),
  samples: Type.Array(
    closed({ text: Type.String(), green: Type.Boolean(), reading: MaybeReading, failures: Type.Array(Type.String()) }),
  ),
  counter_samples: Type.Array(
    closed({ text: Type.String(), why: Type.String(), green: Type.Boolean(), reading: MaybeReading }),
  ),
})
export type Bench = Static<typeof Bench>

const SentenceFault = orNull(
  closed({ at: whole('Where in the sentence, in UTF-16 units from 0.'), detail: Type.String() }),
)

export const TextRead = closed('The result of reading a text with a sentence.', {
  error: SentenceFault,
  text: text('The text as templates see it: digits, marks and white space are normalized.'),
  slots: listOf('The value of each slot, in the order of the sentence; empty: the sentence does not read the text.', {
    name: Type.String(),
    type: Type.String(),
    value: Type.String(),
  }),
  reading: MaybeReading,
})

export const MadeSentence = closed('A sentence made from a text; `error` says why it does not read it.', {
  sentence: Type.String(),
  error: SentenceFault,
  reading: MaybeReading,
  expect: orNull(Expected, 'What a sample of this text would expect.'),
})

const Standing = closed({
  kind: oneOf(['read', 'unread', 'ambiguous'], '`ambiguous`: two templates read different money.'),
  template: orNull(Type.String(), 'The name of the template that reads it.'),
  amount: optionalMoney,
  currency: optionalText,
  reference: optionalText,
  direction: orNull(Direction),
  unexpected_words: flag('It waits for a member, because it has more than a name where a name should be.'),
})

export const Preview = closed('Stored alerts, as they are and as they would be, the newest first.', {
  looked_at: Type.Integer(),
  would_read: whole('How many this sentence reads.'),
  differ: whole('How many would be read differently than before.'),
  results: Type.Array(
    closed({
      id: id('Identifier of the alert.'),
      received_at: timestamp('When it came.'),
      sender: Type.String(),
      text: Type.String(),
      state: text('What became of it.'),
      is: Standing,
      would_be: Standing,
      differs: Type.Boolean(),
    }),
  ),
})
export type Preview = Static<typeof Preview>

const operation = operationsOf({ tag: 'Templates' })
const exampleContent = {
  provider: '{provider}',
  name: 'Received',
  sender_names: ['Wallet'],
  direction: 'credit',
  currency: usualCurrency,
  sentence: `received {amount:money} ${usualCurrency} ref {reference:reference}.`,
  samples: [{ text: `received 1,500 ${usualCurrency} ref 12345.`, expect: { amount: '1500.00', reference: '12345' } }],
  counter_samples: [{ text: `paid 1,500 ${usualCurrency} ref 12345.`, why: 'debit' }],
}

export const listTemplates = operation({
  id: 'listTemplates',
  method: 'GET',
  path: '/templates/',
  access: 'templates.read',
  summary: 'Templates and their versions',
  query: {
    provider: { description: 'Only templates of this provider.', schema: idFilter() },
    status: {
      description: '`draft`, `active` or `retired`.',
      schema: listedField(templateStates),
      published: Type.String(),
    },
    ...pageQuery('text', 'uuid', 'number'),
  },
  answer: pageOf(Template, 'Templates by name, the newest version of each first.'),
})

export const createTemplate = operation({
  id: 'createTemplate',
  method: 'POST',
  path: '/templates/',
  access: 'templates.write',
  summary: 'Draft a template',
  body: NewTemplate,
  example: exampleContent,
  status: 201,
  answer: Template,
})

export const readText = operation({
  id: 'readText',
  method: 'POST',
  path: '/templates/read/',
  access: 'templates.read',
  summary: 'Try a sentence on a text; nothing is saved',
  body: SentenceTrial,
  example: { sentence: `received {amount:money} ${usualCurrency}.`, text: `received 1,500 ${usualCurrency}.` },
  answer: TextRead,
})

export const makeSentence = operation({
  id: 'makeSentence',
  method: 'POST',
  path: '/templates/sentence/',
  access: 'templates.read',
  summary: 'Make a sentence from a text and its marked parts; nothing is saved',
  body: MarkedText,
  example: { text: `received 1,500 ${usualCurrency}.`, marks: [{ from: 9, to: 14, slot: 'amount' }] },
  answer: MadeSentence,
})

export const previewTemplate = operation({
  id: 'previewTemplate',
  method: 'POST',
  path: '/templates/preview/',
  access: 'templates.read',
  summary: 'What stored alerts would become; nothing is saved',
  description: 'Uses the account’s recent alerts of these senders; those that no template reads come first.',
  body: TemplatePreview,
  example: { provider: '{provider}', sender_names: ['Wallet'], sentence: `received {amount:money} ${usualCurrency}.` },
  refusals: { 404: 'There is no such version to replace.' },
  answer: Preview,
})

export const showTemplate = operation({
  id: 'showTemplate',
  method: 'GET',
  path: '/templates/{id}/',
  access: 'templates.read',
  summary: 'One version',
  answer: Template,
})

export const changeTemplate = operation({
  id: 'changeTemplate',
  method: 'PATCH',
  path: '/templates/{id}/',
  access: 'templates.write',
  summary: 'Change a draft',
  description:
    'A published version never changes: 400 `template_not_draft`. A template of the operator: 400 `read_only`.',
  body: TemplateChanges,
  example: { name: 'Received' },
  answer: Template,
})

export const deleteTemplate = operation({
  id: 'deleteTemplate',
  method: 'DELETE',
  path: '/templates/{id}/',
  access: 'templates.write',
  summary: 'Delete a draft',
  status: 204,
})

export const showBench = operation({
  id: 'showBench',
  method: 'GET',
  path: '/templates/{id}/bench/',
  access: 'templates.read',
  summary: 'The result of each sample, and whether the template may be published',
  answer: Bench,
})

export const publishTemplate = operation({
  id: 'publishTemplate',
  method: 'POST',
  path: '/templates/{id}/publish/',
  access: 'templates.write',
  summary: 'Publish a draft: from now on it reads alerts',
  description:
    'The version before it is retired, and alerts that no template has read are read again. If the bench is not green, the answer ' +
    'is 400 `template_not_green`, with one entry for each thing that is wrong.',
  answer: Template,
})

export const retireTemplate = operation({
  id: 'retireTemplate',
  method: 'POST',
  path: '/templates/{id}/retire/',
  access: 'templates.write',
  summary: 'Retire a template: it reads no more alerts',
  answer: Template,
})

export const draftNextVersion = operation({
  id: 'draftNextVersion',
  method: 'POST',
  path: '/templates/{id}/draft/',
  access: 'templates.write',
  summary: 'Draft the next version of a template',
  description: 'For a template of the operator: a draft of your own with the same content, in a lineage of its own.',
  status: 201,
  answer: Template,
})

export const templateOperations = operation.described
