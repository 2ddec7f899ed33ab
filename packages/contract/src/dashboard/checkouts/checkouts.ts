/** Checkouts in the dashboard: listing, showing, creating, cancelling. */
import { type Static, Type } from 'typebox'
import { Checkout, CheckoutIntent, CheckoutStatus, CreateCheckout } from '../../checkout.ts'
import { operationsOf } from '../../operation.ts'
import { choicesField, idFilter, searchField } from '../../query.ts'
import { amount, collectedCurrency, id, oneOf, signedAmount, timestamp } from '../../scalars.ts'
import { closed, flag, listOf, orNull, text } from '../../schema.ts'
import { replayed } from '../answer-headers.ts'
import { arrivalFields, arrivalSums } from '../money/arrival.ts'
import { By } from '../money/by.ts'
import { pageOf, pageQuery } from '../page.ts'

const urlOrNull = (description: string) => orNull(Type.String({ format: 'uri' }), description)

export const ListedCheckout = closed({
  id: id('Identifier of the checkout.'),
  status: CheckoutStatus,
  amount: amount('What is to be paid.'),
  paid: signedAmount('What arrived.'),
  ...arrivalSums,
  currency: collectedCurrency(),
  external_order_id: text('The order number; `""` when there is none.'),
  description: text('What is bought; `""` when no description was sent.'),
  link: orNull(id('A payment link.'), 'The payment link that made it, or null.'),
  wallet: text('The name of the wallet that the buyer chose last; `""`: none yet.'),
  is_test: flag('Whether it is test money, as in the checkout API.'),
  arrived: orNull(
    amount('What arrived instead.'),
    'What arrived when the last payment had another amount than was asked for; otherwise null.',
  ),
  created_at: timestamp('When it was created.'),
  expires_at: timestamp('When it ends if it is not paid.'),
  ended_at: orNull(timestamp('When it ended.')),
})
export type ListedCheckout = Static<typeof ListedCheckout>

export const CheckoutEntry = closed({
  at: timestamp('When.'),
  kind: oneOf(
    [
      'created',
      'wallet',
      'reference',
      'verified',
      'wrong_amount',
      'not_matched',
      'reference_moved',
      'booked',
      'intent_expired',
      'intent_cancelled',
      'completed',
      'expired',
      'cancelled',
    ],
    'What happened. `wallet`: a wallet was chosen, which creates an intent. `intent_expired` and `intent_cancelled` end that ' +
      'intent; `completed`, `expired` and `cancelled` end the checkout.',
  ),
  by: By,
  intent: orNull(id('The intent.'), 'The intent that it is about, or null.'),
  facts: Type.Record(Type.String(), Type.String(), {
    description:
      'By kind. `wallet`: `wallet`, `amount`. `reference`, `reference_moved`: `reference`. `wrong_amount`, `booked`: `paid`, `payable`; ' +
      '`booked` also `forgiven` or `excess` if one is above zero.',
  }),
})
export type CheckoutEntry = Static<typeof CheckoutEntry>

const { url: _url, intents: _intents, ...fieldsWithoutUrl } = Checkout.properties

export const ShownCheckout = closed('A checkout with all that is known of it.', {
  ...fieldsWithoutUrl,
  ...arrivalSums,
  intents: listOf('Its intents, in the order of their creation.', { ...CheckoutIntent.properties, ...arrivalFields }),
  url: urlOrNull(
    "The buyer's page, and afterwards the receipt. Whoever has it can act as the buyer: null for a role that only reads.",
  ),
  qr_svg: orNull(Type.String(), 'The same address as a QR code, or null.'),
  created_by: By,
  timeline: Type.Array(CheckoutEntry, { description: 'Oldest first.' }),
})
export type ShownCheckout = Static<typeof ShownCheckout>

const operation = operationsOf({ tag: 'Checkouts' })

export const listCheckouts = operation({
  id: 'listCheckouts',
  method: 'GET',
  path: '/checkouts/',
  access: 'checkouts.read',
  summary: 'Find checkouts, newest first',
  description:
    'With filters a call looks at 10,000 checkouts at most: a page can have fewer results than were asked for, or none, and ' +
    'still have a `next`, which goes on from there.',
  query: {
    status: { description: 'One or several statuses, separated by commas.', schema: choicesField(CheckoutStatus) },
    search: {
      description: 'Terms that must occur in the order number, the description or the customer.',
      schema: searchField(),
    },
    link: { description: 'Only checkouts of this payment link.', schema: idFilter() },
    ...pageQuery('uuid'),
  },
  answer: pageOf(ListedCheckout, 'Checkouts, newest first.'),
})

export const createCheckout = operation({
  id: 'createCheckout',
  method: 'POST',
  path: '/checkouts/',
  access: 'checkouts.write',
  summary: 'Make a checkout by hand',
  description:
    'The rules are those of the checkout API, and the header `SERVICE-IDEMPOTENCY-KEY` makes repeating safe ' +
    '(`Idempotent-Replayed: true` says that it was a repetition).',
  headers: {
    'SERVICE-IDEMPOTENCY-KEY': {
      description: 'Chosen by you, one for each order: a repeated call with it gets the first checkout.',
      schema: Type.String({ minLength: 1, maxLength: 128 }),
    },
  },
  body: CreateCheckout,
  example: { amount: '1500.00', wallets: ['{wallet}'] },
  status: 201,
  refusals: { 409: 'A call with the same key is under way. Repeat it in a moment.' },
  answer: ShownCheckout,
  answerHeaders: replayed,
})

export const showCheckout = operation({
  id: 'showCheckout',
  method: 'GET',
  path: '/checkouts/{id}/',
  access: 'checkouts.read',
  summary: 'One checkout with its intents and its timeline',
  answer: ShownCheckout,
})

export const cancelCheckout = operation({
  id: 'cancelCheckout',
  method: 'POST',
  path: '/checkouts/{id}/cancel/',
  access: 'checkouts.write',
  summary: 'Cancel a checkout that is open',
  description:
    'Its open intent is cancelled with it. If the payment came in the same instant, one of the two wins: 400 ' +
    '`checkout_not_open` says what became of the checkout.',
  answer: ShownCheckout,
})

export const checkoutOperations = operation.described
