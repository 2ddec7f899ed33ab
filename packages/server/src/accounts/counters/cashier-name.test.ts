import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readsAsSomebodyElse } from './cashier-name.ts'

test('a cashier cannot be called as another member, a key or the service', () => {
  const names = [
    'Amal <amal@shop.example>',
    '<amal>',
    'clock',
    'Alert',
    'checkout',
    'The operator',
    'key 0123',
    'Sanad ',
    'cl\u200bock',
    '\u200fkey 0123',
  ]
  for (const name of names) assert.equal(readsAsSomebodyElse(name), true, name)
})

test('ordinary names are accepted', () => {
  for (const name of ['أمل', 'Amal', 'Keyan', 'Alert Saleh', 'صالح 2'])
    assert.equal(readsAsSomebodyElse(name), false, name)
})
