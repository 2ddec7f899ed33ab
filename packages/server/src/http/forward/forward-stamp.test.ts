import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forwardStamps } from './forward-stamp.ts'

const key = new Uint8Array(32).fill(7)
const now = Date.parse('2026-01-02T03:04:05Z')
const cell = forwardStamps(key)

test('a cell with the same master key believes the address, of both versions of IP, and the number of hops', () => {
  const other = forwardStamps(key)
  for (const address of ['203.0.113.7', '2001:db8::7', '::ffff:203.0.113.7'])
    assert.deepEqual(other.read(cell.make({ address, hops: 2 }, now), now + 60_000), { address, hops: 2 })
})

test('an address that was changed, another key, an old stamp and what is no stamp are not believed', () => {
  const stamp = cell.make({ address: '203.0.113.7', hops: 1 }, now)
  const [, , at, mac] = stamp.split(' ')
  for (const made of [
    `198.51.100.7 1 ${at} ${mac}`,
    `203.0.113.7 0 ${at} ${mac}`,
    `203.0.113.7 1 ${Number(at) + 1} ${mac}`,
    `203.0.113.7 1 ${at}`,
    `203.0.113.7 ${at} ${mac}`,
    '1',
    '',
    `${stamp} x`,
  ])
    assert.equal(cell.read(made, now), undefined, made)
  assert.equal(forwardStamps(key.with(0, 1)).read(stamp, now), undefined)
  for (const when of [now + 301_000, now - 301_000]) assert.equal(cell.read(stamp, when), undefined)
  assert.equal(cell.read(cell.make({ address: 'not an address', hops: 1 }, now), now), undefined)
})
