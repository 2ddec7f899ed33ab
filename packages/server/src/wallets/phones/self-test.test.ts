/** A self-test counts a message within its window, and no other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSelfTest, selfTestState } from './self-test.ts'

const nothing = { alertAt: null, lastSeenAt: null }

test('a message within the window passes the test, also when the state is read later', () => {
  const window = { since: 100, until: 200 }
  for (const alertAt of [100, 199])
    for (const now of [150, 5_000]) assert.equal(selfTestState(window, { ...nothing, alertAt }, now), 'arrived')
})

test('without a message the test is waiting, then heard after a sign of life, and ended after its window', () => {
  const window = { since: 100, until: 200 }
  assert.equal(selfTestState(window, { ...nothing, lastSeenAt: 99 }, 199), 'waiting')
  assert.equal(selfTestState(window, { ...nothing, lastSeenAt: 100 }, 199), 'heard')
  assert.equal(selfTestState(window, { ...nothing, lastSeenAt: 100 }, 200), 'ended')
  assert.equal(selfTestState(window, { alertAt: 200, lastSeenAt: 200 }, 200), 'ended', 'a message after the end')
})

test('a test whose beginning the caller remembers has no end', () => {
  const endless = { since: 100, until: null }
  assert.equal(selfTestState(endless, nothing, 1e12), 'waiting')
  assert.equal(selfTestState(endless, { ...nothing, alertAt: 1e12 }, 1e12), 'arrived')
})

test('a window is open from its beginning to before its end', () => {
  const window = { at: 100, until: 200 }
  const isOpen = (now: number) => openSelfTest(window, now) !== undefined
  assert.deepEqual([99, 100, 199, 200].map(isOpen), [false, true, true, false])
  assert.equal(openSelfTest(null, 150), undefined)
})
