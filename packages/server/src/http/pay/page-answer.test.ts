import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { html, shared } from './html.ts'
import { compressed, pageHeaders, wholeText } from './page-answer.ts'

test('a compressed page is one gzip stream of its whole text, whatever parts it has', () => {
  const text = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'ريال '.repeat(20_000)), fc.lorem())
  const part = fc.tuple(text, fc.boolean()).map(([inner, isShared]) => {
    const paragraph = html`<p>${inner.toWellFormed()}</p>`
    return isShared ? shared(paragraph) : paragraph
  })
  const rest = fc.array(part, { maxLength: 6 }).map((parts) => html`${parts}`.text)
  fc.assert(
    fc.property(fc.constantFrom('ar' as const, 'en' as const), rest, (locale, whole) => {
      const page = { locale, rest: whole }
      assert.equal(gunzipSync(compressed(page)).toString(), wholeText(page))
    }),
    { numRuns: runs(1_000, 30) },
  )
})

test('no site may show a page in a frame, except the sites that the merchant named', () => {
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
