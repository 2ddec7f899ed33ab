/**
 * One line of a CSV file: comma-separated, quoted where necessary (RFC 4180). Users can send text that a spreadsheet would
 * run as a formula: such a cell is written with an apostrophe before it. Plain numbers, also negative ones, stay numbers.
 * Pure.
 */
const NUMBER = /^-?\d+(?:\.\d+)?$/
// Spreadsheets ignore white space before a formula; some also accept the full-width signs.
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
const QUOTED = /[",\r\n;\t]|^\s|\s$/

const cell = (text: string): string => {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** Without it spreadsheets read a file in an encoding older than UTF-8. */
export const byteOrderMark = '\ufeff'
