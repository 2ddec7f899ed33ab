/** The bodies of drafting, changing and trying templates. All sizes are bounded, so that trying one is quick. */
import { Type } from 'typebox'
import { untrimmed, withDefault } from '../../body.ts'
import { id, oneOf } from '../../scalars.ts'

export const Direction = oneOf(['credit', 'debit'], 'Only a credit can verify; a debit carries the balance on.')

const sentMoney = Type.String({ format: 'amount-text', description: 'Such as `1500.00`.' })
const sentSlot = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }))
const SentSample = Type.Object(
  {
    text: untrimmed(1000),
    expect: Type.Object(
      {
        amount: sentMoney,
        reference: sentSlot,
        payer: sentSlot,
        phone: sentSlot,
        balance: Type.Optional(sentMoney),
        fee: Type.Optional(sentMoney),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false, description: 'A text that must be read, and as what.' },
)
const SentCounterSample = Type.Object(
  { text: untrimmed(1000), why: withDefault(Type.String({ maxLength: 200 }), '') },
  { additionalProperties: false, description: 'A text that must not be read, and why.' },
)
const sent = {
  name: Type.String({ minLength: 1, maxLength: 100 }),
  sender_names: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
    maxItems: 20,
    'x-distinct': true,
    description: 'To the letter.',
  }),
  direction: Direction,
  currency: Type.String({
    minLength: 1,
    maxLength: 10,
    pattern: '^[A-Z]{3}$',
    'x-invalid': 'Write a currency as three letters, such as YER.',
    description: 'Such as `YER`; the sentence must name it.',
  }),
  sentence: Type.String({
    minLength: 1,
    maxLength: 2000,
    description: 'Words and slots: `received {amount:money} YER from {payer:name}`.',
  }),
  samples: Type.Array(SentSample, { maxItems: 20 }),
  counter_samples: Type.Array(SentCounterSample, { maxItems: 40 }),
}

export const NewTemplate = Type.Object({
  provider: id('One of the operator’s, or one of your own. The template is yours, and reads your alerts alone.'),
  name: sent.name,
  sender_names: sent.sender_names,
  direction: withDefault(sent.direction, 'credit'),
  currency: withDefault(sent.currency, 'YER'),
  sentence: sent.sentence,
  samples: withDefault(sent.samples, []),
  counter_samples: withDefault(sent.counter_samples, []),
})

export const TemplateChanges = Type.Partial(Type.Object(sent))

export const SentenceTrial = Type.Object({
  sentence: sent.sentence,
  text: untrimmed(4096),
  direction: withDefault(sent.direction, 'credit'),
  currency: withDefault(sent.currency, 'YER'),
})

const place = (description: string) => Type.Integer({ minimum: 0, maximum: 10_000, description })
export const MarkedText = Type.Object({
  text: untrimmed(1000),
  marks: Type.Array(
    Type.Object({
      from: place('Where it begins, in UTF-16 units.'),
      to: place('Behind its last.'),
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
  provider: id('Beside whose active templates it would stand.'),
  replaces: Type.Optional(id('The version that it would retire.')),
  sender_names: sent.sender_names,
  sentence: sent.sentence,
  direction: withDefault(sent.direction, 'credit'),
  currency: withDefault(sent.currency, 'YER'),
  limit: withDefault(Type.Integer({ minimum: 1, maximum: 500 }), 100),
})
