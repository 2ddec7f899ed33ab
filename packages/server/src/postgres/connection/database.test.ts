/** How a broken connection is handled. Tests with a real PostgreSQL are in packages/server/test. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { openDatabase } from './database.ts'

const message = (kind: string, body: Buffer): Buffer => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(kind), length, body])
}

test('a connection that the server closes right after opening fails its request, and does not end the process', async () => {
  const welcome = message('R', Buffer.alloc(4))
  const ready = message('Z', Buffer.from('I'))
  const shutdown = message('E', Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0'))
  // As PostgreSQL does when it is restarted under load: it accepts new connections and closes them.
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([welcome, ready, shutdown])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `postgresql://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/nothing`
  const db = openDatabase({ url, connections: 2, application: 'test', onFault: () => {} })
  const query = { text: 'select 1', values: [] }
  await assert.rejects(db.transaction((tx) => tx.run(query)))
  await assert.rejects(db.run(query))
  // And a request that waits for a connection from the pool.
  const all = await Promise.allSettled(Array.from({ length: 6 }, () => db.transaction((tx) => tx.run(query))))
  assert.ok(all.every((one) => one.status === 'rejected'))
  await db.close()
  server.close()
})

test('a connection that is cut in the middle of a row fails its query, with no row', async () => {
  const welcome = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])
  const value = Buffer.from('\0\x01\0\0\0\x05value')
  const row = message('D', value)
  for (let cut = 0; cut <= row.length; cut++) {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(welcome)
        socket.once('data', () => socket.end(Buffer.concat([row, row.subarray(0, cut)])))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `postgresql://nobody@127.0.0.1:${(server.address() as AddressInfo).port}/nothing`
    const db = openDatabase({ url, connections: 1, application: 'test', onFault: () => {} })
    await assert.rejects(db.run({ name: 'one', text: 'select 1', values: [] }))
    await db.close()
    server.close()
  }
})
