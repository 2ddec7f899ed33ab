/**
 * A table as the text of a CSV file (RFC 4180). Names of wallets are typed by people: a cell that a spreadsheet would run as a
 * formula gets an apostrophe before it. The same rules as in the files that the server makes; a test compares them. Pure.
 */
const NUMBER = /^-?\d+(?:\.\d+)?$/
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠]|^[\t\r\n]/u
const QUOTED = /[",\r\n;\t]|^\s|\s$/

const cell = (text: string): string => {
  const safe = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Begins with a mark, without which spreadsheets read a file in an encoding older than UTF-8. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  `\ufeff${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`
