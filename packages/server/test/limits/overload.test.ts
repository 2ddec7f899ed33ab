/** 0118: more requests than the process can answer: some are refused early, of those who send most, and nothing of them is done. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { type Problem, sendProblem } from '../../src/http/answers.ts'
import { admission, admissionRules } from '../../src/http/app/admission.ts'
import { refuseOverload } from '../../src/http/app/refuse-overload.ts'
import { movableClock } from '../support/pure/movable-clock.ts'
import { askAt } from '../support/story.ts'

const { usual, patience_ms, calm_ms } = admissionRules
const { least } = usual
const clock = movableClock(1_800_000_000_000)
const gate = admission()
const app = fastify()
let done = 0
let letGo = Promise.withResolvers<void>()
app.setErrorHandler((fault: Problem, _request, reply) => sendProblem(reply, fault))
await app.register(async (scope) => {
  refuseOverload(scope, gate, clock)
  scope.post('/work', async () => {
    await letGo.promise
    done++
    return { done }
  })
  scope.get('/fault', () => {
    throw new Error('made up')
  })
  scope.get('/pay/stream/', (_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(200).flushHeaders()
  })
})
await app.listen({ host: '127.0.0.1', port: 0 })
const { port } = app.server.address() as AddressInfo
const origin = `http://127.0.0.1:${port}`
after(() => {
  app.server.closeAllConnections()
  return app.close()
})

const work = (token: string) => askAt(`${origin}/work`, 'POST', { token, body: {} })
const untilUnderWay = async (count: number): Promise<void> => {
  while (gate.underWay !== count) await new Promise(setImmediate)
}

test('0118: after half a second with too many, who sends most is refused at once; who sends little is answered', async () => {
  const waiting = Array.from({ length: least + 4 }, () => work('flood'))
  await untilUnderWay(least + 4)
  // A burst alone is no overload.
  waiting.push(work('flood'))
  await untilUnderWay(least + 5)
  clock.advance(patience_ms)
  const refused = await work('flood')
  assert.equal(refused.status, 503)
  assert.equal(refused.headers['retry-after'], '1')
  assert.equal(refused.body.errors[0].code, 'unavailable')
  // Refused before its body is read.
  const unread = connect(port, '127.0.0.1')
  unread.write(
    'POST /work HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer flood\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n',
  )
  const [head] = await once(unread, 'data')
  assert.match(String(head), /^HTTP\/1\.1 503 /)
  unread.destroy()
  waiting.push(work('a small shop'))
  await untilUnderWay(least + 6)
  letGo.resolve()
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
  // What was refused was not done, and everything else was.
  assert.equal(done, least + 6)
  assert.equal(gate.underWay, 0)
})

test('0118: when it is over everything is taken again', async () => {
  clock.advance(calm_ms)
  letGo = Promise.withResolvers()
  const waiting = Array.from({ length: least + 4 }, () => work('flood'))
  await untilUnderWay(least + 4)
  letGo.resolve()
  for (const { status } of await Promise.all(waiting)) assert.equal(status, 200)
})

test('0118: a fault, a caller who went away and a body that does not arrive take nobody’s place; a stream does not count', async () => {
  assert.equal((await askAt(`${origin}/fault`, 'GET', {})).status, 500)
  assert.equal(gate.underWay, 0)
  letGo = Promise.withResolvers()
  const gone = connect(port, '127.0.0.1')
  gone.on('error', () => {})
  gone.write('POST /work HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}')
  await untilUnderWay(1)
  gone.destroy()
  letGo.resolve()
  await untilUnderWay(0)
  const slow = connect(port, '127.0.0.1')
  slow.write('POST /work HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{')
  const stream = connect(port, '127.0.0.1')
  stream.write('GET /pay/stream/ HTTP/1.1\r\nHost: a\r\n\r\n')
  await once(stream, 'data')
  assert.equal(gate.underWay, 0)
  slow.destroy()
  stream.destroy()
})
