/**
 * For operators: `/healthz` says that the process lives, `/readyz` that it can serve (database reached, migrations as
 * this version knows them). Each answers in time whatever hangs behind it. Figures are at the operators' own port
 * (operators-app.ts).
 */
import type { FastifyInstance } from 'fastify'
import { sendJson } from './answers.ts'

export type Health = {
  /** Undefined: ready. Otherwise the sentence that says what is missing. */
  notReady(): Promise<string | undefined>
}

/** Probes of supervisors and load balancers mostly give up after two seconds or more. */
export const readyMost_ms = 1_500

/** One question at a time: who asks meanwhile waits for the same answer, but none longer than it may take. */
export const answerInTime = (notReady: Health['notReady'], most_ms = readyMost_ms): Health['notReady'] => {
  let requested: { readonly answer: Promise<string | undefined>; readonly late: Promise<string> } | undefined
  return () => {
    if (requested === undefined) {
      const { promise: late, resolve } = Promise.withResolvers<string>()
      const timer = setTimeout(() => resolve(`The database has not answered within ${most_ms} ms.`), most_ms)
      const answer = notReady()
        .catch(() => 'The database does not answer.')
        .finally(() => {
          clearTimeout(timer)
          requested = undefined
        })
      requested = { answer, late }
    }
    return Promise.race([requested.answer, requested.late])
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
