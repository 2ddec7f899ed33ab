/**
 * The answers of operations: headers, and every error with its status, its headers and examples with the sentences of
 * the service. operations.ts lists which operation has which of them.
 */
import type { TSchema } from 'typebox'
import { ErrorAnswer, type ErrorEntry } from '../errors.ts'
import { pending } from './examples.ts'
import { referenceTo } from './schemas.ts'

export type Example = { readonly summary: string; readonly value: unknown }
export type Examples = Readonly<Record<string, Example>>
export type Header = { readonly description: string; readonly schema: object; readonly example?: unknown }
export type Answer = {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header>>
  readonly content: Readonly<Record<string, { readonly schema: object; readonly examples: Examples }>>
}

export const json = (schema: TSchema, examples: Examples): Answer['content'] => ({
  'application/json': { schema: referenceTo(schema), examples },
})

const text = { type: 'string' }
const headers = {
  'WWW-Authenticate': {
    description: 'How to authenticate. Ends in `error="invalid_token"` where a token was sent.',
    schema: text,
    example: 'Bearer realm="api"',
  },
  Allow: { description: 'The methods of this path.', schema: text, example: 'GET, POST, HEAD, OPTIONS' },
  'Retry-After': {
    description: 'Whole seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
} as const satisfies Record<string, Header>

// Errors about fields.

const entry = (attr: string, code: string, detail: string): ErrorEntry => ({ code, detail, attr })

const invalid = (summary: string, ...errors: ErrorEntry[]): Example => ({
  summary,
  value: { type: 'validation_error', errors } satisfies ErrorAnswer,
})

const refused = (summary: string, code: string, detail: string, attr: string | null = null): Example => ({
  summary,
  value: { type: 'client_error', errors: [{ code, detail, attr }] } satisfies ErrorAnswer,
})

const malformed = refused(
  'The body is not JSON',
  'parse_error',
  'JSON parse error - Expecting value: line 1 column 12 (char 11)',
)

const badRequest = (description: string, examples: Examples): Answer => ({
  description,
  content: json(ErrorAnswer, examples),
})

export const createRefused = badRequest('The body or the idempotency key is not valid. Nothing was created.', {
  fields: invalid(
    'Several fields are wrong',
    entry('wallet', 'invalid', 'Must be a valid UUID.'),
    entry('external_order_id', 'max_length', 'Ensure this field has no more than 128 characters.'),
    entry('items.1.price', 'max_decimal_places', 'Ensure that there are no more than 2 decimal places.'),
  ),
  neither: invalid('Neither amount nor items', entry('amount', 'required', 'This field is required.')),
  amount: invalid(
    'The amount is too small',
    entry('amount', 'min_value', 'Ensure this value is greater than or equal to 0.01.'),
  ),
  currency: invalid('Another currency', entry('currency', 'invalid_choice', '"USD" is not a valid choice.')),
  currency_mismatch: invalid(
    "Not the wallet's currency",
    entry('currency', 'currency_mismatch', 'This wallet collects YER; another currency was asked for.'),
  ),
  unknown_wallet: invalid(
    'Unknown wallet',
    entry('wallet', 'does_not_exist', `Invalid pk "${pending.wallet.id}" - object does not exist.`),
  ),
  wallet_not_monitored: invalid(
    'The wallet is not monitored',
    entry('wallet', 'wallet_not_monitored', 'This wallet is not set up for payment monitoring, or its device is off.'),
  ),
  quota: invalid(
    'The quota is used up',
    entry('non_field_errors', 'quota_exceeded', 'The quota of 5000 intents for this month is used up.'),
  ),
  key_reused: invalid(
    'The idempotency key came with another body before',
    entry('SERVICE-IDEMPOTENCY-KEY', 'idempotency_key_reused', 'This key was already used with another request body.'),
  ),
  key_too_long: invalid(
    'The idempotency key is too long',
    entry('SERVICE-IDEMPOTENCY-KEY', 'max_length', 'Ensure this field has no more than 128 characters.'),
  ),
  malformed,
})

export const attachRefused = badRequest('The body is not valid, or the reference breaks a rule. Nothing was changed.', {
  not_pending: invalid(
    'The intent no longer waits',
    entry('reference', 'intent_not_pending', 'A reference can be attached only while the intent is PENDING.'),
  ),
  already_used: invalid(
    'The reference belongs to another payment',
    entry('reference', 'reference_already_used', 'Another payment of this wallet already has this reference.'),
  ),
  too_many: invalid(
    'Too many different references',
    entry('reference', 'reference_limit', 'An intent takes at most 20 different references.'),
  ),
  missing: invalid('No reference', entry('reference', 'required', 'This field is required.')),
  blank: invalid('An empty reference', entry('reference', 'blank', 'This field may not be blank.')),
  malformed,
})

export const filterRefused = badRequest('A filter has an invalid value.', {
  status: invalid(
    'Unknown status',
    entry('status', 'invalid_choice', 'Select a valid choice. PAID is not one of the available choices.'),
  ),
  wallet: invalid('Not a UUID', entry('wallet', 'invalid', 'Enter a valid UUID.')),
  created_after: invalid('Not a time', entry('created_after', 'invalid', 'Enter a valid date/time.')),
})

// Every other error.

const notProvided = (summary: string) =>
  refused(summary, 'not_authenticated', 'Authentication credentials were not provided.')
const incorrect = (summary: string) =>
  refused(summary, 'authentication_failed', 'Incorrect authentication credentials.')

export const tokenRefused: Answer = {
  description: 'A credential header is missing, or the credentials are wrong, rotated or revoked.',
  headers: { 'WWW-Authenticate': headers['WWW-Authenticate'] },
  content: json(ErrorAnswer, {
    missing: notProvided('A header is missing'),
    incorrect: incorrect('The credentials are wrong'),
  }),
}

export const conflict: Answer = {
  description: 'Another request with this idempotency key has been running for 10 seconds. Repeat it.',
  headers: { 'Retry-After': { ...headers['Retry-After'], example: 1 } },
  content: json(ErrorAnswer, {
    in_progress: refused(
      'Still being processed',
      'idempotency_in_progress',
      'A request with this key is still being processed. Try again.',
      'SERVICE-IDEMPOTENCY-KEY',
    ),
  }),
}

export const unknownPage: Answer = {
  description: 'The page is not a number, or past the end. Page 1 always exists.',
  content: json(ErrorAnswer, { page: refused('No such page', 'not_found', 'Invalid page.') }),
}

const throttledDetail = 'Request was throttled. Expected available in 12 seconds.'

/** Listed once among the components, because several operations share them. */
export const sharedAnswers = {
  Unauthorized: {
    description: 'No bearer token, or one that is wrong, expired or revoked.',
    headers: { 'WWW-Authenticate': headers['WWW-Authenticate'] },
    content: json(ErrorAnswer, {
      missing: notProvided('No token'),
      incorrect: incorrect('Wrong, expired or revoked token'),
    }),
  },
  Forbidden: {
    description: 'The token belongs to a dashboard user. A token obtained from client credentials is needed.',
    content: json(ErrorAnswer, {
      user_token: refused(
        'A dashboard token',
        'permission_denied',
        'You do not have permission to perform this action.',
      ),
    }),
  },
  UnknownIntent: {
    description: 'The id is unknown, is no UUID, or belongs to an intent of another account.',
    content: json(ErrorAnswer, { unknown: refused('No such intent', 'not_found', 'Not found.') }),
  },
  MethodNotAllowed: {
    description: 'Any other method on this path.',
    headers: { Allow: headers.Allow },
    content: json(ErrorAnswer, {
      put: refused('PUT', 'method_not_allowed', 'Method "PUT" not allowed.'),
    }),
  },
  TooLarge: {
    description: 'The body is larger than 1 MiB.',
    content: json(ErrorAnswer, {
      large: refused('Too large', 'request_too_large', 'The request body is larger than 1 MiB.'),
    }),
  },
  UnsupportedMediaType: {
    description: 'There is a body, but it is not announced as `application/json`.',
    content: json(ErrorAnswer, {
      plain: refused('Plain text', 'unsupported_media_type', 'Unsupported media type "text/plain" in request.'),
    }),
  },
  Throttled: {
    description: 'Too many calls in the last minute or day. Refused calls do not count.',
    headers: { 'Retry-After': headers['Retry-After'] },
    content: json(ErrorAnswer, { throttled: refused('Too many calls', 'throttled', throttledDetail) }),
  },
  ServerError: {
    description: 'A fault on our side. Repeating a create with the same idempotency key is safe.',
    content: json(ErrorAnswer, {
      fault: {
        summary: 'A fault',
        value: {
          type: 'server_error',
          errors: [{ code: 'error', detail: 'Server Error (500)', attr: null }],
        } satisfies ErrorAnswer,
      },
    }),
  },
  Unavailable: {
    description:
      'The database is not available for a moment, or was too slow. The request may or may not have been carried out: ' +
      'repeat it after `Retry-After`, a create with the same idempotency key.',
    headers: { 'Retry-After': headers['Retry-After'] },
    content: json(ErrorAnswer, {
      away: {
        summary: 'The database is away',
        value: {
          type: 'server_error',
          errors: [
            {
              code: 'unavailable',
              detail:
                'The service cannot answer now, and may or may not have done what was asked. Send the same request again.',
              attr: null,
            },
          ],
        } satisfies ErrorAnswer,
      },
    }),
  },
} as const satisfies Record<string, Answer>

export const shared = (name: keyof typeof sharedAnswers) => ({ $ref: `#/components/responses/${name}` })

export const createdHeaders: Readonly<Record<string, Header>> = {
  Location: {
    description: 'Where the new intent is: an absolute URL.',
    schema: { type: 'string', format: 'uri' },
    example: `https://pay.example.com/api/v1/merchant/intents/${pending.id}/`,
  },
  'Idempotent-Replayed': {
    description: 'Present when this is the stored answer to an earlier request with the same idempotency key.',
    schema: { type: 'string', enum: ['true'] },
  },
}

export const tokenHeaders: Readonly<Record<string, Header>> = {
  'Cache-Control': { description: 'A token is not to be cached.', schema: { type: 'string', enum: ['no-store'] } },
  Pragma: { description: 'The same for old caches.', schema: { type: 'string', enum: ['no-cache'] } },
}

export const idempotencyKeyHeader = {
  name: 'SERVICE-IDEMPOTENCY-KEY',
  in: 'header',
  required: false,
  description:
    'Makes repeating this request safe: the same key with the same body gets the stored answer instead of a second ' +
    'intent. A new UUID for each attempt at an order serves well. Kept for 24 hours and shared by all credentials of the ' +
    'account. Empty counts as left out.',
  schema: { type: 'string', maxLength: 128 },
} as const
