/**
 * The checkout API as an OpenAPI 3.1 document, made from the schemas of this package: tests compare the server's answers
 * with the same schemas. The server serves it. Errors and limits are those of the merchant API, whose document explains
 * them.
 */
import type { TSchema } from 'typebox'
import {
  Checkout,
  CheckoutCompleted,
  CheckoutExpired,
  CheckoutPage,
  CheckoutStatus,
  CreateCheckout,
} from './checkout.ts'
import {
  bodyRefusals,
  checkoutId,
  commas,
  errorAnswer,
  filter,
  guarded,
  json,
  referenceTo,
  refused,
  responses,
  retryAfter,
  schemas,
  shared,
  text,
  time,
} from './checkout-openapi/answers.ts'
import { checkoutSamples } from './checkout-openapi/code-samples.ts'
import * as examples from './checkout-openapi/examples.ts'
import { linkPaths } from './checkout-openapi/link-paths.ts'
import { idempotencyKeyHeader } from './merchant-openapi/answers.ts'
import { hintHeaders, withHintHeaders } from './merchant-openapi/hint-headers.ts'
import { type DocumentOptions, license, type OpenApiDocument, withSamples } from './merchant-openapi.ts'

const sortable = ['created_at', 'amount', 'status']

const paths: OpenApiDocument['paths'] = {
  '/sessions/': {
    post: {
      operationId: 'createCheckout',
      tags: ['Checkouts'],
      summary: 'Create a checkout',
      description:
        'Creates a page on which a buyer pays one order, and answers with its link. The page creates an intent when the buyer ' +
        'chooses a wallet, and another one when the buyer chooses again after it has expired. If fields are wrong, each has its own ' +
        'entry in `errors`, and nothing is created.',
      parameters: [idempotencyKeyHeader],
      requestBody: {
        required: true,
        content: json(CreateCheckout, {
          amount: ['By amount', examples.createByAmount],
          items: ['By order lines', examples.createByItems],
        }),
      },
      responses: {
        201: {
          description: 'The new checkout, or the answer to the same request again (`Idempotent-Replayed: true`).',
          headers: {
            Location: { description: 'Where the checkout is.', schema: { type: 'string', format: 'uri' } },
            'Idempotent-Replayed': {
              description: 'Present when the key was used before.',
              schema: { type: 'string', enum: ['true'] },
            },
          },
          content: json(Checkout, { open: ['Created', examples.open] }),
        },
        400: errorAnswer(
          'The body or the idempotency key is not valid. Nothing was created.',
          ['url', refused('validation_error', 'invalid', 'Enter a URL that begins with https://.', 'return_url')],
          [
            'wallet',
            refused(
              'validation_error',
              'wallet_not_monitored',
              'This wallet is not set up for payment monitoring, or its device is off.',
              'wallets.0',
            ),
          ],
        ),
        409: {
          ...errorAnswer('Another request with this idempotency key is still running.', [
            'in_progress',
            refused(
              'client_error',
              'idempotency_in_progress',
              'A request with this key is still being processed. Try again.',
              'SERVICE-IDEMPOTENCY-KEY',
            ),
          ]),
          headers: retryAfter,
        },
        ...bodyRefusals,
        ...guarded,
      },
    },
    get: {
      operationId: 'listCheckouts',
      tags: ['Checkouts'],
      summary: 'List checkouts',
      description:
        "The account's checkouts, newest first. Filters are combined. If a parameter is repeated, only the last one counts.",
      parameters: [
        filter(
          'status',
          'One or several, separated by commas, in capitals. An unknown value is refused.',
          { type: 'array', items: referenceTo(CheckoutStatus) },
          commas,
        ),
        filter('external_order_id', 'Exact order number.', text),
        filter('reference', 'Exact wallet reference of one of its intents.', text),
        filter('wallet', 'Only checkouts with an intent of this wallet.', { ...text, format: 'uuid' }),
        filter('created_after', 'Created at this time or later; ISO 8601.', time),
        filter('created_before', 'Created at this time or earlier; ISO 8601.', time),
        filter(
          'search',
          'Words to look for in order number, description and customer. Every word must occur in one of them.',
          text,
        ),
        filter('ordering', 'What to sort by; a leading `-` reverses. Default `-created_at`.', {
          type: 'string',
          enum: [...sortable, ...sortable.map((field) => `-${field}`)],
        }),
        filter('page_size', 'Checkouts per page, 100 at most, 20 by default.', { type: 'integer' }),
        filter('page', 'Number of the page, from 1; `last` is the last one.', text),
      ],
      responses: {
        200: {
          description: 'One page of checkouts.',
          content: json(CheckoutPage, { page: ['The first of several pages', examples.page] }),
        },
        400: errorAnswer('A filter has an invalid value.', [
          'status',
          refused(
            'validation_error',
            'invalid_choice',
            'Select a valid choice. PAID is not one of the available choices.',
            'status',
          ),
        ]),
        404: shared('NotFound'),
        ...guarded,
      },
    },
  },
  '/sessions/{id}/': {
    get: {
      operationId: 'retrieveCheckout',
      tags: ['Checkouts'],
      summary: 'Retrieve one checkout',
      description: 'The checkout as it stands now, with its intents.',
      parameters: [checkoutId],
      responses: {
        200: {
          description: 'The checkout.',
          content: json(Checkout, { complete: ['Paid', examples.complete], open: ['Open', examples.open] }),
        },
        404: shared('NotFound'),
        ...guarded,
      },
    },
  },
  '/sessions/{id}/cancel/': {
    post: {
      operationId: 'cancelCheckout',
      tags: ['Checkouts'],
      summary: 'Cancel a checkout',
      description:
        'Ends an `OPEN` checkout and its open intent. If a payment came first, the call is refused. A body is not needed and not read.',
      parameters: [checkoutId],
      responses: {
        200: {
          description: 'The cancelled checkout.',
          content: json(Checkout, { cancelled: ['Cancelled', examples.cancelled] }),
        },
        400: errorAnswer('The checkout is not `OPEN`. Nothing was changed.', [
          'complete',
          refused(
            'validation_error',
            'checkout_not_open',
            'Only an OPEN checkout can be cancelled; this one is COMPLETE.',
            'non_field_errors',
          ),
        ]),
        404: shared('NotFound'),
        ...guarded,
      },
    },
  },
}

const event = (operationId: string, summary: string, description: string, schema: TSchema, value: unknown) => ({
  post: {
    operationId,
    tags: ['Webhooks'],
    summary,
    description,
    security: [],
    requestBody: { required: true, content: json(schema, { event: [summary, value] }) },
    responses: {
      '2XX': { description: 'Your server has received the event. After any other answer it is sent again.' },
    },
  },
})

const optIn =
  'Only for endpoints that subscribe to it. Signed and sent like every event of the merchant API; once for each checkout.'

export const checkoutOpenApi = ({ version, serverUrl }: DocumentOptions): OpenApiDocument => ({
  openapi: '3.1.0',
  info: {
    title: 'Sanad checkout API',
    description:
      'Pages on which buyers pay, for shops that do not build their own. Tokens, errors, limits and idempotency are those of the ' +
      '[merchant API](/docs). A buyer who comes back to `return_url` may not have paid: only this API and the webhooks prove a payment.',
    version,
    license,
  },
  servers: [{ url: serverUrl, description: 'This service' }],
  tags: [
    { name: 'Checkouts', description: 'Pages on which buyers pay' },
    { name: 'Payment links', description: 'Links to share' },
    { name: 'Webhooks', description: 'Events that we send to your server' },
  ],
  security: [{ accessToken: [] }],
  paths: withSamples({ ...paths, ...linkPaths }, checkoutSamples),
  webhooks: {
    'checkout.completed': event(
      'checkoutCompleted',
      'A checkout was paid in full',
      optIn,
      CheckoutCompleted,
      examples.completed,
    ),
    'checkout.expired': event('checkoutExpired', 'A checkout ended unpaid', optIn, CheckoutExpired, examples.expired),
  },
  components: {
    schemas: schemas(),
    headers: hintHeaders,
    responses: withHintHeaders(responses),
    securitySchemes: {
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The `access_token` from `POST /token` of the merchant API.',
      },
    },
  },
})
