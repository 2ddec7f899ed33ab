import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCidr } from '../../core/cidr.ts'
import type { WalletId } from '../../core/ids.ts'
import { allowsAddress, isLooser, noLimits } from './key-limits.ts'

test('a key without ranges may be used from everywhere; one with ranges from these addresses only', () => {
  assert.ok(allowsAddress(null)('203.0.113.7'))
  const allows = allowsAddress(['203.0.113.0/24', '2001:db8::/32'])
  for (const address of ['203.0.113.1', '::ffff:203.0.113.1', '2001:db8::9']) assert.ok(allows(address), address)
  for (const address of ['203.0.114.1', '127.0.0.1', '2001:db9::', '', 'unknown']) assert.ok(!allows(address), address)
})

test('a range of IPv4 addresses that is written in IPv6 is that range', () => {
  for (const [text, meant] of [
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:cb00:7107', '203.0.113.7/32'],
    ['::FFFF:0:0/96', '0.0.0.0/0'],
  ] as const) {
    const read = readCidr(text)
    assert.equal(typeof read === 'string' ? read : read.text, meant)
  }
  const allows = allowsAddress(['::ffff:203.0.113.0/120'])
  for (const address of ['203.0.113.9', '::ffff:203.0.113.9', '::ffff:cb00:7109']) assert.ok(allows(address), address)
  for (const address of ['203.0.114.9', '::ffff:203.0.114.9', '::cb00:7109']) assert.ok(!allows(address), address)
  assert.ok(!allowsAddress(['::ffff:0:0/95'])('2001:db8::1'))
})

test('limits are looser if they allow something that was refused', () => {
  const [one, two] = ['1', '2'] as unknown as [WalletId, WalletId]
  const limited = { ...noLimits, readOnly: true, wallets: [one], addresses: ['10.0.0.0/8'] }
  assert.ok(!isLooser(noLimits, limited))
  assert.ok(!isLooser(limited, limited))
  assert.ok(isLooser(limited, { ...limited, readOnly: false }))
  assert.ok(isLooser(limited, { ...limited, wallets: null }))
  assert.ok(isLooser(limited, { ...limited, wallets: [one, two] }))
  assert.ok(isLooser(limited, { ...limited, addresses: ['10.0.0.0/8', '11.0.0.0/8'] }))
  assert.ok(!isLooser({ ...limited, wallets: [one, two] }, limited))
})
