/**
 * The payment intent: what creates it, what changes it, and what is answered. Requests are described as merchants
 * should write them; the service also reads some other forms (numbers for amounts, digits of any script).
 */

import { type Static, Type } from 'typebox'
import { collectedCodes } from './currency.ts'
import { intentStatuses } from './kinds.ts'
import { numberedPageOf } from './numbered-page.ts'
import { amount, collectedCurrency, currency, id, oneOf, timestamp } from './scalars.ts'
import { body, closed, flag, orNull, text } from './schema.ts'
import { IntentWallet, Provider } from './wallet.ts'

/** The longest texts and the largest numbers that are read, by field. */
export const intentLimits = {
  items: 500,
  name: 100,
  description: 500,
  quantity: 2147483647,
  external_order_id: 128,
  notes: 500,
  reference: 128,
} as const

// Requests.

const sentAmount = (description: string) =>
  Type.String({ pattern: '^\\d{1,12}(\\.\\d{1,2})?$', description, examples: ['9500.00'] })

export const NewItem = body('A line of the order.', {
  name: Type.String({ minLength: 1, maxLength: intentLimits.name, description: 'What is sold.' }),
  description: Type.Optional(Type.String({ maxLength: intentLimits.description, description: 'More about it.' })),
  price: sentAmount('Price of one. 0 is allowed: a line may be free.'),
  quantity: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: intentLimits.quantity,
      default: 1,
      description: 'How many; 1 when left out.',
    }),
  ),
})

export const CreateIntent = body(
  'Either `amount` or `items` is needed. No field may be null; fields we do not know are ignored.',
  {
    wallet: id('The wallet to collect into, from `GET /wallets/`.'),
    amount: Type.Optional(
      sentAmount(
        'What to collect, from 0.01 to 999999999999.99. Required without `items`, ignored with them. A JSON number is ' +
          'read by its digits too, but many languages round numbers: send a string.',
      ),
    ),
    items: Type.Optional(
      Type.Array(NewItem, {
        maxItems: intentLimits.items,
        description:
          'The lines of the order. Required without `amount`. What to collect is their total, which must be from 0.01 ' +
          'to 999999999999.99. An empty list counts as left out.',
      }),
    ),
    currency: Type.Optional(currency(`Only ${collectedCodes}. Left out, it is the wallet's; sent, it must match it.`)),
    external_order_id: Type.Optional(
      Type.String({
        maxLength: intentLimits.external_order_id,
        description: 'Your own order number, echoed in answers and webhooks. Several intents may have the same one.',
      }),
    ),
    notes: Type.Optional(
      Type.String({ maxLength: intentLimits.notes, description: 'A free note, kept on the intent.' }),
    ),
  },
)
export type CreateIntent = Static<typeof CreateIntent>

export const AttachReference = body('The reference of the payment.', {
  reference: Type.String({
    minLength: 1,
    maxLength: intentLimits.reference,
    description:
      'The transaction reference that the wallet showed the buyer. White space around it is trimmed. Send a string: ' +
      'a JSON number beyond 2^53 is refused, because its digits may be lost already.',
  }),
})
export type AttachReference = Static<typeof AttachReference>

// Answers.

export const Item = closed('A line of the order.', {
  name: Type.String({ maxLength: intentLimits.name, description: 'What is sold.' }),
  description: Type.String({
    maxLength: intentLimits.description,
    description: 'More about it; `""` when left out.',
  }),
  price: amount('Price of one.'),
  quantity: Type.Integer({ minimum: 1, maximum: intentLimits.quantity, description: 'How many.' }),
  total_price: amount('Price times quantity.'),
})
export type Item = Static<typeof Item>

export const MatchedEvent = closed('The payment alert that resolved the intent.', {
  id: id('Identifier of the alert.'),
  amount: amount('What the alert says was paid.'),
  sender: text('Who the alert came from.'),
  reference: text('The reference in the alert; `""` when it had none.'),
  created_at: timestamp('When the alert reached the service.'),
})
export type MatchedEvent = Static<typeof MatchedEvent>

export const Device = closed('The device that reported the payment.', {
  id: id('Identifier of the device; it stays the same when the device is paired again.'),
  name: text('Name of the device.'),
})

export const IntentStatus = oneOf(intentStatuses, 'Where the intent stands. All but `PENDING` are final.')
export type IntentStatus = Static<typeof IntentStatus>

export const Intent = closed('An amount to collect into a wallet, and what became of it.', {
  id: id('Identifier of the intent, used in `/intents/{id}/`.'),
  code: Type.String({
    pattern: '^[0-9A-HJKMNP-TV-Z]{10}$',
    description: 'Short payment code, easy to read aloud. Webhooks call it `payment_id`.',
  }),
  external_order_id: Type.String({
    maxLength: intentLimits.external_order_id,
    description: 'Your order number; `""` when none was sent.',
  }),
  reference: Type.String({
    maxLength: intentLimits.reference,
    description: 'As you sent it, trimmed; `""` until one is attached.',
  }),
  status: IntentStatus,
  base_amount: amount('Total to collect.'),
  payable_amount: amount(
    'What the buyer must pay, to the unit: show this. Equal to `base_amount`, unless the wallet has unique amounts: then a ' +
      'little more or less.',
  ),
  paid_amount: orNull(
    amount('What the buyer sent.'),
    'What the buyer really sent when the status is `WRONG_AMOUNT`; otherwise null.',
  ),
  currency: collectedCurrency(),
  items: Type.Array(Item, { description: 'The lines of the order; `[]` when an amount was sent.' }),
  notes: Type.String({ maxLength: intentLimits.notes, description: 'Your note; `""` when none was sent.' }),
  wallet: IntentWallet,
  provider: Provider,
  expires_at: timestamp('End of the 1-hour window.'),
  created_at: timestamp('When the intent was created.'),
  verified_at: orNull(timestamp('When the payment was verified.'), 'When the payment was verified; null until then.'),
  manual_override: flag('true when a person booked the payment from the unmatched queue.'),
  collected_manually: flag('Same meaning as `manual_override`.'),
  matched_event: orNull(MatchedEvent, 'The payment alert that resolved the intent; null until there is one.'),
  device: orNull(Device, 'The device that reported the payment; null until there is one.'),
  subscription: Type.Null({ description: 'Always null.' }),
})
export type Intent = Static<typeof Intent>

export const IntentPage = numberedPageOf(Intent, {
  count: 'How many intents the filters find, on all pages.',
  results: 'The intents of this page.',
  page: 'One page of intents.',
})
export type IntentPage = Static<typeof IntentPage>
