/** The parts of the document that several operations share: schemas by name, examples, errors, parameters. */
import type { TSchema } from 'typebox'
import {
  ChangeLink,
  Checkout,
  CheckoutCompleted,
  CheckoutCustomer,
  CheckoutExpired,
  CheckoutIntent,
  CheckoutPage,
  CheckoutStatus,
  CheckoutWallet,
  CreateCheckout,
  CreateLink,
  PaymentLink,
  PaymentLinkPage,
} from '../checkout.ts'
import { ErrorAnswer, ErrorEntry } from '../errors.ts'
import { IntentStatus, Item, NewItem } from '../intent.ts'
import { nameSchemas } from '../named-schemas.ts'
import { open as openCheckout } from './examples.ts'

const schemasByName: Readonly<Record<string, TSchema>> = {
  CreateCheckout,
  // Taken from the body: `Type.Optional` makes another schema object, and the body refers to that one.
  NewCustomer: CreateCheckout.properties.customer,
  NewItem,
  Checkout,
  CheckoutStatus,
  CheckoutIntent,
  CheckoutWallet,
  CheckoutCustomer,
  IntentStatus,
  Item,
  CheckoutPage,
  CreateLink,
  ChangeLink,
  PaymentLink,
  PaymentLinkPage,
  CheckoutCompleted,
  CheckoutExpired,
  ErrorAnswer,
  ErrorEntry,
}
// Tests allow only these fields in our answers. Merchants’ programs should ignore fields they do not know.
const { referenceTo, schemas } = nameSchemas(schemasByName)

export { referenceTo, schemas }

export const json = (
  schema: TSchema,
  examples: Readonly<Record<string, readonly [summary: string, value: unknown]>>,
) => ({
  'application/json': {
    schema: referenceTo(schema),
    examples: Object.fromEntries(
      Object.entries(examples).map(([name, [summary, value]]) => [name, { summary, value }]),
    ),
  },
})

export const refused = (
  type: 'validation_error' | 'client_error',
  code: string,
  detail: string,
  attr: string | null,
) => ({
  type,
  errors: [{ code, detail, attr }],
})

export const errorAnswer = (description: string, ...examples: readonly (readonly [name: string, value: object])[]) => ({
  description,
  content: json(ErrorAnswer, Object.fromEntries(examples.map(([name, value]) => [name, [name, value] as const]))),
})

export const retryAfter = {
  'Retry-After': { description: 'Whole seconds to wait.', schema: { type: 'integer', minimum: 1 }, example: 12 },
}

export const responses = {
  Unauthorized: errorAnswer('No bearer token, or one that is wrong, expired or revoked.', [
    'missing',
    refused('client_error', 'not_authenticated', 'Authentication credentials were not provided.', null),
  ]),
  Forbidden: errorAnswer('The token belongs to a dashboard user.', [
    'user_token',
    refused('client_error', 'permission_denied', 'You do not have permission to perform this action.', null),
  ]),
  NotFound: errorAnswer('The id is unknown, is no UUID, or belongs to another account; or the page is past the end.', [
    'unknown',
    refused('client_error', 'not_found', 'Not found.', null),
  ]),
  MethodNotAllowed: errorAnswer('Any other method on this path.', [
    'put',
    refused('client_error', 'method_not_allowed', 'Method "PUT" not allowed.', null),
  ]),
  Throttled: {
    ...errorAnswer('Too many calls in the last minute or day.', [
      'throttled',
      refused('client_error', 'throttled', 'Request was throttled. Expected available in 12 seconds.', null),
    ]),
    headers: retryAfter,
  },
  ServerError: errorAnswer(
    'A fault on our side (500), or the database is not available (503). Repeat with the same idempotency key.',
    ['fault', { type: 'server_error', errors: [{ code: 'error', detail: 'Server Error (500)', attr: null }] }],
  ),
}
export const shared = (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` })

/** The answers to a body that is not read at all: it is too large, or is no JSON. */
export const bodyRefusals = {
  413: errorAnswer('The body is larger than 1 MiB.', [
    'large',
    refused('client_error', 'request_too_large', 'The request body is larger than 1 MiB.', null),
  ]),
  415: errorAnswer('The body is not announced as `application/json`.', [
    'plain',
    refused('client_error', 'unsupported_media_type', 'Unsupported media type "text/plain" in request.', null),
  ]),
}

export const guarded = {
  401: shared('Unauthorized'),
  403: shared('Forbidden'),
  405: shared('MethodNotAllowed'),
  429: shared('Throttled'),
  500: shared('ServerError'),
  503: shared('ServerError'),
}

export const checkoutId = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The `id` of the checkout.',
  schema: { type: 'string', format: 'uuid' },
  example: openCheckout.id,
}

export const filter = (name: string, description: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  description,
  schema,
  ...more,
})
/** Several values in one parameter, separated by commas. Without `explode: false` a client repeats the parameter. */
export const commas = { style: 'form', explode: false }
export const text = { type: 'string' }
export const time = { type: 'string', format: 'date-time' }
