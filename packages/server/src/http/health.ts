/**
 * For operators: `/healthz` says that the process lives, `/readyz` that it can serve (database reached, migrations as
 * this version knows them). Figures are at the operators' own port (operators-app.ts).
 */
import type { FastifyInstance } from 'fastify'
import { sendJson } from './answers.ts'

export type Health = {
  /** Undefined: ready. Otherwise the sentence that says what is missing. */
  notReady(): Promise<string | undefined>
}

export const health = (state: Health) => async (app: FastifyInstance) => {
  app.get('/healthz', (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'))
  app.get('/readyz', async (_request, reply) => {
    const missing = await state.notReady()
    return missing === undefined
      ? sendJson(reply, 200, '{"status":"ready"}')
      : sendJson(reply, 503, JSON.stringify({ status: 'not ready', detail: missing }))
  })
}
