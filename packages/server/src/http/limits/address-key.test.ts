import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressKey } from './address-key.ts'

test('an address of IPv4 stands for itself, also when it is written as one of IPv6', () => {
  assert.equal(addressKey('203.0.113.7'), '203.0.113.7')
  assert.equal(addressKey('::ffff:203.0.113.7'), '203.0.113.7')
})

test('all addresses of one /64 are one guesser, and those of the next are another', () => {
  const one = addressKey('2001:db8:1:2:aaaa::1')
  assert.equal(addressKey('2001:db8:1:2::ffff'), one)
  assert.equal(addressKey('2001:0DB8:0001:0002:0:0:0:9'), one)
  assert.equal(addressKey('2001:db8:1:2:3:4:5:6'), one)
  assert.notEqual(addressKey('2001:db8:1:3::1'), one)
  assert.equal(addressKey('2001:db8::1'), '2001:db8:0:0::/64')
  assert.equal(addressKey('::1'), '0:0:0:0::/64')
  assert.equal(addressKey('fe80::1%eth0'), 'fe80:0:0:0::/64')
})

test('what is no address is a key of bounded length', () => {
  assert.equal(addressKey('x'.repeat(1000)).length, 64)
})
