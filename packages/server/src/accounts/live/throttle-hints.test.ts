import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '../../core/ids.ts'
import { throttleHints } from './throttle-hints.ts'

const [one, two] = ['one', 'two'] as unknown as AccountId[] as [AccountId, AccountId]

test('the first hint is sent at once; a thousand within the interval become one hint without an id', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const sendHint = throttleHints((account, { kind, id }) => void sent.push(`${account} ${kind} ${id}`), 250)
  for (let n = 0; n < 1000; n++) sendHint(one, { kind: 'delivery', id: `d${n}` })
  assert.deepEqual(sent, ['one delivery d0'])
  t.mock.timers.tick(250)
  assert.deepEqual(sent.splice(0), ['one delivery d0', 'one delivery '])
  // Intervals follow each other until one passes without a hint.
  sendHint(one, { kind: 'delivery', id: 'last' })
  t.mock.timers.tick(250)
  assert.deepEqual(sent.splice(0), ['one delivery last'])
  t.mock.timers.tick(250)
  sendHint(one, { kind: 'delivery', id: 'later' })
  assert.deepEqual(sent, ['one delivery later'])
})

test('each account and kind is throttled by itself; two hints for one object keep its id', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const sendHint = throttleHints((account, { kind, id }) => void sent.push(`${account} ${kind} ${id}`), 250)
  sendHint(one, { kind: 'delivery', id: 'a' })
  sendHint(one, { kind: 'webhook', id: 'w' })
  sendHint(two, { kind: 'delivery', id: 'b' })
  sendHint(one, { kind: 'delivery', id: 'c' })
  sendHint(one, { kind: 'delivery', id: 'c' })
  assert.deepEqual(sent.splice(0), ['one delivery a', 'one webhook w', 'two delivery b'])
  t.mock.timers.tick(250)
  assert.deepEqual(sent, ['one delivery c'])
})
