/** 0131: the new cell is away, slow, or points back: a clear answer in time, nothing twice, and never a circle. */
import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { forwardRoom } from '../../src/http/forward/forward-room.ts'
import { askAt, errorsOf } from '../support/story.ts'
import { lineOf, openTwoCells } from './forwarding-story.ts'

const cells = await openTwoCells()
const { old, other, accountId, switchOver, pointTo, untilSeen, freezeIn } = cells

/** A server in the place of the new cell that does what the test says. */
let answerWith = (response: ServerResponse): void => void response.end()
let calls = 0
const impostor = createServer((request, response) => {
  calls++
  request.resume().on('end', () => answerWith(response))
})
await new Promise<void>((listening) => impostor.listen(0, '127.0.0.1', listening))
after(() => {
  impostor.closeAllConnections()
  impostor.close()
})
const impostorOrigin = `http://127.0.0.1:${(impostor.address() as AddressInfo).port}`

await switchOver()

const point = async (origin: string, isSeen: Parameters<typeof untilSeen>[0]): Promise<void> => {
  await pointTo(old, accountId, origin)
  await untilSeen(isSeen)
}
const create = () => old.create({ amount: '3.00' })

test('a new cell that is away: 503 with Retry-After at once, and it goes on when the cell is back', async () => {
  await point('http://127.0.0.1:1', ({ status }) => status === 503)
  const refused = await create()
  assert.deepEqual(
    [refused.status, errorsOf(refused), refused.headers['retry-after']],
    [503, ['unavailable@null'], '5'],
  )
  assert.equal((await lineOf(old, refused)).forwarded, undefined)
  assert.ok((await cells.forwardedCalls('away')) > 0)
  const told = old.lines.filter((line) => line.includes('does not answer'))
  assert.equal(told.length, 1, 'the log says it once')
  await point(other.origin, ({ status }) => status === 200)
  assert.equal((await create()).status, 201)
})

test('a connection that breaks before the answer: 503, and the call is not made again by itself', async () => {
  answerWith = (response) => response.destroy()
  await point(impostorOrigin, ({ status }) => status === 503)
  const before = calls
  const broken = await create()
  assert.deepEqual([broken.status, errorsOf(broken), calls - before], [503, ['unavailable@null'], 1])
})

test('an answer that breaks in the middle is no whole answer for the client', async () => {
  answerWith = (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"half":')
    setImmediate(() => response.destroy())
  }
  await assert.rejects(async () => await create())
})

test('headers of one connection are not passed on, and answers keep theirs', async () => {
  answerWith = (response) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-own': 'kept',
      'set-cookie': ['a=1', 'b=2'],
      connection: 'x-hop, keep-alive',
      'x-hop': 'dropped',
      'content-length': '2',
    })
    response.end('{}')
  }
  const answer = await old.ask('GET', '/wallets/')
  assert.equal(answer.status, 200)
  assert.deepEqual(
    [answer.headers['x-own'], answer.headers['x-hop'], answer.headers['set-cookie']],
    ['kept', undefined, ['a=1', 'b=2']],
  )
})

test('a client that leaves ends the call to the new cell', async () => {
  let closed = (): void => {}
  const isClosed = new Promise<void>((done) => {
    closed = done
  })
  answerWith = (response) => void response.on('close', closed)
  const abort = new AbortController()
  const call = fetch(`${old.base}/wallets/`, {
    headers: { authorization: `Bearer ${old.token}` },
    signal: abort.signal,
  })
  const before = calls
  while (calls === before) await delay(1)
  abort.abort()
  await assert.rejects(call)
  await isClosed
  answerWith = (response) => void response.end()
})

test('two cells that point at each other: the second refuses with 508, and says why', async () => {
  await freezeIn(other, accountId)
  await pointTo(other, accountId, old.origin)
  await point(other.origin, ({ status }) => status === 508)
  const circle = await create()
  assert.deepEqual([circle.status, errorsOf(circle)], [508, ['unavailable@null']])
  const page = await askAt(`${old.origin}/pay/${'x'.repeat(27)}`, 'GET', {})
  assert.equal(page.status, 404, 'what nobody knows is asked once, and not in a circle')
})

test('when the operator ends it nothing is forwarded any more: the account is frozen here', async () => {
  await cells.endForwarding()
  assert.deepEqual([(await create()).status, (await create()).headers['retry-after']], [503, '10'])
})

test('an account has half of the places at most, and a place is given back once', () => {
  const room = forwardRoom({ calls: 4, streams: 2 })
  const [first, second] = [room.enter('calls', 'a'), room.enter('calls', 'a')]
  assert.equal(room.enter('calls', 'a'), undefined)
  assert.ok(room.enter('calls', 'b') && room.enter('calls', 'c'))
  assert.equal(room.enter('calls', 'd'), undefined)
  assert.ok(room.enter('streams', 'a'), 'streams have places of their own')
  first!()
  first!()
  assert.ok(room.enter('calls', 'd'))
  assert.equal(room.enter('calls', 'e'), undefined)
  second!()
})
