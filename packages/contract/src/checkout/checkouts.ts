/** The calls for checkouts. */
import { Type } from 'typebox'
import { Checkout, CheckoutPage, CheckoutStatus, CreateCheckout } from '../checkout.ts'
import { curl, jsonHeader, sdk, tokenHeader } from '../code-sample.ts'
import { checkoutOrders } from '../kinds.ts'
import { idempotencyKey } from '../merchant/operations.ts'
import { inProgress, invalid } from '../openapi/error-examples.ts'
import { retryAfter } from '../openapi/token-errors.ts'
import { operationsOf } from '../operation.ts'
import { choicesField, idFilter, instantFilter, orderingField, searchField, textFilter } from '../query.ts'
import { textOf } from '../scalars.ts'
import * as examples from './examples.ts'
import { pageQuery } from './page-query.ts'

const operation = operationsOf({ tag: 'Checkouts', access: 'key' })

export const createCheckout = operation({
  id: 'createCheckout',
  method: 'POST',
  path: '/sessions/',
  limit: 'checkouts',
  summary: 'Create a checkout',
  description:
    'Creates a page on which a buyer pays one order, and answers with its link. The page creates an intent when the buyer ' +
    'chooses a wallet, and another one when the buyer chooses again after it has expired. If fields are wrong, each has its own ' +
    'entry in `errors`, and nothing is created.',
  headers: { 'SERVICE-IDEMPOTENCY-KEY': idempotencyKey },
  body: CreateCheckout,
  bodyExamples: {
    amount: ['By amount', examples.createByAmount],
    items: ['By order lines', examples.createByItems],
  },
  status: 201,
  answer: Checkout,
  answerDescription: 'The new checkout, or the answer to the same request again (`Idempotent-Replayed: true`).',
  answerExamples: { open: ['Created', examples.open] },
  answerHeaders: {
    Location: { description: 'Where the checkout is.', schema: Type.String({ format: 'uri' }) },
    'Idempotent-Replayed': { description: 'Present when the key was used before.', schema: textOf(['true']) },
  },
  refusals: {
    400: {
      description: 'The body or the idempotency key is not valid. Nothing was created.',
      examples: {
        url: invalid('url', ['return_url', 'invalid', 'Enter a URL that begins with https://.']),
        wallet: invalid('wallet', [
          'wallets.0',
          'wallet_not_monitored',
          'This wallet is not set up for payment monitoring, or its device is off.',
        ]),
      },
    },
    409: {
      description: 'Another request with this idempotency key is still running.',
      headers: retryAfter,
      examples: { in_progress: inProgress('in_progress') },
    },
  },
  samples: [
    curl(
      'curl -X POST $CHECKOUT_URL/sessions/',
      tokenHeader,
      jsonHeader,
      `-H "SERVICE-IDEMPOTENCY-KEY: $KEY"`,
      `-d '{"amount": "1500.00", "external_order_id": "ORDER-1042", "return_url": "https://shop.example.com/thanks"}'`,
    ),
    sdk(
      'const checkout = await sanad.checkouts.create(',
      "  { amount: '1500.00', external_order_id: 'ORDER-1042', return_url: 'https://shop.example.com/thanks' },",
      '  { idempotencyKey: crypto.randomUUID() }, // Store it with the order before the call.',
      ')',
      'console.log(checkout.url) // Send the buyer there.',
    ),
  ],
})

export const listCheckouts = operation({
  id: 'listCheckouts',
  method: 'GET',
  path: '/sessions/',
  limit: 'checkouts_list',
  summary: 'List checkouts',
  description:
    "The account's checkouts, newest first. Filters are combined. If a parameter is repeated, only the last one counts.",
  query: {
    status: {
      description: 'One or several, separated by commas, in capitals. An unknown value is refused.',
      schema: choicesField(CheckoutStatus),
    },
    external_order_id: { description: 'Exact order number.', schema: textFilter() },
    reference: { description: 'Exact wallet reference of one of its intents.', schema: textFilter() },
    wallet: { description: 'Only checkouts with an intent of this wallet.', schema: idFilter() },
    created_after: { description: 'Created at this time or later; ISO 8601.', schema: instantFilter('after') },
    created_before: { description: 'Created at this time or earlier; ISO 8601.', schema: instantFilter('before') },
    search: {
      description: 'Words to look for in order number, description and customer. Every word must occur in one of them.',
      schema: searchField(),
    },
    ordering: {
      description: 'What to sort by; a leading `-` reverses. Default `-created_at`.',
      schema: orderingField(checkoutOrders, '-created_at'),
      // Several are read, but only the first one counts.
      published: textOf([...checkoutOrders, ...checkoutOrders.map((field) => `-${field}`)]),
    },
    ...pageQuery('Checkouts'),
  },
  answer: CheckoutPage,
  answerDescription: 'One page of checkouts.',
  answerExamples: { page: ['The first of several pages', examples.page] },
  refusals: {
    400: {
      description: 'A filter has an invalid value.',
      examples: {
        status: invalid('status', [
          'status',
          'invalid_choice',
          'Select a valid choice. PAID is not one of the available choices.',
        ]),
      },
    },
  },
  samples: [
    curl(`curl "$CHECKOUT_URL/sessions/?status=OPEN,COMPLETE"`, tokenHeader),
    sdk(
      "for await (const one of sanad.checkouts.list({ status: ['OPEN', 'COMPLETE'] })) {",
      '  console.log(one.external_order_id, one.status)',
      '}',
    ),
  ],
})

const checkoutId = {
  id: {
    description: 'The `id` of the checkout.',
    schema: Type.String({ format: 'uuid' }),
    example: examples.open.id,
  },
}

export const retrieveCheckout = operation({
  id: 'retrieveCheckout',
  method: 'GET',
  path: '/sessions/{id}/',
  pathParameters: checkoutId,
  limit: 'checkouts',
  summary: 'Retrieve one checkout',
  description: 'The checkout as it stands now, with its intents.',
  answer: Checkout,
  answerDescription: 'The checkout.',
  answerExamples: { complete: ['Paid', examples.complete], open: ['Open', examples.open] },
  samples: [
    curl('curl $CHECKOUT_URL/sessions/$CHECKOUT/', tokenHeader),
    sdk('const { status, paid } = await sanad.checkouts.retrieve(checkout.id)'),
  ],
})

export const cancelCheckout = operation({
  id: 'cancelCheckout',
  method: 'POST',
  path: '/sessions/{id}/cancel/',
  pathParameters: checkoutId,
  limit: 'checkouts',
  summary: 'Cancel a checkout',
  description:
    'Ends an `OPEN` checkout and its open intent. If a payment came first, the call is refused. A body is not needed and not read.',
  answer: Checkout,
  answerDescription: 'The cancelled checkout.',
  answerExamples: { cancelled: ['Cancelled', examples.cancelled] },
  refusals: {
    400: {
      description: 'The checkout is not `OPEN`. Nothing was changed.',
      examples: {
        complete: invalid('complete', [
          'non_field_errors',
          'checkout_not_open',
          'Only an OPEN checkout can be cancelled; this one is COMPLETE.',
        ]),
      },
    },
  },
  samples: [
    curl('curl -X POST $CHECKOUT_URL/sessions/$CHECKOUT/cancel/', tokenHeader),
    sdk('const cancelled = await sanad.checkouts.cancel(checkout.id)'),
  ],
})
