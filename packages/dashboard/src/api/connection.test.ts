import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Connection, isUnavailable, pauseBefore, step } from './connection.ts'

const down: Connection = { kind: 'down', tries: 0, lastAnswerAt: 5 }

test('a call without an answer means that there is no connection; any answer means that it is back', () => {
  assert.deepEqual(step({ kind: 'up' }, { kind: 'unreachable', lastAnswerAt: 5 }), down)
  assert.deepEqual(step(down, { kind: 'answered' }), { kind: 'up' })
})

test('further failures keep the time of the last answer; each failed check is counted', () => {
  assert.equal(step(down, { kind: 'unreachable', lastAnswerAt: 9 }), down)
  assert.deepEqual(step(down, { kind: 'check_failed' }), { ...down, tries: 1 })
  const connected: Connection = { kind: 'up' }
  assert.equal(step(connected, { kind: 'check_failed' }), connected)
})

test('the pauses grow to half a minute and never beyond', () => {
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5, 6, 1000].map(pauseBefore),
    [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000],
  )
})

test('no answer, and the answers of a proxy without its server, count as unreachable; a refusal or a fault does not', () => {
  for (const status of [0, 502, 503, 504]) assert.ok(isUnavailable(status), String(status))
  for (const status of [200, 304, 400, 401, 403, 404, 429, 500, 501, 505])
    assert.ok(!isUnavailable(status), String(status))
})
