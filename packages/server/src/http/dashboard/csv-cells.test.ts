import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvCell, csvRow } from './csv-cells.ts'

/** Cells as a spreadsheet reads them (RFC 4180). */
const read = (text: string): string[][] => {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!
    if (quoted && char === '"' && text[i + 1] === '"') cell += text[i++]
    else if (char === '"') quoted = !quoted
    else if (quoted) cell += char
    else if (char === ',') {
      row.push(cell)
      cell = ''
    } else if (char === '\r' && text[i + 1] === '\n') {
      row.push(cell)
      rows.push(row)
      ;[row, cell] = [[], '']
      i++
    } else cell += char
  }
  assert.ok(!quoted && cell === '' && row.length === 0, 'a row does not end')
  return rows
}

const nasty = fc
  .array(
    fc.oneof(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', ';', "'", ' ', '＝', '1'), fc.string()),
  )
  .map((parts) => parts.join(''))

test('whatever people write, no cell begins as a formula, and nothing of it is lost', () => {
  fc.assert(
    fc.property(fc.array(fc.array(nasty, { minLength: 1 }), { minLength: 1 }), (table) => {
      const back = read(table.map(csvRow).join(''))
      assert.equal(back.length, table.length)
      for (const [r, row] of table.entries()) {
        assert.equal(back[r]!.length, row.length)
        for (const [c, cell] of row.entries()) {
          const shown = back[r]![c]!
          assert.doesNotMatch(shown, /^[=+\-@\t\r\n＝＋－＠]/)
          assert.ok(shown === cell || shown === `'${cell}`)
        }
      }
    }),
    { numRuns: 500 },
  )
})

test('a formula is shown as text, an amount and a time as they are', () => {
  assert.equal(
    csvCell('=HYPERLINK("http://elsewhere.example";"pay")'),
    `"'=HYPERLINK(""http://elsewhere.example"";""pay"")"`,
  )
  assert.equal(csvCell('-2+3'), `"'-2+3"`)
  assert.equal(csvCell('@SUM(A1)'), `"'@SUM(A1)"`)
  assert.equal(csvCell('1500.00'), '1500.00')
  assert.equal(csvCell('2026-01-02 06:04:05'), '2026-01-02 06:04:05')
  assert.equal(csvCell('شاي، كبير'), 'شاي، كبير')
  assert.equal(csvCell(''), '')
})
