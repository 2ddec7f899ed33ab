import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { drainOf } from './drain.ts'

/** Sends requests, each on a connection of its own, until the server refuses connections. Returns every other fault. */
const client = async (port: number): Promise<string[]> => {
  const faults: string[] = []
  for (;;) {
    const fault = await new Promise<string | undefined>((done) => {
      get({ host: '127.0.0.1', port, agent: new Agent() }, (answer) => {
        answer.resume()
        answer.on('end', () => done(undefined))
        answer.on('error', (error) => done(error.message))
      }).on('error', (error) => done(error.message))
    })
    if (fault?.includes('ECONNREFUSED')) return faults
    if (fault !== undefined) faults.push(fault)
  }
}

test('a busy server that stops listening resets no connection', async () => {
  const server = createServer((_request, response) => {
    // A handler that takes time: while it runs, the kernel accepts connections that Node has not taken.
    const until = performance.now() + 1
    while (performance.now() < until);
    response.end('answered')
  })
  const drain = drainOf(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  let answered = 0
  const enough = new Promise<void>((done) => {
    server.on('request', (_request, response) =>
      response.on('finish', () => {
        answered++
        if (answered === 100) done()
      }),
    )
  })
  const clients = Array.from({ length: 24 }, () => client((server.address() as AddressInfo).port))
  await enough
  drain.begin()
  await drain.done(0)
  assert.deepEqual((await Promise.all(clients)).flat(), [])
})
