/**
 * Health and figures (`/metrics`) at a port of their own, for operators: a node that only works in the background serves
 * nothing else, and one that serves merchants does not show its figures to them. Nothing of anybody's money is to be had
 * here.
 */
import fastify, { type FastifyInstance } from 'fastify'
import { notFound, sendProblem, serverError } from './answers.ts'
import { type Health, health } from './health.ts'
import type { Metrics } from './metrics.ts'

export const buildOperatorsApp = async (state: Health, metrics: Metrics): Promise<FastifyInstance> => {
  const app = fastify({
    logger: false,
    exposeHeadRoutes: false,
    requestTimeout: 30_000,
    forceCloseConnections: true,
    return503OnClosing: false,
  })
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-content-type-options', 'nosniff'))
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, notFound()))
  // Figures that the database could not be asked for: nothing of the inside is told.
  app.setErrorHandler((_fault, _request, reply) => sendProblem(reply, serverError()))
  await app.register(health(state))
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.contentType).send(await metrics.text()),
  )
  return app
}
