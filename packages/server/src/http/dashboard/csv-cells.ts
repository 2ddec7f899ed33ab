/**
 * Rows of a table as CSV (RFC 4180) that a spreadsheet can open without harm: what people wrote is shown as text, never
 * run as a formula. Pure.
 */

/** Without it some spreadsheets read UTF-8 as something else. */
export const byteOrderMark = '\uFEFF'

// Spreadsheets take a cell that begins so for a formula; the wide forms too, where Asian input is on.
const formula = /^[=+\-@\t\r\n＝＋－＠]/
// The semicolon parts cells in some countries, the tab where a table is pasted.
const needsQuotes = /[",;'\t\r\n]|^\s|\s$/

export const csvCell = (value: string): string => {
  const safe = formula.test(value) ? `'${value}` : value
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

export const csvRow = (cells: readonly string[]): string => `${cells.map(csvCell).join(',')}\r\n`
