import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerChanges, rowsOf, twiceIn, withOneMore } from './header-changes.ts'

const before = ['X-Shop-Key', 'X-Branch']

test('headers that nobody touched are not named, and neither is an empty line', () => {
  assert.equal(headerChanges(before, rowsOf(before)), undefined)
  assert.equal(headerChanges([], withOneMore([])), undefined)
})

test('a new value sets, a line that was taken away removes, the rest stays', () => {
  const [key, branch] = rowsOf(before)
  const added = { ...withOneMore([key!, branch!])[2]!, name: ' X-New ', value: 'one' }
  assert.deepEqual(headerChanges(before, [{ ...key!, value: 'two' }, added]), {
    'X-Branch': null,
    'X-Shop-Key': 'two',
    'X-New': 'one',
  })
})

test('one that was taken away and written anew, however it is spelled, is set and not removed', () => {
  const anew = { key: 7, name: 'x-shop-key', value: '', existing: false }
  assert.deepEqual(headerChanges(['X-Shop-Key'], [anew]), { 'x-shop-key': '' })
})

test('a name that stands there twice is found, however it is spelled; empty lines are none', () => {
  const rows = withOneMore(withOneMore(rowsOf(before)))
  assert.equal(twiceIn(rows), undefined)
  assert.equal(twiceIn(rows.with(3, { ...rows[3]!, name: ' x-branch ' })), 'x-branch')
})

test('a line has a key of its own, whatever was taken away before', () => {
  const [, branch] = rowsOf(before)
  const keys = withOneMore(withOneMore([branch!])).map(({ key }) => key)
  assert.equal(new Set(keys).size, 3)
})
