/**
 * The most that the webhook sender could reach: its HTTP client posts the same bytes to the same receivers, without database,
 * signature and log. `bare`: plain undici posts them, without the sender's address guard and timeouts. `GET /sender/N` or
 * `/bare/N` makes N posts and answers their rate. Arguments: a file with the request, the number of concurrent calls, and the
 * ports of the receivers.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, type Dispatcher } from 'undici'
import { readCidrs } from '../../packages/server/src/core/cidr.ts'
import { receiverCaller } from '../../packages/server/src/webhooks/calling/call-receiver.ts'

const [file, calls, ...ports] = process.argv.slice(2) as [string, string, ...string[]]
const { headers, body } = JSON.parse(readFileSync(file, 'utf8')) as { headers: Record<string, string>; body: string }
const bytes = Buffer.from(body)
const agent = new Agent({ connections: Math.ceil(Number(calls) / ports.length), pipelining: 1, allowH2: false })
const origins = ports.map((port) => `http://127.0.0.1:${port}`)

const loopback = readCidrs('127.0.0.0/8')
if (!loopback.ok) throw new Error(loopback.error)
const receivers = receiverCaller({ development: true, allow: loopback.list })

type Post = (origin: string) => Promise<void>

const bySender: Post = async (origin) => {
  const { outcome } = await receivers.call({ url: `${origin}/ok`, headers, body })
  if (outcome !== 'ok') throw new Error(outcome)
}

const bare: Post = (origin) =>
  new Promise((done, fail) => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, status) {
        if (status !== 200) fail(new Error(`answered ${status}`))
      },
      onResponseData() {},
      onResponseEnd() {
        done()
      },
      onResponseError(_controller, fault) {
        fail(fault)
      },
    }
    agent.dispatch({ origin, path: '/ok', method: 'POST', headers, body: bytes }, handler)
  })

const run = async (post: Post, posts: number): Promise<{ perSecond: number }> => {
  const began = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: Number(calls) }, async (_, worker) => {
      for (; next < posts; ) {
        next++
        await post(origins[worker % origins.length]!)
      }
    }),
  )
  return { perSecond: posts / ((performance.now() - began) / 1000) }
}

const server = createServer((request, response) => {
  const [, client, posts] = (request.url ?? '').split('/')
  run(client === 'bare' ? bare : bySender, Number(posts)).then(
    (figures) => response.end(JSON.stringify(figures)),
    (fault: Error) => response.writeHead(500).end(fault.message),
  )
}).listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stderr.write(`${JSON.stringify({ origin: `http://127.0.0.1:${port}`, msg: 'ready' })}\n`)
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
