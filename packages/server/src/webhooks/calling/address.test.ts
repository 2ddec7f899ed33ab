import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { RANGES } from '../../../test/webhooks/private-addresses.ts'
import { rangesContain, readCidrs } from '../../core/cidr.ts'
import { judgeAddress, whyRefused } from './address.ts'

test('every special range is special from its first address to its last, and not beyond', () => {
  for (const [range, first, last, before, after] of RANGES) {
    for (const inside of [first, last]) assert.ok(judgeAddress(inside).special, `${inside} of ${range}`)
    for (const outside of [before, after])
      if (outside !== null) assert.deepEqual(judgeAddress(outside), { special: false }, `${outside} beside ${range}`)
  }
})

test('the result for a special address has the reason', () => {
  const reasons: Readonly<Record<string, string>> = {
    '127.0.0.1': 'the machine itself',
    '::1': 'the machine itself',
    '168.63.129.16': 'the platform of a cloud',
    '169.254.169.254': 'link-local, where clouds keep their metadata',
    '255.255.255.255': 'broadcast',
    '254.255.255.255': 'reserved',
    '239.1.1.1': 'multicast',
    '::': 'no address',
    '64:ff9b:1::1': 'a translator of the local network',
    '64:ff9b:1:ffff:ffff:ffff:ffff:ffff': 'a translator of the local network',
    '64:ff9b:2::': 'reserved',
    '100::1': 'discarded',
    '100:0:0:1::1': 'a dummy',
    '200::1': 'unassigned',
    '5eff:ffff::': 'unassigned',
    '5f00::': 'segment routing',
    '5f01::': 'unassigned',
    'fbff:ffff::': 'unassigned',
    'fc00::': 'a private network',
    'fd00:ec2::254': 'a private network',
    'fdff:ffff::': 'a private network',
    'fe00::': 'unassigned',
    'fe80::': 'link-local',
    'febf:ffff::': 'link-local',
    'fec0::': 'a private network',
    'feff:ffff::': 'a private network',
    'ff00::': 'multicast',
    'ff02::1': 'multicast',
    'fe80::1%eth0': 'bound to one network interface',
    '2606:4700::1111%eth0': 'bound to one network interface',
    '': 'not an IP address',
    localhost: 'not an IP address',
    '127.1': 'not an IP address',
    '0177.0.0.1': 'not an IP address',
  }
  for (const [address, why] of Object.entries(reasons))
    assert.deepEqual(judgeAddress(address), { special: true, why }, address)
})

test('an IPv4 address in IPv6 form is judged as IPv4', () => {
  for (const [address, special] of [
    ['::ffff:127.0.0.1', true],
    ['::ffff:7f00:1', true],
    ['0:0:0:0:0:ffff:a9fe:a9fe', true],
    ['::FFFF:10.1.2.3', true],
    ['::ffff:8.8.8.8', false],
    ['64:ff9b::10.0.0.1', true],
    ['64:ff9b::a9fe:a9fe', true],
    ['64:ff9b::808:808', false],
    // These forms no longer reach IPv4: special, whatever address they contain.
    ['::8.8.8.8', true],
    ['::ffff:0:8.8.8.8', true],
    ['2002:808:808::1', true],
  ] as const)
    assert.equal(judgeAddress(address).special, special, address)
})

test('one address in two notations is judged the same', () => {
  const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  fc.assert(
    fc.property(groups, (all) => {
      const long = all.map((group) => group.toString(16).padStart(4, '0')).join(':')
      const short = new URL(`http://[${long}]`).hostname.slice(1, -1)
      const dotted = `${long.slice(0, 29)}:${[all[6]! >> 8, all[6]! & 255, all[7]! >> 8, all[7]! & 255].join('.')}`
      assert.deepEqual(judgeAddress(short), judgeAddress(long))
      assert.deepEqual(judgeAddress(dotted), judgeAddress(long))
    }),
  )
})

/** An address as a number, to check the result by arithmetic. */
const numberOf = (address: string): bigint => {
  if (!address.includes(':')) return address.split('.').reduce((value, byte) => (value << 8n) | BigInt(byte), 0n)
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'))
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array<string>(tail === undefined ? 0 : 8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n)
}
const inRanges = (address: string): boolean =>
  RANGES.filter(([range]) => range.includes(':') === address.includes(':')).some(
    ([, first, last]) => numberOf(first) <= numberOf(address) && numberOf(address) <= numberOf(last),
  )

test('an address is special exactly if it is between the first and the last address of a special range', () => {
  const edges = RANGES.flatMap(([, ...all]) => all).filter((one) => one?.includes('.')) as string[]
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.constantFrom(...edges)), (address) => {
      assert.equal(judgeAddress(address).special, inRanges(address) || address === '168.63.129.16')
      assert.deepEqual(judgeAddress(`::ffff:${address}`), judgeAddress(address), 'IPv4-mapped')
      assert.deepEqual(judgeAddress(`64:ff9b::${address}`), judgeAddress(address), 'NAT64')
    }),
    { numRuns: 1000 },
  )
  fc.assert(
    fc.property(fc.nat(0xffff), fc.nat(0xffff), fc.nat(0xffff), (a, b, c) => {
      const address = `${(a | 0x2000).toString(16)}:${b.toString(16)}:${c.toString(16)}::1`
      assert.equal(judgeAddress(address).special, inRanges(address))
    }),
    { numRuns: 1000 },
  )
})

test('a range is allowed exactly from its first address to its last, with any number of bits', () => {
  const groups = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })
  const v6 = groups.map((all) => all.map((group) => group.toString(16)).join(':'))
  const check = (address: string, other: string, bits: number, most: number) => {
    const read = readCidrs(`${address}/${bits}`)
    const range = read.ok ? `${address}/${bits}` : /write ([^,]+),/.exec(read.error)![1]!
    const rest = BigInt(most - bits)
    const isFirst = (numberOf(address) >> rest) << rest === numberOf(address)
    assert.equal(read.ok, isFirst)
    const allowed = rangesContain(cidrs(range))
    assert.ok(allowed(address))
    assert.equal(allowed(other), numberOf(address) >> rest === numberOf(other) >> rest)
  }
  fc.assert(fc.property(fc.ipV4(), fc.ipV4(), fc.nat(32), (one, other, bits) => check(one, other, bits, 32)))
  fc.assert(fc.property(v6, v6, fc.nat(128), (one, other, bits) => check(one, other, bits, 128)))
  fc.assert(fc.property(v6, fc.nat(128), (one, bits) => check(one, one.replace(/\w+$/, '7'), bits, 128)))
})

test('no text makes the checks throw', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4Extended(), fc.stringMatching(/^[0-9a-f:.%/]*$/)), (text) => {
      judgeAddress(text)
      readCidrs(text)
      assert.equal(typeof rangesContain([])(text), 'boolean')
    }),
  )
})

const cidrs = (text: string) => {
  const read = readCidrs(text)
  assert.ok(read.ok)
  return read.list
}

test('addresses of the ranges that an operator allows are accepted, and no others', () => {
  const allow = cidrs('127.0.0.0/8, ::1/128,10.1.2.3,')
  assert.deepEqual(
    allow.map((one) => one.text),
    ['127.0.0.0/8', '::1/128', '10.1.2.3/32'],
  )
  for (const address of ['127.0.0.1', '127.255.255.255', '::1', '10.1.2.3', '::ffff:127.0.0.1', '8.8.8.8'])
    assert.equal(whyRefused(address, allow), null, address)
  for (const address of ['10.1.2.2', '10.1.2.4', '::2', '169.254.169.254', '64:ff9b::127.0.0.1', '::1%lo', 'localhost'])
    assert.notEqual(whyRefused(address, allow), null, address)
  assert.equal(whyRefused('64:ff9b::127.0.0.1', cidrs('64:ff9b::/96')), null)
  assert.equal(whyRefused('fd00::1', cidrs('::/0')), null)
  assert.notEqual(whyRefused('10.0.0.1', cidrs('::/0')), null)
})

test('an empty list allows nothing', () => {
  assert.deepEqual(readCidrs(''), { ok: true, list: [] })
  assert.deepEqual(readCidrs(' , '), { ok: true, list: [] })
})

test('an invalid range is refused with a sentence that says what to write instead', () => {
  const errors: Readonly<Record<string, RegExp>> = {
    loopback: /"loopback" does not begin with an IP address/,
    '127.0.0.0/8,nonsense/8': /"nonsense\/8"/,
    '127.0.0.1/8': /range 127\.0\.0\.0\/8: write 127\.0\.0\.0\/8, or 127\.0\.0\.1\/32/,
    'fd00::1/8': /range fd00::\/8: write fd00::\/8, or fd00::1\/128/,
    '10.0.0.0/33': /more than 32 bits/,
    '::/129': /more than 128 bits/,
    '10.0.0.0/': /number of bits/,
    '10.0.0.0/8/8': /number of bits/,
    '10.0.0.0/-1': /number of bits/,
    'fe80::1%eth0/64': /does not begin with an IP address/,
    '10/8': /does not begin with an IP address/,
  }
  for (const [text, error] of Object.entries(errors)) {
    const read = readCidrs(text)
    assert.ok(!read.ok, text)
    assert.match(read.error, error)
  }
})
