/**
 * For operators: `/healthz` says that the process lives, `/readyz` that it can serve (database reached, migrations as
 * this version knows them), `/metrics` gives figures.
 */
import type { FastifyInstance } from 'fastify'
import { sendJson } from './answers.ts'
import type { Metrics } from './metrics.ts'

export type Health = {
  /** Undefined: ready. Otherwise the sentence that says what is missing. */
  notReady(): Promise<string | undefined>
}

export const health = (state: Health, metrics: Metrics) => async (app: FastifyInstance) => {
  app.get('/healthz', (_request, reply) => sendJson(reply, 200, '{"status":"ok"}'))
  app.get('/readyz', async (_request, reply) => {
    const missing = await state.notReady()
    return missing === undefined
      ? sendJson(reply, 200, '{"status":"ready"}')
      : sendJson(reply, 503, JSON.stringify({ status: 'not ready', detail: missing }))
  })
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.contentType).send(await metrics.text()),
  )
}
