/** Rate limits counted in Redis: they equal the reference model, all nodes share them, and they still hold when Redis fails. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { createClient } from 'redis'
import { RedisLimits } from '../../src/http/limits/redis-limits.ts'
import { DEFAULT_RULES, type Rule, type Verdict } from '../../src/http/limits/rule.ts'
import { type Call, fullest, ReferenceLimits } from '../support/pure/reference-limits.ts'
import { runs } from '../support/runs.ts'
import { RedisServer } from '../support/servers/redis-server.ts'

const NINE = Date.UTC(2025, 0, 15, 9)
const THREE_A_MINUTE: Rule = { burst: { max: 3, window_ms: 60_000 }, sustained: { max: 100, window_ms: 86_400_000 } }

let redis: RedisServer
before(async () => {
  redis = await RedisServer.start()
})
after(() => redis.stop())

let keys = 0
/** A key that no other test uses, because all tests share one Redis. */
const freshKey = () => `key-${++keys}`

/** Records the log lines, and lets a test wait for a line. */
class Log {
  readonly lines: string[] = []
  #waiting: { text: string; wake: () => void }[] = []
  info = (_facts: object, text: string) => this.#write(text)
  warn = (_facts: object, text: string) => this.#write(text)

  #write(text: string): void {
    this.lines.push(text)
    for (const { wake } of this.#waiting.filter((waiter) => text.includes(waiter.text))) wake()
  }

  waitFor(text: string): Promise<void> {
    return new Promise((wake) => this.#waiting.push({ text, wake }))
  }
}

/** The timeout is long, so that a busy machine is not mistaken for a Redis that does not answer. */
const open = (log: Log, timeout_ms = 10_000) => RedisLimits.open({ url: redis.url, log, timeout_ms })

const windows = (most_ms: number) => fc.oneof(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: most_ms }))
const rules = fc.record({
  burst: fc.record({ max: fc.integer({ min: 1, max: 6 }), window_ms: windows(4000) }),
  sustained: fc.record({ max: fc.integer({ min: 1, max: 12 }), window_ms: windows(12_000) }),
})
const gaps = (min: number) =>
  fc.array(fc.oneof({ weight: 3, arbitrary: fc.integer({ min, max: 40 }) }, fc.integer({ min, max: 3000 })), {
    maxLength: 60,
  })

/** Makes calls in order, `steps` milliseconds apart, alternately through the nodes. */
const callAll = async (nodes: readonly RedisLimits[], key: string, rule: Rule, steps: readonly number[]) => {
  let now = NINE
  const pending = steps.map(async (step, i): Promise<Call> => {
    now += step
    const at = now
    return { now: at, verdict: await nodes[i % nodes.length]!.take('b', key, rule, at) }
  })
  return Promise.all(pending)
}

test('no window holds more accepted calls than its limit, and every result equals that of the reference model', async (t) => {
  const log = new Log()
  const limits = await open(log)
  t.after(() => limits.close())
  await fc.assert(
    fc.asyncProperty(rules, gaps(0), async (rule, steps) => {
      const calls = await callAll([limits], freshKey(), rule, steps)
      const model = new ReferenceLimits(rule)
      for (const { now, verdict } of calls) assert.deepEqual(verdict, model.take(now))
      assert.ok(fullest(calls, rule.burst) <= rule.burst.max)
      assert.ok(fullest(calls, rule.sustained) <= rule.sustained.max)
    }),
    { numRuns: runs(100, 25) },
  )
  await fc.assert(
    fc.asyncProperty(rules, gaps(-1500), async (rule, steps) => {
      const model = new ReferenceLimits(rule)
      for (const { now, verdict } of await callAll([limits], freshKey(), rule, steps)) {
        assert.deepEqual(verdict, model.take(now))
      }
    }),
    { numRuns: runs(100, 25) },
  )
  assert.equal(log.lines.length, 1, 'Redis counted all calls')
})

test('a large limit is counted in slots, as the reference model does', async (t) => {
  const limits = await open(new Log())
  t.after(() => limits.close())
  const rule: Rule = { burst: { max: 500, window_ms: 50 }, sustained: { max: 1001, window_ms: 144_000 } }
  // Many calls fill the window, then single calls until slots of 100 ms have left it, then many calls again.
  const crowd = (step: number, calls: number) => [step, ...Array<number>(calls - 1).fill(0)]
  const filled = [...crowd(37, 400), ...crowd(1017, 400), ...crowd(63, 205)]
  const steps = [...filled, ...Array<number>(60).fill(2403), ...crowd(33, 20), 7, 50, 3]
  const calls = await callAll([limits], freshKey(), rule, steps)
  const model = new ReferenceLimits(rule)
  for (const { now, verdict } of calls) assert.deepEqual(verdict, model.take(now))
  assert.ok(calls.some(({ verdict }) => !verdict.allowed))
  assert.equal(fullest(calls, rule.sustained), 1001)
})

test('two nodes on one Redis share one count', async (t) => {
  const nodes = [await open(new Log()), await open(new Log())]
  t.after(() => Promise.all(nodes.map((node) => node.close())))
  const calls = await callAll(nodes, freshKey(), DEFAULT_RULES.intents, Array<number>(600).fill(1))
  assert.equal(calls.filter(({ verdict }) => verdict.allowed).length, 240)
})

test('calls of two nodes with different clocks never exceed the limit', async (t) => {
  const [ahead, behind] = [await open(new Log()), await open(new Log())]
  t.after(() => Promise.all([ahead.close(), behind.close()]))
  const key = freshKey()
  for (let i = 0; i < 3; i += 1) {
    assert.equal((await ahead.take('b', key, THREE_A_MINUTE, NINE + 5000)).allowed, true)
  }
  assert.deepEqual(await behind.take('b', key, THREE_A_MINUTE, NINE), { allowed: false, retryAfterS: 65 })
  assert.deepEqual(await behind.take('b', key, THREE_A_MINUTE, NINE + 65_000), { allowed: true })
})

test('when the operator changes a limit, earlier calls still count', async (t) => {
  const limits = await open(new Log())
  t.after(() => limits.close())
  const rule = (sustained: number): Rule => ({
    burst: { max: 50, window_ms: 1000 },
    sustained: { max: sustained, window_ms: 86_400_000 },
  })
  const key = freshKey()
  for (let second = 1; second <= 10; second += 1) await limits.take('b', key, rule(10), NINE + second * 1000)
  // All but max - 1 of the ten calls must leave the window first. Call n was made n seconds after nine.
  for (let max = 1; max <= 10; max += 1) {
    const retryAfterS = 86_400 + (10 - (max - 1)) - 10
    assert.deepEqual(await limits.take('b', key, rule(max), NINE + 10_000), { allowed: false, retryAfterS })
  }
  // A call whose clock was set back leaves the window together with the newest call before it.
  const back = freshKey()
  await limits.take('b', back, rule(10), NINE + 1000)
  await limits.take('b', back, rule(10), NINE)
  const refused = { allowed: false, retryAfterS: 86_400 }
  assert.deepEqual(await limits.take('b', back, rule(1), NINE + 1000), refused)
  // With a limit above 1,000 the day is counted in slots; the ten exact calls still count.
  const answers = Array.from({ length: 1001 }, (_, i) => limits.take('b', key, rule(1001), NINE + 20_000 + i * 20))
  assert.equal((await Promise.all(answers)).filter(({ allowed }) => allowed).length, 991)
})

test('while a limit is raised node by node, a node with a slow clock still counts', async (t) => {
  const limits = await open(new Log())
  t.after(() => limits.close())
  const burst = { max: 2, window_ms: 1000 }
  const low: Rule = { burst, sustained: { max: 1, window_ms: 86_400_000 } }
  const high: Rule = { burst, sustained: { max: 10, window_ms: 86_400_000 } }
  const key = freshKey()
  assert.equal((await limits.take('b', key, low, NINE)).allowed, true)
  assert.equal((await limits.take('b', key, low, NINE + 5000)).allowed, false)
  for (const allowed of [true, true, false]) {
    assert.equal((await limits.take('b', key, high, NINE - 100)).allowed, allowed)
  }
})

test('keys in Redis have the prefix of Sanad, are in one cluster slot, and expire', async (t) => {
  const limits = await open(new Log())
  const client = createClient({ url: redis.url })
  await client.connect()
  t.after(async () => {
    await limits.close()
    client.destroy()
  })
  const key = freshKey()
  await limits.take('token', key, DEFAULT_RULES.token, NINE)
  const names = await client.keys(`sanad:limit:{token:${key}}:*`)
  assert.equal(names.length, 2)
  for (const name of names) {
    const ttl_ms = await client.pTTL(name)
    assert.ok(ttl_ms > 0 && ttl_ms <= 86_400_000 + 120_000, `${name} ends in ${ttl_ms} ms`)
  }
})

test('a refused call does not change the count in Redis', async (t) => {
  const limits = await open(new Log())
  const client = createClient({ url: redis.url })
  await client.connect()
  t.after(async () => {
    await limits.close()
    client.destroy()
  })
  const key = freshKey()
  const stored = () =>
    Promise.all(['burst', 'sustained'].map((name) => client.lRange(`sanad:limit:{b:${key}}:${name}`, 0, -1)))
  for (let i = 0; i < 3; i += 1) await limits.take('b', key, THREE_A_MINUTE, NINE + i)
  const before = await stored()
  assert.equal(before[0]?.length, 4, 'three calls, and the start of the window')
  assert.equal((await limits.take('b', key, THREE_A_MINUTE, NINE + 10)).allowed, false)
  assert.deepEqual(await stored(), before)
})

test('a call that is given back is not counted, and a call that was not counted cannot be given back', async (t) => {
  const limits = await open(new Log())
  t.after(() => limits.close())
  const key = freshKey()
  await limits.giveBack('b', key, THREE_A_MINUTE, NINE)
  const take = async (now: number) => (await limits.take('b', key, THREE_A_MINUTE, now)).allowed
  for (let i = 0; i < 10; i++) {
    assert.equal(await take(NINE + i), true)
    await limits.giveBack('b', key, THREE_A_MINUTE, NINE + i)
  }
  for (let i = 0; i < 3; i++) assert.equal(await take(NINE + 20), true)
  assert.equal(await take(NINE + 20), false)
  await limits.giveBack('b', key, THREE_A_MINUTE, NINE + 20)
  assert.equal(await take(NINE + 20), true)
  assert.equal(await take(NINE + 20), false)
})

test('the script is loaded again when Redis has lost it', async (t) => {
  const log = new Log()
  const limits = await open(log)
  const client = createClient({ url: redis.url })
  await client.connect()
  t.after(async () => {
    await limits.close()
    client.destroy()
  })
  const key = freshKey()
  for (let i = 0; i < 3; i += 1) await limits.take('b', key, THREE_A_MINUTE, NINE)
  await client.scriptFlush()
  assert.equal((await limits.take('b', key, THREE_A_MINUTE, NINE)).allowed, false)
  assert.equal(log.lines.length, 1)
})

test('Redis is killed: calls are counted on the node; Redis is back: calls are counted there again', async (t) => {
  const log = new Log()
  const limits = await open(log)
  t.after(() => limits.close())
  const key = freshKey()
  assert.equal((await limits.take('b', key, THREE_A_MINUTE, NINE)).allowed, true)

  const inFlight = Array.from({ length: 50 }, () => limits.take('b', key, THREE_A_MINUTE, NINE))
  await redis.kill()
  await Promise.all(inFlight)
  const other = freshKey()
  const calls = []
  for (let i = 0; i < 10; i += 1) calls.push(await limits.take('b', other, THREE_A_MINUTE, NINE + i))
  assert.equal(calls.filter(({ allowed }) => allowed).length, 3)
  assert.deepEqual(
    log.lines.map((text) => text.split(':')[0]),
    ['Redis answers', 'Redis does not answer'],
  )

  const back = log.waitFor('Redis answers')
  await redis.up()
  await back
  // Redis comes back empty. The calls that this node accepted still count, and Redis counts new calls.
  assert.equal((await limits.take('b', other, THREE_A_MINUTE, NINE + 20)).allowed, false)
  const node = await open(new Log())
  t.after(() => node.close())
  const shared = freshKey()
  for (const [limiter, allowed] of [
    [limits, true],
    [node, true],
    [limits, true],
    [node, false],
  ] as const)
    assert.equal((await limiter.take('b', shared, THREE_A_MINUTE, NINE + 20)).allowed, allowed)
  assert.equal(log.lines.length, 3)
})

const SIXTY_A_MINUTE: Rule = { burst: { max: 60, window_ms: 60_000 }, sustained: { max: 500, window_ms: 86_400_000 } }
const acceptedOf = (verdicts: readonly Verdict[]) => verdicts.filter(({ allowed }) => allowed).length

/** Blocks the event loop, as a long garbage collection or a busy machine does. */
const block = (ms: number): void => {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('a node that is paused for longer than its timeout still counts in Redis, every call', async (t) => {
  const log = new Log()
  const [limits, other] = [await open(log, 50), await open(new Log())]
  t.after(() => Promise.all([limits.close(), other.close()]))
  const key = freshKey()
  const verdicts: Verdict[] = []
  for (let round = 0; round < 8; round++) {
    const pending = Array.from({ length: 10 }, () => limits.take('b', key, SIXTY_A_MINUTE, NINE + round))
    // In turns: before the requests are sent, and while their answers arrive.
    if (round % 2 === 1) await new Promise((next) => setImmediate(next))
    block(150)
    verdicts.push(...(await Promise.all(pending)))
  }
  assert.equal(acceptedOf(verdicts), 60)
  assert.equal((await other.take('b', key, SIXTY_A_MINUTE, NINE + 9)).allowed, false)
  assert.equal(log.lines.length, 1, 'Redis counted all the time')
})

test('Redis is killed within a window: a node still counts the calls that it had accepted', async (t) => {
  const limits = await open(new Log())
  t.after(() => limits.close())
  t.after(() => redis.up())
  const key = freshKey()
  const before = await Promise.all(Array.from({ length: 40 }, () => limits.take('b', key, SIXTY_A_MINUTE, NINE)))
  await redis.kill()
  const after = []
  for (let i = 0; i < 40; i++) after.push(await limits.take('b', key, SIXTY_A_MINUTE, NINE + 1 + i))
  assert.deepEqual([acceptedOf(before), acceptedOf(after)], [40, 20])
  // When the first forty calls have left the window, forty more are accepted.
  const later = []
  for (let i = 0; i < 50; i++) later.push(await limits.take('b', key, SIXTY_A_MINUTE, NINE + 60_000))
  assert.equal(acceptedOf(later), 40)
})

test('after Redis is killed, a node still refuses a caller that Redis had refused, for as long as Redis had said', async (t) => {
  const [busy, idle] = [await open(new Log()), await open(new Log())]
  t.after(() => Promise.all([busy.close(), idle.close()]))
  t.after(() => redis.up())
  const key = freshKey()
  for (let i = 0; i < 3; i++) await busy.take('b', key, THREE_A_MINUTE, NINE)
  assert.deepEqual(await idle.take('b', key, THREE_A_MINUTE, NINE + 1000), { allowed: false, retryAfterS: 59 })
  await redis.kill()
  assert.deepEqual(await idle.take('b', key, THREE_A_MINUTE, NINE + 2000), { allowed: false, retryAfterS: 58 })
  assert.deepEqual(await busy.take('b', key, THREE_A_MINUTE, NINE + 2000), { allowed: false, retryAfterS: 58 })
  assert.equal((await idle.take('b', key, THREE_A_MINUTE, NINE + 60_000)).allowed, true)
})

test('one node never accepts more calls in a window than the limit, whatever happens to Redis', async (t) => {
  const limits = await open(new Log(), 50)
  t.after(() => limits.close())
  const key = freshKey()
  const calls: Call[] = []
  let now = NINE
  const callTimes = async (count: number) => {
    for (let i = 0; i < count; i++) {
      now += 700
      calls.push({ now, verdict: await limits.take('b', key, SIXTY_A_MINUTE, now) })
    }
  }
  for (let round = 0; round < 3; round++) {
    await callTimes(30)
    redis.freeze()
    await callTimes(10)
    redis.thaw()
    await callTimes(20)
    await redis.kill()
    await callTimes(20)
    await redis.up()
    await callTimes(30)
  }
  assert.ok(fullest(calls, SIXTY_A_MINUTE.burst) <= 60)
  assert.ok(calls.some(({ verdict }) => !verdict.allowed))
})

test('a Redis that hangs costs one timeout, not one for each call, and is used again when it answers', async (t) => {
  const log = new Log()
  const limits = await open(log, 100)
  t.after(() => limits.close())
  const key = freshKey()
  redis.freeze()
  t.after(() => redis.thaw())
  // All five are sent before the first times out. The next call does not wait.
  const first = await Promise.all(Array.from({ length: 5 }, () => limits.take('b', key, THREE_A_MINUTE, NINE)))
  assert.equal(first.filter(({ allowed }) => allowed).length, 3)
  assert.equal((await limits.take('b', key, THREE_A_MINUTE, NINE)).allowed, false)
  assert.equal(log.lines.filter((text) => text.startsWith('Redis does not answer')).length, 1)

  redis.thaw()
  let back = false
  const returned = log.waitFor('Redis answers').then(() => {
    back = true
  })
  // Only a call makes the node try Redis again.
  while (!back) {
    await limits.take('b', freshKey(), THREE_A_MINUTE, NINE)
    await new Promise((next) => setImmediate(next))
  }
  await returned
})

test('the service starts without Redis, logs it once, and uses Redis when it is there', async (t) => {
  await redis.kill()
  const log = new Log()
  const back = log.waitFor('Redis answers')
  const limits = await open(log, 200)
  t.after(() => limits.close())
  const key = freshKey()
  for (const allowed of [true, true, true, false]) {
    assert.equal((await limits.take('b', key, THREE_A_MINUTE, NINE)).allowed, allowed)
  }
  assert.deepEqual(
    log.lines.map((text) => text.split(':')[0]),
    ['Redis does not answer'],
  )
  await redis.up()
  await back
})

test('closing works with calls in flight, and twice', async () => {
  const log = new Log()
  const limits = await open(log)
  const key = freshKey()
  const inFlight = Array.from({ length: 5 }, () => limits.take('b', key, THREE_A_MINUTE, NINE))
  await limits.close()
  await limits.close()
  assert.equal((await Promise.all(inFlight)).length, 5)
  assert.equal((await limits.take('b', freshKey(), THREE_A_MINUTE, NINE)).allowed, true)
  assert.equal(log.lines.length, 1)
})

test('an invalid Redis address is refused at once', async () => {
  await assert.rejects(RedisLimits.open({ url: 'http://localhost', log: new Log() }), TypeError)
})
