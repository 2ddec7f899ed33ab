/** The errors that only some calls of the merchant API have, and the headers of its errors. */
import { Type } from 'typebox'
import { usualCurrency } from '../currency.ts'
import { inProgress, invalid, notProvided, refused } from '../openapi/error-examples.ts'
import type { DescribedError } from '../operation.ts'
import { pending } from './examples.ts'

export const errorHeaders = {
  'WWW-Authenticate': {
    description: 'How to authenticate. Ends in `error="invalid_token"` where a token was sent.',
    schema: Type.String(),
    example: 'Bearer realm="api"',
  },
  Allow: { description: 'The methods of this path.', schema: Type.String(), example: 'GET, POST, HEAD, OPTIONS' },
  'Retry-After': {
    description: 'Whole seconds to wait before the next try.',
    schema: Type.Integer({ minimum: 1 }),
    example: 12,
  },
}

export const incorrect = (title: string) =>
  refused(title, 'authentication_failed', 'Incorrect authentication credentials.')

const malformed = refused(
  'The body is not JSON',
  'parse_error',
  'JSON parse error - Expecting value: line 1 column 12 (char 11)',
)

export const createRefused: DescribedError = {
  description: 'The body or the idempotency key is not valid. Nothing was created.',
  examples: {
    fields: invalid(
      'Several fields are wrong',
      ['wallet', 'invalid', 'Must be a valid UUID.'],
      ['external_order_id', 'max_length', 'Ensure this field has no more than 128 characters.'],
      ['items.1.price', 'max_decimal_places', 'Ensure that there are no more than 2 decimal places.'],
    ),
    neither: invalid('Neither amount nor items', ['amount', 'required', 'This field is required.']),
    amount: invalid('The amount is too small', [
      'amount',
      'min_value',
      'Ensure this value is greater than or equal to 0.01.',
    ]),
    currency: invalid('Another currency', ['currency', 'invalid_choice', '"USD" is not a valid choice.']),
    currency_mismatch: invalid("Not the wallet's currency", [
      'currency',
      'currency_mismatch',
      `This wallet collects ${usualCurrency}; another currency was asked for.`,
    ]),
    unknown_wallet: invalid('Unknown wallet', [
      'wallet',
      'does_not_exist',
      `Invalid pk "${pending.wallet.id}" - object does not exist.`,
    ]),
    wallet_not_monitored: invalid('The wallet is not monitored', [
      'wallet',
      'wallet_not_monitored',
      'This wallet is not set up for payment monitoring, or its device is off.',
    ]),
    quota: invalid('The quota is used up', [
      'non_field_errors',
      'quota_exceeded',
      'The quota of 5000 intents for this month is used up.',
    ]),
    key_reused: invalid('The idempotency key came with another body before', [
      'SERVICE-IDEMPOTENCY-KEY',
      'idempotency_key_reused',
      'This key was already used with another request body.',
    ]),
    key_too_long: invalid('The idempotency key is too long', [
      'SERVICE-IDEMPOTENCY-KEY',
      'max_length',
      'Ensure this field has no more than 128 characters.',
    ]),
    malformed,
  },
}

export const attachRefused: DescribedError = {
  description: 'The body is not valid, or the reference breaks a rule. Nothing was changed.',
  examples: {
    not_pending: invalid('The intent no longer waits', [
      'reference',
      'intent_not_pending',
      'A reference can be attached only while the intent is PENDING.',
    ]),
    already_used: invalid('The reference belongs to another payment', [
      'reference',
      'reference_already_used',
      'Another payment of this wallet already has this reference.',
    ]),
    too_many: invalid('Too many different references', [
      'reference',
      'reference_limit',
      'An intent takes at most 20 different references.',
    ]),
    missing: invalid('No reference', ['reference', 'required', 'This field is required.']),
    blank: invalid('An empty reference', ['reference', 'blank', 'This field may not be blank.']),
    malformed,
  },
}

export const filterRefused: DescribedError = {
  description: 'A filter has an invalid value.',
  examples: {
    status: invalid('Unknown status', [
      'status',
      'invalid_choice',
      'Select a valid choice. PAID is not one of the available choices.',
    ]),
    wallet: invalid('Not a UUID', ['wallet', 'invalid', 'Enter a valid UUID.']),
    created_after: invalid('Not a time', ['created_after', 'invalid', 'Enter a valid date/time.']),
  },
}

export const tokenRefused: DescribedError = {
  description: 'A credential header is missing, or the credentials are wrong, rotated or revoked.',
  headers: { 'WWW-Authenticate': errorHeaders['WWW-Authenticate'] },
  examples: { missing: notProvided('A header is missing'), incorrect: incorrect('The credentials are wrong') },
}

export const conflict: DescribedError = {
  description: 'Another request with this idempotency key has been running for 10 seconds. Repeat it.',
  headers: { 'Retry-After': { ...errorHeaders['Retry-After'], example: 1 } },
  examples: { in_progress: inProgress('Still being processed') },
}

export const unknownPage: DescribedError = {
  description: 'The page is not a number, or past the end. Page 1 always exists.',
  examples: { page: refused('No such page', 'not_found', 'Invalid page.') },
}
