import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { saysLittle, windowsOf, windowsOfAll } from './search-windows.ts'

test('a term of four characters is one window; a shorter term has none', () => {
  assert.deepEqual(windowsOf('4017'), ['4017'])
  for (const short of ['', 'a', 'ab', 'abc', '🧾🧾🧾']) assert.deepEqual(windowsOf(short), [])
  assert.deepEqual(windowsOf('🧾🧾🧾🧾'), ['🧾🧾🧾🧾'])
})

test('the windows of a longer term cover all of it, with as little overlap as possible', () => {
  assert.deepEqual(windowsOf('kqaxv'), ['kqax', 'qaxv'])
  assert.deepEqual(windowsOf('kqaxvm-4'), ['kqax', 'vm-4'])
  assert.deepEqual(windowsOf('kqaxvm-40173'), ['kqax', 'vm-4', '0173'])
  assert.deepEqual(windowsOf('abcdefghijklmnopqrstuvwxyz'), ['abcd', 'efgh', 'hijk', 'lmno', 'pqrs', 'stuv', 'wxyz'])
})

test('eight digits in a row are a window, because too many references share four', () => {
  assert.deepEqual(windowsOf('012345678901'), ['01234567', '45678901'])
  assert.deepEqual(windowsOf('tx-0123456789'), ['01234567', '23456789', 'tx-0'])
  assert.deepEqual(windowsOf('01234567'), ['01234567', '0123', '4567'])
  assert.deepEqual(windowsOf('0123456'), ['0123', '3456'])
  assert.deepEqual(windowsOf('١٢٣٤٥٦٧٨'), ['١٢٣٤', '٥٦٧٨'])
})

test('a full order number is asked for with what is in no other, wherever it stands', () => {
  const serial = (term: string, part: string) =>
    assert.ok(
      windowsOf(term).some((window) => window.includes(part)),
      `${term}: ${windowsOf(term)}`,
    )
  // Between a prefix and a long end, beside the number of a branch, and in the middle of many digits.
  serial('a-0000417-shop-aden-main-branch', '7-sh')
  serial('100000001-00417', '417')
  serial('417/967712345678', '417/')
  serial('967712345678-7-100000001', '-7-')
  serial('20260615000000000004170000000000000000', '417')
})

test('a search of very many windows asks for some of all its terms', () => {
  const terms = Array.from({ length: 32 }, (_, n) => `order-${(n + 1) ** 7}-${String((n + 2) ** 9).slice(0, 7)}`)
  const windows = windowsOfAll(terms)
  assert.equal(windows.length, 72)
  assert.equal(new Set(windows).size, 72)
  assert.equal(windows[0], 'orde')
  assert.deepEqual(windowsOfAll(['4017', '4017', 'b-4017']), ['4017', 'b-40'])
})

test('a window that a term has twice is asked for once', () => {
  assert.deepEqual(windowsOf('000000000000'), ['00000000'])
  assert.deepEqual(windowsOf('00000000'), ['00000000', '0000'])
  assert.deepEqual(windowsOf('121212121212'), ['12121212'])
  assert.deepEqual(windowsOf('a'.repeat(100)), ['aaaa'])
})

test('a term says little if it is too short for a window or has one twice', () => {
  for (const term of [
    '',
    '7',
    'abc',
    '00000',
    '0000000',
    '000000000000',
    '1212121',
    '121212121212',
    'aaaaaaaa',
    'tx000000000',
  ])
    assert.ok(saysLittle(term), term)
  for (const term of ['0000', '00000000', '0000123', '967712345678', 'ord-2026', 'tx00000000', '🧾🧾🧾🧾', 'abcabd'])
    assert.ok(!saysLittle(term), term)
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
        const covered = new Set<number>()
        for (const window of windows) {
          assert.ok(term.includes(window))
          assert.ok(Array.from(window).length === 4 || /^[0-9]{8}$/.test(window))
          for (let at = term.indexOf(window); at !== -1; at = term.indexOf(window, at + 1))
            for (let i = 0; i < window.length; i++) covered.add(at + i)
        }
        if (windows.length > 0) assert.equal(covered.size, term.length, `${term}: ${windows}`)
        assert.ok(windows.length <= Math.ceil(Array.from(term).length / 4) * 2)
      },
    ),
  )
})
