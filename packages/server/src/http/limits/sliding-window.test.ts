/** One window over the calls of one key. Its verdicts are compared with a reference model in memory-limits.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SlidingWindow, spansOf } from './sliding-window.ts'

const exact = { max: 3, window_ms: 1_000, slot_ms: 1 }

test('up to 1,000 calls a day are counted to the millisecond, more of them in slots of a minute', () => {
  const slotOf = (max: number, window_ms = 86_400_000) => {
    const { burst, sustained } = spansOf({ burst: { max: 5_000, window_ms: 60_000 }, sustained: { max, window_ms } })
    assert.equal(burst.slot_ms, 1)
    return sustained.slot_ms
  }
  assert.deepEqual([slotOf(1_000), slotOf(1_001), slotOf(50_000, 1_440), slotOf(50_000, 1_441)], [1, 60_000, 1, 2])
})

test('a new window has no calls, and there is nothing to take back', () => {
  const window = new SlidingWindow(exact)
  assert.deepEqual([window.calls, window.slots, window.opensAt(0)], [0, 0, 0])
  window.takeBack()
  assert.deepEqual([window.calls, window.slots], [0, 0])
})

test('a call that is taken back leaves those before it', () => {
  const window = new SlidingWindow(exact)
  for (const now of [100, 200, 200]) window.add(now)
  assert.equal(window.opensAt(200), 1_100)
  window.takeBack()
  assert.deepEqual([window.calls, window.slots, window.opensAt(200)], [2, 2, 0])
  assert.deepEqual([window.opensAt(1_100), window.calls, window.slots], [0, 1, 1])
  window.takeBack()
  assert.deepEqual([window.calls, window.slots], [0, 0])
})

test('of many calls the newest is taken back, and the others leave the window at their times', () => {
  const window = new SlidingWindow({ ...exact, max: 9 })
  for (const now of [100, 200, 300, 300]) window.add(now)
  window.takeBack()
  assert.deepEqual([window.calls, window.slots], [3, 3])
  window.takeBack()
  assert.deepEqual([window.calls, window.slots], [2, 2])
  const left = [1_099, 1_100, 1_199, 1_200].map((now) => [window.opensAt(now), window.calls])
  assert.deepEqual(left, [
    [0, 2],
    [0, 1],
    [0, 1],
    [0, 0],
  ])
})

test('after all calls have left the window and the clock steps back, a call takes a slot again', () => {
  const window = new SlidingWindow(exact)
  window.add(5_000)
  window.opensAt(6_000)
  assert.equal(window.slots, 0)
  window.add(4_000)
  assert.deepEqual([window.calls, window.slots], [1, 1])
  assert.deepEqual([window.opensAt(5_000), window.calls], [0, 0])
})

test('the memory of a window is at most twice what it needs, however long it is used', () => {
  const window = new SlidingWindow(exact)
  for (let now = 0; now < 100_000; now += 400) {
    assert.equal(window.opensAt(now), 0)
    window.add(now)
    assert.ok(window.capacity <= 4)
  }
  assert.deepEqual([window.slots, window.capacity], [3, 4])
})

test('a window that grows keeps its calls in order', () => {
  const window = new SlidingWindow({ ...exact, max: 9 })
  const times = [0, 100, 1_000, 1_050, 1_060, 1_070, 1_080]
  for (const now of times) {
    window.opensAt(now)
    window.add(now)
  }
  const left = [1_099, 1_100, 2_000, 2_050, 2_060, 2_070, 2_080].map((now) => {
    window.opensAt(now)
    return window.calls
  })
  assert.deepEqual(left, [6, 5, 4, 3, 2, 1, 0])
})
