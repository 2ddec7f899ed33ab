import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWholeNumber } from './whole-number.ts'

test('a page number may be written in any script, with spaces and a sign', () => {
  for (const two of ['2', ' 2 ', '+2', '02', '0_2', '٢', '２', '2\n']) assert.equal(readWholeNumber(two), 2)
  assert.equal(readWholeNumber('-1'), -1)
  assert.equal(Object.is(readWholeNumber('-0'), 0), true)
})

test('a text that is no whole number is refused', () => {
  for (const none of ['', ' ', '1.0', '2_', 'abc', '1e0', '²', 'last', '\0', '9'.repeat(5000)]) {
    assert.equal(readWholeNumber(none), undefined)
  }
})

test('a number that is too large to be exact stays too large', () => {
  assert.equal(readWholeNumber('9'.repeat(400)), Number.MAX_SAFE_INTEGER)
  assert.equal(readWholeNumber(`-${'9'.repeat(400)}`), Number.MIN_SAFE_INTEGER)
})
