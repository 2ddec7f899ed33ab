/**
 * Reads texts of an account in batches, in the order of their keys, and replaces single ones. Tables and columns are named by the
 * caller; their names never come from a request.
 */
import { quoted } from '../backup/backup-sql.ts'
import type { Session } from '../connection/database.ts'

export type TextPlace = {
  readonly table: string
  /** The columns after the account that order the rows, with their types. */
  readonly key: readonly (readonly [name: string, type: 'uuid' | 'integer' | 'text'])[]
  readonly texts: readonly (readonly [name: string, type: 'text' | 'json'])[]
}

/** A text is null where the column is. */
export type TextRow = { readonly key: readonly string[]; readonly texts: readonly (string | null)[] }

/** The next rows after a key; an empty key: from the first one. */
export const readTexts = async (
  session: Session,
  { table, key, texts }: TextPlace,
  accountId: string,
  after: readonly string[],
  most: number,
): Promise<TextRow[]> => {
  const names = key.map(([name]) => quoted(name)).join(', ')
  const values = key.map(([, type], n) => `$${n + 2}::${type}`).join(', ')
  const rows = await session.run({
    text: `select ${[...key, ...texts].map(([name]) => `${quoted(name)}::text`).join(', ')}
             from public.${quoted(table)}
            where account_id = $1${after.length === 0 ? '' : ` and (${names}) > (${values})`}
            order by ${names} limit ${most}`,
    values: [accountId, ...after],
  })
  return rows.map((row) => ({ key: row.slice(0, key.length) as string[], texts: row.slice(key.length) }))
}

/** Replaces the texts of a row, where they are still what was read. Returns whether they were. */
export const replaceTexts = async (
  session: Session,
  { table, key, texts }: TextPlace,
  accountId: string,
  row: TextRow,
  replaced: readonly (string | null)[],
): Promise<boolean> => {
  const values: unknown[] = [accountId, ...row.key]
  const parameter = (value: unknown): string => `$${values.push(value)}`
  const same = key.map(([name, type], n) => `${quoted(name)} = $${n + 2}::${type}`)
  const sets: string[] = []
  for (const [n, [name, type]] of texts.entries()) {
    if (replaced[n] === row.texts[n]) continue
    sets.push(`${quoted(name)} = ${parameter(replaced[n])}::${type}`)
    same.push(`${quoted(name)}::text = ${parameter(row.texts[n])}::text`)
  }
  const changed = await session.run({
    text: `update public.${quoted(table)} set ${sets.join(', ')} where account_id = $1 and ${same.join(' and ')} returning 1`,
    values,
  })
  return changed.length > 0
}
