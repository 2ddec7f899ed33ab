/**
 * The errors that calls with a token have, as the checkout and the developer document show them. The merchant document, which
 * explains them, has its own texts.
 */
import { Type } from 'typebox'
import { callsWithIds, type SharedError } from './document.ts'
import * as bodies from './error-examples.ts'

export const retryAfter = {
  'Retry-After': { description: 'Whole seconds to wait.', schema: Type.Integer({ minimum: 1 }), example: 12 },
}

export const tokenErrors: readonly SharedError[] = [
  {
    component: 'Unauthorized',
    statuses: [401],
    description: 'No bearer token, or one that is wrong, expired or revoked.',
    examples: { missing: bodies.notProvided('missing') },
  },
  {
    component: 'Forbidden',
    statuses: [403],
    description: 'The token belongs to a dashboard user.',
    examples: { user_token: bodies.userToken('user_token') },
  },
  {
    component: 'NotFound',
    statuses: [404],
    of: (operation) => callsWithIds(operation) || operation.query?.page !== undefined,
    description: 'The id is unknown, is no UUID, or belongs to another account; or the page is past the end.',
    examples: { unknown: bodies.notFound('unknown') },
  },
  {
    component: 'MethodNotAllowed',
    statuses: [405],
    description: 'Any other method on this path.',
    examples: { put: bodies.otherMethod('put') },
  },
  {
    statuses: [413],
    description: 'The body is larger than 1 MiB.',
    examples: { large: bodies.tooLarge('large') },
  },
  {
    statuses: [415],
    description: 'The body is not announced as `application/json`.',
    examples: { plain: bodies.plainText('plain') },
  },
  {
    component: 'Throttled',
    statuses: [429],
    description: 'Too many calls in the last minute or day.',
    headers: retryAfter,
    examples: { throttled: bodies.throttled('throttled') },
  },
  {
    component: 'ServerError',
    statuses: [500, 503],
    description:
      'A fault on our side (500), or the database is not available (503). Repeat with the same idempotency key.',
    examples: { fault: bodies.fault('fault') },
  },
]

/** The token of the merchant API. */
export const accessToken = {
  security: [{ accessToken: [] }],
  securitySchemes: {
    accessToken: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `access_token` from `POST /token` of the merchant API.',
    },
  },
}
