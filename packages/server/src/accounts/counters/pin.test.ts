import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTrivialPin, pinDigits } from './pin.ts'

test('a PIN is six digits, typed in Latin, Arabic or Persian digits', () => {
  assert.equal(pinDigits('482915'), '482915')
  assert.equal(pinDigits('٤٨٢٩١٥'), '482915')
  assert.equal(pinDigits('۴۸۲۹۱۵'), '482915')
  assert.equal(pinDigits('٤٨2٩١5'), '482915')
})

test('anything but exactly six digits is no PIN', () => {
  for (const typed of [
    '',
    '48291',
    '4829156',
    ' 482915',
    '482915 ',
    '48291a',
    '४८२९१५',
    '4829.5',
    '+48291',
    '482915\n',
  ])
    assert.equal(pinDigits(typed), undefined, JSON.stringify(typed))
})

test('a PIN that many people would choose is refused', () => {
  const trivial = [
    ...['000000', '111111', '999999', '121212', '123123', '123456', '654321', '012345', '987654', '456789', '890123'],
    ...['321098', '112233', '111222', '123321', '147258', '789456'],
  ]
  for (const pin of trivial) assert.equal(isTrivialPin(pin), true, pin)
})

test('an ordinary PIN is accepted, and fewer than one in a hundred is refused', () => {
  for (const pin of ['482915', '730164', '100200', '123457', '135790']) assert.equal(isTrivialPin(pin), false, pin)
  let refused = 0
  for (let n = 0; n < 1_000_000; n++) if (isTrivialPin(String(n).padStart(6, '0'))) refused++
  assert.ok(refused < 10_000, String(refused))
})
