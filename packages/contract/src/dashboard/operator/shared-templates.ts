/** The templates that every account shares, as operators draft, publish and retire them. */
import { type Static, Type } from 'typebox'
import { untrimmed, withDefault } from '../../body.ts'
import { usualCurrency } from '../../currency.ts'
import { templateStates } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { idFilter } from '../../query.ts'
import { id, oneOf } from '../../scalars.ts'
import { body, closed, flag, text, whole } from '../../schema.ts'
import { pageOf, pageQuery } from '../page.ts'

const Sample = closed({
  text: Type.String({ maxLength: 4000, description: 'An alert as the phone shows it.' }),
  expect: closed('What must be read in the text; a field that is left out must not be found.', {
    amount: text('Money as `1500.00`.'),
    reference: Type.Optional(Type.String()),
    payer: Type.Optional(Type.String()),
    phone: Type.Optional(Type.String()),
    balance: Type.Optional(Type.String()),
    fee: Type.Optional(Type.String()),
  }),
})
const CounterSample = closed({
  text: Type.String({ maxLength: 4000, description: 'A text of the same sender that must not be read.' }),
  why: Type.String({ maxLength: 200, description: 'What kind of text it is.' }),
})
const samples = {
  samples: Type.Array(Sample, { maxItems: 50, description: 'Alerts that it must read, and what is in them.' }),
  counter_samples: Type.Array(CounterSample, { maxItems: 50, description: 'Texts that it must not read.' }),
}

export const SharedTemplate = closed('The wording of one kind of alert of a provider.', {
  id: id('Identifier of this version.'),
  provider: id('Whose alerts it reads.'),
  lineage: id('The id that all its versions share.'),
  version: whole('Counts up.'),
  name: text('What to call it.'),
  sender_names: Type.Array(Type.String(), { description: 'As the phone shows the sender.' }),
  direction: oneOf(['credit', 'debit'], 'Only a credit can verify a payment.'),
  currency: text(`Three letters, such as \`${usualCurrency}\`.`),
  sentence: text('How the alert is worded, with its slots.'),
  status: oneOf([...templateStates], 'A version is a draft, then active, then retired. Only a draft can change.'),
  ...samples,
})
export type SharedTemplate = Static<typeof SharedTemplate>

export const SharedTemplateBench = closed('The result of trying a template on its samples (the bench).', {
  green: flag('Whether it could be published.'),
  failures: Type.Array(Type.String(), { description: 'What prevents it, in sentences.' }),
})

export const BenchedTemplate = closed('A template and the current result of the bench.', {
  template: SharedTemplate,
  bench: SharedTemplateBench,
})
export type BenchedTemplate = Static<typeof BenchedTemplate>

const sentMoney = Type.String({
  minLength: 1,
  maxLength: 20,
  pattern: '^\\d{1,12}\\.\\d{2}$',
  'x-invalid': 'Write money as 1500.00.',
  description: 'Money as `1500.00`.',
})
const sentSlot = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const sentSamples = {
  samples: Type.Array(
    closed({
      text: untrimmed(4000, 'An alert as the phone shows it.'),
      expect: closed('What must be read in the text; a field that is left out must not be found.', {
        amount: sentMoney,
        reference: sentSlot,
        payer: sentSlot,
        phone: sentSlot,
        balance: Type.Optional(sentMoney),
        fee: Type.Optional(sentMoney),
      }),
    }),
    { maxItems: 50, description: 'Alerts that it must read, and what is in them.' },
  ),
  counter_samples: Type.Array(
    closed({
      text: untrimmed(4000, 'A text of the same sender that must not be read.'),
      why: Type.String({ minLength: 1, maxLength: 200, description: 'What kind of text it is.' }),
    }),
    { maxItems: 50, description: 'Texts that it must not read.' },
  ),
}
export const SharedSamples = Type.Object(sentSamples)

export const NewSharedTemplate = body('A draft. It reads nothing until it is published.', {
  provider: id('Whose alerts it reads.'),
  replaces: Type.Optional(id('The version it is to follow.')),
  name: Type.String({ format: 'name', minLength: 1, maxLength: 100, description: 'What to call it.' }),
  sender_names: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    minItems: 1,
    maxItems: 20,
    'x-distinct': true,
    description: 'At least one.',
  }),
  direction: withDefault(oneOf(['credit', 'debit'], 'Left out: credit.'), 'credit'),
  currency: withDefault(
    Type.String({
      minLength: 1,
      maxLength: 3,
      pattern: '^[A-Z]{3}$',
      'x-invalid': 'Use three capital letters.',
      description: `Three letters; left out: ${usualCurrency}.`,
    }),
    usualCurrency,
  ),
  sentence: Type.String({ minLength: 1, maxLength: 2000, description: 'How the alert is worded, with its slots.' }),
  samples: withDefault(sentSamples.samples, []),
  counter_samples: withDefault(sentSamples.counter_samples, []),
})

const operation = operationsOf({ tag: 'Operators', access: 'operator' })

export const listSharedTemplates = operation({
  id: 'listSharedTemplates',
  method: 'GET',
  path: '/operator/templates/',
  summary: 'The templates that all accounts share',
  query: {
    provider: { description: 'Only templates of this provider.', schema: idFilter() },
    status: { description: 'Only templates in this state.', schema: oneOf([...templateStates], 'A state.') },
    ...pageQuery(),
  },
  answer: pageOf(SharedTemplate, 'Templates, by their ids.'),
})
export const createSharedTemplate = operation({
  id: 'createSharedTemplate',
  method: 'POST',
  path: '/operator/templates/',
  summary: 'Draft a template for all accounts',
  body: NewSharedTemplate,
  example: {
    provider: '{provider}',
    name: 'Money received',
    sender_names: ['NEWWALLET'],
    sentence: `You received {amount:money} ${usualCurrency}, reference {reference:reference}. Thank you`,
  },
  status: 201,
  answer: BenchedTemplate,
})
export const showSharedTemplate = operation({
  id: 'showSharedTemplate',
  method: 'GET',
  path: '/operator/templates/{id}/',
  summary: 'One template and the result of the bench',
  answer: BenchedTemplate,
})
export const setTemplateSamples = operation({
  id: 'setTemplateSamples',
  method: 'PUT',
  path: '/operator/templates/{id}/samples/',
  summary: 'Replace the samples of a draft',
  body: SharedSamples,
  example: { samples: [], counter_samples: [] },
  answer: BenchedTemplate,
})
export const publishSharedTemplate = operation({
  id: 'publishSharedTemplate',
  method: 'POST',
  path: '/operator/templates/{id}/publish/',
  summary: 'Publish a draft; the version before it is retired',
  answer: BenchedTemplate,
})
export const retireSharedTemplate = operation({
  id: 'retireSharedTemplate',
  method: 'POST',
  path: '/operator/templates/{id}/retire/',
  summary: 'Retire a template: it reads no more alerts',
  answer: BenchedTemplate,
})

export const sharedTemplateOperations = operation.described
