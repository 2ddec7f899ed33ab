/**
 * Pages of a list: the page size, and the row after which a page begins. A cursor is the sorted values of the last row
 * of the page before, so that each page costs the same, and rows that are added or removed shift nothing.
 */
import type { FastifyRequest } from 'fastify'
import { invalid } from '../answers.ts'
import { uuidOfText } from '../body/uuid.ts'
import { lastValues } from '../query/parameters.ts'
import { readWholeNumber } from '../query/whole-number.ts'

const usualPage = 50
const largestPage = 200

type Part = 'text' | 'uuid' | 'number'
type Value<P extends Part> = P extends 'number' ? number : string
type Values<P extends readonly Part[]> = { -readonly [I in keyof P]: Value<P[I]> }

export type PageQuery<P extends readonly Part[]> = { readonly after: Values<P> | undefined; readonly size: number }

const fits = (part: Part, value: unknown): boolean => {
  if (part === 'number') return Number.isSafeInteger(value) && Math.abs(value as number) < 2 ** 31
  if (typeof value !== 'string' || value.length > 300 || value.includes('\0') || !value.isWellFormed()) return false
  return part === 'text' || uuidOfText(value) === value
}

const valuesIn = (parts: readonly Part[], cursor: string): unknown[] | undefined => {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    if (!Array.isArray(values) || values.length !== parts.length) return undefined
    return parts.every((part, i) => fits(part, values[i])) ? values : undefined
  } catch {
    return undefined
  }
}

/** `after` and `page_size` of the query. `parts`: what the list is sorted by. */
export const readPageQuery = <const P extends readonly Part[]>(request: FastifyRequest, ...parts: P): PageQuery<P> => {
  const sent = lastValues(request.raw.url ?? '')
  const cursor = sent.get('after') || undefined
  const after = cursor === undefined || cursor.length > 1000 ? undefined : valuesIn(parts, cursor)
  if (cursor !== undefined && after === undefined)
    throw invalid([{ code: 'invalid', detail: 'This is no "next" of a page.', attr: 'after' }])
  const size = readWholeNumber(sent.get('page_size') ?? '') ?? usualPage
  return { after: after as Values<P> | undefined, size: size < 1 ? usualPage : Math.min(size, largestPage) }
}

export const pageCursor = (values: readonly (string | number)[]): string =>
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
  const next = last === undefined ? null : pageCursor(cursorOf(last))
  return { next, results: shown.map(answer) }
}
