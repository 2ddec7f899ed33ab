import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codePoints, floatText, quoted, readInteger, strip } from './python-text.ts'

test('white space is what Python calls white space: separators and U+0085 go, U+FEFF and U+200B stay', () => {
  assert.equal(strip('\x1c\x1d\x1e\x1f\x85\u00a0\u1680\u2003\u2028\u202f\u205f\u3000 \t\n\v\f\ra b\x1f '), 'a b')
  assert.equal(strip('\ufeffa\u200b'), '\ufeffa\u200b')
  assert.equal(strip(' \n '), '')
})

test('a float is written as Python writes it', () => {
  const written: [number, string][] = [
    [5, '5.0'],
    [-0, '-0.0'],
    [5.1, '5.1'],
    [1000, '1000.0'],
    [1e15, '1000000000000000.0'],
    [1e16, '1e+16'],
    [1.5e16, '1.5e+16'],
    [1e22, '1e+22'],
    [0.0001, '0.0001'],
    [0.00001, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [5e-324, '5e-324'],
    [0.1 + 0.2, '0.30000000000000004'],
    [2 ** 53, '9007199254740992.0'],
    [Number.POSITIVE_INFINITY, 'inf'],
    [Number.NEGATIVE_INFINITY, '-inf'],
  ]
  for (const [n, text] of written) assert.equal(floatText(n), text)
})

test('a float reads back from its text as itself', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (n) =>
      assert.ok(Object.is(Number(floatText(n)), n)),
    ),
  )
})

test('a text inside a list is quoted, and its unprintable characters are escaped', () => {
  assert.equal(quoted('YER'), "'YER'")
  assert.equal(quoted("it's"), `"it's"`)
  assert.equal(quoted(`it's "x"`), `'it\\'s "x"'`)
  assert.equal(quoted('😀\x01\n\u200b\u00a0\ud800\\ مرحبا'), "'😀\\x01\\n\\u200b\\xa0\\ud800\\\\ مرحبا'")
})

test('characters are counted as code points, a lone surrogate as one', () => {
  assert.equal(codePoints('😀é\ud800a\udc00'), 5)
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => assert.equal(codePoints(text), [...text].length)))
})

test('an integer may have digits of any script, a sign, spaces around it and single underscores', () => {
  for (const two of ['2', ' 2 ', '+2', '02', '0_2', '٢', '２', '\u00a02', '2\n', '\x852'])
    assert.equal(readInteger(two), 2n)
  const none = [
    '',
    ' ',
    '2.0',
    '2_',
    '_2',
    '2__0',
    '0x2',
    '1e0',
    '²',
    '2\0',
    '\u200b2',
    '- 2',
    '--2',
    '2 2',
    '\x1c2',
    '2\x1f',
  ]
  for (const text of none) assert.equal(readInteger(text), undefined, JSON.stringify(text))
  assert.equal(readInteger('9'.repeat(4301)), undefined)
  fc.assert(fc.property(fc.bigInt(), (n) => assert.equal(readInteger(String(n)), n)))
})
