/** Rate limits of the merchant API: how many calls an API key has, which calls count, Retry-After, and several nodes. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { day_ms, minute_ms } from '../../src/core/duration.ts'
import { RedisServer } from '../support/servers/redis-server.ts'
import { type Answer, askAt, openTestService, type TestService } from '../support/story.ts'

type Key = { readonly client_id: string; readonly client_secret: string }

const requestToken = (service: TestService, key: Key, headers: Record<string, string> = {}, base = service.base) =>
  askAt(`${base}/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': key.client_id, 'SERVICE-CLIENT-SECRET': key.client_secret, ...headers },
  })

const inTurn = async (times: number, call: (i: number) => Promise<Answer>): Promise<number[]> => {
  const statuses: number[] = []
  for (let i = 0; i < times; i++) statuses.push((await call(i)).status)
  return statuses
}

/** Sends twenty calls at a time, as a busy merchant does. */
const atOnce = async (times: number, call: (i: number) => Promise<Answer>): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (let from = 0; from < times; from += 20)
    answers.push(...(await Promise.all(Array.from({ length: Math.min(20, times - from) }, (_, i) => call(from + i)))))
  return answers
}

const repeated = (status: number, times: number): number[] => Array.from({ length: times }, () => status)

const assertThrottled = (answer: Answer, seconds: number, about?: string): void => {
  assert.equal(answer.status, 429, about)
  assert.equal(answer.headers['retry-after'], String(seconds), about)
  assert.equal(answer.headers['content-type'], 'application/json')
  assert.deepEqual(answer.body, {
    type: 'client_error',
    errors: [
      {
        code: 'throttled',
        detail: `Request was throttled. Expected available in ${seconds} seconds.`,
        attr: null,
      },
    ],
  })
}

// The limits of the specification, as they are by default.
const service = await openTestService()
const { ask, create, demo, clock } = service

test('ten tokens a minute, the eleventh is refused; refused calls change nothing; another key is not affected', async () => {
  const key = demo.second_key
  assert.deepEqual(await inTurn(10, () => requestToken(service, key)), repeated(200, 10))
  clock.advance(1_500)
  for (let i = 0; i < 5; i++) assertThrottled(await requestToken(service, key), 59)
  assert.equal((await requestToken(service, demo)).status, 200, 'the other key of the same account')
  assert.equal((await requestToken(service, demo.other)).status, 200, 'the key of another account')
  clock.advance(58_000)
  assertThrottled(await requestToken(service, key), 1)
  clock.advance(1_000)
  assert.deepEqual(await inTurn(11, () => requestToken(service, key)), [...repeated(200, 10), 429])
})

test('a minute is any sixty seconds, not a minute of the clock', async () => {
  clock.advance(minute_ms)
  const key = demo.second_key
  const began = clock.now()
  assert.deepEqual(await inTurn(4, () => requestToken(service, key)), repeated(200, 4))
  clock.advance(30_000)
  assert.deepEqual(await inTurn(7, () => requestToken(service, key)), [...repeated(200, 6), 429])
  clock.set(began + minute_ms - 1)
  assertThrottled(await requestToken(service, key), 1)
  clock.set(began + minute_ms)
  assert.deepEqual(await inTurn(5, () => requestToken(service, key)), [...repeated(200, 4), 429])
  assertThrottled(await requestToken(service, key), 30)
})

test('create, retrieve and attach share 240 a minute; the list and the wallets have their own limits', async () => {
  clock.advance(minute_ms)
  const { id } = (await create()).body
  const calls: ((i: number) => Promise<Answer>)[] = [
    () => create(),
    () => ask('GET', `/intents/${id}/`),
    (i) => ask('PATCH', `/intents/${id}/`, { body: { reference: `shared-${i % 12}` } }),
  ]
  const answers = await atOnce(249, (i) => calls[i % 3]!(i))
  const statuses = Object.groupBy(answers, ({ status }) => status)
  assert.equal(statuses[429]?.length, 10, '239 of the 249 calls are accepted: one of the 240 was used before')
  assert.deepEqual(Object.keys(statuses), ['200', '201', '429'])
  for (const call of calls) assertThrottled(await call(0), 60)

  assert.equal((await ask('GET', '/intents/')).status, 200, 'the list counts by itself')
  assert.equal((await ask('GET', '/wallets/')).status, 200, 'and so do the wallets')
  const second = await service.tokenFor(demo.second_key.client_id, demo.second_key.client_secret)
  assert.equal((await ask('GET', `/intents/${id}/`, { token: second })).status, 200, 'and so does the other key')
  clock.advance(minute_ms)
  assert.equal((await ask('GET', `/intents/${id}/`)).status, 200)
})

test('the list has 60 a minute, and does not use up the other limits', async () => {
  clock.advance(minute_ms)
  const answers = await atOnce(65, () => ask('GET', '/intents/?page_size=1'))
  assert.equal(answers.filter(({ status }) => status === 200).length, 60)
  assertThrottled(await ask('GET', '/intents/'), 60)
  assert.equal((await ask('HEAD', '/intents/')).status, 429, 'HEAD is a GET')
  assert.equal((await create()).status, 201)
  assert.equal((await ask('GET', '/wallets/')).status, 200)
})

test('the wallets have 240 a minute, and do not use up the other limits', async () => {
  clock.advance(minute_ms)
  const answers = await atOnce(245, () => ask('GET', '/wallets/'))
  assert.equal(answers.filter(({ status }) => status === 200).length, 240)
  assertThrottled(await ask('GET', '/wallets/'), 60)
  assert.equal((await ask('GET', '/intents/')).status, 200)
  assert.equal((await create()).status, 201)
})

test('all tokens of one key share one count', async () => {
  const few = await openTestService({ SANAD_LIMITS: '{"wallets": {"burst": 3}}' })
  const again = await few.tokenFor(few.demo.client_id, few.demo.client_secret)
  const tokens = [few.token, again, few.token, again]
  assert.deepEqual(await inTurn(4, (i) => few.ask('GET', '/wallets/', { token: tokens[i]! })), [200, 200, 200, 429])
})

test('the daily limit holds over any twenty-four hours', async () => {
  const few = await openTestService({
    SANAD_LIMITS: '{"token": {"sustained": 12}, "wallets": {"burst": 2, "sustained": 5}}',
  })
  const { clock } = few
  const key = few.demo.second_key
  const began = clock.now()
  assert.deepEqual(await inTurn(10, () => requestToken(few, key)), repeated(200, 10))
  clock.advance(minute_ms)
  assert.deepEqual(await inTurn(3, () => requestToken(few, key)), [200, 200, 429])
  assertThrottled(await requestToken(few, key), day_ms / 1000 - 60)
  clock.advance(day_ms - 2 * minute_ms)
  assertThrottled(await requestToken(few, key), 60)
  clock.set(began + day_ms)
  assert.equal((await requestToken(few, key)).status, 200)
})

test('a refused call does not use up the daily limit', async () => {
  const few = await openTestService({ SANAD_LIMITS: '{"wallets": {"burst": 3, "sustained": 5}}' })
  const { clock } = few
  const call = () => few.ask('GET', '/wallets/')
  const began = clock.now()
  assert.deepEqual(await inTurn(13, call), [...repeated(200, 3), ...repeated(429, 10)])
  clock.advance(minute_ms)
  assert.deepEqual(await inTurn(3, call), [200, 200, 429], 'two of the day were left')
  assertThrottled(await call(), (day_ms - minute_ms) / 1000)
  clock.set(began + day_ms)
  assert.deepEqual(await inTurn(4, call), [200, 200, 200, 429])
})

test('404, 400, 405, 415, 413, OPTIONS and replays count; 401, 403, 429 and unknown paths do not', async () => {
  const few = await openTestService({ SANAD_LIMITS: '{"intents": {"burst": 9}}' })
  const key = { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() }
  const unknown = `/intents/${randomUUID()}/`
  const free: [() => Promise<Answer>, number][] = [
    [() => few.ask('GET', unknown, { token: null }), 401],
    [() => few.ask('GET', unknown, { token: 'junk' }), 401],
    [() => few.ask('POST', '/intents/', { token: few.demo.dashboard.user_token, body: {} }), 403],
    [() => few.ask('GET', '/nowhere/'), 404],
    [() => few.ask('GET', '/intents/'), 200],
    [() => few.ask('GET', '/wallets/'), 200],
  ]
  const counted: [() => Promise<Answer>, number][] = [
    [() => few.create({}, key), 201],
    [() => few.create({}, key), 201],
    [() => few.ask('GET', unknown), 404],
    [() => few.ask('GET', '/intents/junk/'), 404],
    [() => few.create({ amount: 'x' }), 400],
    [() => few.ask('PUT', '/intents/', { body: {} }), 405],
    [() => few.ask('POST', '/intents/', { body: '{}', headers: { 'content-type': 'text/plain' } }), 415],
    [() => few.ask('POST', '/intents/', { body: Buffer.alloc(1024 * 1024 + 1) }), 413],
    [() => few.ask('OPTIONS', unknown), 200],
  ]
  for (const [call, status] of counted) {
    for (const [freeCall, expected] of free) assert.equal((await freeCall()).status, expected)
    assert.equal((await call()).status, status)
  }
  assertThrottled(await few.ask('GET', unknown), 60)
  assertThrottled(await few.create({}, key), 60, 'a replay too')
  assertThrottled(await few.ask('DELETE', unknown), 60)
  for (const [call, status] of free) assert.equal((await call()).status, status, 'a full bucket changes nothing here')
  few.clock.advance(minute_ms)
  assert.deepEqual(await inTurn(10, () => few.ask('GET', unknown)), [...repeated(404, 9), 429])
})

test('failed token requests count by client id and address, so that a merchant cannot be locked out from another address', async () => {
  const behind = await openTestService({ SANAD_TRUST_PROXY: 'yes' })
  const key = behind.demo.second_key
  const from = (address: string) => ({ 'x-forwarded-for': address })
  const guess = { client_id: key.client_id, client_secret: 'guess' }
  const thief = from('203.0.113.9')
  assert.deepEqual(await inTurn(10, () => requestToken(behind, guess, thief)), repeated(401, 10))
  behind.clock.advance(500)
  for (let i = 0; i < 3; i++) assertThrottled(await requestToken(behind, guess, thief), 60)

  const upperCase = { ...guess, client_id: guess.client_id.toUpperCase() }
  assertThrottled(await requestToken(behind, upperCase, thief), 60, 'the same id in another case')
  assert.equal((await requestToken(behind, guess, from('198.51.100.7'))).status, 401, 'another address')
  assert.equal((await requestToken(behind, { ...behind.demo, client_secret: 'x' }, thief)).status, 401, 'another id')

  assert.deepEqual(
    await inTurn(11, () => requestToken(behind, key, from('198.51.100.7'))),
    [...repeated(200, 10), 429],
    'the merchant has its ten, as if nothing had happened',
  )
  behind.clock.advance(minute_ms)
  assert.deepEqual(await inTurn(10, () => requestToken(behind, guess, thief)), repeated(401, 10))
  assert.equal((await requestToken(behind, guess, thief)).status, 429)
  assert.equal((await requestToken(behind, key, thief)).status, 200, 'even from that address')
})

test('a client address sent by the caller itself is ignored', async () => {
  const direct = await openTestService()
  const guess = { client_id: direct.demo.second_key.client_id, client_secret: 'guess' }
  const statuses = await inTurn(11, (i) =>
    requestToken(direct, guess, { 'x-forwarded-for': `203.0.113.${i}`, forwarded: `for=203.0.113.${i}` }),
  )
  assert.deepEqual(statuses, [...repeated(401, 10), 429])
})

test('successful token requests count per client id in either case; failures and 405 do not count as such', async () => {
  const own = await openTestService()
  const key = own.demo.second_key
  const upperCase = { ...key, client_id: key.client_id.toUpperCase() }
  assert.deepEqual(await inTurn(5, () => requestToken(own, { ...key, client_secret: 'x' })), repeated(401, 5))
  assert.deepEqual(await inTurn(5, () => own.ask('GET', '/token')), repeated(405, 5))
  assert.deepEqual(await inTurn(5, () => own.ask('POST', '/token', { token: null })), repeated(401, 5))
  assert.deepEqual(await inTurn(5, () => requestToken(own, key)), repeated(200, 5))
  assert.deepEqual(await inTurn(6, () => requestToken(own, upperCase)), [...repeated(200, 5), 429])
})

test('Retry-After is in whole seconds, rounded up, at least 1, and waiting exactly that long is enough', async () => {
  const few = await openTestService({ SANAD_LIMITS: '{"wallets": {"burst": 1}}' })
  const call = () => few.ask('GET', '/wallets/')
  const began = few.clock.now()
  assert.equal((await call()).status, 200)
  for (const [later_ms, seconds] of [
    [0, 60],
    [1, 60],
    [999, 60],
    [1_000, 59],
    [1_001, 59],
    [57_999, 3],
    [58_000, 2],
    [58_001, 2],
  ] as const) {
    few.clock.set(began + later_ms)
    assertThrottled(await call(), seconds, `${later_ms} ms later`)
  }
  for (const later_ms of [59_000, 59_500, 59_999]) {
    few.clock.set(began + later_ms)
    assert.equal((await call()).headers['retry-after'], '1', `${later_ms} ms later`)
  }
  few.clock.set(began + 58_001 + 2_000)
  assert.equal((await call()).status, 200)
})

test('limits can be switched off, for benchmarks', async () => {
  const free = await openTestService({ SANAD_LIMITS: 'off' })
  assert.deepEqual(await inTurn(15, () => requestToken(free, free.demo.second_key)), repeated(200, 15))
  const answers = await atOnce(70, () => free.ask('GET', '/intents/'))
  assert.ok(answers.every(({ status }) => status === 200))
})

test('two nodes share one count, and no call fails when Redis dies', async () => {
  const redis = await RedisServer.start()
  after(() => redis.stop())
  const shared = await openTestService({ REDIS_URL: redis.url, SANAD_LIMITS: '{"intents": {"burst": 7}}' })
  const other = await shared.startNode()
  const bases = [shared.base, `${other.origin}/api/v1/merchant`]
  const key = shared.demo.second_key

  assert.deepEqual(await inTurn(11, (i) => requestToken(shared, key, {}, bases[i % 2])), [...repeated(200, 10), 429])
  for (const base of bases) assertThrottled(await requestToken(shared, key, {}, base), 60)

  const { id } = (await shared.create()).body
  const path = `/intents/${id}/`
  const together = await atOnce(20, (i) => askAt(`${bases[i % 2]}${path}`, 'GET', { token: shared.token }))
  assert.equal(together.filter(({ status }) => status === 200).length, 6, 'one was used by the creation')
  shared.clock.advance(minute_ms)
  const again = await atOnce(20, (i) => askAt(`${bases[i % 2]}${path}`, 'GET', { token: shared.token }))
  assert.equal(again.filter(({ status }) => status === 200).length, 7)
  assert.ok(!shared.lines.some((line) => line.includes('Redis does not answer')), 'Redis counted all of this')

  await redis.kill()
  for (const base of bases) {
    const alone = await askAt(`${base}${path}`, 'GET', { token: shared.token })
    assert.equal(alone.status, 429, 'a node that counts by itself continues with the calls that it knows')
  }
  shared.clock.advance(minute_ms)
  for (const base of bases) assert.equal((await askAt(`${base}${path}`, 'GET', { token: shared.token })).status, 200)
})
