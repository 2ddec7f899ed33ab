/**
 * Answers, and problems in the one format of all errors: `{type, errors: [{code, detail, attr}]}`. The texts are those of
 * the dialect that merchants' programs were written against.
 */
import { type ErrorFacts, type ErrorSentence, errorOf } from '@sanad/contract/error-sentences'
import type { FastifyReply } from 'fastify'
import type { ApiKey } from '../accounts/keys/api-key.ts'
import type { Instant } from '../core/clock.ts'

export type ProblemEntry = { readonly code: string; readonly detail: string; readonly attr: string | null }

/** Why a token was refused. */
export type TokenFault =
  /** It is not ours, or was changed. */
  | { readonly why: 'foreign' }
  | { readonly why: 'expired'; readonly expiredAt: Instant }
  /** Its key was rotated or revoked, or the account is suspended. */
  | { readonly why: 'ended' }

/** At most `max` accepted calls in any `window_ms`. Two calls exactly `window_ms` apart are not in the same window. */
export type Limit = { readonly max: number; readonly window_ms: number }

export type Rule = { readonly burst: Limit; readonly sustained: Limit }

/** Facts of a problem that its body does not tell, for its hint. */
export type ProblemReason =
  | { readonly kind: 'token'; readonly fault: TokenFault; readonly now: Instant }
  | { readonly kind: 'limit'; readonly rule: Rule; readonly per: 'key' | 'address' }

/** The key that a refused caller named or once had. */
export type ClaimedKey = Pick<ApiKey, 'scope' | 'clientId'>

/** An error as an HTTP answer. Handlers of this module throw it, and the error handler sends it. */
export class Problem extends Error {
  readonly status: number
  readonly type: 'validation_error' | 'client_error' | 'server_error'
  readonly errors: readonly ProblemEntry[]
  readonly headers: Readonly<Record<string, string>>
  /** Further fields of the answer, for programs. */
  readonly extraFields: Readonly<Record<string, unknown>>
  reason: ProblemReason | undefined
  claimedKey: ClaimedKey | undefined

  constructor(
    status: number,
    type: Problem['type'],
    errors: readonly ProblemEntry[],
    headers: Readonly<Record<string, string>> = {},
    extraFields: Readonly<Record<string, unknown>> = {},
  ) {
    // Without a stack: a problem is an answer, not a fault, and collecting the stack costs as much as the rest of a refused call.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(errors[0]?.detail ?? 'problem')
    Error.stackTraceLimit = stackTraceLimit
    this.status = status
    this.type = type
    this.errors = errors
    this.headers = headers
    this.extraFields = extraFields
  }
}

const client = (status: number, code: string, detail: string, headers?: Record<string, string>): Problem =>
  new Problem(status, 'client_error', [{ code, detail, attr: null }], headers)

/** An error whose sentence the contract has. */
const known = (status: number, name: ErrorSentence, facts?: ErrorFacts, headers?: Record<string, string>): Problem => {
  const { code, detail } = errorOf(name, facts)
  return client(status, code, detail, headers)
}

export const invalid = (errors: readonly ProblemEntry[]): Problem => new Problem(400, 'validation_error', errors)

export const malformed = (detail: string): Problem => client(400, 'parse_error', detail)

export const notFound = (): Problem => known(404, 'not_found')

export const noSuchPage = (): Problem => known(404, 'no_such_page')

const challenge = 'Bearer realm="api"'

export const notAuthenticated = (): Problem => known(401, 'not_authenticated', {}, { 'www-authenticate': challenge })

export const authenticationFailed = (tokenWasSent: boolean, reason?: ProblemReason, claimed?: ClaimedKey): Problem => {
  const problem = known(
    401,
    'authentication_failed',
    {},
    { 'www-authenticate': tokenWasSent ? `${challenge}, error="invalid_token"` : challenge },
  )
  problem.reason = reason
  problem.claimedKey = claimed
  return problem
}

/** What a 403 says that has no sentence of its own. */
export const noPermission = 'You do not have permission to perform this action.'
export const permissionDenied = (detail = noPermission): Problem => client(403, 'permission_denied', detail)

/** The key has a list of addresses, and the caller's is not on it. */
export const refusedAddress = (): Problem => permissionDenied('This key may not be used from this address.')

export const methodNotAllowed = (method: string, allow: string): Problem =>
  known(405, 'method_not_allowed', { method }, { allow })

export const unsupportedMediaType = (sent: string): Problem => known(415, 'unsupported_media_type', { type: sent })

export const tooLarge = (): Problem => known(413, 'request_too_large', {}, { connection: 'close' })

export const throttled = (retryAfter_s: number, reason?: ProblemReason): Problem => {
  const problem = client(429, 'throttled', `Request was throttled. Expected available in ${retryAfter_s} seconds.`, {
    'retry-after': String(retryAfter_s),
  })
  problem.reason = reason
  return problem
}

export const serverError = (): Problem => new Problem(500, 'server_error', [{ ...errorOf('error'), attr: null }])

/**
 * The database cannot be reached, or took too long. It is unknown whether the change was made; a create can be repeated
 * with its idempotency key.
 */
export const unavailable = (): Problem =>
  new Problem(
    503,
    'server_error',
    [
      {
        code: 'unavailable',
        detail:
          'The service cannot answer now, and may or may not have done what was asked. Send the same request again.',
        attr: null,
      },
    ],
    { 'retry-after': '1' },
  )

/** This node does not answer now; nothing was done. Another node, or this one later, answers. */
export const notNow = (retryAfterS = 5): Problem =>
  new Problem(
    503,
    'server_error',
    [{ code: 'unavailable', detail: 'This server cannot answer now. Send the same request again.', attr: null }],
    { 'retry-after': String(retryAfterS) },
  )

/** The account is being moved or was frozen by an operator; nothing was done. */
export const accountFrozen = (): Problem =>
  new Problem(
    503,
    'server_error',
    [
      {
        code: 'unavailable',
        detail: 'This account is being moved and cannot be used for some minutes. Send the same request again then.',
        attr: null,
      },
    ],
    { 'retry-after': '10' },
  )

export const problemText = (problem: Pick<Problem, 'type' | 'errors' | 'extraFields'>): string =>
  JSON.stringify({
    type: problem.type,
    errors: problem.errors.map(({ code, detail, attr }) => ({ code, detail, attr })),
    ...problem.extraFields,
  })

const unchanged = (text: string): string => text

/** Sends JSON text. The serializer keeps Fastify from adding a charset, which JSON does not have. The text is not converted
 *  to bytes, because Node then sends it in one piece with the headers. */
export const sendJson = (reply: FastifyReply, status: number, text: string): FastifyReply => {
  const { ignored, hint } = reply.request
  if (ignored !== undefined) reply.header('x-service-ignored', ignored)
  if (hint !== undefined) reply.header('x-service-hint', hint)
  return reply.code(status).header('content-type', 'application/json').serializer(unchanged).send(text)
}

export const sendProblem = (reply: FastifyReply, problem: Problem): FastifyReply => {
  reply.request.problem = problem
  return sendJson(reply.headers(problem.headers), problem.status, problemText(problem))
}
