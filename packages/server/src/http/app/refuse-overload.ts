/**
 * Refuses requests with 503 and `Retry-After` while there are more than the process can answer in time (admission.ts). Asked after the
 * body has arrived: a client that sends slowly takes nobody's place. A refused request has done nothing.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { notNow } from '../answers.ts'
import type { Admission } from './admission.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The caller as whom the request counts as under way. Undefined: it does not, or not any more. */
    admittedAs: string | undefined
  }
}

const retryAfterS = 1

/** Not authenticated yet: a key or a phone as it names itself, else the address that is asked for. */
const callerOf = ({ headers, url }: FastifyRequest): string => {
  const device = headers['x-service-device']
  return headers.authorization ?? (typeof device === 'string' ? device : (url.split('?', 1)[0] ?? ''))
}

export const refuseOverload = (scope: FastifyInstance, admission: Admission, clock: Clock): void => {
  if (!scope.hasRequestDecorator('admittedAs')) scope.decorateRequest('admittedAs', undefined)
  const leave = (request: FastifyRequest): void => {
    const { admittedAs } = request
    if (admittedAs === undefined) return
    request.admittedAs = undefined
    admission.leave(admittedAs, clock.now())
  }
  scope.addHook('preValidation', (request, _reply, done) => {
    // A stream stays open for hours.
    if (request.routeOptions.url?.endsWith('/stream/') === true) return done()
    const caller = callerOf(request)
    if (!admission.enter(caller, clock.now())) return done(notNow(retryAfterS))
    request.admittedAs = caller
    done()
  })
  // A reader who is slow does not count: the answer is made.
  scope.addHook('onSend', (request, _reply, payload, done) => {
    leave(request)
    done(null, payload)
  })
  scope.addHook('onResponse', (request, _reply, done) => {
    leave(request)
    done()
  })
}
