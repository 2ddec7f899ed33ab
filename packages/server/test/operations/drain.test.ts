/** A node that stops: what clients with open connections get. */
import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { askAt, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })

type ClientAnswer = { readonly status: number; readonly connection: string | undefined; readonly text: string }

const ask = (origin: string, agent: Agent, path = '/api/v1/merchant/wallets/'): Promise<ClientAnswer> =>
  new Promise((done, fail) => {
    const sent = request(
      `${origin}${path}`,
      { agent, headers: { authorization: `Bearer ${service.token}` } },
      (answer) => {
        let text = ''
        answer.on('data', (chunk) => {
          text += chunk
        })
        answer.on('end', () => done({ status: answer.statusCode!, connection: answer.headers.connection, text }))
        answer.on('error', fail)
      },
    )
    sent.on('error', fail)
    sent.end()
  })

/** Waits until new connections are refused. Until then each request must be answered with Connection: close. */
const untilRefused = async (origin: string, agent: Agent): Promise<void> => {
  for (let tries = 0; tries < 500; tries++) {
    const answer = await ask(origin, agent).catch((fault: Error) => fault)
    if (answer instanceof Error) return assert.match(String(answer), /ECONNREFUSED/)
    assert.deepEqual([answer.status, answer.connection], [200, 'close'], answer.text)
  }
  assert.fail('the node still listens')
}

test('a request on a keep-alive connection is answered while the node stops, with Connection: close', async () => {
  const node = await service.startNode()
  const agents = Array.from({ length: 5 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  for (const agent of agents) assert.equal((await ask(node.origin, agent)).connection, 'keep-alive')
  const closed = node.service.close(60_000)
  for (const agent of agents) {
    const last = await ask(node.origin, agent)
    assert.equal(last.status, 200, last.text)
    assert.equal(last.connection, 'close')
    assert.ok(Array.isArray(JSON.parse(last.text)))
    await untilRefused(node.origin, agent)
  }
  await closed
  await node.close()
})

/** Whether this machine has IPv6 on loopback. */
const hasIpv6 = (): Promise<boolean> =>
  new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(0, '::1', () => probe.close(() => done(true)))
  })

test('the service listens at both addresses of localhost, and drains the connections of both', async () => {
  const node = await service.startService()
  const second = (await hasIpv6()) ? '::1' : '127.0.0.2'
  const port = await node.listen('localhost', 0, async () => ['127.0.0.1', second])
  const origins = ['127.0.0.1', second === '::1' ? '[::1]' : second].map((host) => `http://${host}:${port}`)
  const agents = origins.map(() => new Agent({ keepAlive: true, maxSockets: 1 }))
  let closed: Promise<void> | undefined
  try {
    for (const [i, origin] of origins.entries()) {
      const first = await ask(origin, agents[i]!)
      assert.deepEqual([first.status, first.connection], [200, 'keep-alive'], origin)
    }
    const began = performance.now()
    closed = node.close(60_000)
    for (const [i, origin] of origins.entries()) {
      const last = await ask(origin, agents[i]!)
      assert.deepEqual([last.status, last.connection], [200, 'close'], origin)
      await untilRefused(origin, agents[i]!)
    }
    await closed
    assert.ok(performance.now() - began < 20_000, 'the node waits only for these requests')
  } finally {
    await (closed ?? node.close())
  }
})

test('an error while the node stops has the envelope of every other error', async () => {
  const node = await service.startNode()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  await ask(node.origin, agent)
  const closed = node.service.close(60_000)
  const notFound = await ask(node.origin, agent, '/api/v1/merchant/nowhere/')
  assert.equal(notFound.status, 404)
  assert.deepEqual(JSON.parse(notFound.text).type, 'client_error')
  assert.equal(notFound.connection, 'close')
  await closed
  await node.close()
})

test('requests in flight when the node begins to stop are answered with Connection: close', async () => {
  const node = await service.startNode()
  const agent = new Agent({ keepAlive: true })
  const pending = Array.from({ length: 20 }, () => ask(node.origin, agent, '/api/v1/merchant/intents/'))
  // Wait for the first request: its answer needs the database and takes longer.
  await delay(0)
  await new Promise<void>((done) => node.service.app.server.once('request', () => done()))
  const closed = node.service.close(60_000)
  const answers = await Promise.allSettled(pending)
  const answered = answers.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  assert.ok(answered.length > 0)
  for (const { status, connection } of answered) assert.deepEqual([status, connection], [200, 'close'])
  // A client that had not connected yet is refused before it sends anything: it can safely use another node.
  for (const result of answers) if (result.status === 'rejected') assert.match(String(result.reason), /ECONNREFUSED/)
  await closed
  await node.close()
})

/** A TCP connection; `end` resolves with how the server ended it. */
const bareConnection = async (origin: string): Promise<{ socket: Socket; end: Promise<string>; text(): string }> => {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  const end = new Promise<string>((done) => {
    socket.on('end', () => done('FIN'))
    socket.on('error', (fault: NodeJS.ErrnoException) => done(fault.code ?? 'fault'))
  })
  await new Promise((done) => socket.once('connect', done))
  return { socket, end, text: () => text }
}

test('at the deadline an idle connection is closed cleanly, and half a request can still be completed', async () => {
  const node = await service.startNode()
  const idle = await bareConnection(node.origin)
  const half = await bareConnection(node.origin)
  half.socket.write('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n')
  // A later request on another connection was answered, so this half was read.
  await ask(node.origin, new Agent())
  const closed = node.service.close(0)
  assert.equal(await idle.end, 'FIN')
  half.socket.write('\r\n')
  assert.equal(await half.end, 'FIN')
  assert.match(half.text(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close\r\n[\s\S]*\{"status":"ok"\}$/i)
  await closed
  await node.close()
})

test('the live streams of buyers and of the dashboard end cleanly when the node stops, which does not wait for them', async () => {
  const node = await service.startNode()
  const checkout = await askAt(`${node.origin}/api/v1/checkout/sessions/`, 'POST', {
    token: service.token,
    body: { amount: '1500.00' },
  })
  const page = new URL(checkout.body.url).pathname
  const listen = async (path: string, token = ''): Promise<{ text(): string; end: Promise<string> }> => {
    const { socket, end, text } = await bareConnection(node.origin)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
    while (!text().includes('\r\n\r\n')) await new Promise((done) => socket.once('data', done))
    assert.match(text(), /^HTTP\/1\.1 200 OK\r\n[\s\S]*text\/event-stream/)
    return { text, end }
  }
  const streams = [
    await listen(`${page}/stream/`),
    await listen('/api/v1/dashboard/stream/', service.demo.dashboard.user_token),
  ]
  // The page also has a keep-alive connection, and is answered while the node stops.
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  assert.equal((await ask(node.origin, agent, page)).status, 200)
  const began = performance.now()
  const closed = node.service.close(60_000)
  const last = await ask(node.origin, agent, page)
  assert.deepEqual([last.status, last.connection], [200, 'close'])
  for (const { text, end } of streams) {
    assert.equal(await end, 'FIN')
    assert.ok(text().endsWith('0\r\n\r\n'), 'the last chunk has arrived, so the answer is complete')
  }
  await closed
  assert.ok(performance.now() - began < 20_000, 'the node does not wait for streams')
  await node.close()
})

test('pipelined requests are all answered and only the last answer closes the connection', async () => {
  const node = await service.startNode()
  const { socket, end, text } = await bareConnection(node.origin)
  const walletsRequest = `GET /api/v1/merchant/wallets/ HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.token}\r\n\r\n`
  const closed = node.service.close(60_000)
  socket.write(walletsRequest.repeat(3))
  assert.equal(await end, 'FIN')
  assert.equal(text().match(/HTTP\/1\.1 200 OK/g)?.length, 3)
  assert.equal(text().match(/connection: close/gi)?.length, 1)
  await closed
  await node.close()
})
