import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCells } from './cells.ts'

const b = { url: 'https://b.example', database_url: 'postgresql://sanad:hunter2@b.example/sanad' }
const errorOf = (value: unknown): string => {
  const read = readCells(typeof value === 'string' ? value : JSON.stringify(value))
  assert.ok(!read.ok)
  return read.error
}

test('a cell has an origin and a database; without the setting there is none', () => {
  const read = readCells(JSON.stringify({ b: { ...b, url: 'https://b.example/' } }))
  assert.ok(read.ok)
  assert.deepEqual([...read.cells.values()], [{ name: 'b', origin: 'https://b.example', databaseUrl: b.database_url }])
  const none = readCells(undefined)
  assert.ok(none.ok && none.cells.size === 0)
})

test('what is wrong is said, and no error repeats the password', () => {
  const faults: readonly (readonly [unknown, RegExp])[] = [
    ['{', /no JSON object/],
    [[], /no JSON object/],
    [{ 'B c': b }, /the name "B c"/],
    [{ b: 1 }, /no object for "b"/],
    [{ b: { ...b, weight: 1 } }, /"weight" for "b"/],
    [{ b: { ...b, url: 'http://b.example' } }, /no https origin/],
    [{ b: { ...b, url: 'https://b.example/pay' } }, /no https origin/],
    [{ b: { ...b, url: 'https://someone@b.example' } }, /no https origin/],
    [{ b: { url: b.url } }, /no database_url for "b"/],
    [{ b: { ...b, database_url: 'mysql://sanad:hunter2@b.example/sanad' } }, /no database_url for "b"/],
    [Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`c${n}`, b])), /100 are the most/],
  ]
  for (const [value, error] of faults) {
    assert.match(errorOf(value), error)
    assert.doesNotMatch(errorOf(value), /hunter2/)
  }
})

test('plain http is for a cell on this machine alone', () => {
  for (const url of ['http://127.0.0.1:8081', 'http://[::1]:8081', 'http://localhost:8081'])
    assert.ok(readCells(JSON.stringify({ b: { ...b, url } })).ok, url)
})
