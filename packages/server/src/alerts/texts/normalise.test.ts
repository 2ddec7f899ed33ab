import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LONGEST_TEXT, LOST, NORMALISER_VERSION, normalise } from './normalise.ts'

test('digits, separators, invisible marks, presentation forms and white space are unified', () => {
  for (const [raw, plain] of [
    ['١٬٥٠٠٫٧٥', '1,500.75'],
    ['۱۲۳ ４５６ ७८९', '123 456 789'],
    ['\u200fاستلمت\u202b 500\u202c\ufeff', 'استلمت 500'],
    ['5\u00ad0\u20600\u2066\u2069\u061c\u200b', '500'],
    ['  رصيدك\r\n\t هو\u00a0\u2003500 \n', 'رصيدك هو 500'],
    ['a\u0085b\u001cc\u2028d', 'a b c d'],
    ['ﺍﺳﺘﻠﻤﺖ ﻻ', 'استلمت لا'],
    ['ＹＥＲ', 'YER'],
    ['ا\u0654ضيف', 'أضيف'],
    ['e\u200b\u0301', 'é'],
    ['', ''],
    [' \u200f\n', ''],
  ] as const)
    assert.equal(normalise(raw), plain, JSON.stringify(raw))
})

test('a digit that is raised, lowered, circled or part of a symbol is no digit: it is replaced by the mark', () => {
  for (const raw of ['15⁰⁰', '15₀₀', '15①', '15⑴', '15⒈', '15🄀', '15½', '15㋀', '15㍘', '15🈂1⁵'])
    assert.ok(normalise(raw).includes(LOST), raw)
  // Symbols without a digit stay.
  assert.equal(normalise('15 ✅ № ﷼ 😀'), '15 ✅ No ریال 😀')
})

test('letters keep their spelling: أ stays أ, and case stays', () => {
  assert.equal(normalise('أ إ آ ا ى ي ة ه TrxId'), 'أ إ آ ا ى ي ة ه TrxId')
})

test('a text that is too long is cut and marked; half a surrogate pair is replaced by the mark', () => {
  assert.equal(normalise('x'.repeat(LONGEST_TEXT)), 'x'.repeat(LONGEST_TEXT))
  const cut = normalise('x'.repeat(LONGEST_TEXT + 1))
  assert.equal(cut, 'x'.repeat(LONGEST_TEXT - 1) + LOST)
  assert.equal(normalise(`500 YER${' '.repeat(LONGEST_TEXT)}`), `500 YER ${LOST}`)
  // One character that becomes eighteen.
  assert.equal(normalise('\ufdfa'.repeat(1000)).length, LONGEST_TEXT)
  assert.equal(normalise('\ud83d'), LOST)
  assert.ok(normalise('😀'.repeat(LONGEST_TEXT)).isWellFormed())
})

test('too many accents on one letter are removed, ordinary accents stay', () => {
  assert.equal(normalise(`a${'\u0316'.repeat(31)}b`), `a${LOST}b`)
  assert.equal(normalise(`b${'\u0344'.repeat(30)}c`), `b${LOST}c`)
  assert.equal(normalise('مُحَمَّدٌ'), 'مُحَمَّدٌ'.normalize('NFKC'))
})

const units = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 3 }),
  fc.constantFrom(
    '\u200b',
    '\u0301',
    '\u0654',
    'ا',
    'ي',
    '٣',
    '٫',
    '٬',
    '\u00a8',
    '\ufdfa',
    '\ufdfc',
    ' ',
    '\n',
    '<',
    '\u0338',
    '\u0316',
    '\u0344',
    '\uff9e',
    '\u0315'.repeat(20),
    '\u0344\u0316'.repeat(12),
  ),
  fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
)
const texts = fc.array(units, { maxLength: 60 }).map((parts) => parts.join(''))

test('property: normalising a normalised text changes nothing', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 400 }), (text, times) => {
      const once = normalise(text.repeat(times))
      assert.equal(normalise(once), once)
      assert.ok(once.isWellFormed() && once.length <= LONGEST_TEXT)
    }),
  )
})

test('normalising any single character twice gives the same as once', () => {
  for (let codePoint = 0; codePoint < 0x20000; codePoint++) {
    const once = normalise(`a${String.fromCodePoint(codePoint)}`)
    if (normalise(once) !== once) assert.fail(`U+${codePoint.toString(16)}`)
  }
})

test('the version of the normaliser and its limit', () => {
  assert.deepEqual([NORMALISER_VERSION, LONGEST_TEXT], [2, 4096])
})
