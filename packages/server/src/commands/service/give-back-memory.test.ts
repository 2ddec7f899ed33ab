import assert from 'node:assert/strict'
import { test } from 'node:test'
import { giveBackMemory, look_ms } from './give-back-memory.ts'

test('memory is given back once, as soon as the process was quiet between two looks', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const uses = [0.9, 0.05, 0.01, 0.01]
  let collected = 0
  giveBackMemory(
    () => collected++,
    () => uses.shift()!,
  )
  t.mock.timers.tick(look_ms - 1)
  assert.equal(uses.length, 4, 'not asked yet')
  t.mock.timers.tick(1)
  t.mock.timers.tick(look_ms)
  assert.equal(collected, 0)
  t.mock.timers.tick(look_ms)
  assert.equal(collected, 1)
  t.mock.timers.tick(10 * look_ms)
  assert.equal(collected, 1)
  assert.equal(uses.length, 1)
})

test('what nothing refers to is collected, and the process offers no gc afterwards', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const reference = new WeakRef({ made: 'up' })
  giveBackMemory(undefined, () => 0)
  // A reference holds its object until this turn of the event loop ends.
  await new Promise(setImmediate)
  t.mock.timers.tick(look_ms)
  assert.equal(reference.deref(), undefined)
  assert.equal('gc' in globalThis, false)
})
