import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { byteOrderMark, csvLine } from '../../../../server/src/http/csv.ts'
import { csvText } from './csv.ts'

test('a file that the browser makes is written as those of the server: quoted, and without formulas', () => {
  const cell = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('=1+1', '-5', '-5.00', '＝x', ' @a', 'a;b', '"', 'محفظة، الفرع', '\t1'),
  )
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 5 }), (rows) =>
      assert.equal(csvText(rows), byteOrderMark + rows.map(csvLine).join('')),
    ),
  )
  assert.equal(csvText([['=HYPERLINK("x")', '-1.50']]), `\ufeff"'=HYPERLINK(""x"")",-1.50\r\n`)
})
