/**
 * Databases and backups from before the migrations were squashed (docs/decisions/0031). Promises that one which had all of
 * the earlier migrations counts as if it had run the files of today that stand for them, and that one which stopped half-way
 * is refused with a sentence that says what to do. `migrations/earlier/` holds what is known about them.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A row of the table `migrations`: a file that ran, and its SHA-256. */
export type LedgerRow = { readonly name: string; readonly hash: string }

export type EarlierMigrations = {
  readonly ran: readonly LedgerRow[]
  /** The first files of today. Together they make what the earlier ones made. */
  readonly sameAs: readonly string[]
  /** Empty tables that only the earlier ones made. */
  readonly droppedTables: readonly string[]
  /** Alters what the files of today make otherwise. */
  readonly alterSql: string
}

/** Undefined: this folder has no earlier history. */
export const readEarlier = async (folder: string): Promise<EarlierMigrations | undefined> => {
  const text = await readFile(join(folder, 'earlier/ledger.json'), 'utf8').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return undefined
    throw fault
  })
  if (text === undefined) return undefined
  const { ran, same_as, dropped_tables } = JSON.parse(text)
  const alterSql = await readFile(join(folder, 'earlier/alter.sql'), 'utf8')
  return { ran, sameAs: same_as, droppedTables: dropped_tables, alterSql }
}

export type Ledger = {
  /** What ran, as rows of the files of today. */
  readonly done: readonly LedgerRow[]
  /** All of the earlier migrations ran and none of today's: `done` is what they stand for. */
  readonly isEarlier: boolean
}

/** A ledger in terms of the files of today, or the sentence that says why it cannot be. */
export const asToday = (
  rows: readonly LedgerRow[],
  files: readonly LedgerRow[],
  earlier: EarlierMigrations | undefined,
): Ledger | { readonly wrong: string } => {
  if (earlier === undefined) return { done: rows, isEarlier: false }
  const hashes = new Map(earlier.ran.map(({ name, hash }) => [name, hash]))
  const old = rows.filter(({ name }) => hashes.has(name))
  const done = rows.filter(({ name }) => !hashes.has(name))
  if (old.length === 0) return { done, isEarlier: false }
  const changed = old.find(({ name, hash }) => hashes.get(name) !== hash)
  if (changed !== undefined)
    return { wrong: `${changed.name} was not as Sanad wrote it when it ran: its hash is another. Restore a backup.` }
  if (old.length < earlier.ran.length)
    return {
      wrong: `Only ${old.length} of the ${earlier.ran.length} migrations of the version before ran, up to ${old.at(-1)!.name}: start the last version that has ${earlier.ran.at(-1)!.name} on it once, then this one.`,
    }
  if (done.length > 0) return { done, isEarlier: false }
  const same = files.filter(({ name }) => earlier.sameAs.includes(name)).map(({ name, hash }) => ({ name, hash }))
  return { done: same, isEarlier: true }
}

type File = LedgerRow & { readonly sql: string }
type Client = { query(text: string, values?: unknown[]): Promise<unknown> }

/** The comments that a migration puts on its tables, columns, indexes and functions. */
export const commentsIn = (sql: string): string => (sql.match(/^comment on [\s\S]*?';$/gm) ?? []).join('\n')

/**
 * Makes a database of the earlier migrations one of today's, inside the caller's transaction. The earlier rows stay in the
 * ledger: nodes of the version before, which are replaced one by one, are ready only while they count all of theirs.
 */
export const takeOver = async (client: Client, files: readonly File[], earlier: EarlierMigrations): Promise<number> => {
  const same = files.filter(({ name }) => earlier.sameAs.includes(name))
  for (const { sql } of same) await client.query(commentsIn(sql))
  await client.query(earlier.alterSql)
  for (const { name, hash } of same)
    await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
  return same.length
}
