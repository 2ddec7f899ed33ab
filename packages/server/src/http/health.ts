/**
 * For operators: `/healthz` shows that the process runs, `/readyz` that it can serve: the database is reachable and has the
 * migrations of this version. Both answer in time even if the database hangs. Metrics are at the operators’ own port
 * (operators-app.ts).
 */
import type { FastifyInstance } from 'fastify'
import { sendJson } from './answers.ts'

export type Health = {
  /** Undefined: ready. Otherwise a sentence with what is missing. */
  notReady(): Promise<string | undefined>
}

/** Most probes of supervisors and load balancers wait for two seconds or more. */
const readyMost_ms = 1_500

/** Runs one check at a time: callers share its result, and none waits longer than `most_ms`. */
export const answerInTime = (notReady: Health['notReady'], most_ms = readyMost_ms): Health['notReady'] => {
  let running: { readonly answer: Promise<string | undefined>; readonly late: Promise<string> } | undefined
  return () => {
    if (running === undefined) {
      const { promise: late, resolve } = Promise.withResolvers<string>()
      const timer = setTimeout(() => resolve(`The database has not answered within ${most_ms} ms.`), most_ms)
      const answer = notReady()
        .catch(() => 'The database does not answer.')
        .finally(() => {
          clearTimeout(timer)
          running = undefined
        })
      running = { answer, late }
    }
    return Promise.race([running.answer, running.late])
  }
}

export const health = (state: Health) => async (app: FastifyInstance) => {
  const notReady = answerInTime(state.notReady)
  app.get('/healthz', (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'))
  app.get('/readyz', async (_request, reply) => {
    const missing = await notReady()
    return missing === undefined
      ? sendJson(reply, 200, '{"status":"ready"}')
      : sendJson(reply, 503, JSON.stringify({ status: 'not ready', detail: missing }))
  })
}
