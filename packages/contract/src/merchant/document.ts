/**
 * The merchant API as an OpenAPI 3.1 document: all that a developer needs to integrate. Tests compare the server's answers
 * with the same schemas. The server serves it.
 */
import { ErrorAnswer, ErrorEntry } from '../errors.ts'
import {
  PaymentCancelled,
  PaymentExpired,
  PaymentReceived,
  PaymentUnmatched,
  PaymentVerified,
  PaymentWrongAmount,
} from '../events.ts'
import {
  AttachReference,
  CreateIntent,
  Device,
  Intent,
  IntentPage,
  IntentStatus,
  Item,
  MatchedEvent,
  NewItem,
} from '../intent.ts'
import { type Api, type DocumentOptions, type OpenApiDocument, openApi } from '../openapi/document.ts'
import * as bodies from '../openapi/error-examples.ts'
import { hintHeaders } from '../openapi/hint-headers.ts'
import { TokenAnswer } from '../token.ts'
import { IntentWallet, Provider, Wallet, WalletList } from '../wallet.ts'
import { introduction } from './introduction.ts'
import { merchantOperations } from './operations.ts'
import { errorHeaders, incorrect } from './refusals.ts'
import { webhookAnswers, webhookHeaders, webhooks } from './webhooks.ts'

const retryAfter = { 'Retry-After': errorHeaders['Retry-After'] }

const api: Api = {
  title: 'Sanad API',
  introduction,
  tags: [
    { name: 'Token', description: 'Credentials for a token' },
    { name: 'Wallets', description: 'Where money can be collected' },
    { name: 'Intents', description: 'What is to be collected, and what became of it' },
    { name: 'Webhooks', description: 'Events that we send to your server' },
  ],
  security: [{ accessToken: [] }],
  securitySchemes: {
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `access_token` from `POST /token`.',
    },
    clientId: {
      type: 'apiKey',
      in: 'header',
      name: 'SERVICE-CLIENT-ID',
      description: 'For `POST /token`: the client id, 32 hexadecimal characters. It is public.',
    },
    clientSecret: {
      type: 'apiKey',
      in: 'header',
      name: 'SERVICE-CLIENT-SECRET',
      description: 'For `POST /token`: the client secret, shown once when the key was created.',
    },
  },
  operations: merchantOperations,
  webhooks,
  webhookHeaders,
  webhookAnswers,
  // Tests allow only these fields in our answers. Merchants’ programs should ignore fields they do not know.
  schemas: {
    TokenAnswer,
    WalletList,
    Wallet,
    Provider,
    CreateIntent,
    NewItem,
    AttachReference,
    Intent,
    IntentStatus,
    Item,
    IntentWallet,
    MatchedEvent,
    Device,
    IntentPage,
    PaymentVerified,
    PaymentUnmatched,
    PaymentReceived,
    PaymentWrongAmount,
    PaymentExpired,
    PaymentCancelled,
    ErrorAnswer,
    ErrorEntry,
  },
  answerHeaders: hintHeaders,
  bodiesRequired: true,
  errorSchema: ErrorAnswer,
  errors: [
    {
      component: 'Unauthorized',
      statuses: [401],
      description: 'No bearer token, or one that is wrong, expired or revoked.',
      headers: { 'WWW-Authenticate': errorHeaders['WWW-Authenticate'] },
      examples: {
        missing: bodies.notProvided('No token'),
        incorrect: incorrect('Wrong, expired or revoked token'),
      },
    },
    {
      component: 'Forbidden',
      statuses: [403],
      description: 'The token belongs to a dashboard user. A token obtained from client credentials is needed.',
      examples: { user_token: bodies.userToken('A dashboard token') },
    },
    {
      component: 'UnknownIntent',
      statuses: [404],
      description: 'The id is unknown, is no UUID, or belongs to an intent of another account.',
      examples: { unknown: bodies.notFound('No such intent') },
    },
    {
      component: 'MethodNotAllowed',
      statuses: [405],
      description: 'Any other method on this path.',
      headers: { Allow: errorHeaders.Allow },
      examples: { put: bodies.otherMethod('PUT') },
    },
    {
      component: 'TooLarge',
      statuses: [413],
      description: 'The body is larger than 1 MiB.',
      examples: { large: bodies.tooLarge('Too large') },
    },
    {
      component: 'UnsupportedMediaType',
      statuses: [415],
      description: 'There is a body, but it is not announced as `application/json`.',
      examples: { plain: bodies.plainText('Plain text') },
    },
    {
      component: 'Throttled',
      statuses: [429],
      description: 'Too many calls in the last minute or day. Refused calls do not count.',
      headers: retryAfter,
      examples: { throttled: bodies.throttled('Too many calls') },
    },
    {
      component: 'ServerError',
      statuses: [500],
      description: 'A fault on our side. Repeating a create with the same idempotency key is safe.',
      examples: { fault: bodies.fault('A fault') },
    },
    {
      component: 'Unavailable',
      statuses: [503],
      description:
        'The database is not available for a moment, or was too slow. The request may or may not have been carried out: ' +
        'repeat it after `Retry-After`, a create with the same idempotency key.',
      headers: retryAfter,
      examples: {
        away: bodies.failed(
          'The database is away',
          'unavailable',
          'The service cannot answer now, and may or may not have done what was asked. Send the same request again.',
        ),
      },
    },
  ],
}

export const merchantOpenApi = (options: DocumentOptions): OpenApiDocument => openApi(api, options)
