/** Forwarding a webhook. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { forward } from '@sanad/sdk/forward'

const withServer = async (listener: RequestListener, use: (url: string) => Promise<void>): Promise<void> => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks?shop=1`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const body = Buffer.from('{"event":"payment.verified","order_id":"طلب-١"}\n\u0000')
const rawHeaders = ['Host', 'shop.example', 'X-Service-Signature', 't=1,v1=aa', 'X-Many', 'one', 'X-Many', 'two']

test('the same bytes and headers arrive, except connection headers', async () => {
  const requests: { url?: string | undefined; raw: string[]; body: Buffer }[] = []
  await withServer(
    async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      requests.push({ url: request.url, raw: request.rawHeaders, body: Buffer.concat(chunks) })
      response.writeHead(202).end('taken')
    },
    async (url) => {
      const sent = [...rawHeaders, 'Transfer-Encoding', 'chunked', 'Connection', 'keep-alive', 'Expect', '100-continue']
      const result = await forward(url, { rawHeaders: sent, body })
      assert.ok(result.kind === 'answer' && result.status === 202 && result.took_ms >= 0)
      assert.deepEqual(requests[0]!.body, body)
      assert.equal(requests[0]!.url, '/hooks?shop=1')
      const text = requests[0]!.raw.join(' ')
      assert.match(text, /X-Service-Signature t=1,v1=aa X-Many one X-Many two/)
      assert.match(text, /Host 127\.0\.0\.1:\d+/)
      assert.doesNotMatch(text, /chunked|shop\.example|100-continue/)
    },
  )
})

test('a redirect is not followed but returned', async () => {
  await withServer(
    (_, response) => response.writeHead(302, { location: '/login' }).end(),
    async (url) => {
      const result = await forward(url, { rawHeaders, body })
      assert.ok(result.kind === 'answer' && result.status === 302 && result.location === '/login')
    },
  )
})

test('a receiver that never ends its answer, closes the connection or does not listen gives a result and does not throw', async () => {
  await withServer(
    (_, response) => void response.writeHead(200).write('never ends'),
    async (url) => {
      const result = await forward(url, { rawHeaders, body }, { timeout_ms: 50 })
      assert.ok(result.kind === 'failed' && result.error === 'no whole answer within 0.05 s', JSON.stringify(result))
    },
  )
  await withServer(
    (request) => request.socket.destroy(),
    async (url) => assert.equal((await forward(url, { rawHeaders, body })).kind, 'failed'),
  )
  let gone = ''
  await withServer(
    () => {},
    async (url) => {
      gone = url
    },
  )
  const result = await forward(gone, { rawHeaders, body })
  assert.ok(result.kind === 'failed' && result.error === 'nothing listens there')
})
