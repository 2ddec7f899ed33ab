/**
 * The check of webhook signatures, compared with signatures made by openssl, by node:crypto and by the service.
 */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { test } from 'node:test'
import { verifyWebhook, WebhookError, type WebhookErrorCode, type WebhookEvent } from '@sanad/sdk'
import fc from 'fast-check'
import { signatureHeader } from '../../server/src/webhooks/calling/signature.ts'

const t = 1767323170
const now = t * 1000
const secret = 'made-up-signing-secret'
const body = '{"event":"payment.verified","order_id":"A-1","amount":"1500.00"}'
// { printf '1767323170.'; printf %s "$body"; } | openssl dgst -sha256 -hmac 'made-up-signing-secret'
const header = `t=${t},v1=a7b15ec5a08d3ef12b035e08286940e426db793ff8bdfd60c882ef4438f2dcfb`
const arabicBody = '{"event":"payment.unmatched","wallet":"محفظة المتجر","reference":"٢٢٠٧"}'
const arabicSecret = 'سر-1'
const arabicHeader = `t=${t},v1=d5352c9d9e6ac088277e723cd1a7309c082042e4dd835ab4639e5fb5223daa2d`

/** The signature scheme of the contract, written independently of the code that is tested. */
const signed = (text: string, key = secret, at: number | string = t): string =>
  `t=${at},v1=${createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${at}.`), Buffer.from(text)]))
    .digest('hex')}`

const refused = async (
  code: WebhookErrorCode,
  sentence: RegExp,
  verification: Promise<WebhookEvent>,
): Promise<void> => {
  await assert.rejects(verification, (fault) => {
    assert.ok(fault instanceof WebhookError, String(fault))
    assert.equal(fault.code, code)
    assert.match(fault.message, sentence)
    assert.equal(fault.name, 'WebhookError')
    return true
  })
}

test('a webhook signed by openssl is accepted, as text and as bytes', async () => {
  for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body), new TextEncoder().encode(body).buffer]) {
    const event = await verifyWebhook(raw, header, secret, { now })
    assert.equal(event.event, 'payment.verified')
    assert.equal(event.amount, '1500.00')
  }
  const event = await verifyWebhook(arabicBody, arabicHeader, arabicSecret, { now })
  assert.ok(event.event === 'payment.unmatched' && event.wallet === 'محفظة المتجر')
})

test('part of a larger buffer is read as that part alone', async () => {
  const whole = Buffer.from(`before${body}after`)
  assert.equal((await verifyWebhook(whole.subarray(6, -5), header, secret, { now })).amount, '1500.00')
})

test('whatever the service signs is accepted: any body, any secret, also during a rotation', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme' }),
      fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 2, maxLength: 2 }),
      fc.nat(4_000_000_000),
      async (text, [newer, older], at) => {
        const sent = JSON.stringify({ event: 'payment.received', text })
        const both = signatureHeader([newer!, older!], at, sent)
        for (const known of [newer!, older!, [older!, 'another'], ['another', newer!]]) {
          assert.deepEqual(await verifyWebhook(sent, both, known, { now: at * 1000 }), JSON.parse(sent))
        }
      },
    ),
    { numRuns: 40 },
  )
})

test('one changed byte anywhere is refused', async () => {
  const bytes = Buffer.from(body)
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, by) => {
      const changed = Buffer.from(bytes)
      changed[at] = changed[at]! ^ by
      await refused('no_match', /byte for byte/, verifyWebhook(changed, header, secret, { now }))
    }),
  )
  await refused('no_match', /secret/, verifyWebhook(body, header, `${secret} `, { now }))
  await refused('no_match', /secret/, verifyWebhook(body, header, ['a', 'b'], { now }))
  await refused('no_match', /secret/, verifyWebhook(body, header.replace(`t=${t}`, `t=${t + 1}`), secret, { now }))
})

test('the time is signed as text: a leading zero makes another signature', async () => {
  await refused('no_match', /./, verifyWebhook(body, header.replace('t=', 't=0'), secret, { now }))
  assert.ok(await verifyWebhook(body, signed(body, secret, `0${t}`), secret, { now }))
})

test('one of several v1 must match, at any position; other schemes are ignored', async () => {
  const [, right] = header.split(',') as [string, string]
  const other = `v1=${'0'.repeat(64)}`
  for (const accepted of [
    `t=${t},${other},${right}`,
    `t=${t},${right},${other}`,
    `${right},t=${t}`,
    `t=${t}, ${right}`,
    `t=${t},v0=abc,${right},v2=zzz`,
    `t=${t},${right.toUpperCase().replace('V1', 'v1')}`,
  ]) {
    assert.ok(await verifyWebhook(body, accepted, secret, { now }), accepted)
  }
  await refused('no_match', /./, verifyWebhook(body, `t=${t},${other},${other}`, secret, { now }))
})

test('a request without the header does not come from Sanad', async () => {
  for (const none of [undefined, null, '', '  ', []]) {
    await refused('missing_header', /no X-Service-Signature/, verifyWebhook(body, none, secret, { now }))
  }
  assert.ok(await verifyWebhook(body, [header], secret, { now }))
})

test('a header of another form is refused with what is wrong in it', async () => {
  const hex = 'a'.repeat(64)
  for (const [malformed, why] of [
    ['nonsense', /no "="/],
    [`v1=${hex}`, /no time/],
    [`t=${t}`, /no v1/],
    [`t=${t},v2=${hex}`, /no v1/],
    [`t=,v1=${hex}`, /whole number/],
    [`t=-5,v1=${hex}`, /whole number/],
    [`t=1e9,v1=${hex}`, /whole number/],
    [`t=١٢,v1=${hex}`, /whole number/],
    [`t=${t},t=${t},v1=${hex}`, /two times/],
    [`t=${t},v1=${hex}0`, /64 hexadecimal/],
    [`t=${t},v1=${'g'.repeat(64)}`, /64 hexadecimal/],
    [`t=${t},v1=`, /64 hexadecimal/],
    [`t=${t}${`,v1=${hex}`.repeat(50)}`, /too long/],
    [[header, header], /more than once/],
  ] as const) {
    await refused('malformed_header', why, verifyWebhook(body, malformed, secret, { now }))
  }
})

test('a random header is refused and never crashes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.stringMatching(/^[tv01=,a-f ]{0,80}$/)), async (text) => {
      await assert.rejects(verifyWebhook(body, text, secret, { now }), WebhookError)
    }),
  )
})

test('a signature is valid for 300 s either way, or for the given tolerance', async () => {
  const at = (later_s: number, toleranceS?: number) =>
    verifyWebhook(body, header, secret, { now: now + later_s * 1000, toleranceS })
  for (const later_s of [0, 300, -300]) assert.ok(await at(later_s))
  await refused('too_old', /is 301 s old; 300 s are allowed/, at(301))
  await refused('too_new', /dated 301 s ahead of this machine's clock/, at(-301))
  assert.ok(await at(3600, 3600))
  assert.ok(await at(10 ** 9, Number.POSITIVE_INFINITY))
  await refused('too_old', /is 1 s old; 0 s are allowed/, at(1, 0))
})

test('a wrong signature is reported as wrong, also when it is too old', async () => {
  await refused('no_match', /./, verifyWebhook(body, header, 'another', { now: now + 10 ** 9 }))
})

test("by default the time is the machine's clock", async () => {
  const fresh = Math.floor(Date.now() / 1000)
  assert.ok(await verifyWebhook(body, signed(body, secret, fresh), secret))
  await refused('too_old', /./, verifyWebhook(body, signed(body, secret, fresh - 600), secret))
})

test('a correctly signed body that is not an event is refused', async () => {
  for (const text of ['', 'hello', '{', '[]', 'null', '"payment.verified"', '{}', '{"event":1}']) {
    await refused('malformed_body', /signed correctly/, verifyWebhook(text, signed(text), secret, { now }))
  }
  const notUtf8 = Buffer.from([0x7b, 0xff, 0x7d])
  const hex = createHmac('sha256', secret).update(`${t}.`).update(notUtf8).digest('hex')
  await refused('malformed_body', /UTF-8/, verifyWebhook(notUtf8, `t=${t},v1=${hex}`, secret, { now }))
})

test('an unknown event kind of a later version is returned', async () => {
  const later = '{"event":"payment.refunded"}'
  assert.equal((await verifyWebhook(later, signed(later), secret, { now })).event as string, 'payment.refunded')
})

test('a wrong call throws a TypeError, not a WebhookError', async () => {
  const verifyAny = (...args: unknown[]) => (verifyWebhook as (...all: unknown[]) => Promise<unknown>)(...args)
  for (const parsed of [JSON.parse(body), undefined, null, Promise.resolve(body)]) {
    await assert.rejects(verifyAny(parsed, header, secret, { now }), { name: 'TypeError', message: /as it arrived/ })
  }
  for (const none of [undefined, null, '', [], [secret, ''], [undefined]]) {
    await assert.rejects(verifyAny(body, header, none, { now }), { name: 'TypeError', message: /signing secret/ })
  }
  for (const toleranceS of [Number.NaN, -1, 'soon']) {
    await assert.rejects(verifyAny(body, header, secret, { now, toleranceS }), {
      name: 'TypeError',
      message: /toleranceS/,
    })
  }
  await assert.rejects(verifyAny(body, header, secret, { now: new Date(Number.NaN) }), {
    name: 'TypeError',
    message: /now/,
  })
})

test('it runs without TypeScript, imported or required', () => {
  const sdk = join(import.meta.dirname, '../src/sdk.js')
  const program = (load: string) =>
    `${load}.then(async ({ verifyWebhook }) => {
      const event = await verifyWebhook(${JSON.stringify(body)}, '${header}', '${secret}', { now: ${now} })
      process.stdout.write(event.event)
    })`
  for (const load of [`import('${sdk}')`, `Promise.resolve(require('${sdk}'))`]) {
    const args = ['--no-experimental-strip-types', '--input-type=commonjs', '-e', program(load)]
    assert.equal(execFileSync(process.execPath, args, { encoding: 'utf8' }), 'payment.verified')
  }
})
