import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadMeter } from './load-meter.ts'

test('the number of requests under way is averaged over the window; each answered request is counted once', () => {
  let now = 0
  const meter = loadMeter(20, () => now)
  meter.began()
  meter.began()
  now = 10
  meter.ended()
  assert.equal(meter.read(), undefined)
  now = 20
  assert.deepEqual(meter.read(), { underWay: 1.5, answered: 1, took_ms: 20 })
  now = 30
  assert.equal(meter.read(), undefined)
  now = 40
  assert.deepEqual(meter.read(), { underWay: 1, answered: 0, took_ms: 20 })
  meter.ended()
  now = 1_040
  assert.deepEqual(meter.read(), { underWay: 0, answered: 1, took_ms: 1_000 })
})
