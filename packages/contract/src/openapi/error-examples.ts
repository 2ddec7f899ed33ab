/** Bodies of errors, as examples of the documents: with the sentences of the service. */
import type { ErrorAnswer } from '../errors.ts'

type Example = readonly [title: string, value: ErrorAnswer]

/** Fields or rules over them are wrong. */
export const invalid = (
  title: string,
  ...errors: readonly (readonly [attr: string, code: string, detail: string])[]
): Example => [
  title,
  { type: 'validation_error', errors: errors.map(([attr, code, detail]) => ({ code, detail, attr })) },
]

/** Every other error of the client. */
export const refused = (title: string, code: string, detail: string, attr: string | null = null): Example => [
  title,
  { type: 'client_error', errors: [{ code, detail, attr }] },
]

export const failed = (title: string, code: string, detail: string): Example => [
  title,
  { type: 'server_error', errors: [{ code, detail, attr: null }] },
]

export const notProvided = (title: string): Example =>
  refused(title, 'not_authenticated', 'Authentication credentials were not provided.')
export const userToken = (title: string): Example =>
  refused(title, 'permission_denied', 'You do not have permission to perform this action.')
export const notFound = (title: string): Example => refused(title, 'not_found', 'Not found.')
export const otherMethod = (title: string): Example => refused(title, 'method_not_allowed', 'Method "PUT" not allowed.')
export const tooLarge = (title: string): Example =>
  refused(title, 'request_too_large', 'The request body is larger than 1 MiB.')
export const plainText = (title: string): Example =>
  refused(title, 'unsupported_media_type', 'Unsupported media type "text/plain" in request.')
export const throttled = (title: string): Example =>
  refused(title, 'throttled', 'Request was throttled. Expected available in 12 seconds.')
export const fault = (title: string): Example => failed(title, 'error', 'Server Error (500)')
export const inProgress = (title: string): Example =>
  refused(
    title,
    'idempotency_in_progress',
    'A request with this key is still being processed. Try again.',
    'SERVICE-IDEMPOTENCY-KEY',
  )
