/** A baseline: a Fastify route that answers the same bytes (read from a file) and does nothing else. */
import { readFileSync } from 'node:fs'
import fastify from 'fastify'

const answer = readFileSync(process.argv[2]!)
const app = fastify({ logger: false, exposeHeadRoutes: false })
app.get('/api/v1/merchant/intents/:id/', (_request, reply) =>
  reply.header('content-type', 'application/json').send(answer),
)
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
process.stderr.write(`${JSON.stringify({ origin, msg: 'ready' })}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
