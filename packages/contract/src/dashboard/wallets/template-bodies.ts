/** The bodies for drafting, changing and trying templates. All sizes are bounded, so that trying a template is quick. */
import { Type } from 'typebox'
import { untrimmed, withDefault } from '../../body.ts'
import { usualCurrency } from '../../currency.ts'
import { id, oneOf } from '../../scalars.ts'
import { closed } from '../../schema.ts'

export const Direction = oneOf(['credit', 'debit'], 'Only a credit can verify; a debit continues the balance chain.')

const sentMoney = Type.String({ format: 'amount-text', description: 'Such as `1500.00`.' })
const sentSlot = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const SentSample = closed('A text that must be read, and as what.', {
  text: untrimmed(1000),
  expect: closed({
    amount: sentMoney,
    reference: sentSlot,
    payer: sentSlot,
    phone: sentSlot,
    balance: Type.Optional(sentMoney),
    fee: Type.Optional(sentMoney),
  }),
})
const SentCounterSample = closed('A text that must not be read, and why.', {
  text: untrimmed(1000),
  why: withDefault(Type.String({ maxLength: 200 }), ''),
})
const fields = {
  name: Type.String({ format: 'name', minLength: 1, maxLength: 100 }),
  sender_names: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 20,
    'x-distinct': true,
    description: 'Exactly as the phone shows them.',
  }),
  direction: Direction,
  currency: Type.String({
    minLength: 1,
    maxLength: 10,
    pattern: '^[A-Z]{3}$',
    'x-invalid': `Write a currency as three letters, such as ${usualCurrency}.`,
    description: `Such as \`${usualCurrency}\`; the sentence must contain it.`,
  }),
  sentence: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: `Words and slots: \`received {amount:money} ${usualCurrency} from {payer:name}\`.`,
  }),
  samples: Type.Array(SentSample, { maxItems: 20 }),
  counter_samples: Type.Array(SentCounterSample, { maxItems: 40 }),
}

export const NewTemplate = Type.Object({
  provider: id('One of the operator’s, or one of your own. The template is yours, and reads your alerts alone.'),
  name: fields.name,
  sender_names: fields.sender_names,
  direction: withDefault(fields.direction, 'credit'),
  currency: withDefault(fields.currency, usualCurrency),
  sentence: fields.sentence,
  samples: withDefault(fields.samples, []),
  counter_samples: withDefault(fields.counter_samples, []),
})

export const TemplateChanges = Type.Partial(Type.Object(fields))

export const SentenceTrial = Type.Object({
  sentence: fields.sentence,
  text: untrimmed(4096),
  direction: withDefault(fields.direction, 'credit'),
  currency: withDefault(fields.currency, usualCurrency),
})

const position = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000, description })
export const MarkedText = Type.Object({
  text: untrimmed(1000),
  marks: Type.Array(
    Type.Object({
      from: position('Where the marked part begins, in UTF-16 units.'),
      to: position('Where it ends: the position after its last unit.'),
      slot: Type.String({
        minLength: 1,
        maxLength: 60,
        description: '`amount`, `reference`, `payer`, `phone`, `balance`, `fee`, or `name:type`.',
      }),
    }),
    { maxItems: 12 },
  ),
})

export const TemplatePreview = Type.Object({
  provider: id('The provider whose alerts it would read.'),
  replaces: Type.Optional(id('The version that it would retire.')),
  sender_names: fields.sender_names,
  sentence: fields.sentence,
  direction: withDefault(fields.direction, 'credit'),
  currency: withDefault(fields.currency, usualCurrency),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: 500 }), 100),
})
