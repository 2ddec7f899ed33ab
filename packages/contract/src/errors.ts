/**
 * The one envelope of all errors, and the codes that occur in it. Programs decide by status and code; the sentence in
 * `detail` is for users and may be reworded.
 */
import { type Static, Type } from 'typebox'
import { oneOf } from './scalars.ts'
import { closed, orNull, text } from './schema.ts'

export const ErrorEntry = closed('One thing that is wrong with the request.', {
  code: text('What is wrong, for programs. The introduction lists all codes.'),
  detail: text('What is wrong, for people.'),
  attr: orNull(
    Type.String(),
    'The field it is about: `wallet`; `items.1.price` inside the order lines, counted from 0; `non_field_errors` ' +
      'for rules over several fields; the name of the header when a header is wrong; null when the error is not ' +
      'about validation.',
  ),
})

export const ErrorAnswer = closed('Every error has this form.', {
  type: oneOf(
    ['validation_error', 'client_error', 'server_error'],
    '`validation_error`: fields or rules over them. `client_error`: every other 4xx. `server_error`: 5xx.',
  ),
  errors: Type.Array(ErrorEntry, {
    minItems: 1,
    description: 'All wrong fields of a request are listed at once, top-level fields first.',
  }),
})
export type ErrorAnswer = Static<typeof ErrorAnswer>

type KnownError<Code extends string = string> = {
  readonly status: number
  readonly type: ErrorAnswer['type']
  readonly code: Code
  readonly meaning: string
}

const invalid = <const Code extends string>(code: Code, meaning: string): KnownError<Code> => ({
  status: 400,
  type: 'validation_error',
  code,
  meaning,
})
const refused = <const Code extends string>(status: number, code: Code, meaning: string): KnownError<Code> => ({
  status,
  type: 'client_error',
  code,
  meaning,
})
const failed = <const Code extends string>(status: number, code: Code, meaning: string): KnownError<Code> => ({
  status,
  type: 'server_error',
  code,
  meaning,
})

/** Every code of the merchant API. */
export const knownErrors = [
  invalid('required', 'The field is missing.'),
  invalid('null', 'The field is null. Leave an optional field out instead.'),
  invalid('blank', 'The text is empty.'),
  invalid('invalid', 'The value is not of the kind the field asks for.'),
  invalid('max_length', 'The text has too many characters, or the list too many lines.'),
  invalid('null_characters_not_allowed', 'The text holds a NUL character.'),
  invalid('surrogate_characters_not_allowed', 'The text holds half a character (a lone surrogate).'),
  invalid('min_value', 'The number, or the total of the items, is too small.'),
  invalid('max_value', 'The quantity is too large.'),
  invalid('max_decimal_places', 'The amount has more than 2 decimals.'),
  invalid('max_whole_digits', 'The amount has more than 12 digits before the point.'),
  invalid('max_digits', 'The amount, or the total of the items, has more than 14 digits.'),
  invalid('max_string_length', 'The text of a number is over 1000 characters long.'),
  invalid('not_a_list', '`items` is not a list.'),
  invalid('invalid_choice', 'The value is not one of those the field or filter allows.'),
  invalid('does_not_exist', 'The wallet is unknown, inactive or of another account.'),
  invalid('wallet_not_monitored', 'The wallet is not set up for payment monitoring, or its device is switched OFF.'),
  invalid('currency_mismatch', 'The currency is not that of the wallet.'),
  invalid('quota_exceeded', 'The account has created as many intents this month as it may.'),
  invalid('intent_not_pending', 'The intent no longer waits for a reference: it has ended, or its hour has passed.'),
  invalid('reference_already_used', 'Another payment of this wallet already has this reference.'),
  invalid('reference_limit', 'The intent has had 20 different references already.'),
  invalid('idempotency_key_reused', 'The idempotency key was already used with another body.'),
  refused(400, 'parse_error', 'The body is not JSON.'),
  refused(401, 'not_authenticated', 'No bearer token, or at `/token` no credentials.'),
  refused(401, 'authentication_failed', 'The token or the credentials are wrong, expired, rotated or revoked.'),
  refused(403, 'permission_denied', 'The token belongs to a dashboard user. Use one obtained from client credentials.'),
  refused(404, 'not_found', 'Unknown path, unknown intent, an intent of another account, or a page past the end.'),
  refused(405, 'method_not_allowed', 'The path does not have this method; `Allow` lists its methods.'),
  refused(409, 'idempotency_in_progress', 'The first request with this key still runs. Repeat after `Retry-After`.'),
  refused(413, 'request_too_large', 'The body is larger than 1 MiB.'),
  refused(415, 'unsupported_media_type', 'The body is not announced as `application/json`.'),
  refused(429, 'throttled', 'Too many calls. Repeat after `Retry-After`.'),
  failed(500, 'error', 'A fault on our side. Repeat, with the same key.'),
  failed(
    503,
    'unavailable',
    'The database is not available for a moment; the request may or may not have been carried out. Repeat after `Retry-After`, with the same key.',
  ),
] as const satisfies readonly KnownError[]

/** The codes that only the checkout API has, besides those of the merchant API. */
export const checkoutErrors = [
  invalid('checkout_not_open', 'Only an `OPEN` checkout can be cancelled.'),
  invalid('link_limit', 'The account has 1,000 payment links, which is the most.'),
] as const satisfies readonly KnownError[]

export type ErrorCode = (typeof knownErrors)[number]['code'] | (typeof checkoutErrors)[number]['code']
