/** Keys are found on Latin and Arabic layouts, and a pair of keys opens a screen only if its second key follows soon. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PressedKey, pair_ms, press, shortcuts, signOf } from './shortcut.ts'

const pressed = (key: string, code: string, more: Partial<PressedKey> = {}): PressedKey => ({
  key,
  code,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

test('a key is known by its sign, and on an Arabic layout by its place', () => {
  assert.equal(signOf(pressed('g', 'KeyG')), 'g')
  assert.equal(signOf(pressed('ل', 'KeyG')), 'g')
  assert.equal(signOf(pressed('ى', 'KeyN')), 'n')
  assert.equal(signOf(pressed('/', 'Slash')), '/')
  assert.equal(signOf(pressed('ظ', 'Slash')), '/')
  assert.equal(signOf(pressed('?', 'Slash', { shiftKey: true })), '?')
  assert.equal(signOf(pressed('؟', 'Slash', { shiftKey: true })), '?')
  // A French layout has `?` elsewhere, and `q` at the place of `a`.
  assert.equal(signOf(pressed('?', 'KeyM', { shiftKey: true })), '?')
  assert.equal(signOf(pressed('q', 'KeyA')), 'q')
})

test('a key with a modifier, a capital letter and a named key are no keys of the dashboard', () => {
  for (const modifier of ['ctrlKey', 'metaKey', 'altKey'] as const)
    assert.equal(signOf(pressed('n', 'KeyN', { [modifier]: true })), undefined)
  assert.equal(signOf(pressed('N', 'KeyN', { shiftKey: true })), undefined)
  assert.equal(signOf(pressed('لآ', 'KeyB')), undefined)
  assert.equal(signOf(pressed('Enter', 'Enter')), undefined)
  assert.equal(signOf(pressed(';', 'KeyG')), undefined)
})

test('the second key of a pair opens its screen if it follows in time, and is nothing alone', () => {
  const { begun } = press('g', undefined, 1000)
  assert.deepEqual(begun, { key: 'g', at: 1000 })
  assert.equal(press('i', begun, 1000 + pair_ms).open, '/intents')
  assert.equal(press('i', begun, 1001 + pair_ms).open, undefined)
  assert.equal(press('i', undefined, 1000).open, undefined)
  assert.equal(press('x', begun, 1001).begun, undefined)
  // `g g` begins nothing again, so `g g t` opens nothing.
  assert.equal(press('t', press('g', begun, 1001).begun, 1002).open, undefined)
  assert.equal(press('n', begun, 1001).open, undefined)
  assert.equal(press('n', undefined, 1000).open, '/counter/new')
  assert.equal(press('?', begun, 1001).list, true)
})

test('no two screens have the same keys', () => {
  assert.equal(new Set(shortcuts.map(({ keys }) => keys.join(' '))).size, shortcuts.length)
})
