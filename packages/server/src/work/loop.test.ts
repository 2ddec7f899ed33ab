import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startLoop } from './loop.ts'

const turns = (options: { readonly every_ms: number; readonly first_ms?: number }) => {
  const first = Promise.withResolvers<void>()
  let count = 0
  const loop = startLoop({
    name: 'turns',
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

test('what must not wait for its first turn does not, and then comes as seldom as any', async () => {
  const soon = turns({ every_ms: 600_000, first_ms: 1 })
  const seldom = turns({ every_ms: 600_000 })
  await soon.first
  await Promise.all([soon.loop.stop(), seldom.loop.stop()])
  assert.deepEqual([soon.count(), seldom.count()], [1, 0])
})
