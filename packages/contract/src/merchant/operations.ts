/** The six calls of the merchant API: what each takes and what it answers. */
import { Type } from 'typebox'
import { curl, jsonHeader, sdk, tokenHeader } from '../code-sample.ts'
import { AttachReference, CreateIntent, Intent, IntentPage } from '../intent.ts'
import { merchantFilters } from '../intent-query.ts'
import { intentOrders } from '../kinds.ts'
import { type Operation, operation, type Parameter } from '../operation.ts'
import { flagField, numberedPages, orderingField, pageField, pageSizeField } from '../query.ts'
import { textOf } from '../scalars.ts'
import { TokenAnswer } from '../token.ts'
import { WalletList } from '../wallet.ts'
import * as examples from './examples.ts'
import { attachRefused, conflict, createRefused, filterRefused, tokenRefused, unknownPage } from './refusals.ts'

export const createToken = operation({
  id: 'createToken',
  method: 'POST',
  path: '/token',
  access: 'open',
  limit: 'token',
  security: [{ clientId: [], clientSecret: [] }],
  tag: 'Token',
  summary: 'Obtain an access token',
  description:
    'Issues a short-lived access token for client credentials. There is no request body; one that is sent is ignored. ' +
    'Keep the token and use it until shortly before it expires: at most 10 tokens a minute and 500 a day are issued.',
  answer: TokenAnswer,
  answerDescription: 'A new token. Older ones stay valid until they expire.',
  answerExamples: { token: ['A token for an hour', examples.token] },
  answerHeaders: {
    'Cache-Control': { description: 'A token is not to be cached.', schema: textOf(['no-store']) },
    Pragma: { description: 'The same for old caches.', schema: textOf(['no-cache']) },
  },
  refusals: { 401: tokenRefused },
  samples: [
    curl(
      'curl -X POST $BASE_URL/token',
      `-H "SERVICE-CLIENT-ID: $SANAD_CLIENT_ID"`,
      `-H "SERVICE-CLIENT-SECRET: $SANAD_CLIENT_SECRET"`,
    ),
    sdk(
      "import { env } from 'node:process'",
      "import { Sanad } from '@sanad/sdk'",
      '',
      '// It gets a token before its first call, keeps it for its hour, and renews it.',
      'const sanad = new Sanad({',
      '  baseUrl: env.SANAD_URL,',
      '  clientId: env.SANAD_CLIENT_ID,',
      '  clientSecret: env.SANAD_CLIENT_SECRET,',
      '})',
    ),
  ],
})

export const listWallets = operation({
  id: 'listWallets',
  method: 'GET',
  path: '/wallets/',
  access: 'key',
  limit: 'wallets',
  tag: 'Wallets',
  summary: 'List wallets available for collection',
  description:
    'The wallets that money can be collected into now: active, set up for payment monitoring, and with their ' +
    'monitoring device switched ON. A plain list, by name.',
  query: {
    include_test: {
      description: '`1` includes the testing wallet. Anything else leaves it out.',
      schema: flagField(),
    },
  },
  answer: WalletList,
  answerDescription: 'The wallets.',
  answerExamples: { one: ['One wallet', examples.wallets], none: ['No wallet can collect now', []] },
  samples: [
    curl(`curl "$BASE_URL/wallets/?include_test=1"`, tokenHeader),
    sdk('const wallets = await sanad.wallets.list({ includeTest: true })', 'const wallet = wallets[0]'),
  ],
})

export const idempotencyKey: Parameter = {
  required: false,
  description:
    'Makes repeating this request safe: the same key with the same body gets the stored answer instead of a second ' +
    'intent. A new UUID for each attempt at an order serves well. Kept for 24 hours and shared by all credentials of the ' +
    'account. Empty counts as left out.',
  schema: Type.String({ maxLength: 128 }),
}

export const createIntent = operation({
  id: 'createIntent',
  method: 'POST',
  path: '/intents/',
  access: 'key',
  limit: 'intents',
  tag: 'Intents',
  summary: 'Create an intent',
  description:
    'Asks for an exact amount to be collected into a wallet, given directly or computed from order lines. The intent ' +
    'is `PENDING` and stays open for 1 hour. Show the buyer the wallet, its `account_number` and `payable_amount`.',
  headers: { 'SERVICE-IDEMPOTENCY-KEY': idempotencyKey },
  body: CreateIntent,
  bodyExamples: {
    items: ['By order lines', examples.createByItems],
    amount: ['By amount', examples.createByAmount],
  },
  status: 201,
  answer: Intent,
  answerDescription: 'The new intent, or the stored answer to the same request.',
  answerExamples: { pending: ['Created', examples.pending] },
  answerHeaders: {
    Location: {
      description: 'Where the new intent is: an absolute URL.',
      schema: Type.String({ format: 'uri' }),
      example: `https://pay.example.com/api/v1/merchant/intents/${examples.pending.id}/`,
    },
    'Idempotent-Replayed': {
      description: 'Present when this is the stored answer to an earlier request with the same idempotency key.',
      schema: textOf(['true']),
    },
  },
  refusals: { 400: createRefused, 409: conflict },
  samples: [
    curl(
      'curl -X POST $BASE_URL/intents/',
      tokenHeader,
      jsonHeader,
      `-H "SERVICE-IDEMPOTENCY-KEY: $KEY"`,
      `-d '{"wallet": "'$WALLET'", "amount": "1500.00", "external_order_id": "ORDER-1042"}'`,
    ),
    sdk(
      '// A new key for each attempt. Store it with the order before the call.',
      'const idempotencyKey = crypto.randomUUID()',
      'const intent = await sanad.intents.create(',
      "  { wallet: wallet.id, amount: '1500.00', external_order_id: 'ORDER-1042' },",
      '  { idempotencyKey },',
      ')',
    ),
  ],
})

const { usual, largest } = numberedPages

export const listIntents = operation({
  id: 'listIntents',
  method: 'GET',
  path: '/intents/',
  access: 'key',
  limit: 'intents_list',
  tag: 'Intents',
  summary: 'List intents',
  description:
    "The account's intents, newest first. For backfill and reconciliation: webhooks are the way to learn outcomes as " +
    'they happen. Filters are combined. If a parameter is repeated, only the last one counts.',
  query: {
    ...merchantFilters,
    ordering: {
      description:
        'One or several fields to sort by, separated by commas; a leading `-` reverses. Unknown ones are ignored, equal ' +
        'ones are ordered by id, null comes last.',
      schema: orderingField(intentOrders, '-created_at'),
    },
    page_size: {
      description: `Intents per page. More than ${largest} counts as ${largest}, an unusable value as ${usual}.`,
      schema: pageSizeField(numberedPages),
    },
    page: {
      description: 'Number of the page, from 1; `last` is the last one. A page past the end is a 404.',
      schema: pageField(),
    },
  },
  answer: IntentPage,
  answerDescription: 'One page of intents.',
  answerExamples: {
    page: ['The first of several pages', examples.page],
    empty: ['Nothing found', { count: 0, next: null, previous: null, results: [] }],
  },
  refusals: { 400: filterRefused, 404: unknownPage },
  samples: [
    curl(`curl "$BASE_URL/intents/?status=VERIFIED,WRONG_AMOUNT&page_size=100"`, tokenHeader),
    sdk(
      "const created_after = new Date('2026-01-01')",
      "for await (const one of sanad.intents.list({ created_after, ordering: 'created_at', page_size: 100 })) {",
      '  console.log(one.external_order_id, one.status)',
      '}',
    ),
  ],
})

const intentId = {
  id: {
    description: 'The `id` of the intent.',
    schema: Type.String({ format: 'uuid' }),
    example: examples.pending.id,
  },
}

export const retrieveIntent = operation({
  id: 'retrieveIntent',
  method: 'GET',
  path: '/intents/{id}/',
  pathParameters: intentId,
  access: 'key',
  limit: 'intents',
  tag: 'Intents',
  summary: 'Retrieve one intent',
  description: 'The intent as it stands now. Its `status` is the source of truth.',
  answer: Intent,
  answerDescription: 'The intent.',
  answerExamples: {
    verified: ['Verified', examples.verified],
    pending: ['Waiting for the buyer', examples.pending],
    wrong_amount: ['Another amount was paid', examples.wrongAmount],
    expired: ['The hour has passed', examples.expired],
  },
  samples: [
    curl('curl $BASE_URL/intents/$INTENT/', tokenHeader),
    sdk('const { status, paid_amount } = await sanad.intents.retrieve(intent.id)'),
  ],
})

export const attachReference = operation({
  id: 'attachReference',
  method: 'PATCH',
  path: '/intents/{id}/',
  pathParameters: intentId,
  access: 'key',
  limit: 'intents',
  tag: 'Intents',
  summary: 'Attach the wallet reference',
  description:
    'Says which payment belongs to the intent. The alert of a payment usually arrives before its reference: then the ' +
    'answer already shows `VERIFIED` or `WRONG_AMOUNT`, and the webhook is sent as well. Otherwise the intent stays ' +
    '`PENDING` until the alert comes or the hour has passed.\n\nWhile the intent is `PENDING`, sending the same ' +
    'reference again changes nothing, and another one replaces it. Capitals, spaces and the script of digits do not ' +
    'matter when references are compared; leading zeros do.',
  body: AttachReference,
  bodyExamples: { reference: ['A reference', examples.attach] },
  answer: Intent,
  answerDescription: 'The intent with its reference.',
  answerExamples: {
    waiting: ['The alert is not here yet', examples.waiting],
    verified: ['The payment was already here', examples.verified],
    wrong_amount: ['It was here, with another amount', examples.wrongAmount],
  },
  refusals: { 400: attachRefused },
  samples: [
    curl(
      'curl -X PATCH $BASE_URL/intents/$INTENT/',
      tokenHeader,
      jsonHeader,
      `-d '${JSON.stringify(examples.attach)}'`,
    ),
    sdk(
      `const attached = await sanad.intents.attachReference(intent.id, '${examples.attach.reference}')`,
      "if (attached.status === 'VERIFIED') console.log('The money is here.')",
    ),
  ],
})

export const merchantOperations: readonly Operation[] = [
  createToken,
  listWallets,
  createIntent,
  listIntents,
  retrieveIntent,
  attachReference,
]
