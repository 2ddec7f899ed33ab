import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvLine } from './csv.ts'

/** A CSV reader by RFC 4180. */
const cellsOf = (line: string): string[] => {
  const cells = ['']
  let quoted = false
  for (let i = 0; i < line.length - 2; i++) {
    const char = line[i]!
    if (char === '"' && quoted && line[i + 1] === '"') cells.push(`${cells.pop()}${line[++i]}`)
    else if (char === '"') quoted = !quoted
    else if (char === ',' && !quoted) cells.push('')
    else cells.push(`${cells.pop()}${char}`)
  }
  return cells
}

test('every cell is read back as it was written', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1 }), (cells) => {
      const read = cellsOf(csvLine(cells))
      assert.deepEqual(
        read.map((cell, i) => (cell === `'${cells[i]}` ? cells[i] : cell)),
        cells,
      )
    }),
  )
})

test('a cell that a spreadsheet would run as a formula gets an apostrophe; a negative number stays a number', () => {
  for (const evil of ['=1+1', '+967', '-1+1', '@SUM(A1)', '\t=1', ' =1', '\r=1', '＝1', '\u200e=1', '-', '--1'])
    assert.match(cellsOf(csvLine([evil]))[0]!, /^'/, JSON.stringify(evil))
  assert.equal(csvLine(['-250.00', '1500.00', '', 'a,b', 'say "x"']), '-250.00,1500.00,,"a,b","say ""x"""\r\n')
})
