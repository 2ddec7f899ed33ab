/** A self-test counts a message within its window, and no other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSelfTest, selfTestState } from './self-test.ts'

const nothing = { alertAt: null, lastSeenAt: null }

test('a message within the window is the test, also when it is looked at later', () => {
  const window = { since: 100, until: 200 }
  for (const alertAt of [100, 199])
    for (const now of [150, 5_000]) assert.equal(selfTestState(window, { ...nothing, alertAt }, now), 'arrived')
})

test('without a message it waits, tells of a sign of life, and ends', () => {
  const window = { since: 100, until: 200 }
  assert.equal(selfTestState(window, { ...nothing, lastSeenAt: 99 }, 199), 'waiting')
  assert.equal(selfTestState(window, { ...nothing, lastSeenAt: 100 }, 199), 'heard')
  assert.equal(selfTestState(window, { ...nothing, lastSeenAt: 100 }, 200), 'ended')
  assert.equal(selfTestState(window, { alertAt: 200, lastSeenAt: 200 }, 200), 'ended', 'a message after the end')
})

test('a test that the caller keeps by itself has no end', () => {
  const kept = { since: 100, until: null }
  assert.equal(selfTestState(kept, nothing, 1e12), 'waiting')
  assert.equal(selfTestState(kept, { ...nothing, alertAt: 1e12 }, 1e12), 'arrived')
})

test('a window is open from its beginning to before its end', () => {
  const window = { at: 100, until: 200 }
  const isOpen = (now: number) => openSelfTest(window, now) !== undefined
  assert.deepEqual([99, 100, 199, 200].map(isOpen), [false, true, true, false])
  assert.equal(openSelfTest(null, 150), undefined)
})
