/**
 * Databases and backups from before the migrations were squashed (docs/decisions/0031). If a database has all of the earlier
 * migrations, it counts as if it had run the files of today that replace them. If it has only some of them, it is refused with a
 * sentence that says what to do. `migrations/earlier/` lists the earlier migrations.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A row of the table `migrations`: a file that ran, and its SHA-256. */
export type LedgerRow = { readonly name: string; readonly hash: string }

export type EarlierMigrations = {
  readonly ran: readonly LedgerRow[]
  /** The first files of today, which together replace the earlier ones. */
  readonly sameAs: readonly string[]
  /** Empty tables that only the earlier migrations created. */
  readonly droppedTables: readonly string[]
  /** SQL that changes the earlier schema where the files of today create a different one. */
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
  /** The migrations that ran, as rows of the files of today. */
  readonly applied: readonly LedgerRow[]
  /** All of the earlier migrations ran and none of today's: `applied` has the files that replace them. */
  readonly isEarlier: boolean
}

/** The ledger in terms of the files of today, or a sentence that says why that is impossible. */
export const inTodaysTerms = (
  rows: readonly LedgerRow[],
  files: readonly LedgerRow[],
  earlier: EarlierMigrations | undefined,
): Ledger | { readonly wrong: string } => {
  if (earlier === undefined) return { applied: rows, isEarlier: false }
  const hashes = new Map(earlier.ran.map(({ name, hash }) => [name, hash]))
  const old = rows.filter(({ name }) => hashes.has(name))
  const applied = rows.filter(({ name }) => !hashes.has(name))
  if (old.length === 0) return { applied, isEarlier: false }
  const changed = old.find(({ name, hash }) => hashes.get(name) !== hash)
  if (changed !== undefined)
    return { wrong: `${changed.name} was not as Sanad wrote it when it ran: its hash is different. Restore a backup.` }
  if (old.length < earlier.ran.length)
    return {
      wrong: `Only ${old.length} of the ${earlier.ran.length} migrations of the version before ran, up to ${old.at(-1)!.name}: start the last version that has ${earlier.ran.at(-1)!.name} on it once, then this one.`,
    }
  if (applied.length > 0) return { applied, isEarlier: false }
  const same = files.filter(({ name }) => earlier.sameAs.includes(name)).map(({ name, hash }) => ({ name, hash }))
  return { applied: same, isEarlier: true }
}

type File = LedgerRow & { readonly sql: string }
type Client = { query(text: string, values?: unknown[]): Promise<unknown> }

/** The comments that a migration puts on its tables, columns, indexes and functions. */
export const commentsIn = (sql: string): string => (sql.match(/^comment on [\s\S]*?';$/gm) ?? []).join('\n')

/**
 * Upgrades a database of the earlier migrations, inside the caller's transaction. The earlier rows stay in the ledger: nodes of
 * the previous version, which are replaced one by one, are ready only while they find all of their rows.
 */
export const upgradeEarlier = async (
  client: Client,
  files: readonly File[],
  earlier: EarlierMigrations,
): Promise<number> => {
  const same = files.filter(({ name }) => earlier.sameAs.includes(name))
  for (const { sql } of same) await client.query(commentsIn(sql))
  await client.query(earlier.alterSql)
  for (const { name, hash } of same)
    await client.query('insert into migrations (name, hash) values ($1, $2)', [name, hash])
  return same.length
}
