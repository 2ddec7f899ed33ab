import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '../../core/ids.ts'
import { throttleHints } from './throttle-hints.ts'

const [one, two] = ['one', 'two'] as unknown as AccountId[] as [AccountId, AccountId]

test('the first hint passes at once; a thousand in the next moment are one hint without an id', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const told: string[] = []
  const tell = throttleHints((account, { kind, id }) => void told.push(`${account} ${kind} ${id}`), 250)
  for (let n = 0; n < 1000; n++) tell(one, { kind: 'delivery', id: `d${n}` })
  assert.deepEqual(told, ['one delivery d0'])
  t.mock.timers.tick(250)
  assert.deepEqual(told.splice(0), ['one delivery d0', 'one delivery '])
  // One moment follows another until one passes without a hint.
  tell(one, { kind: 'delivery', id: 'last' })
  t.mock.timers.tick(250)
  assert.deepEqual(told.splice(0), ['one delivery last'])
  t.mock.timers.tick(250)
  tell(one, { kind: 'delivery', id: 'later' })
  assert.deepEqual(told, ['one delivery later'])
})

test('accounts and kinds do not wait for each other, and one object twice keeps its id', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const told: string[] = []
  const tell = throttleHints((account, { kind, id }) => void told.push(`${account} ${kind} ${id}`), 250)
  tell(one, { kind: 'delivery', id: 'a' })
  tell(one, { kind: 'webhook', id: 'w' })
  tell(two, { kind: 'delivery', id: 'b' })
  tell(one, { kind: 'delivery', id: 'c' })
  tell(one, { kind: 'delivery', id: 'c' })
  assert.deepEqual(told.splice(0), ['one delivery a', 'one webhook w', 'two delivery b'])
  t.mock.timers.tick(250)
  assert.deepEqual(told, ['one delivery c'])
})
