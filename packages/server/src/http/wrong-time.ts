/**
 * While the clock of this node is far from the database's, requests that depend on the time are answered with 503: callers ask
 * again, and reach another node. A wrong answer (an intent EXPIRED, a token or a signature out of date) would be believed.
 */
import type { FastifyInstance } from 'fastify'
import type { ClockGuard } from '../postgres/clock/clock-guard.ts'
import { notNow } from './answers.ts'
import type { Health } from './health.ts'

export const refuseAtWrongTime = (scope: FastifyInstance, guard: ClockGuard): void => {
  scope.addHook('onRequest', (_request, _reply, done) => {
    const mayWork = guard.mayWork()
    if (typeof mayWork === 'boolean') return done(mayWork ? undefined : notNow())
    mayWork.then((may) => done(may ? undefined : notNow()), done)
  })
}

/** A node is ready only if its clock is near enough, too. */
export const readyAtRightTime =
  (notReady: Health['notReady'], guard: ClockGuard): Health['notReady'] =>
  async () => {
    const missing = await notReady()
    if (missing !== undefined || (await guard.mayWork())) return missing
    return guard.refusal()
  }
