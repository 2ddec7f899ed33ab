/**
 * The code and the sentence of each error of the merchant and the checkout API that the SDK's fake answers too, in the words of
 * the dialect. What is in braces is filled in. The server takes them from here, and `npm run dumps` gives them to the fake.
 */
import { storedDecimals, wholeDigits } from './currency.ts'

export const errorSentences = {
  // Fields of bodies.
  required: ['required', 'This field is required.'],
  null: ['null', 'This field may not be null.'],
  no_data: ['null', 'No data provided'],
  blank: ['blank', 'This field may not be blank.'],
  not_a_text: ['invalid', 'Not a valid string.'],
  too_long: ['max_length', 'Ensure this field has no more than {max} characters.'],
  not_a_number: ['invalid', 'A valid number is required.'],
  max_digits: ['max_digits', `Ensure that there are no more than ${wholeDigits + storedDecimals} digits in total.`],
  max_decimal_places: ['max_decimal_places', `Ensure that there are no more than ${storedDecimals} decimal places.`],
  max_whole_digits: [
    'max_whole_digits',
    `Ensure that there are no more than ${wholeDigits} digits before the decimal point.`,
  ],
  max_string_length: ['max_string_length', 'String value too large.'],
  not_whole: ['invalid', 'A valid integer is required.'],
  min_value: ['min_value', 'Ensure this value is greater than or equal to {min}.'],
  max_value: ['max_value', 'Ensure this value is less than or equal to {max}.'],
  not_a_flag: ['invalid', 'Must be a valid boolean.'],
  not_an_id: ['invalid', 'Must be a valid UUID.'],
  not_a_choice: ['invalid_choice', '"{value}" is not a valid choice.'],
  not_a_list: ['not_a_list', 'Expected a list of items but got type "{type}".'],
  too_many: ['max_length', 'Ensure this field has no more than {max} elements.'],
  not_an_object: ['invalid', 'Invalid data. Expected a dictionary, but got {type}.'],
  not_texts: ['invalid', 'Expected a dictionary of items but got type "{type}".'],
  not_a_phone: ['invalid', 'Enter a valid phone number.'],
  not_a_url: ['invalid', 'Enter a valid URL.'],
  url_with_user: ['invalid', 'A URL may not contain a user name or a password.'],
  url_not_https: ['invalid', 'Enter a URL that begins with https://.'],
  // Parameters of queries.
  unknown_choice: ['invalid_choice', 'Select a valid choice. {value} is not one of the available choices.'],
  unknown_id: ['invalid', 'Enter a valid UUID.'],
  not_a_time: ['invalid', 'Enter a valid date/time.'],
  // Rules.
  does_not_exist: ['does_not_exist', 'Invalid pk "{id}" - object does not exist.'],
  wallet_not_monitored: [
    'wallet_not_monitored',
    'This wallet is not set up for payment monitoring, or its device is off.',
  ],
  no_wallet_monitored: ['wallet_not_monitored', 'No wallet is set up for payment monitoring with its device on.'],
  idempotency_key_reused: ['idempotency_key_reused', 'This key was already used with another request body.'],
  intent_not_pending: ['intent_not_pending', 'A reference can be attached only while the intent is PENDING.'],
  reference_already_used: ['reference_already_used', 'Another payment of this wallet already has this reference.'],
  reference_limit: ['reference_limit', 'An intent takes at most {most} different references.'],
  checkout_not_open: ['checkout_not_open', 'Only an OPEN checkout can be cancelled; this one is {status}.'],
  link_limit: ['link_limit', 'An account has at most {most} payment links.'],
  // Other errors.
  not_found: ['not_found', 'Not found.'],
  no_such_page: ['not_found', 'Invalid page.'],
  not_authenticated: ['not_authenticated', 'Authentication credentials were not provided.'],
  authentication_failed: ['authentication_failed', 'Incorrect authentication credentials.'],
  method_not_allowed: ['method_not_allowed', 'Method "{method}" not allowed.'],
  unsupported_media_type: ['unsupported_media_type', 'Unsupported media type "{type}" in request.'],
  request_too_large: ['request_too_large', 'The request body is larger than 1 MiB.'],
  error: ['error', 'Server Error (500)'],
} as const satisfies Readonly<Record<string, readonly [code: string, detail: string]>>

export type ErrorSentence = keyof typeof errorSentences
export type ErrorFacts = Readonly<Record<string, string | number | undefined>>

/** The code and the sentence, with these facts in its braces. */
export const errorOf = (name: ErrorSentence, facts: ErrorFacts = {}): { code: string; detail: string } => {
  const [code, detail] = errorSentences[name]
  return { code, detail: detail.replace(/\{(\w+)\}/g, (_, fact) => String(facts[fact])) }
}
