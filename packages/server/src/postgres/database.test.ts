import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { openDatabase } from './database.ts'

const message = (kind: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(kind)
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}
const welcomed = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
const goodbye = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'))

test('a database that says goodbye in the breath it welcomes us fails what was asked, and nothing else', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([welcomed, ready, goodbye])))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const db = openDatabase({
    url: `postgres://sanad@127.0.0.1:${port}/sanad?sslmode=disable`,
    connections: 2,
    application: 'a story',
    onFault: () => {},
  })
  for (let n = 0; n < 3; n++) {
    await assert.rejects(db.transaction((tx) => tx.run({ text: 'select 1', values: [] })))
    await assert.rejects(db.run({ text: 'select 1', values: [] }))
  }
  await db.close()
  server.close()
})
