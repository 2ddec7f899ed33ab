/**
 * Webhooks and their expected results, for any runtime: plain data. openssl made every signature, not the code that is
 * checked: { printf '1767323170.'; printf %s "$body"; } | openssl dgst -sha256 -hmac "$secret"
 */

/** @import { WebhookErrorCode } from '../types/sdk.d.ts' */

/**
 * `body` is text, or `hex` its bytes as hexadecimal digits; `as` says in which form it is passed. Fields that are left out
 * come from `usual`. The expected result is an event (`takes`: its kind), a refusal (`refuses`: its code) or a TypeError
 * (`wrong`: a part of its sentence).
 *
 * @typedef {{
 *   name: string,
 *   body?: unknown,
 *   hex?: string,
 *   as?: 'text' | 'bytes' | 'part of a buffer' | 'buffer',
 *   header?: unknown,
 *   secret?: unknown,
 *   now?: number,
 *   toleranceS?: number,
 *   takes?: string,
 *   refuses?: WebhookErrorCode,
 *   wrong?: string,
 * }} Vector
 */

const t = 1767323170
const v1 = 'a7b15ec5a08d3ef12b035e08286940e426db793ff8bdfd60c882ef4438f2dcfb'
const other = '0'.repeat(64)

export const usual = {
  body: '{"event":"payment.verified","order_id":"A-1","amount":"1500.00"}',
  header: `t=${t},v1=${v1}`,
  secret: 'made-up-signing-secret',
  now: t * 1000,
}

const taken = { takes: 'payment.verified' }
const arabic = {
  body: '{"event":"payment.unmatched","wallet":"محفظة المتجر","reference":"٢٢٠٧"}',
  header: `t=${t},v1=d5352c9d9e6ac088277e723cd1a7309c082042e4dd835ab4639e5fb5223daa2d`,
  secret: 'سر-1',
  takes: 'payment.unmatched',
}
/** @param {string} hex */
const signed = (hex) => ({ header: `t=${t},v1=${hex}` })

/** @type {readonly Vector[]} */
export const vectors = [
  { name: 'as text', as: 'text', ...taken },
  { name: 'as bytes', as: 'bytes', ...taken },
  { name: 'as part of a larger buffer', as: 'part of a buffer', ...taken },
  { name: 'as a buffer', as: 'buffer', ...taken },
  { name: 'Arabic, as text, the secret too', as: 'text', ...arabic },
  { name: 'Arabic, as bytes', as: 'bytes', ...arabic },
  {
    name: 'characters of four bytes, and marks',
    body: '{"event":"payment.received","reference":"\u{1F4B0}\u200f"}',
    ...signed('f28ec848637627102f5ac62970727b2c927a40963227f618e10dac9f5c6dc6a6'),
    takes: 'payment.received',
  },
  {
    name: 'seventy thousand characters',
    body: `{"event":"payment.received","reference":"${'x'.repeat(70_000)}"}`,
    ...signed('201092b0e262d53b9b86f741ae9ad2d35320f074d061d11e532a73dbb0c9cfb2'),
    takes: 'payment.received',
  },
  {
    name: 'a secret longer than a block of the hash',
    secret: 'k'.repeat(200),
    ...signed('ea3b3ed042c31b444312d053f2e4fdfd5f2bfdb25a726e82c6f7a4f5ae175cd4'),
    ...taken,
  },
  {
    name: 'a kind of a later version',
    body: '{"event":"payment.refunded"}',
    ...signed('a67b9642b0dc22e0f714ba2e7cd36d876ec5620e29c53fb767e6c6a56522632e'),
    takes: 'payment.refunded',
  },
  {
    name: 'during a rotation, with the older secret',
    header: `t=${t},v1=${v1},v1=5b29a1382b2958b5a7bfc183fcdbed49930e4d77a4b97cb16521cee2006707a7`,
    secret: 'the-older-secret',
    ...taken,
  },
  { name: 'one of two secrets', secret: ['another', usual.secret], ...taken },
  { name: 'the right one of two signatures', header: `t=${t},v1=${other},v1=${v1}`, ...taken },
  { name: 'a scheme of a later version beside it', header: `t=${t},v2=zzz,v1=${v1}`, ...taken },
  { name: 'digits of the signature in capitals', ...signed(v1.toUpperCase()), ...taken },
  { name: 'the header as a list of one', header: [usual.header], ...taken },
  {
    name: 'a time that was signed with a zero before it',
    header: `t=0${t},v1=4a248d990c583951735ae3f0abdcd34c813a64b1886bb353827b894d46303a5b`,
    ...taken,
  },
  { name: '300 s old', now: usual.now + 300_000, ...taken },
  { name: '300 s ahead', now: usual.now - 300_000, ...taken },
  {
    name: 'any age, with an infinite tolerance',
    now: usual.now + 10 ** 12,
    toleranceS: Number.POSITIVE_INFINITY,
    ...taken,
  },

  { name: '301 s old', now: usual.now + 301_000, refuses: 'too_old' },
  { name: '301 s ahead', now: usual.now - 301_000, refuses: 'too_new' },
  { name: 'another secret', secret: 'another', refuses: 'no_match' },
  { name: 'one character more', body: `${usual.body} `, refuses: 'no_match' },
  { name: 'another time than was signed', header: `t=${t + 1},v1=${v1}`, refuses: 'no_match' },
  { name: 'a zero before the time that was signed', header: `t=0${t},v1=${v1}`, refuses: 'no_match' },
  { name: 'wrong, however old', now: usual.now + 10 ** 12, secret: 'another', refuses: 'no_match' },
  { name: 'no header', header: null, refuses: 'missing_header' },
  { name: 'an empty header', header: ' ', refuses: 'missing_header' },
  { name: 'a header of another form', header: 'nonsense', refuses: 'malformed_header' },
  { name: 'a header without a time', header: `v1=${v1}`, refuses: 'malformed_header' },
  { name: 'a time in other digits', header: `t=١٢,v1=${v1}`, refuses: 'malformed_header' },
  { name: 'a digit too many', header: `t=${t},v1=${v1}0`, refuses: 'malformed_header' },
  { name: 'two headers', header: [usual.header, usual.header], refuses: 'malformed_header' },
  {
    name: 'signed correctly, but empty',
    body: '',
    ...signed('8b41c51576c5cef39a85e3a211c45aa10d4f1896cb20f820685491fdb8d796e7'),
    refuses: 'malformed_body',
  },
  {
    name: 'signed correctly, but a list',
    body: '[]',
    ...signed('ac6788ec8e91c9577791defe7d306544e06629e17ec9b137f2ca87aa8d5b52c3'),
    refuses: 'malformed_body',
  },
  {
    name: 'signed correctly, but not UTF-8',
    hex: '7bff7d',
    ...signed('9d2813c439ad197a90d4939e601332a75b23ecf7d526a658fe4fae856939929c'),
    refuses: 'malformed_body',
  },

  { name: 'a body that was parsed', body: { event: 'payment.verified' }, wrong: 'as it arrived' },
  { name: 'no secret', secret: '', wrong: 'signing secret' },
  { name: 'a tolerance that is no number', toleranceS: Number.NaN, wrong: 'toleranceS' },
]
