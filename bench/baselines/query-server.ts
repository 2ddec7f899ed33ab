/**
 * A baseline: a Fastify route that reads the intent from PostgreSQL with one prepared statement and answers with the text of
 * a file. No token, no limits, no log: the least that a route with a database costs.
 */
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import pg from 'pg'
import { sessionSettings } from '../../packages/server/src/postgres/connection/database.ts'

const [file, url, accountId] = process.argv.slice(2) as [string, string, string]
const answer = readFileSync(file, 'utf8')
const clients = await Promise.all(
  Array.from({ length: 4 }, async () => {
    const client = new pg.Client({ connectionString: url, options: sessionSettings(true) })
    await client.connect()
    return client
  }),
)
let turn = 0
const app = fastify({ logger: false, exposeHeadRoutes: false })
app.get('/api/v1/merchant/intents/:id/', async (request, reply) => {
  const found = await clients[turn++ % clients.length]!.query({
    name: 'find',
    text: 'select * from intents where account_id = $1 and id = $2',
    values: [accountId, (request.params as { id: string }).id],
    rowMode: 'array',
  })
  if (found.rows.length !== 1) throw new Error('There is no such intent.')
  return reply.header('content-type', 'application/json').send(answer)
})
const origin = await app.listen({ host: '127.0.0.1', port: 0 })
process.stderr.write(`${JSON.stringify({ origin, msg: 'ready' })}\n`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
