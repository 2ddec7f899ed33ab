import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '../../core/ids.ts'
import { throttleHints } from './throttle-hints.ts'

const [shop, other] = ['shop', 'other'] as unknown as AccountId[] as [AccountId, AccountId]

test('the first hint is sent at once; a thousand within the interval become one hint without an id', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const sendHint = throttleHints((account, { kind, id }) => void sent.push(`${account} ${kind} ${id}`), 250)
  for (let n = 0; n < 1000; n++) sendHint(shop, { kind: 'delivery', id: `d${n}` })
  assert.deepEqual(sent, ['shop delivery d0'])
  t.mock.timers.tick(250)
  assert.deepEqual(sent.splice(0), ['shop delivery d0', 'shop delivery '])
  // Intervals follow each other until one passes without a hint.
  sendHint(shop, { kind: 'delivery', id: 'last' })
  t.mock.timers.tick(250)
  assert.deepEqual(sent.splice(0), ['shop delivery last'])
  t.mock.timers.tick(250)
  sendHint(shop, { kind: 'delivery', id: 'later' })
  assert.deepEqual(sent, ['shop delivery later'])
})

test('each account and kind is throttled by itself; two hints for one object keep its id', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const sent: string[] = []
  const sendHint = throttleHints((account, { kind, id }) => void sent.push(`${account} ${kind} ${id}`), 250)
  sendHint(shop, { kind: 'delivery', id: 'a' })
  sendHint(shop, { kind: 'webhook', id: 'w' })
  sendHint(other, { kind: 'delivery', id: 'b' })
  sendHint(shop, { kind: 'delivery', id: 'c' })
  sendHint(shop, { kind: 'delivery', id: 'c' })
  assert.deepEqual(sent.splice(0), ['shop delivery a', 'shop webhook w', 'other delivery b'])
  t.mock.timers.tick(250)
  assert.deepEqual(sent, ['shop delivery c'])
})
