import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movedPauses } from '../../test/support/pure/moved-pauses.ts'
import type { Instant } from '../core/clock.ts'
import { DatabaseUnavailable } from '../postgres/connection/unavailable.ts'
import { type Loop, longestSleep_ms, pauseAfter, runLoops } from './background-loop.ts'

const start = 1_900_000_000_000

/** Loops on a time that the test moves. `runs`: how often each has run. */
const movedLoops = (given: readonly Partial<Loop>[], mayRun: () => boolean = () => true) => {
  const pauses = movedPauses()
  let now = start
  let due: Instant | undefined
  let asked = 0
  const runs = given.map(() => 0)
  const faults: unknown[] = []
  const loops = runLoops({
    loops: given.map((loop, i) => ({
      name: `loop ${i}`,
      every_ms: 1_000,
      ...loop,
      work: async () => {
        runs[i]!++
        return (await loop.work?.()) ?? false
      },
    })),
    clock: { now: () => now },
    nextDue: async () => {
      asked++
      return due
    },
    onFault: (_, fault) => faults.push(fault),
    mayRun,
    pauses,
  })
  return {
    loops,
    runs,
    faults,
    asked: () => asked,
    /** Both the pauses and the service's clock move. */
    async pass(time_ms: number) {
      await pauses.pass(time_ms, loops.settled, (by_ms) => {
        now += by_ms
      })
    },
    jump(by_ms: number) {
      now += by_ms
    },
    setDue(at: Instant | undefined) {
      due = at
    },
    now: () => now,
  }
}

test('the first run of a loop may have its own, shorter pause', async () => {
  const { runs, pass } = movedLoops([{ every_ms: 600_000, first_ms: 1 }, { every_ms: 600_000 }])
  await pass(1_000)
  assert.deepEqual(runs, [1, 0])
})

test('a loop that fails waits longer each time, but runs soon after an unavailable database is back', () => {
  const broken = new Error('a fault of ours')
  assert.deepEqual(
    [0, 1, 2, 6, 100].map((faults) => pauseAfter(1_000, faults, broken)),
    [1_000, 2_000, 4_000, 60_000, 60_000],
  )
  const away = new DatabaseUnavailable('away')
  assert.deepEqual(
    [1, 2, 3, 100].map((faults) => pauseAfter(1_000, faults, away)),
    [2_000, 4_000, 5_000, 5_000],
  )
  // A loop with a long interval does not run more often because it fails.
  assert.equal(pauseAfter(600_000, 3, away), 600_000)
})

test('a loop that may not run does nothing, and runs when it may again, also if it sleeps', async () => {
  let may = false
  const { runs, pass } = movedLoops([{}, { sleeps: true }], () => may)
  await pass(5_000)
  assert.deepEqual(runs, [0, 0])
  may = true
  await pass(1_300)
  assert.deepEqual(runs, [1, 1])
})

test('a loop that does not sleep runs at its pace, a sleeping one only after its longest sleep', async () => {
  const { runs, pass } = movedLoops([{}, { sleeps: true }, { sleeps: true, every_ms: 250 }])
  await pass(4 * longestSleep_ms)
  assert.ok(runs[0]! >= 192, String(runs))
  for (const many of runs.slice(1)) assert.ok(many >= 4 && many <= 6, String(runs))
  assert.ok(longestSleep_ms <= 60_000)
})

test('a loop may have a shorter longest sleep, and wakes no other with it', async () => {
  const { runs, pass } = movedLoops([{ sleeps: true, longest_ms: 15_000 }, { sleeps: true }])
  await pass(58_000)
  assert.ok(runs[0]! >= 4 && runs[0]! <= 5, String(runs))
  assert.equal(runs[1], 1)
})

test('the clock is looked at when something is due, not before and not a second later', async () => {
  const { runs, setDue, loops, now, pass } = movedLoops([{ sleeps: true, every_ms: 50 }])
  await pass(4_000)
  const due = now() + 20_350
  setDue(due)
  loops.changed()
  await pass(2_000)
  const before = runs[0]!
  await pass(due - now() - 50)
  assert.equal(runs[0], before)
  await pass(250)
  assert.ok(runs[0]! > before, String(runs))
})

test('a change wakes sleeping loops within their pause; many changes run them no faster than that', async () => {
  const { runs, loops, pass } = movedLoops([{ sleeps: true }, { sleeps: true, every_ms: 250 }])
  await pass(5_000)
  const before = [...runs]
  loops.changed()
  await pass(1_300)
  assert.deepEqual(
    runs.map((many, i) => many - before[i]!),
    [1, 1],
  )
  for (let n = 0; n < 100; n++) {
    loops.changed()
    await pass(100)
  }
  const [slow, fast] = runs.map((many, i) => many - before[i]!)
  assert.ok(slow! >= 8 && slow! <= 12, String(slow))
  assert.ok(fast! >= 30 && fast! <= 42, String(fast))
})

test('a change during a run is not lost: the loop runs once more', async () => {
  const gate = Promise.withResolvers<void>()
  let blocked = true
  const { runs, loops, pass } = movedLoops([
    {
      sleeps: true,
      work: async () => {
        if (blocked) loops.changed()
        blocked = false
        await gate.promise
        return false
      },
    },
  ])
  gate.resolve()
  await pass(2_600)
  assert.deepEqual(runs, [2])
})

test('what waits for its time is worked on when it is due, and not before', async () => {
  const { runs, setDue, loops, now, pass } = movedLoops([{ sleeps: true }])
  await pass(4_000)
  const due = now() + 9_000
  setDue(due)
  loops.changed()
  await pass(3_000)
  const before = runs[0]!
  await pass(due - now() - 300)
  assert.equal(runs[0], before)
  await pass(1_900)
  assert.ok(runs[0]! > before, String(runs))
})

test('what is overdue and not done is tried at the usual pace', async () => {
  const { runs, setDue, now, pass } = movedLoops([{ sleeps: true }])
  setDue(now() - 1)
  await pass(20_000)
  assert.ok(runs[0]! >= 9 && runs[0]! <= 20, String(runs))
})

test('a clock that jumps wakes sleeping loops', async () => {
  const { runs, jump, pass } = movedLoops([{ sleeps: true }])
  await pass(4_000)
  const before = runs[0]!
  jump(3_600_000)
  await pass(2_000)
  assert.ok(runs[0]! > before, String(runs))
})

test('a loop that has more to do, or that failed, does not sleep', async () => {
  let left = 5
  const { runs, faults, pass } = movedLoops([
    { sleeps: true, work: async () => --left > 0 },
    {
      sleeps: true,
      work: async () => {
        throw new Error('made up')
      },
    },
  ])
  await pass(8_000)
  assert.equal(runs[0], 5)
  assert.ok(runs[1]! >= 2 && faults.length === runs[1], String(runs))
})

test('while nothing changes, it is asked seldom when something is due', async () => {
  const { asked, pass } = movedLoops([{ sleeps: true }])
  await pass(4 * longestSleep_ms)
  assert.ok(asked() >= 3 && asked() <= 10, String(asked()))
})

test('stopping waits for the work under way, and nothing runs afterwards', async () => {
  const { runs, loops, pass } = movedLoops([{ sleeps: true }, {}])
  await pass(3_000)
  await loops.stop()
  const before = [...runs]
  loops.changed()
  await pass(30_000)
  assert.deepEqual(runs, before)
})
