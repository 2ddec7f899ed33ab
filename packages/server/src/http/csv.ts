/**
 * One line of a table as text: comma-separated, quoted where needed (RFC 4180). Users can send text that a spreadsheet
 * would run as a formula: such a cell begins with an apostrophe. Plain numbers, also negative ones, stay numbers.
 * Pure.
 */
const NUMBER = /^-?\d+(?:\.\d+)?$/
// Spreadsheets skip white space before they look; some take the full-width forms as well.
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
const QUOTED = /[",\r\n;\t]|^\s|\s$/

const cell = (text: string): string => {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** Spreadsheets take a table without it for something older than UTF-8. */
export const byteOrderMark = '\ufeff'
