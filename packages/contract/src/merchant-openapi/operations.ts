/** The six operations of the merchant API: what each takes and what it answers. */

import { AttachReference, CreateIntent, Intent, IntentPage, IntentStatus } from '../intent.ts'
import { intentOrders } from '../kinds.ts'
import { TokenAnswer } from '../token.ts'
import { WalletList } from '../wallet.ts'
import {
  attachRefused,
  conflict,
  createdHeaders,
  createRefused,
  filterRefused,
  idempotencyKeyHeader,
  json,
  shared,
  tokenHeaders,
  tokenRefused,
  unknownPage,
} from './answers.ts'
import type { CodeSample } from './code-samples.ts'
import * as examples from './examples.ts'
import { referenceTo } from './schemas.ts'

export type Operation = {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description: string
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters?: readonly object[]
  readonly requestBody?: object
  readonly responses: Readonly<Record<string, object>>
  readonly 'x-codeSamples'?: readonly CodeSample[]
}

/** The errors of every operation that needs a token. */
const guarded = {
  401: shared('Unauthorized'),
  403: shared('Forbidden'),
  405: shared('MethodNotAllowed'),
  429: shared('Throttled'),
  500: shared('ServerError'),
  503: shared('Unavailable'),
}

/** The same for an operation with a request body. */
const withBody = { ...guarded, 413: shared('TooLarge'), 415: shared('UnsupportedMediaType') }

const createToken: Operation = {
  operationId: 'createToken',
  tags: ['Token'],
  summary: 'Obtain an access token',
  description:
    'Issues a short-lived access token for client credentials. There is no request body; one that is sent is ignored. ' +
    'Keep the token and use it until shortly before it expires: at most 10 tokens a minute and 500 a day are issued.',
  security: [{ clientId: [], clientSecret: [] }],
  responses: {
    200: {
      description: 'A new token. Older ones stay valid until they expire.',
      headers: tokenHeaders,
      content: json(TokenAnswer, { token: { summary: 'A token for an hour', value: examples.token } }),
    },
    401: tokenRefused,
    405: shared('MethodNotAllowed'),
    429: shared('Throttled'),
    500: shared('ServerError'),
    503: shared('Unavailable'),
  },
}

const listWallets: Operation = {
  operationId: 'listWallets',
  tags: ['Wallets'],
  summary: 'List wallets available for collection',
  description:
    'The wallets that money can be collected into now: active, set up for payment monitoring, and with their ' +
    'monitoring device switched ON. A plain list, by name.',
  parameters: [
    {
      name: 'include_test',
      in: 'query',
      description: '`1` includes the testing wallet. Anything else leaves it out.',
      schema: { type: 'string', enum: ['1'] },
    },
  ],
  responses: {
    200: {
      description: 'The wallets.',
      content: json(WalletList, {
        one: { summary: 'One wallet', value: examples.wallets },
        none: { summary: 'No wallet can collect now', value: [] },
      }),
    },
    ...guarded,
  },
}

const createIntent: Operation = {
  operationId: 'createIntent',
  tags: ['Intents'],
  summary: 'Create an intent',
  description:
    'Asks for an exact amount to be collected into a wallet, given directly or computed from order lines. The intent ' +
    'is `PENDING` and stays open for 1 hour. Show the buyer the wallet, its `account_number` and `payable_amount`.',
  parameters: [idempotencyKeyHeader],
  requestBody: {
    required: true,
    content: json(CreateIntent, {
      items: { summary: 'By order lines', value: examples.createByItems },
      amount: { summary: 'By amount', value: examples.createByAmount },
    }),
  },
  responses: {
    201: {
      description: 'The new intent, or the stored answer to the same request.',
      headers: createdHeaders,
      content: json(Intent, { pending: { summary: 'Created', value: examples.pending } }),
    },
    400: createRefused,
    409: conflict,
    ...withBody,
  },
}

const filter = (name: string, description: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  description,
  schema,
  ...more,
})

const text = { type: 'string' }
const time = { type: 'string', format: 'date-time' }
const timeRule =
  'ISO 8601: `2026-01-02T06:04:05+03:00`, its `+` escaped as `%2B`. Without an offset it is in the zone of the service; a ' +
  'bare date is its midnight.'

const listIntents: Operation = {
  operationId: 'listIntents',
  tags: ['Intents'],
  summary: 'List intents',
  description:
    "The account's intents, newest first. For backfill and reconciliation: webhooks are the way to learn outcomes as " +
    'they happen. Filters are combined. If a parameter is repeated, only the last one counts.',
  parameters: [
    filter(
      'status',
      'One or several, separated by commas, in capitals: `VERIFIED,WRONG_AMOUNT`. An unknown value is refused; empty means no filter.',
      { type: 'array', items: referenceTo(IntentStatus) },
      { style: 'form', explode: false },
    ),
    filter('code', 'Exact payment code.', text),
    filter('reference', 'Exact wallet reference.', text),
    filter('external_order_id', 'Exact order number.', text),
    filter('wallet', 'Only intents of this wallet. An unknown wallet finds nothing.', { ...text, format: 'uuid' }),
    filter('created_after', `Created at this time or later. ${timeRule}`, time),
    filter('created_before', `Created at this time or earlier. ${timeRule}`, time),
    filter(
      'search',
      'Words to look for in `reference`, `code` and `external_order_id`. Every word must occur in one of the three, ' +
        'anywhere in it, in either case. Words are split on spaces and commas; a phrase in double quotes stays whole.',
      text,
    ),
    filter(
      'ordering',
      'One or several fields to sort by, separated by commas; a leading `-` reverses. Unknown ones are ignored, equal ' +
        'ones are ordered by id, null comes last.',
      {
        type: 'array',
        items: { type: 'string', enum: [...intentOrders, ...intentOrders.map((field) => `-${field}`)] },
        default: ['-created_at'],
      },
      { style: 'form', explode: false },
    ),
    filter('page_size', 'Intents per page. More than 100 counts as 100, an unusable value as 20.', {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 20,
    }),
    filter('page', 'Number of the page, from 1; `last` is the last one. A page past the end is a 404.', {
      anyOf: [
        { type: 'integer', minimum: 1 },
        { type: 'string', enum: ['last'] },
      ],
      default: 1,
    }),
  ],
  responses: {
    200: {
      description: 'One page of intents.',
      content: json(IntentPage, {
        page: { summary: 'The first of several pages', value: examples.page },
        empty: { summary: 'Nothing found', value: { count: 0, next: null, previous: null, results: [] } },
      }),
    },
    400: filterRefused,
    404: unknownPage,
    ...guarded,
  },
}

const intentId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `id` of the intent.',
  schema: { type: 'string', format: 'uuid' },
  example: examples.pending.id,
}

const retrieveIntent: Operation = {
  operationId: 'retrieveIntent',
  tags: ['Intents'],
  summary: 'Retrieve one intent',
  description: 'The intent as it stands now. Its `status` is the source of truth.',
  parameters: [intentId],
  responses: {
    200: {
      description: 'The intent.',
      content: json(Intent, {
        verified: { summary: 'Verified', value: examples.verified },
        pending: { summary: 'Waiting for the buyer', value: examples.pending },
        wrong_amount: { summary: 'Another amount was paid', value: examples.wrongAmount },
        expired: { summary: 'The hour has passed', value: examples.expired },
      }),
    },
    404: shared('UnknownIntent'),
    ...guarded,
  },
}

const attachReference: Operation = {
  operationId: 'attachReference',
  tags: ['Intents'],
  summary: 'Attach the wallet reference',
  description:
    'Says which payment belongs to the intent. The alert of a payment usually arrives before its reference: then the ' +
    'answer already shows `VERIFIED` or `WRONG_AMOUNT`, and the webhook is sent as well. Otherwise the intent stays ' +
    '`PENDING` until the alert comes or the hour has passed.\n\nWhile the intent is `PENDING`, sending the same ' +
    'reference again changes nothing, and another one replaces it. Capitals, spaces and the script of digits do not ' +
    'matter when references are compared; leading zeros do.',
  parameters: [intentId],
  requestBody: {
    required: true,
    content: json(AttachReference, { reference: { summary: 'A reference', value: examples.attach } }),
  },
  responses: {
    200: {
      description: 'The intent with its reference.',
      content: json(Intent, {
        waiting: { summary: 'The alert is not here yet', value: examples.waiting },
        verified: { summary: 'The payment was already here', value: examples.verified },
        wrong_amount: { summary: 'It was here, with another amount', value: examples.wrongAmount },
      }),
    },
    400: attachRefused,
    404: shared('UnknownIntent'),
    ...withBody,
  },
}

export const paths = {
  '/token': { post: createToken },
  '/wallets/': { get: listWallets },
  '/intents/': { post: createIntent, get: listIntents },
  '/intents/{id}/': { get: retrieveIntent, patch: attachReference },
} as const satisfies Record<string, Record<string, Operation>>
