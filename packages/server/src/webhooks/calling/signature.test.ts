/** The signature against vectors made with openssl, an independent implementation. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { signatureHeader } from './signature.ts'

const arabic = '{"event":"payment.unmatched","wallet":"محفظة المتجر","reference":"٢٢٠٧"}'

// { printf '1767323170.'; cat body; } | openssl dgst -sha256 -hmac '<secret>'
const vectors = [
  {
    secret: 'made-up-signing-secret',
    t: 1767323170,
    body: '{"event":"payment.verified","order_id":"A-1","amount":"1500.00"}',
    hex: 'a7b15ec5a08d3ef12b035e08286940e426db793ff8bdfd60c882ef4438f2dcfb',
  },
  {
    secret: 'سر-1',
    t: 1767323170,
    body: arabic,
    hex: 'd5352c9d9e6ac088277e723cd1a7309c082042e4dd835ab4639e5fb5223daa2d',
  },
  { secret: 'k', t: 0, body: '', hex: '6b4a4b8b3c40f1e8f53a3d36682e5f99f7ad2ac1df1c93dfe336f329167641e7' },
]

test('71 the signature of secret, time and body is the one that openssl computes', () => {
  for (const { secret, t, body, hex } of vectors) {
    assert.equal(signatureHeader([secret], t, body), `t=${t},v1=${hex}`)
    assert.equal(signatureHeader([secret], t, Buffer.from(body, 'utf8')), `t=${t},v1=${hex}`)
  }
})

test('71 during a rotation both secrets sign, the newest first', () => {
  const [{ t, body, secret, hex }] = vectors as [(typeof vectors)[number]]
  const header = signatureHeader(['the-new-one', secret], t, body)
  assert.equal(header.split(',').length, 3)
  assert.equal(header.split(',')[2], `v1=${hex}`)
  assert.equal(header, `${signatureHeader(['the-new-one'], t, body)},v1=${hex}`)
})

test('another time, body or secret gives another signature', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1 }),
      fc.nat(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('secret', 'time', 'body'),
      (secret, t, body, changed) => {
        const header = signatureHeader([secret], t, body)
        assert.match(header, /^t=\d+,v1=[0-9a-f]{64}$/)
        const other =
          changed === 'secret'
            ? signatureHeader([`${secret}x`], t, body)
            : changed === 'time'
              ? signatureHeader([secret], t + 1, body)
              : signatureHeader([secret], t, `${body} `)
        assert.notEqual(other.split('v1=')[1], header.split('v1=')[1])
      },
    ),
  )
})

test('nothing is signed without a secret, nor with a time that is not whole seconds', () => {
  assert.throws(() => signatureHeader([], 1, ''), /without a secret/)
  assert.throws(() => signatureHeader(['a', ''], 1, ''), /without a secret/)
  for (const t of [1.5, -1, Number.NaN]) assert.throws(() => signatureHeader(['a'], t, ''), /whole seconds/)
})
