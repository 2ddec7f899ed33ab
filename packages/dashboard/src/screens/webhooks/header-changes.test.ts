import assert from 'node:assert/strict'
import { test } from 'node:test'
import { duplicateName, headerChanges, rowsOf, withEmptyRow } from './header-changes.ts'

const before = ['X-Shop-Key', 'X-Branch']

test('untouched headers and empty rows are not sent', () => {
  assert.equal(headerChanges(before, rowsOf(before)), undefined)
  assert.equal(headerChanges([], withEmptyRow([])), undefined)
})

test('a new value sets a header, a removed row removes it, the others stay', () => {
  const [key, branch] = rowsOf(before)
  const added = { ...withEmptyRow([key!, branch!])[2]!, name: ' X-New ', value: 'one' }
  assert.deepEqual(headerChanges(before, [{ ...key!, value: 'two' }, added]), {
    'X-Branch': null,
    'X-Shop-Key': 'two',
    'X-New': 'one',
  })
})

test('a header that was removed and added again, in any case, is set', () => {
  const anew = { key: 7, name: 'x-shop-key', value: '', existing: false }
  assert.deepEqual(headerChanges(['X-Shop-Key'], [anew]), { 'x-shop-key': '' })
})

test('a duplicate name is found in any case; empty rows are ignored', () => {
  const rows = withEmptyRow(withEmptyRow(rowsOf(before)))
  assert.equal(duplicateName(rows), undefined)
  assert.equal(duplicateName(rows.with(3, { ...rows[3]!, name: ' x-branch ' })), 'x-branch')
})

test('every row has a unique key, also after a removal', () => {
  const [, branch] = rowsOf(before)
  const keys = withEmptyRow(withEmptyRow([branch!])).map(({ key }) => key)
  assert.equal(new Set(keys).size, 3)
})
