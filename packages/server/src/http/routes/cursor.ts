/**
 * The cursor of a list: the sorted values of the last row of a page, so that each page costs the same, and rows that are added or
 * removed shift nothing. One id is sent as it is; several values are sent as one text.
 */
import type { CursorPart } from '@sanad/contract/query'
import { uuidOfText } from '../uuid.ts'

const longestCursor = 1000

const fits = (part: CursorPart, value: unknown): boolean => {
  if (part === 'number') return Number.isSafeInteger(value) && Math.abs(value as number) < 2 ** 31
  if (typeof value !== 'string' || value.length > 300 || value.includes('\0') || !value.isWellFormed()) return false
  return part === 'text' || uuidOfText(value) === value
}

/** Undefined: it is no cursor of such a list. */
export const readCursor = (text: string, parts: readonly CursorPart[]): unknown[] | undefined => {
  if (text.length > longestCursor) return undefined
  try {
    const values: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    if (!Array.isArray(values) || values.length !== parts.length) return undefined
    return parts.every((part, i) => fits(part, values[i])) ? values : undefined
  } catch {
    return undefined
  }
}

/** `1767323045677.` and an id. */
export const readTimeCursor = (text: string): readonly [at: number, id: string] | undefined => {
  const [at = '', sent = ''] = text.split('.')
  const id = text.length > longestCursor ? undefined : uuidOfText(sent)
  return id !== undefined && /^\d{1,14}$/.test(at) ? [Number(at), id] : undefined
}

export const cursorText = (values: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(values)).toString('base64url')

/** `rows`: one row more than the page size, if there are that many. */
export const pageAnswer = <Row, Answer>(
  rows: readonly Row[],
  size: number,
  cursorOf: (row: Row) => readonly (string | number)[],
  answer: (row: Row) => Answer,
): { next: string | null; results: Answer[] } => {
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  const next = last === undefined ? null : cursorText(cursorOf(last))
  return { next, results: shown.map(answer) }
}
