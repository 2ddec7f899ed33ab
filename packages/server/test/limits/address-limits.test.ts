/** Limits by network address count an IPv6 /64 as one address, because an internet customer usually has a whole /64. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAt, openTestService } from '../support/story.ts'

const service = await openTestService({
  SANAD_TRUST_PROXY: '1',
  SANAD_LIMITS: JSON.stringify({ pay_unknown: { burst: 6 } }),
})

type Attempt = (address: string) => Promise<number>
const headers = (address: string) => ({ 'x-forwarded-for': address })
const attempts: Readonly<Record<string, { readonly most: number; readonly ask: Attempt }>> = {
  'a wrong secret at /token': {
    most: 10,
    ask: async (address) =>
      (
        await askAt(`${service.base}/token`, 'POST', {
          headers: {
            'SERVICE-CLIENT-ID': service.demo.client_id,
            'SERVICE-CLIENT-SECRET': 'a guess',
            ...headers(address),
          },
        })
      ).status,
  },
  'a pairing code': {
    most: 10,
    ask: async (address) =>
      (
        await askAt(`${service.origin}/api/v1/device/pair`, 'POST', {
          body: { code: 'ABCD-2345' },
          headers: headers(address),
        })
      ).status,
  },
  'a code at the set-up page of a phone': {
    most: 10,
    ask: async (address) =>
      (
        await askAt(`${service.origin}/pair/session`, 'POST', {
          body: { code: 'ABCD-2345', model: 'SM-A145' },
          headers: headers(address),
        })
      ).status,
  },
  'the address of a checkout that does not exist': {
    most: 6,
    ask: async (address) =>
      (await askAt(`${service.origin}/pay/${'x'.repeat(27)}`, 'GET', { headers: headers(address) })).status,
  },
  'the address of a payment link that does not exist': {
    most: 6,
    ask: async (address) =>
      (await askAt(`${service.origin}/pay/link/${'x'.repeat(27)}`, 'GET', { headers: headers(address) })).status,
  },
  'the address of a voucher that does not exist': {
    most: 6,
    ask: async (address) =>
      (await askAt(`${service.origin}/voucher/${'x'.repeat(27)}`, 'GET', { headers: headers(address) })).status,
  },
  'sharing the voucher of a checkout that does not exist': {
    most: 6,
    ask: async (address) =>
      (await askAt(`${service.origin}/voucher/of/${'x'.repeat(27)}/`, 'POST', { headers: headers(address) })).status,
  },
  'a wrong token of a forwarding app': {
    most: 30,
    ask: async (address) =>
      (await askAt(`${service.origin}/ingest/text/wrong`, 'POST', { body: 'hello', headers: headers(address) })).status,
  },
}

for (const [name, { most, ask }] of Object.entries(attempts))
  test(`${name}: addresses of one /64 share a count, the next /64 and IPv4 have their own`, async () => {
    // The counts of the previous test have expired: some of these calls share a bucket.
    service.clock.advance(61_000)
    for (let i = 0; i < most; i++) assert.notEqual(await ask(`2001:db8:7:1::${(i + 1).toString(16)}`), 429)
    assert.equal(await ask('2001:db8:7:1:ffff:ffff:ffff:ffff'), 429)
    assert.notEqual(await ask('2001:db8:7:2::1'), 429)
    for (let i = 0; i < most; i++) assert.notEqual(await ask(i % 2 === 0 ? '203.0.113.9' : '::ffff:203.0.113.9'), 429)
    assert.equal(await ask('::ffff:cb00:7109'), 429)
    assert.notEqual(await ask('203.0.113.10'), 429)
  })
