/**
 * Records every authenticated call of an API in the account's log of calls, after it was answered. Calls that were not
 * authenticated are not recorded, because their account is unknown. Bodies are not recorded on a route with
 * `secretBody`, such as that of tokens.
 */
import type { FastifyInstance } from 'fastify'
import type { ApiKey } from '../accounts/keys/api-key.ts'
import type { CallLog } from '../calls/call-log.ts'
import type { Clock } from '../core/clock.ts'
import { type Problem, problemText } from './answers.ts'

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

export const recordCalls = (app: FastifyInstance, calls: CallLog, clock: Clock): void => {
  app.addHook('onResponse', (request, reply, done) => {
    const { caller } = request
    if (caller !== undefined) {
      const url = request.raw.url ?? ''
      const { problem } = request
      calls.add({
        accountId: caller.accountId,
        at: clock.now(),
        clientId: caller.clientId,
        method: request.method,
        url,
        status: reply.statusCode,
        code: problem?.errors[0]?.code ?? '',
        took_ms: Math.round(reply.elapsedTime),
        requestId: request.id,
        requestBody: () =>
          Buffer.isBuffer(request.body) && request.routeOptions.config.secretBody !== true
            ? request.body.toString('utf8', 0, 8_000)
            : '',
        errorBody: () => (problem === undefined ? '' : problemText(problem)),
      })
    }
    done()
  })
}
