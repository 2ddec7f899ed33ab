import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { type Patience, patient, post, refusalIn, Unreachable } from './post.ts'

let answers: ((response: ServerResponse) => void)[] = []
let bodies: string[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    bodies.push(body)
    answers.shift()!(response)
  })
})
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
after(() => server.close())
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

const waits: number[] = []
const quick: Patience = { ...patient, wait: async (ms) => void waits.push(ms) }
const answerWith =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, headers).end('{}')

const run = async (...planned: typeof answers) => {
  answers = planned
  bodies = []
  waits.length = 0
  let attempts = 0
  return post(() => ({ url: `${origin}/`, headers: {}, body: `try ${++attempts}` }), quick)
}

test('after 503 or 429 the request is built anew and sent again after Retry-After', async () => {
  assert.equal((await run(answerWith(503, { 'retry-after': '7' }), answerWith(429), answerWith(200))).status, 200)
  assert.deepEqual(bodies, ['try 1', 'try 2', 'try 3'])
  assert.deepEqual(waits, [7000, 1000])
})

test('a request whose answer got lost is sent again', async () => {
  assert.equal((await run((response) => response.destroy(), answerWith(200))).status, 200)
  assert.deepEqual(waits, [500])
})

test('a refusal is returned; so is an error that does not go away', async () => {
  assert.equal((await run(answerWith(401))).status, 401)
  const down = Array.from({ length: patient.tries }, () => answerWith(500))
  assert.equal((await run(...down)).status, 500)
})

test('if nothing answers, the error names the address without its path and query', async () => {
  const gone = () => post(() => ({ url: 'http://127.0.0.1:1/x?secret', headers: {}, body: '' }), { ...quick, tries: 2 })
  await assert.rejects(
    gone,
    (fault: Error) => fault instanceof Unreachable && fault.message === 'Nothing answers at http://127.0.0.1:1.',
  )
})

test('a refusal becomes one sentence', () => {
  const text = JSON.stringify({ type: 'x', errors: [{ code: 'invalid', detail: 'Not a list.', attr: 'alerts' }] })
  assert.equal(refusalIn({ status: 400, text }).message, 'The service answered 400: alerts: Not a list.')
  assert.equal(refusalIn({ status: 502, text: 'Bad gateway' }).message, 'The service answered 502: Bad gateway')
})
