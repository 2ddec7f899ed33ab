import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { arrayLiteral } from './array-literal.ts'

test('texts are escaped in an array: quotation marks, backslashes, the text NULL, empty texts, null', () => {
  assert.equal(
    arrayLiteral(['a', '"', '\\', '\\"', 'NULL', '', '{,}', null, undefined]),
    String.raw`{"a","\"","\\","\\\"","NULL","","{,}",NULL,NULL}`,
  )
  assert.equal(arrayLiteral([1, -2.5, 3n, true, false]), '{1,-2.5,3,true,false}')
  assert.equal(arrayLiteral([Buffer.from('00ff', 'hex'), null]), String.raw`{"\\x00ff",NULL}`)
  assert.equal(arrayLiteral([]), '{}')
})

test('values of other types are refused', () => {
  for (const value of [new Date(0), {}, ['a'], Symbol.iterator]) assert.throws(() => arrayLiteral([value]))
})

/** Reads an array like PostgreSQL: elements in quotation marks, a backslash before escaped characters. */
const read = (text: string): string[] =>
  [...text.matchAll(/"((?:[^"\\]|\\.)*)"/gsu)].map(([, inside]) => inside!.replaceAll(/\\(.)/gsu, '$1'))

test('any text is read back as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' })), (texts) => {
      assert.deepEqual(read(arrayLiteral(texts)), texts)
    }),
  )
})
