/**
 * Runs migrations: numbered SQL files, forward only. Each runs once, in its own transaction, and is recorded with its hash. If a
 * file was changed after it ran, the service does not start, unless only its comments changed (migrations/released.json). Two nodes that start at once take turns by a lock. A database from
 * before the files were squashed is upgraded by earlier-migrations.ts.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openWatchedClient, type WatchedClient } from '../connection/watched-client.ts'
import { inTodaysTerms, type LedgerRow, readEarlier, upgradeEarlier } from './earlier-migrations.ts'

/** `former`: the hashes of earlier texts of the file, which differed in comments only. */
export type MigrationFile = LedgerRow & { readonly sql: string; readonly former: readonly string[] }

/** A database that this version must not touch. The message says why and what to do, in one sentence. */
export class WrongHistory extends Error {}

/** The hashes of every migration that others may have run, the one of its file first. */
export const readReleased = async (folder: string): Promise<Readonly<Record<string, readonly string[]>>> => {
  const text = await readFile(join(folder, 'released.json'), 'utf8').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return '{ "files": {} }'
    throw fault
  })
  return JSON.parse(text).files
}

/** The advisory lock under which one node at a time runs migrations. */
export const migrationLock = 7262_2311

export const readMigrations = async (folder: string): Promise<MigrationFile[]> => {
  const released = await readReleased(folder)
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, i) => {
      const number = String(i + 1).padStart(4, '0')
      if (!name.startsWith(`${number}_`)) throw new Error(`migrations/${name}: expected number ${number} here`)
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex'), former: released[name]?.slice(1) ?? [] }
    }),
  )
}

/** The migrations to run, or a sentence that says why none may run. */
export const pendingMigrations = (
  files: readonly MigrationFile[],
  applied: readonly LedgerRow[],
): MigrationFile[] | { readonly wrong: string } => {
  for (const [i, row] of applied.entries()) {
    const file = files[i]
    if (file === undefined)
      return { wrong: `The database has migration ${row.name}, which this version does not know: run a newer version.` }
    if (file.name !== row.name)
      return {
        wrong: `The database ran ${row.name} where this version has ${file.name}: they have different histories.`,
      }
    if (file.hash !== row.hash && !file.former.includes(row.hash))
      return {
        wrong: `The database ran another text of migrations/${file.name} than any release has: run the version that made the database, or restore a backup that a release made.`,
      }
  }
  return files.slice(applied.length)
}

/** The table that records which migrations ran. */
export const migrationLedger = `
  create table if not exists migrations (
    name   text primary key,
    hash   text not null,
    ran_at timestamptz not null default now())`

/** The work and its rows in the ledger are committed together, or nothing is. */
const inTransaction = async <T>(client: WatchedClient, name: string, work: () => Promise<T>): Promise<T> => {
  try {
    await client.query('begin')
    const result = await work()
    await client.query('commit')
    return result
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`${name} failed and changed nothing: ${(cause as Error).message}`, { cause })
  }
}

export const migrate = async (
  url: string,
  folder: string,
  report: (line: string) => void = () => {},
): Promise<{ readonly ran: number; readonly all: number }> => {
  const files = await readMigrations(folder)
  const earlier = await readEarlier(folder)
  const client = await openWatchedClient(url, 'sanad migrate')
  try {
    await client.query('set search_path = public')
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(migrationLedger)
    const { rows } = await client.query<LedgerRow>('select name, hash from migrations order by name')
    const ledger = inTodaysTerms(rows, files, earlier)
    if ('wrong' in ledger) throw new WrongHistory(ledger.wrong)
    const pending = pendingMigrations(files, ledger.applied)
    if ('wrong' in pending) throw new WrongHistory(pending.wrong)
    let ran = 0
    if (ledger.isEarlier) {
      report(
        `a database of the previous version: its ${rows.length} migrations count as the first ${ledger.applied.length}`,
      )
      ran += await inTransaction(client, 'migrations/earlier/alter.sql', () => upgradeEarlier(client, files, earlier!))
    }
    for (const [i, file] of pending.entries()) {
      report(`migration ${i + 1} of ${pending.length}: ${file.name}`)
      await inTransaction(client, `migrations/${file.name}`, async () => {
        await client.query(file.sql)
        await client.query('insert into migrations (name, hash) values ($1, $2)', [file.name, file.hash])
      })
      ran++
    }
    return { ran, all: files.length }
  } finally {
    await client.end()
  }
}
