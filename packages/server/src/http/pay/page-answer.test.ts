import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { compressed, pageHeaders, wholeText } from './page-answer.ts'

test('whatever follows the beginning, the page is one gzip stream of its text', () => {
  const rest = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'ريال '.repeat(5_000)), fc.lorem())
  fc.assert(
    fc.property(fc.constantFrom('ar' as const, 'en' as const), rest, (locale, text) => {
      const page = { locale, rest: text.toWellFormed() }
      assert.equal(gunzipSync(compressed(page)).toString(), wholeText(page))
    }),
    { numRuns: runs(1_000, 30) },
  )
})

test('a page is framed by nobody, or by the sites that are named', () => {
  const closed = pageHeaders()
  assert.match(closed['content-security-policy']!, /; frame-ancestors 'none'$/)
  assert.equal(closed['x-frame-options'], 'DENY')
  const open = pageHeaders(['https://shop.example.com', 'https://shop.example.com:8443'])
  assert.match(
    open['content-security-policy']!,
    /; frame-ancestors https:\/\/shop\.example\.com https:\/\/shop\.example\.com:8443$/,
  )
  assert.equal(open['x-frame-options'], undefined)
  assert.equal(open['referrer-policy'], 'no-referrer')
})
