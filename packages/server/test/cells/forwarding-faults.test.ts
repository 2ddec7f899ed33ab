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
/** What the last call said of those who forwarded it: address, hops, time, signature. */
let stamp = ''
const impostor = createServer((request, response) => {
  calls++
  stamp = String(request.headers['x-sanad-forwarded'])
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

test('a new cell that is away does not keep another one from answering for an unknown page', async () => {
  const otherAccount = (await old.sql('select id::text from accounts where id <> $1', [accountId]))[0]![0]!
  const statusOfPage = async () => (await askAt(`${old.origin}/pay/${'w'.repeat(27)}`, 'GET', {})).status
  const untilPage = async (status: number): Promise<void> => {
    for (let tries = 0; (await statusOfPage()) !== status; tries++) assert.ok(tries < 10_000)
  }
  await point(impostorOrigin, ({ status }) => status === 200)
  answerWith = (response) => void response.writeHead(404).end()
  assert.equal(await statusOfPage(), 404)
  // In the order of names, the one that is away comes first. It may know the page.
  await pointTo(old, otherAccount as typeof accountId, 'http://127.0.0.1:1')
  await untilPage(503)
  answerWith = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('a page')
  assert.deepEqual([await statusOfPage(), await statusOfPage()], [200, 200])
  answerWith = (response) => void response.writeHead(404).end()
  await old.sql('delete from account_moves where account_id = $1', [otherAccount])
  await untilPage(404)
})

test('an account that has moved on: the old cell forwards to the second, which forwards to the third', async () => {
  await freezeIn(other, accountId)
  await pointTo(other, accountId, impostorOrigin)
  answerWith = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  const hops = () => stamp.split(' ')[1]
  await point(other.origin, () => hops() === '2')
  const before = calls
  assert.equal((await create()).status, 200)
  assert.deepEqual([calls, hops(), stamp.split(' ')[0]], [before + 1, '2', '127.0.0.1'])
  // Made in the third cell, and asked for at the first: each asks on.
  assert.equal((await askAt(`${old.origin}/pay/${'v'.repeat(27)}`, 'GET', {})).status, 200)
  assert.equal(calls, before + 2)
})

test('two cells that point at each other: after some hops one refuses with 508, and says why', async () => {
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

test('calls to one cell have three quarters of the places at most: one that hangs leaves room for the others', () => {
  const room = forwardRoom({ calls: 8, streams: 2 })
  const inside = ['a', 'a', 'b', 'b', 'c', 'c'].map((account) => room.enter('calls', account, 'https://hangs.example'))
  assert.ok(inside.every((leave) => leave !== undefined))
  assert.equal(room.enter('calls', 'd', 'https://hangs.example'), undefined)
  assert.ok(room.enter('calls', 'd', 'https://c.example') && room.enter('calls', 'unknown'))
  inside[0]!()
  assert.ok(room.enter('calls', 'd', 'https://hangs.example'))
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
