/**
 * Health and metrics (`/metrics`) at a port of their own, for operators. A node that only runs background jobs serves
 * nothing else; a node that serves merchants does not show them its metrics. This port gives no access to data of accounts.
 */
import fastify, { type FastifyInstance } from 'fastify'
import { notFound, sendProblem, serverError } from './answers.ts'
import { type Health, health } from './health.ts'
import type { Metrics } from './metrics.ts'

export const buildOperatorsApp = async (
  state: Health,
  metrics: Pick<Metrics, 'contentType' | 'text'>,
): Promise<FastifyInstance> => {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: 30_000,
    forceCloseConnections: true,
    return503OnClosing: false,
  })
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-content-type-options', 'nosniff'))
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, notFound()))
  // For example, the database did not answer. The answer shows no internal facts.
  app.setErrorHandler((_fault, _request, reply) => sendProblem(reply, serverError()))
  await app.register(health(state))
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.contentType).send(await metrics.text()),
  )
  return app
}
