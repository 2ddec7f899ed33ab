/**
 * Migrations: numbered SQL files, forward only. Each runs once, in a transaction of its own, and is recorded with its hash; a file
 * that changed afterwards stops the start. Two nodes that start at once take turns by a lock.
 */
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openWatchedClient } from '../connection/watched-client.ts'

export type MigrationFile = { readonly name: string; readonly sql: string; readonly hash: string }

/** The advisory lock on which all nodes of Sanad wait for each other. */
export const migrationLock = 7262_2311

export const readMigrations = async (folder: string): Promise<MigrationFile[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, i) => {
      const number = String(i + 1).padStart(4, '0')
      if (!name.startsWith(`${number}_`)) throw new Error(`migrations/${name}: expected number ${number} here`)
      const sql = await readFile(join(folder, name), 'utf8')
      return { name, sql, hash: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** The migrations to run, or a sentence that says why none may run. */
export const pendingMigrations = (
  files: readonly MigrationFile[],
  done: readonly { name: string; hash: string }[],
): MigrationFile[] | { readonly wrong: string } => {
  for (const [i, row] of done.entries()) {
    const file = files[i]
    if (file === undefined)
      return { wrong: `The database has migration ${row.name}, which this version does not know: run a newer version.` }
    if (file.name !== row.name)
      return { wrong: `The database ran ${row.name} where this version has ${file.name}: they are not of one history.` }
    if (file.hash !== row.hash)
      return { wrong: `migrations/${file.name} was changed after it ran: put it back, and write a new migration.` }
  }
  return files.slice(done.length)
}

/** The table that records which migrations ran. */
export const migrationLedger = `
  create table if not exists migrations (
    name   text primary key,
    hash   text not null,
    ran_at timestamptz not null default now())`

export const migrate = async (
  url: string,
  folder: string,
  say: (line: string) => void = () => {},
): Promise<{ readonly ran: number; readonly all: number }> => {
  const files = await readMigrations(folder)
  const client = await openWatchedClient(url, 'sanad migrate')
  try {
    await client.query('set search_path = public')
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(migrationLedger)
    const done = await client.query<{ name: string; hash: string }>('select name, hash from migrations order by name')
    const pending = pendingMigrations(files, done.rows)
    if ('wrong' in pending) throw new Error(pending.wrong)
    for (const [i, file] of pending.entries()) {
      say(`migration ${i + 1} of ${pending.length}: ${file.name}`)
      try {
        await client.query('begin')
        await client.query(file.sql)
        await client.query('insert into migrations (name, hash) values ($1, $2)', [file.name, file.hash])
        await client.query('commit')
      } catch (cause) {
        await client.query('rollback')
        throw new Error(`migrations/${file.name} failed and changed nothing: ${(cause as Error).message}`, { cause })
      }
    }
    return { ran: pending.length, all: files.length }
  } finally {
    await client.end()
  }
}
