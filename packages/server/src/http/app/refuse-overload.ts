/**
 * Refuses requests with 503 and `Retry-After` while there are more than the process can answer in time (admission.ts). Asked first of all:
 * a refused request has cost neither the check of its token nor the reading of its body, counts against no limit, and has done nothing.
 * Asked again after the body has arrived, and counted only from then on: a client that sends slowly takes nobody's place.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../../core/clock.ts'
import { notNow } from '../answers.ts'
import type { Admission } from './admission.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The request does not count as under way any more. Undefined: requests of this API are not counted. */
    leaveAdmission?: (request: FastifyRequest) => void
  }
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

/** A stream stays open for hours. */
const isStream = ({ routeOptions }: FastifyRequest): boolean => routeOptions.url?.endsWith('/stream/') === true

export const refuseOverload = (scope: FastifyInstance, admission: Admission, clock: Clock): void => {
  if (!scope.hasRequestDecorator('admittedAs')) scope.decorateRequest('admittedAs', undefined)
  const leave = (request: FastifyRequest): void => {
    const { admittedAs } = request
    if (admittedAs === undefined) return
    request.admittedAs = undefined
    admission.leave(admittedAs, clock.now())
  }
  scope.decorate('leaveAdmission', leave)
  scope.addHook('onRequest', (request, _reply, done) => {
    if (!isStream(request) && admission.refuses(callerOf(request), clock.now())) return done(notNow(retryAfterS))
    done()
  })
  scope.addHook('preValidation', (request, _reply, done) => {
    if (isStream(request)) return done()
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
