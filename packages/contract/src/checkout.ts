/**
 * Checkouts and payment links as the merchant's server creates and reads them, and their events. Requests are described
 * as merchants should write them; the service also reads some other forms (numbers for amounts, digits of any script).
 */

import { type Static, Type } from 'typebox'
import { sentAmount, sentTexts, withDefault } from './body.ts'
import { collectedCodes } from './currency.ts'
import { IntentStatus, Item, intentLimits, NewItem } from './intent.ts'
import { checkoutStatuses } from './kinds.ts'
import { numberedPageOf } from './numbered-page.ts'
import { amount, collectedCurrency, currency, id, oneOf, timestamp } from './scalars.ts'
import { body, closed, flag, orNull, text, whole } from './schema.ts'

const leastAmount = '0.01'

const url = (description: string) => Type.String({ format: 'uri', maxLength: 2000, description })

const Metadata = sentTexts(
  20,
  40,
  500,
  'Up to 20 texts of your own by their names: names of 1 to 40 characters, texts of up to 500.',
)

export const NewCustomer = body('Who buys, if you know it. Shown to you, not on the page.', {
  name: Type.Optional(Type.String({ maxLength: 100, description: 'Who buys.' })),
  phone: Type.Optional(
    Type.String({ format: 'phone', maxLength: 32, description: 'Their phone: digits, spaces, `+`, `-`, brackets.' }),
  ),
})

export const CreateCheckout = body(
  'Either `amount` or `items` is needed. No field may be null; fields we do not know are ignored.',
  {
    amount: Type.Optional(
      sentAmount(
        'What to collect, from 0.01 to 999999999999.99. Required without `items`, ignored with them.',
        leastAmount,
      ),
    ),
    items: Type.Optional(
      Type.Array(NewItem, {
        maxItems: intentLimits.items,
        description: 'The lines of the order. Required without `amount`; what to collect is their total.',
      }),
    ),
    currency: Type.Optional(currency(`Only ${collectedCodes}, also when left out.`)),
    external_order_id: Type.Optional(
      Type.String({
        maxLength: intentLimits.external_order_id,
        description: 'Your own order number; shown on the page.',
      }),
    ),
    description: Type.Optional(
      Type.String({ maxLength: 500, description: 'What is bought, in a sentence; shown on the page.' }),
    ),
    wallets: Type.Optional(
      Type.Array(id('A wallet, from `GET /wallets/` of the merchant API.'), {
        maxItems: 50,
        description:
          'The wallets that the buyer can choose from. Left out or empty: all that are offered when the page is open, without ' +
          'the testing wallet.',
      }),
    ),
    return_url: Type.Optional(
      url(
        'Where the buyer goes after paying; `checkout={id}` is added to its query. It must be https and without user name ' +
          'and password; outside production also http to the machine itself.',
      ),
    ),
    cancel_url: Type.Optional(
      url('The address for going back without paying, which the page offers. The rules are those of `return_url`.'),
    ),
    metadata: Type.Optional(Metadata),
    customer: Type.Optional(NewCustomer),
    locale: Type.Optional(
      oneOf(['ar', 'en'], "The language of the page. Left out: the browser's, and the buyer can change it."),
    ),
    expires_in: withDefault(
      Type.Integer({
        minimum: 300,
        maximum: 604800,
        description: 'For how many seconds the page can be paid: 5 minutes to 7 days. Its intents end with it.',
      }),
      3600,
    ),
    allow_remaining: withDefault(
      flag(
        'Whether the buyer may pay the rest after a payment that was too small. The part that arrived is then booked to an intent ' +
          'of its own in this checkout, with its own `payment.verified`: only `COMPLETE` means that everything is paid.',
      ),
      false,
    ),
  },
)
export type CreateCheckout = Static<typeof CreateCheckout>

export const CheckoutStatus = oneOf(checkoutStatuses, 'Where the checkout stands. All but `OPEN` are final.')
export type CheckoutStatus = Static<typeof CheckoutStatus>

export const CheckoutWallet = closed('The wallet that the buyer chose.', {
  id: id('The wallet.'),
  name: text('Its name.'),
})

export const CheckoutCustomer = closed('Who buys.', {
  name: text('`""` when not known.'),
  phone: text('`""` when not known.'),
})

export const CheckoutIntent = closed('An intent that the page has made.', {
  id: id('The intent, also under `/intents/{id}/` of the merchant API.'),
  code: text('Its short payment code.'),
  status: IntentStatus,
  wallet: CheckoutWallet,
  payable_amount: amount('What the buyer must pay.'),
  paid_amount: orNull(
    amount('What the buyer sent.'),
    'What arrived when the status is `WRONG_AMOUNT`; otherwise null.',
  ),
  reference: Type.String({
    maxLength: intentLimits.reference,
    description: 'The reference that the buyer sent; `""` until then.',
  }),
  created_at: timestamp('When the buyer chose the wallet.'),
  expires_at: timestamp(
    'When it ends if it is not paid: one hour after it was opened, or with the checkout if that is earlier.',
  ),
  verified_at: orNull(timestamp('When it was paid.'), 'When it was paid; null until then.'),
})

const isTestMeaning =
  'true: it is test money. The buyer chose the testing wallet, or paid a part into it, or could choose nothing else.'

export const Checkout = closed('A page on which a buyer pays one order, and what became of it.', {
  id: id('Identifier of the checkout, used in `/sessions/{id}/`.'),
  url: Type.String({
    format: 'uri',
    description: "The buyer's page. Whoever has this link can pay and sees the order: give it to the buyer alone.",
  }),
  status: CheckoutStatus,
  amount: amount('What is to be paid.'),
  paid: amount(
    'What arrived: the sum over the verified intents. Where the shop booked less than was asked, a `COMPLETE` checkout has less ' +
      'than its `amount` here; with a unique amount it has a little more.',
  ),
  currency: collectedCurrency(),
  external_order_id: Type.String({
    maxLength: intentLimits.external_order_id,
    description: 'Your order number; `""` when none was sent.',
  }),
  description: Type.String({ maxLength: 500, description: 'What is bought; `""` when none was sent.' }),
  items: Type.Array(Item, { description: 'The lines of the order; `[]` when an amount was sent.' }),
  wallets: Type.Array(id('A wallet.'), { description: 'The wallets to choose from; `[]`: all that are offered.' }),
  return_url: text('`""` when none was sent.'),
  cancel_url: text('`""` when none was sent.'),
  metadata: Type.Record(Type.String(), Type.String(), { description: 'Your own texts; `{}` when none were sent.' }),
  customer: CheckoutCustomer,
  locale: oneOf(['', 'ar', 'en'], 'The language of the page; `""`: the browser\'s.'),
  allow_remaining: flag('Whether the rest may be paid after too small a payment.'),
  link: orNull(id('A payment link.'), 'The payment link that made it; null when your server did.'),
  is_test: flag(`${isTestMeaning} Deliver nothing for it.`),
  intents: Type.Array(CheckoutIntent, {
    maxItems: 20,
    description: 'The intents that the page has made, in their order.',
  }),
  expires_at: timestamp(
    'When it ends if it is not paid. From then on the page accepts nothing; its intents have ended too, and money that comes is late.',
  ),
  created_at: timestamp('When the checkout was created.'),
  ended_at: orNull(
    timestamp('When it ended.'),
    'When it was paid, cancelled, or could no longer be paid; null while it is `OPEN`.',
  ),
})
export type Checkout = Static<typeof Checkout>

export const CheckoutPage = numberedPageOf(Checkout, {
  count: 'How many checkouts the filters find, on all pages.',
  results: 'The checkouts of this page.',
  page: 'One page of checkouts.',
})
export type CheckoutPage = Static<typeof CheckoutPage>

// Payment links.

export const CreateLink = body('A link to share. No field may be null; fields we do not know are ignored.', {
  amount: Type.Optional(sentAmount('What is to be paid each time. Left out: the buyer says how much.', leastAmount)),
  min_amount: withDefault(
    sentAmount('Without `amount`: the least that a buyer may pay; 1.00 when left out.', leastAmount),
    '1.00',
  ),
  max_amount: withDefault(
    sentAmount('Without `amount`: the most that a buyer may pay; 999999999999.99 when left out.', leastAmount),
    '999999999999.99',
  ),
  external_order_id: CreateCheckout.properties.external_order_id,
  description: CreateCheckout.properties.description,
  wallets: CreateCheckout.properties.wallets,
  return_url: CreateCheckout.properties.return_url,
  metadata: CreateCheckout.properties.metadata,
  locale: CreateCheckout.properties.locale,
  expires_in: CreateCheckout.properties.expires_in,
  allow_remaining: CreateCheckout.properties.allow_remaining,
  once: withDefault(
    flag(
      'true: the link can be paid once. It has one open checkout at a time, and creates none after one was paid. false: it can ' +
        'be paid any number of times.',
    ),
    false,
  ),
})
export type CreateLink = Static<typeof CreateLink>

export const ChangeLink = body('Switches a link off or on.', {
  active: flag('false switches the link off, true on again.'),
})

const amountOrNull = (description: string) => orNull(amount(description), description)

export const PaymentLink = closed('A link that can be shared, and paid once or many times.', {
  id: id('Identifier of the link, used in `/links/{id}/`.'),
  url: Type.String({
    format: 'uri',
    description: 'The link to share. Each buyer who goes on to pay gets a checkout.',
  }),
  active: flag('Whether it makes checkouts.'),
  amount: amountOrNull('What is to be paid each time; null: the buyer says how much.'),
  min_amount: amountOrNull('The least that a buyer may pay; null with a fixed amount.'),
  max_amount: amountOrNull('The most that a buyer may pay; null with a fixed amount.'),
  currency: collectedCurrency(),
  external_order_id: text('`""` when none was sent.'),
  description: text('`""` when none was sent.'),
  wallets: Type.Array(id('A wallet.'), { description: '`[]`: all that are offered.' }),
  return_url: text('`""` when none was sent.'),
  metadata: Type.Record(Type.String(), Type.String(), { description: 'Given to each checkout.' }),
  locale: oneOf(['', 'ar', 'en'], 'The language of the pages.'),
  expires_in: whole('For how many seconds each checkout can be paid.'),
  allow_remaining: flag('As in a checkout.'),
  once: flag('Whether the link can be paid only once.'),
  created_at: timestamp('When the link was created.'),
})
export type PaymentLink = Static<typeof PaymentLink>

export const PaymentLinkPage = numberedPageOf(PaymentLink, {
  count: 'How many links there are, on all pages.',
  results: 'The links of this page.',
  page: 'One page of links, newest first.',
})
export type PaymentLinkPage = Static<typeof PaymentLinkPage>

// Events.

const endedFields = {
  checkout_id: id('The `id` of the checkout.'),
  order_id: Type.String({
    maxLength: intentLimits.external_order_id,
    description: 'Its `external_order_id`; `""` if it has none.',
  }),
  amount: amount('What was to be paid.'),
  paid: amount('What arrived. It differs from `amount` where the shop booked another amount.'),
  currency: collectedCurrency(),
}
const intents = Type.Array(id('An intent.'), { description: 'The intents that were paid, in their order.' })
const metadata = Type.Record(Type.String(), Type.String(), { description: 'The `metadata` of the checkout.' })

export const CheckoutCompleted = closed('A checkout was paid in full, or the shop forgave the rest.', {
  event: oneOf(['checkout.completed'], 'The kind of event.'),
  ...endedFields,
  status: oneOf(['COMPLETE'], 'The status of the checkout.'),
  intents,
  metadata,
  completed_at: timestamp('When its last intent was verified.'),
  is_test: flag(`${isTestMeaning} Deliver nothing for it.`),
})
export type CheckoutCompleted = Static<typeof CheckoutCompleted>

export const CheckoutExpired = closed('A checkout ended without being paid in full.', {
  event: oneOf(['checkout.expired'], 'The kind of event.'),
  ...endedFields,
  status: oneOf(['EXPIRED'], 'The status of the checkout.'),
  intents,
  metadata,
  expired_at: timestamp('When it could no longer be paid.'),
  is_test: flag(isTestMeaning),
})
export type CheckoutExpired = Static<typeof CheckoutExpired>
