import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { privateHosts, privateNames } from '../../../test/webhooks/private-addresses.ts'
import { readCidrs } from '../../core/cidr.ts'
import { judgeAddress } from './address.ts'
import { type GuardOptions, guardUrl, literalOf, type Resolve, resolveGuarded, URL_LENGTH } from './guard-url.ts'

const cidrs = (text: string) => {
  const read = readCidrs(text)
  assert.ok(read.ok)
  return read.list
}
const strict: GuardOptions = { development: false, allow: [] }
const loopbackAllowed = { development: true, allow: cidrs('127.0.0.0/8,::1/128') }

const refused = (text: string, options = strict): string => {
  const guarded = guardUrl(text, options)
  return guarded.ok ? `accepted as ${guarded.url.href}` : guarded.code
}
const accepted = (text: string, options: Parameters<typeof guardUrl>[1] = strict): string => {
  const guarded = guardUrl(text, options)
  return guarded.ok ? guarded.url.href : guarded.code
}

test('a public https address is accepted, in its normal form', () => {
  assert.equal(accepted('https://shop.example.com/hooks?shop=7'), 'https://shop.example.com/hooks?shop=7')
  assert.equal(accepted('HTTPS://Shop.Example.com'), 'https://shop.example.com/')
  assert.equal(accepted('https://shop.example.com.:8443/x'), 'https://shop.example.com:8443/x')
  assert.equal(accepted('https://shop.example.com:443/'), 'https://shop.example.com/')
  assert.equal(accepted('https://متجر.example/خطاف'), 'https://xn--pgbep1f.example/%D8%AE%D8%B7%D8%A7%D9%81')
  assert.equal(accepted('https://8.8.8.8/'), 'https://8.8.8.8/')
  assert.equal(accepted('https://[2606:4700::1111]/'), 'https://[2606:4700::1111]/')
})

test('every invalid URL is refused with its own code', () => {
  for (const [text, code] of [
    ['', 'url_malformed'],
    ['shop.example.com', 'url_malformed'],
    ['https://', 'url_malformed'],
    ['https://shop.example.com/a b', 'url_malformed'],
    ['https://shop.exa\nmple.com/', 'url_malformed'],
    [' https://shop.example.com/', 'url_malformed'],
    ['https://shop.example.com:99999/', 'url_malformed'],
    [`https://shop.example.com/${'a'.repeat(URL_LENGTH)}`, 'url_too_long'],
    [`https://shop.example.com/${'س'.repeat(500)}`, 'url_too_long'],
    ['http://shop.example.com/', 'url_not_https'],
    ['ftp://shop.example.com/', 'url_not_https'],
    ['file:///etc/passwd', 'url_not_https'],
    ['javascript:alert(1)', 'url_not_https'],
    ['https://me@shop.example.com/', 'url_user_info'],
    ['https://me:secret@shop.example.com/', 'url_user_info'],
    ['https://:secret@shop.example.com/', 'url_user_info'],
    ['https://shop.example.com/#part', 'url_fragment'],
    ['https://shop.example.com/#', 'url_fragment'],
    ['https://shop.example.com:0/', 'url_port'],
    ['https://shop.example.com:22/', 'url_port'],
    ['https://shop.example.com:25/', 'url_port'],
    ['https://shop..example.com/', 'url_host'],
    ['https://./', 'url_host'],
    ['https://shop.example.com../', 'url_host'],
    ['https://sh!op.example.com/', 'url_host'],
    [`https://${'a'.repeat(64)}.example.com/`, 'url_host'],
  ] as const)
    assert.equal(refused(text), code, text)
})

test('a refusal has a code and a sentence', () => {
  const guarded = guardUrl('https://10.0.0.1/', strict)
  assert.deepEqual(guarded, {
    ok: false,
    code: 'url_not_public',
    detail: '10.0.0.1 is not an address on the public internet (a private network).',
  })
})

test('an internal address is refused in every notation', () => {
  for (const host of privateHosts) assert.equal(refused(`https://${host}/`), 'url_not_public', host)
})

test('names of internal networks are refused', () => {
  for (const name of privateNames) assert.equal(refused(`https://${name}/`), 'url_not_public', name)
  assert.equal(accepted('https://local.example.com/'), 'https://local.example.com/')
  assert.equal(accepted('https://notlocalhost.com/'), 'https://notlocalhost.com/')
})

test('addresses that the operator allows are accepted; development mode alone allows none', () => {
  assert.equal(accepted('http://localhost:3000/hook', loopbackAllowed), 'http://localhost:3000/hook')
  assert.equal(accepted('http://127.1:81/', loopbackAllowed), 'http://127.0.0.1:81/')
  assert.equal(accepted('http://receiver:3000/', loopbackAllowed), 'http://receiver:3000/')
  assert.equal(refused('http://metadata.google.internal/', loopbackAllowed), 'url_not_public')
  assert.equal(refused('http://10.0.0.1/', loopbackAllowed), 'url_not_public')
  assert.equal(refused('http://localhost/', { development: true, allow: [] }), 'url_not_public')
  assert.equal(refused('http://localhost/', { development: false, allow: loopbackAllowed.allow }), 'url_not_https')
  assert.equal(refused('https://localhost/', { development: false, allow: cidrs('10.0.0.0/8') }), 'url_not_public')
  assert.equal(
    accepted('https://db.internal/', { development: false, allow: cidrs('10.0.0.0/8') }),
    'https://db.internal/',
  )
})

test('no text makes the guard throw, and no internal address is accepted', () => {
  const host = fc.oneof(
    fc.ipV4Extended(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.domain(),
    fc.string({ unit: 'grapheme' }),
    fc.nat(0xffffffff).map(String),
    fc.nat(0xffffffff).map((n) => `0x${n.toString(16)}`),
    fc.tuple(fc.nat(0xff), fc.nat(0xffffff)).map(([a, b]) => `0${a.toString(8)}.${b}`),
  )
  const url = fc
    .tuple(fc.constantFrom('https://', 'http://', 'https:', 'ftp://', ''), host, fc.webPath())
    .map((all) => all.join(''))
  fc.assert(
    fc.property(
      fc.oneof(url, fc.webUrl(), fc.string(), fc.string({ unit: 'binary' })),
      fc.boolean(),
      (text, development) => {
        const guarded = guardUrl(text, { development, allow: [] })
        if (!guarded.ok) return assert.match(guarded.detail, /\.$/)
        assert.ok(guarded.url.protocol === 'https:' || development)
        assert.equal(accepted(guarded.url.href, { development, allow: [] }), guarded.url.href, 'the normal form stays')
        const literal = literalOf(guarded.url.hostname)
        if (literal !== undefined) assert.equal(judgeAddress(literal).special, false, text)
      },
    ),
    { numRuns: 1000 },
  )
})

const answering =
  (...addresses: string[]): Resolve =>
  () =>
    Promise.resolve(addresses.map((address) => ({ address })))
const failing =
  (code: string): Resolve =>
  () =>
    Promise.reject(Object.assign(new Error(code), { code }))

test('all addresses of a public name are returned, so that the connection can be pinned to them', async () => {
  const resolution = await resolveGuarded('shop.example.com', {
    resolve: answering('8.8.8.8', '2606:4700::1111'),
    allow: [],
  })
  assert.deepEqual(resolution, {
    ok: true,
    addresses: [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ],
  })
})

test('one internal address among public ones is enough to refuse the name', async () => {
  for (const internal of [
    '127.0.0.1',
    '10.0.0.1',
    '::1',
    '::ffff:10.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1%eth0',
    'rubbish',
  ]) {
    for (const all of [[internal], [internal, '8.8.8.8'], ['8.8.8.8', '1.1.1.1', internal]]) {
      const resolution = await resolveGuarded('shop.example.com', { resolve: answering(...all), allow: [] })
      assert.ok(!resolution.ok)
      assert.equal(resolution.code, 'not_public')
      assert.equal(resolution.address, internal)
      // The user who typed the name does not see the internal address.
      assert.ok(!resolution.detail.includes(internal), resolution.detail)
    }
  }
})

test('an address is checked without DNS', async () => {
  const resolve: Resolve = () => assert.fail('DNS was queried')
  for (const hostname of ['127.0.0.1', '[::1]', '::1']) {
    const resolution = await resolveGuarded(hostname, { resolve, allow: [] })
    assert.ok(!resolution.ok && resolution.code === 'not_public')
  }
  assert.deepEqual(await resolveGuarded('127.0.0.1', { resolve, allow: cidrs('127.0.0.1') }), {
    ok: true,
    addresses: [{ address: '127.0.0.1', family: 4 }],
  })
})

test('a name that cannot be resolved is refused with a sentence, and nothing throws', async () => {
  const errorOf = async (resolve: Resolve) => {
    const resolution = await resolveGuarded('shop.example.com', { resolve, allow: [], timeout_ms: 20 })
    return resolution.ok ? 'resolution' : [resolution.code, resolution.detail]
  }
  assert.deepEqual(await errorOf(failing('ENOTFOUND')), ['dns', 'There is no such host as shop.example.com.'])
  assert.deepEqual(await errorOf(failing('EAI_AGAIN')), [
    'dns',
    'The name shop.example.com could not be resolved (EAI_AGAIN).',
  ])
  assert.deepEqual(await errorOf(answering()), ['dns', 'The name shop.example.com has no address.'])
  assert.deepEqual(await errorOf(() => new Promise(() => {})), [
    'dns',
    'The name shop.example.com was not resolved within 0.02 s.',
  ])
  const throwing: Resolve = () => {
    throw new Error('broken')
  }
  assert.deepEqual(await errorOf(throwing), ['dns', 'The name shop.example.com could not be resolved.'])
})
