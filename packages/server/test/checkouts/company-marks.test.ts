/** The marks of wallet companies: our own drawings, readable, and different for every company that comes with Sanad. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHIPPED_YEMEN } from '../../src/alerts/shipped/shipped-yemen.ts'
import { companyMark } from '../../src/http/drawings/company-mark.ts'

const partsOf = (mark: string) => ({
  shape: /d="([^"]+)"/.exec(mark)![1],
  letter: /<text[^>]*>([^<]*)</.exec(mark)![1]!,
})

test('no two companies of Yemen have the same shape, and each has a letter, in either language', () => {
  const shapes = SHIPPED_YEMEN.flatMap(({ name: key, displayName, displayNameArabic, themeColor: color }) =>
    [displayName, displayNameArabic].map((name) => {
      const { shape, letter } = partsOf(companyMark({ key, name, color }))
      assert.match(letter, /^[\p{L}\p{N}]$/u)
      return shape
    }),
  )
  assert.equal(new Set(shapes).size, SHIPPED_YEMEN.length)
})

test('a name or a colour of a merchant cannot become markup', () => {
  const mark = companyMark({ key: '', name: '<script>&"', color: '"><script>' })
  assert.equal(partsOf(mark).letter, 'S')
  assert.doesNotMatch(mark, /script/)
  assert.equal(partsOf(companyMark({ key: '', name: '<&>', color: '#000000' })).letter, '')
  assert.match(companyMark({ key: 'constructor', name: 'x', color: '#000000' }), /<path d="M/)
})

test('the letter is readable on its colour', () => {
  assert.match(companyMark({ key: 'a', name: 'A', color: '#ffffff' }), /fill="#111">A/)
  assert.match(companyMark({ key: 'a', name: 'A', color: '#5B2A86' }), /fill="#fff">A/)
})
