import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cutsOf } from '../../../test/support/pure/check-template.ts'
import { SHIPPED_PROVIDERS } from '../shipped/shipped-templates.ts'
import { comparedText, isPartOf as isComparedPartOf } from './message-parts.ts'
import { normalise } from './normalise.ts'

const isPartOf = (short: string, long: string): boolean => isComparedPartOf(comparedText(short), comparedText(long))

const texts = SHIPPED_PROVIDERS.flatMap(({ templates }) =>
  templates.flatMap(({ samples }) => samples.map(({ text }) => text)),
)

test('every beginning and end of a message is a part of it, and the message is not a part of them', () => {
  for (const text of texts) {
    const whole = normalise(text)
    const { beginnings, ends } = cutsOf(text)
    for (const part of [...beginnings, ...ends]) {
      if (part.length >= 4) assert.ok(isPartOf(part, whole), part)
      assert.ok(!isPartOf(whole, part), part)
    }
  }
})

test('a message is not a part of itself or of another message; three characters are not a part', () => {
  for (const text of texts) {
    assert.ok(!isPartOf(normalise(text), normalise(text)))
    for (const other of texts) assert.ok(!isPartOf(normalise(text), normalise(other)), `${text} / ${other}`)
    assert.ok(!isPartOf(normalise(text).slice(0, 3), normalise(text)))
  }
  assert.ok(!isPartOf('', 'received 5 YER'))
  assert.ok(!isPartOf('ceived 5', 'received 5 YER'), 'the middle alone')
})

test('a text that ends with an ellipsis is a beginning', () => {
  assert.ok(isPartOf(normalise('received 5 YER fr…'), 'received 5 YER from Ali'))
  assert.ok(isPartOf('received 5 YER ...', 'received 5 YER from Ali'))
  assert.ok(!isPartOf('received 6 YER ...', 'received 5 YER from Ali'))
  assert.ok(!isPartOf('...', 'received 5 YER'))
})

test('property: the beginning of a text is a part of it, even if the cut is between a letter and its accent', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 12, maxLength: 40 }), fc.nat(), (raw, at) => {
      const [whole, part] = [normalise(raw), normalise(raw.slice(0, (at % raw.length) + 1))]
      if (part.length < 4 || part === whole || part.includes('\ufffd') || whole.includes('\ufffd')) return
      if (!whole.normalize('NFD').startsWith(part.normalize('NFD'))) return
      assert.ok(isPartOf(part, whole))
    }),
  )
  assert.ok(isPartOf(normalise('cafe au le'), normalise('cafe au le\u0301s')))
})

test('a beginning or an end of four characters is a part, a middle is not', () => {
  assert.ok(isPartOf('abcd', 'abcdefgh'))
  assert.ok(isPartOf('efgh', 'abcdefgh'))
  assert.ok(!isPartOf('cdef', 'abcdefgh'))
  assert.ok(!isPartOf('abc', 'abcdefgh'))
  assert.ok(isPartOf('abcd...', 'abcdefgh'))
  assert.ok(!isPartOf('abc...', 'abcdefgh'))
})

test('a part is what the plain comparison of beginnings and ends says, for any two texts', () => {
  const plainly = (short: string, long: string): boolean => {
    const [a, b] = [comparedText(short), comparedText(long)]
    if (a.text.startsWith(b.text) || a.text.endsWith(b.text)) return false
    if (a.beginning !== undefined && b.text.startsWith(a.beginning)) return true
    if (a.text.length < 4) return false
    const isAtAnEnd = (part: string, of: string) => of.startsWith(part) || of.endsWith(part)
    return isAtAnEnd(a.text, b.text) || isAtAnEnd(a.decomposed, b.decomposed)
  }
  const piece = fc.constantFrom('abcd', 'e', '\u0301', 'é', '1', '2', 'received ', '..', '…', ' ', 'ab', 'أ')
  const text = fc.array(piece, { maxLength: 8 }).map((pieces) => normalise(pieces.join('')))
  fc.assert(
    fc.property(text, text, fc.nat(20), (one, other, cut) => {
      const pairs = [
        [one, other],
        [one, one],
        [one.slice(0, cut), one],
        [one.slice(cut), one],
        [`${one.slice(0, cut)}...`, one],
      ] as const
      for (const [short, long] of pairs) assert.equal(isPartOf(short, long), plainly(short, long), `${short} / ${long}`)
    }),
    { numRuns: 500 },
  )
})
