/**
 * Records calls of an API in the account's log of calls, after they were answered: every authenticated call, and those that
 * were refused but name a key: its client id with a wrong secret, or a token of it that has expired or was revoked. Other
 * calls are not recorded, because their account is unknown. Bodies are not recorded on a route with `secretBody`, such as
 * that of tokens.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import type { CallLog } from '../../calls/call-log.ts'
import type { Clock, Instant } from '../../core/clock.ts'
import { type ClaimedKey, Problem, problemText } from '../answers.ts'
import { isUnknownPath } from '../hints/unknown-path.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of the caller, as soon as it is authenticated. */
    caller: ApiKey | undefined
    /** The problem with which the call was answered. */
    problem: Problem | undefined
  }
  interface FastifyContextConfig {
    /** The bodies of this route are never recorded. */
    secretBody?: boolean
  }
}

type Recording = { readonly calls: CallLog; readonly clock: Clock }

const record = (
  { calls, clock }: Recording,
  request: FastifyRequest,
  reply: FastifyReply,
  { scope, clientId }: ClaimedKey,
  unproved: boolean,
): void => {
  const { problem } = request
  calls.add({
    accountId: scope.accountId,
    at: clock.now(),
    clientId,
    method: request.method,
    url: request.raw.url ?? '',
    status: reply.statusCode,
    code: problem?.errors[0]?.code ?? '',
    took_ms: Math.round(reply.elapsedTime),
    requestId: request.id,
    requestBody: () =>
      Buffer.isBuffer(request.body) && request.routeOptions.config.secretBody !== true
        ? request.body.toString('utf8', 0, 8_000)
        : '',
    errorBody: () => (problem === undefined ? '' : problemText(problem)),
    hint: request.hint ?? '',
    ignored: request.ignored ?? '',
    unproved,
  })
}

export const recordCalls = (app: FastifyInstance, recording: Recording): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const { caller, problem } = request
    if (caller !== undefined) record(recording, request, reply, caller, false)
    else if (problem?.claimedKey !== undefined) record(recording, request, reply, problem.claimedKey, true)
    done()
  })
}

/** Authenticates the caller, or throws the problem of its token. */
type Authenticate = (authorization: string, now: Instant) => ApiKey | Promise<ApiKey>

/**
 * Records requests for paths that do not exist, if they have a token of a key. The token is checked after the answer, which
 * it does not change. `isRecorded`: whether paths that begin so are recorded at all.
 */
export const recordUnknownPaths = (
  app: FastifyInstance,
  recording: Recording,
  authenticate: Authenticate,
  isRecorded: (url: string) => boolean,
): void => {
  const recordLater = async (request: FastifyRequest, reply: FastifyReply, authorization: string): Promise<void> => {
    try {
      record(recording, request, reply, await authenticate(authorization, recording.clock.now()), false)
    } catch (fault) {
      const claimed = fault instanceof Problem ? fault.claimedKey : undefined
      if (claimed !== undefined) record(recording, request, reply, claimed, true)
    }
  }
  app.addHook('onResponse', (request, reply, done) => {
    const { authorization } = request.headers
    const isUnknown = reply.statusCode === 404 && isUnknownPath(request)
    if (isUnknown && authorization !== undefined && isRecorded(request.raw.url ?? ''))
      void recordLater(request, reply, authorization)
    done()
  })
}
