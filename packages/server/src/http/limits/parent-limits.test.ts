import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { batchCounter } from './count-batches.ts'
import { MemoryLimits } from './memory-limits.ts'
import { type LimitBatch, parentLimits } from './parent-limits.ts'
import type { Rule, Verdict } from './rule.ts'

const rule = (burst: number, sustained = burst * 10): Rule => ({
  burst: { max: burst, window_ms: 1_000 },
  sustained: { max: sustained, window_ms: 60_000 },
})

/** Processes with one parent. Messages arrive later, as they do between processes. */
const machine = (count: number) => {
  const counter = batchCounter()
  const batches: LimitBatch[] = []
  const processes = Array.from({ length: count }, () => {
    const countBatch = counter()
    const limits = parentLimits({
      send: (batch) => {
        // What passes between processes is text.
        const received = JSON.parse(JSON.stringify(batch)) as LimitBatch
        batches.push(received)
        setImmediate(() => limits.answered(countBatch(received)))
      },
    })
    return limits
  })
  return { processes, batches }
}

const allowed = (verdicts: readonly Verdict[]): number => verdicts.filter((one) => one.allowed).length

test('of calls at several processes at once exactly as many are accepted as the limit says', async () => {
  const { processes } = machine(3)
  const limit = rule(20)
  const verdicts = await Promise.all(
    Array.from({ length: 90 }, (_, n) => processes[n % 3]!.take('intents', 'merchant', limit, 5_000)),
  )
  assert.equal(allowed(verdicts), 20)
  assert.ok(verdicts.every((one) => one.allowed || one.retryAfterS === 1))
})

test('the verdicts are those of one process that gets the same calls', async () => {
  const call = fc.record({ process: fc.nat(1), key: fc.nat(2), later_ms: fc.nat(400), back: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 60 }), async (calls) => {
      const { processes } = machine(2)
      const alone = new MemoryLimits()
      const limit = rule(3, 7)
      let now = 1_000
      for (const { process, key, later_ms, back } of calls) {
        now += later_ms
        const expected = alone.take('b', `${key}`, limit, now)
        assert.deepEqual(await processes[process]!.take('b', `${key}`, limit, now), expected)
        if (!back || !expected.allowed) continue
        alone.giveBack('b', `${key}`, limit, now)
        processes[process]!.giveBack('b', `${key}`, limit, now)
        // Calls of a process are counted in their order: after this one, the call was given back.
        await processes[process]!.take('other', 'k', rule(1_000_000), now)
      }
    }),
    { numRuns: 30 },
  )
})

test('calls that come while a batch is under way are sent together', async () => {
  const { processes, batches } = machine(1)
  const limit = rule(1_000)
  const first = processes[0]!.take('b', 'k', limit, 0)
  await nextTurn()
  const others = Array.from({ length: 50 }, () => processes[0]!.take('b', 'k', limit, 0))
  await Promise.all([first, ...others])
  assert.deepEqual(
    batches.map(({ calls }) => calls.length / 4),
    [1, 50],
  )
})

test('a bucket is described once, and another rule of the same bucket counts by itself', async () => {
  const { processes, batches } = machine(2)
  await processes[0]!.take('b', 'k', rule(1), 0)
  assert.equal((await processes[0]!.take('b', 'k', rule(1), 0)).allowed, false)
  assert.deepEqual(
    batches.map(({ buckets }) => buckets.length),
    [1, 0],
  )
  // As a process of a new version with a higher limit.
  assert.equal((await processes[1]!.take('b', 'k', rule(2), 0)).allowed, true)
})

test('while the parent does not answer every call is refused for a second, and none waits longer than the timeout', async () => {
  const sent: LimitBatch[] = []
  const limits = parentLimits({ send: (batch) => void sent.push(batch), timeout_ms: 20 })
  const refused: Verdict = { allowed: false, retryAfterS: 1 }
  assert.deepEqual(await limits.take('b', 'k', rule(5), 0), refused)
  assert.deepEqual(limits.take('b', 'k', rule(5), 0), refused, 'at once')
  // The late answer ends it. Its call was counted, though it was refused.
  const counter = batchCounter()()
  limits.answered(counter(sent[0]!))
  const verdicts = Promise.all(Array.from({ length: 5 }, () => limits.take('b', 'k', rule(5), 0)))
  while (sent.length < 2) await nextTurn()
  limits.answered(counter(sent[1]!))
  assert.equal(allowed(await verdicts), 4)
})

test('no more calls wait than the bound', async () => {
  const limits = parentLimits({ send: () => {}, most: 3 })
  const taken = Array.from({ length: 5 }, () => limits.take('b', 'k', rule(5), 0))
  assert.deepEqual(
    taken.map((one) => one instanceof Promise),
    [true, true, true, false, false],
  )
  await limits.close()
  assert.equal(allowed(await Promise.all(taken)), 0)
})
