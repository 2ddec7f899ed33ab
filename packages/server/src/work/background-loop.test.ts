import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseUnavailable } from '../postgres/connection/unavailable.ts'
import { pauseAfter, startLoop } from './background-loop.ts'

const countingLoop = (options: { readonly every_ms: number; readonly first_ms?: number }) => {
  const first = Promise.withResolvers<void>()
  let count = 0
  const loop = startLoop({
    name: 'counting',
    ...options,
    work: async () => {
      count++
      first.resolve()
      return false
    },
    onFault: (_, fault) => first.reject(fault),
  })
  return { loop, first: first.promise, count: () => count }
}

test('the first run of a loop may have its own, shorter pause', async () => {
  const soon = countingLoop({ every_ms: 600_000, first_ms: 1 })
  const seldom = countingLoop({ every_ms: 600_000 })
  await soon.first
  await Promise.all([soon.loop.stop(), seldom.loop.stop()])
  assert.deepEqual([soon.count(), seldom.count()], [1, 0])
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

test('a loop that may not run does nothing, and runs when it may again', async () => {
  let may = false
  let asked = 0
  let runs = 0
  const ran = Promise.withResolvers<void>()
  const refusedTwice = Promise.withResolvers<void>()
  const loop = startLoop({
    name: 'guarded',
    every_ms: 1,
    work: async () => {
      runs++
      ran.resolve()
      return false
    },
    onFault: (_, fault) => ran.reject(fault),
    mayRun: async () => {
      if (++asked === 2) refusedTwice.resolve()
      return may
    },
  })
  await refusedTwice.promise
  assert.equal(runs, 0)
  may = true
  await ran.promise
  await loop.stop()
})
