/**
 * Whether a committed statement has changed rows, as far as its text and its answer say: a statement that locks rows counts as one that
 * changes them, and one that returns what it changed has changed nothing if it returned nothing. For hints: the caller must not depend
 * on every change being seen.
 */
import type { CommittedStatement } from './count-committed.ts'

const writes = new Map<string, boolean>()

/** Whether a statement may change rows. Known by its name after the first time. */
export const mayWrite = (name: string, text: string): boolean => {
  const known = writes.get(name)
  if (known !== undefined) return known
  const found = /\b(?:insert\s+into|update|delete\s+from)\b/i.test(text)
  writes.set(name, found)
  return found
}

export const hasWritten = ({ query, rows, atEnd }: CommittedStatement): boolean =>
  query.name !== undefined &&
  mayWrite(query.name, query.text) &&
  (rows.length > 0 || atEnd || !/\breturning\b/i.test(query.text))
