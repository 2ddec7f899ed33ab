/** The id of a request, its account, its address and its trace in the answer and in the log. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { logFields, runInContext, runShared } from '../../../src/core/tracing/call-context.ts'
import { readTraceparent } from '../../../src/core/tracing/trace.ts'
import { openLog } from '../../../src/log.ts'
import { phone } from '../../support/phone.ts'
import { openTestService } from '../../support/story.ts'
import { accountOfWallet, createMembers } from '../../support/users.ts'

const lines: string[] = []
const log = openLog('info', 'json', { write: (line: string) => void lines.push(line) })
const service = await openTestService({ SANAD_LIMITS: 'off' }, { log })
const { ask, clock, demo, origin } = service
const accountId = await accountOfWallet(service, demo.wallets.main)
const { cashier } = await createMembers(service)

type Line = Readonly<Record<string, unknown>>
const lineOf = async (id: string): Promise<Line> => {
  // The line is written when the last byte of the answer has been handed over.
  for (let tries = 0; tries < 200; tries++) {
    const found = lines.map((line) => JSON.parse(line) as Line).find(({ req, msg }) => req === id && msg === 'answered')
    if (found !== undefined) return found
    await new Promise((done) => setTimeout(done, 25))
  }
  return assert.fail(`no line of ${id}`)
}

test("a caller's plain X-Request-Id is in the answer and in the log, with account and address", async () => {
  for (const id of ['order-17', randomUUID(), 'a', 'x'.repeat(64), 'Root=1-67891233-abcdef012345678912345678']) {
    const answer = await ask('GET', '/wallets/', { headers: { 'x-request-id': id } })
    assert.equal(answer.headers['x-request-id'], id)
    const { account, ip, route, status } = await lineOf(id)
    assert.deepEqual([account, ip, route, status], [accountId, '127.0.0.1', '/api/v1/merchant/wallets/', 200])
  }
})

test('an id that is too long, has other characters, or looks like a secret is replaced by one of our own', async () => {
  const refused = [
    'x'.repeat(65),
    'a b',
    'a"b',
    'é',
    '-a',
    'a,b',
    '',
    demo.client_secret,
    `whsec_${'a'.repeat(20)}`,
    service.token,
  ]
  const given = new Set<unknown>()
  for (const id of refused) {
    const sent = Buffer.from(id, 'utf8').toString('latin1')
    const own = (await ask('GET', '/wallets/', { headers: { 'x-request-id': sent } })).headers['x-request-id']
    assert.match(String(own), /^[a-z0-9]{1,8}-[a-z0-9]+$/)
    given.add(own)
  }
  assert.equal(given.size, refused.length)
  const all = lines.join('')
  for (const secret of [demo.client_secret, service.token]) assert.ok(!all.includes(secret.slice(0, 24)))
})

test('a refused call has its id and, as far as it is known, its account: of a key, of a user, of a phone', async () => {
  const unknown = await ask('GET', '/wallets/', { token: 'x', headers: { 'x-request-id': 'refused-1' } })
  assert.deepEqual([unknown.status, unknown.headers['x-request-id']], [401, 'refused-1'])
  assert.equal((await lineOf('refused-1')).account, undefined)
  const missing = await ask('GET', `/intents/${randomUUID()}/`, { headers: { 'x-request-id': 'refused-2' } })
  assert.deepEqual([missing.status, (await lineOf('refused-2')).account], [404, accountId])
  const denied = await cashier.ask('GET', '/members/', { headers: { 'x-request-id': 'refused-3' } })
  assert.deepEqual([denied.status, (await lineOf('refused-3')).account], [403, accountId])
  const report = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text: 'x', sim_slot: 'SIM1' }
  const received_at = new Date(clock.now()).toISOString()
  const sent = await phone(origin, clock.now, demo.device).alerts([{ ...report, received_at }])
  assert.equal(sent.status, 200)
  const own = lines.map((line) => JSON.parse(line) as Line).findLast(({ route }) => String(route).includes('/alerts'))
  assert.equal(own?.account, accountId)
})

test('every line that is written during a request has its id; a fault too', async () => {
  await service.sql('alter table intents rename to mislaid')
  try {
    const headers = { 'x-request-id': 'fault-1', traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }
    assert.equal((await ask('GET', `/intents/${randomUUID()}/`, { headers })).status, 500)
  } finally {
    await service.sql('alter table mislaid rename to intents')
  }
  const found = lines.map((line) => JSON.parse(line) as Line).find(({ msg }) => msg === 'a request failed')
  assert.deepEqual([found?.req, found?.account], ['fault-1', accountId])
  assert.equal((await lineOf('fault-1')).trace, 'a'.repeat(32))
})

test('work that several requests share belongs to none of them; work of one belongs to it', async () => {
  const [one, two] = [{ requestId: 'one' }, { requestId: 'two' }]
  const seen = async () => logFields()
  assert.deepEqual(await runInContext(one, () => runShared([one, one], seen)), { req: 'one' })
  assert.deepEqual(await runInContext(one, () => runShared([one, two], seen)), {})
  assert.deepEqual(await runInContext(one, () => runShared([undefined], seen)), {})
  assert.deepEqual(logFields(), {})
})

test('a traceparent is read by the rules of W3C, and nothing else is', () => {
  const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  assert.deepEqual(readTraceparent(`00-${trace}-${span}-01`), { traceId: trace, spanId: span, sampled: true })
  assert.equal(readTraceparent(`00-${trace}-${span}-02`)?.sampled, false)
  for (const wrong of [
    undefined,
    '',
    [`00-${trace}-${span}-01`],
    `00-${trace}-${span}`,
    `00-${trace.toUpperCase()}-${span}-01`,
  ])
    assert.equal(readTraceparent(wrong as never), undefined)
})
