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
import * as examples from './examples.ts'

const named: Readonly<Record<string, TSchema>> = {
  CreateCheckout,
  // As it stands there: making it optional made another schema of it.
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
// Tests allow our answers these fields and no others; merchants’ programs should ignore new ones.
const { referenceTo, schemas } = nameSchemas(named)

export { referenceTo, schemas }

export const json = (schema: TSchema, shown: Readonly<Record<string, readonly [summary: string, value: unknown]>>) => ({
  'application/json': {
    schema: referenceTo(schema),
    examples: Object.fromEntries(Object.entries(shown).map(([name, [summary, value]]) => [name, { summary, value }])),
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

export const errorAnswer = (description: string, ...shown: readonly (readonly [name: string, value: object])[]) => ({
  description,
  content: json(ErrorAnswer, Object.fromEntries(shown.map(([name, value]) => [name, [name, value] as const]))),
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
  NotFound: errorAnswer('Unknown, no UUID, or of another account; or a page past the end.', [
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
    'A fault on our side (500), or the database is away (503). Repeat with the same idempotency key.',
    ['fault', { type: 'server_error', errors: [{ code: 'error', detail: 'Server Error (500)', attr: null }] }],
  ),
}
export const shared = (name: keyof typeof responses) => ({ $ref: `#/components/responses/${name}` })

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
  example: examples.open.id,
}

export const filter = (name: string, description: string, schema: object, more: object = {}) => ({
  name,
  in: 'query',
  description,
  schema,
  ...more,
})
/** Several values in one parameter, separated by commas: without `explode: false` a client sends the parameter several times. */
export const commas = { style: 'form', explode: false }
export const text = { type: 'string' }
export const time = { type: 'string', format: 'date-time' }
