import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { windowsOf } from './search-windows.ts'

test('a term of four characters is one window; a shorter term has none', () => {
  assert.deepEqual(windowsOf('4017'), ['4017'])
  for (const short of ['', 'a', 'ab', 'abc', '🧾🧾🧾']) assert.deepEqual(windowsOf(short), [])
  assert.deepEqual(windowsOf('🧾🧾🧾🧾'), ['🧾🧾🧾🧾'])
})

test('the windows of a longer term cover both its ends, with as little overlap as possible', () => {
  assert.deepEqual(windowsOf('kqaxv'), ['kqax', 'qaxv'])
  assert.deepEqual(windowsOf('kqaxvm-4'), ['kqax', 'vm-4'])
  assert.deepEqual(windowsOf('kqaxvm-40173'), ['kqax', 'vm-4', '0173'])
  assert.deepEqual(windowsOf('abcdefghijklmnopqrstuvwxyz'), ['abcd', 'hijk', 'pqrs', 'wxyz'])
})

test('eight digits in a row are a window, because too many references share four', () => {
  assert.deepEqual(windowsOf('012345678901'), ['01234567', '45678901'])
  assert.deepEqual(windowsOf('tx-0123456789'), ['01234567', '23456789'])
  assert.deepEqual(windowsOf('01234567'), ['01234567', '0123', '4567'])
  assert.deepEqual(windowsOf('0123456'), ['0123', '3456'])
  assert.deepEqual(windowsOf('١٢٣٤٥٦٧٨'), ['١٢٣٤', '٥٦٧٨'])
})

test('a text that contains a term contains all windows of the term', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.oneof(fc.constantFrom(...'0123456789'), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
        maxLength: 200,
      }),
      (term) => {
        const windows = windowsOf(term)
        assert.equal(windows.length > 0, Array.from(term).length >= 4)
        assert.ok(windows.length <= 5)
        for (const window of windows) {
          assert.ok(term.includes(window))
          assert.ok(Array.from(window).length === 4 || /^[0-9]{8}$/.test(window))
        }
      },
    ),
  )
})
