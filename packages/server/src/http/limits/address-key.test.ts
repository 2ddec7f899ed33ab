import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addressKey } from './address-key.ts'

test('the key of an IPv4 address is the address itself, also if it is written as IPv6', () => {
  assert.equal(addressKey('203.0.113.7'), '203.0.113.7')
  for (const mapped of [
    '::ffff:203.0.113.7',
    '::FFFF:203.0.113.7',
    '::ffff:cb00:7107',
    '0:0:0:0:0:ffff:203.0.113.7',
    '0000:0000:0000:0000:0000:ffff:cb00:7107',
  ])
    assert.equal(addressKey(mapped), '203.0.113.7')
  // A translated address (NAT64) is not a mapped one, although it ends in an IPv4 address.
  assert.equal(addressKey('64:ff9b::203.0.113.7'), '64:ff9b:0:0::/64')
})

test('all spellings of an IPv6 address, and all addresses of its /64, have one key', () => {
  const group = fc.integer({ min: 0, max: 0xffff })
  fc.assert(
    fc.property(
      fc.array(group, { minLength: 4, maxLength: 4 }),
      fc.array(group, { minLength: 8, maxLength: 8 }),
      (net, ends) => {
        fc.pre(net.some((part) => part !== 0))
        const written = (end: readonly number[], pad: number) =>
          [...net, ...end].map((part) => part.toString(16).padStart(pad, '0')).join(':')
        const key = addressKey(written(ends.slice(0, 4), 0))
        assert.equal(addressKey(written(ends.slice(4), 4).toUpperCase()), key)
        assert.equal(addressKey(new URL(`http://[${written(ends.slice(0, 4), 4)}]/`).hostname.slice(1, -1)), key)
      },
    ),
  )
})

test('addresses of one /64 have one key, and addresses of the next /64 another', () => {
  const key = addressKey('2001:db8:1:2:aaaa::1')
  assert.equal(addressKey('2001:db8:1:2::ffff'), key)
  assert.equal(addressKey('2001:0DB8:0001:0002:0:0:0:9'), key)
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), key)
  assert.notEqual(addressKey('2001:db8:1:3::1'), key)
  assert.equal(addressKey('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(addressKey('::1'), '0:0:0:0::/64')
  assert.equal(addressKey('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

test('a text that is no address gives a key of bounded length', () => {
  assert.equal(addressKey('x'.repeat(1000)).length, 64)
})

test('each number of a mapped IPv4 address counts, and the groups after :: are at the end', () => {
  assert.equal(addressKey('::ffff:10.20.30.40'), '10.20.30.40')
  assert.equal(addressKey('2001::1:2:3:4:5:6'), '2001:0:1:2::/64')
  assert.equal(addressKey('::3:4:5:6:7:8'), '0:0:3:4::/64')
})
