/**
 * Restores a backup into an empty database, in one transaction: all of it or nothing. Before it begins, the whole file is read
 * once and checked against its checksums; before it commits, the number of rows and the sums in the database are compared with
 * the manifest.
 *
 * The migrations of the backup's version make the tables; newer ones run afterwards. Indexes and constraints are dropped while
 * rows are loaded and made again from their definitions, which also checks every row.
 */
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { faultCode } from '../connection/database.ts'
import { asToday, type EarlierMigrations, readEarlier, takeOver } from '../maintenance/earlier-migrations.ts'
import {
  type MigrationFile,
  migrate,
  migrationLedger,
  migrationLock,
  pendingMigrations,
  readMigrations,
} from '../maintenance/migrate.ts'
import { describeTables, type SummedTable, tablesOf, totalsOf } from './backup.ts'
import { ask, type BackupConnection, connectForBackup, lockTimeout } from './backup-connection.ts'
import { type About, BackupRefused, type Manifest, type TableAbout } from './backup-format.ts'
import {
  connectedNodes,
  copyIn,
  hasRows,
  laterConstraints,
  laterIndexes,
  migrationsRun,
  migrationsTable,
  quoted,
} from './backup-sql.ts'
import { noProgress, type Progress } from './progress.ts'
import { checkBackup, readBackup } from './read-backup-file.ts'

export type RestoreOptions = {
  readonly url: string
  readonly file: string
  readonly migrationsFolder: string
  readonly progress?: Progress
  /** Called when the file has been checked and nothing has been changed yet. */
  readonly onChecked?: (about: About) => void
}

export type RestoreDone = { readonly about: About; readonly manifest: Manifest; readonly migrated: number }

/**
 * The rows that the first start of a service makes, as conditions: a database with no other rows is empty. A provider or template
 * that an operator added also has a row in audit_log, which is not on this list.
 */
const firstStart: Readonly<Record<string, string>> = {
  providers: 'account_id is null',
  alert_templates: 'account_id is null',
  tally_progress: 'true',
  // The check value of the master key it was started with: that of the backup replaces it.
  master_keys: 'true',
}

/** Rows of other tables, or rows that belong to an account. */
const refuseUnlessEmpty = async (session: BackupConnection, tables: readonly SummedTable[]): Promise<void> => {
  for (const { name } of tables) {
    const [row] = await ask(session, hasRows(name, firstStart[name] ?? 'false'))
    if (row![0] === 't')
      throw new BackupRefused(
        `The database is not empty: ${name} has rows. A backup is restored only into a database without tables, or one that holds nothing but what a first start puts there. Nothing was changed.`,
      )
  }
}

type Migrations = { readonly files: readonly MigrationFile[]; readonly earlier: EarlierMigrations | undefined }

/**
 * What a backup says of itself, in terms of this version: one from before the migrations were squashed counts as if it had
 * the files of today that stand for its own, without the tables that they no longer make.
 */
const aboutToday = (about: About, manifest: Manifest, { files, earlier }: Migrations): About => {
  const run = asToday(about.migrations, files, earlier)
  if ('wrong' in run) throw new BackupRefused(`The backup does not fit this version. ${run.wrong}`)
  const unknown = pendingMigrations(files, run.done)
  if ('wrong' in unknown) throw new BackupRefused(`The backup does not fit this version. ${unknown.wrong}`)
  if (!run.isEarlier) return about
  const dropped = new Set(earlier!.droppedTables)
  const lost = manifest.tables.find(({ name, rows }) => dropped.has(name) && rows > 0)
  if (lost !== undefined)
    throw new BackupRefused(
      `${lost.name} has ${lost.rows} rows, and this version has no such table: nothing was restored.`,
    )
  return { ...about, migrations: run.done, tables: about.tables.filter(({ name }) => !dropped.has(name)) }
}

/** Makes the schema that the backup had. True if there was none before. */
const migrateTo = async (session: BackupConnection, { files, earlier }: Migrations, about: About): Promise<boolean> => {
  const [ledger] = await migrationsTable(session)
  const run = asToday(ledger!.there ? await migrationsRun(session) : [], files, earlier)
  if ('wrong' in run) throw new BackupRefused(run.wrong)
  const { done } = run
  const pending = pendingMigrations(files, done)
  if ('wrong' in pending) throw new BackupRefused(pending.wrong)
  if (run.isEarlier) await takeOver(session.client, files, earlier!)
  const wanted = about.migrations.length
  if (done.length > wanted)
    throw new BackupRefused(
      `The database has migrations up to ${done.at(-1)!.name}, the backup only up to ${about.migrations.at(-1)!.name}: restore it into a database without tables, which is then brought to this version.`,
    )
  await ask(session, migrationLedger)
  for (const file of files.slice(done.length, wanted)) {
    try {
      await session.client.query(file.sql)
    } catch (cause) {
      const why = (cause as Error).message
      throw new BackupRefused(
        `The tables could not be made (migrations/${file.name}: ${why}): restore into a database of its own. Nothing was changed.`,
        { cause },
      )
    }
    await session.run({ text: 'insert into migrations (name, hash) values ($1, $2)', values: [file.name, file.hash] })
  }
  // A migration may have changed this setting.
  await ask(session, 'set local search_path = public')
  return done.length === 0
}

const sameTables = (there: readonly SummedTable[], expected: readonly TableAbout[]): void => {
  const text = (tables: readonly TableAbout[]): string[] =>
    tables.map(({ name, columns }) => `${name} (${columns.toSorted().join(', ')})`).sort()
  const [actualText, expectedText] = [text(there), text(expected)]
  const wrong =
    expectedText.find((table) => !actualText.includes(table)) ??
    actualText.find((table) => !expectedText.includes(table))
  if (wrong !== undefined)
    throw new BackupRefused(`The tables of the backup are not those of the database: ${wrong}. Nothing was changed.`)
}

/** The statements that drop what slows loading, and those that make it again, in this order. */
const putAside = async (session: BackupConnection): Promise<string[]> => {
  const constraints = await laterConstraints(session)
  const indexes = await laterIndexes(session)
  // Foreign keys come first in the list: they depend on the keys of other tables.
  for (const { table, name } of constraints)
    await ask(session, `alter table public.${quoted(table)} drop constraint ${quoted(name)}`)
  for (const { name } of indexes) await ask(session, `drop index public.${quoted(name)}`)
  const again = (kinds: string): string[] =>
    constraints
      .filter(({ kind }) => kinds.includes(kind))
      .map(
        ({ table, name, definition }) =>
          `alter table public.${quoted(table)} add constraint ${quoted(name)} ${definition}`,
      )
  // A comment goes with what it is on.
  const comments = [
    ...constraints.map(({ table, name, comment }) => [
      `constraint ${quoted(name)} on public.${quoted(table)}`,
      comment,
    ]),
    ...indexes.map(({ name, comment }) => [`index public.${quoted(name)}`, comment]),
  ].flatMap(([on, comment]) => (comment === null ? [] : [`comment on ${on} is ${comment}`]))
  return [...again('pux'), ...indexes.map(({ definition }) => definition), ...again('c'), ...again('f'), ...comments]
}

const makePartitions = async (session: BackupConnection, tables: readonly TableAbout[]): Promise<void> => {
  for (const table of tables) {
    const there = (await describeTables(session, new Set([table.name])))[0]!.partitions.map(({ name }) => name)
    for (const { name, from, to } of table.partitions)
      if (!there.includes(name))
        await ask(
          session,
          `create table public.${quoted(name)} partition of public.${quoted(table.name)}
           for values from ('${from}') to ('${to}')`,
        )
  }
}

/** A table into which rows are being copied. */
const copyInto = (session: BackupConnection, table: TableAbout) => {
  const stream = session.client.query(copyFrom(copyIn(table.name, table.columns)))
  let fault: Error | undefined
  stream.on('error', (error) => {
    fault = error
  })
  return {
    async write(bytes: Buffer): Promise<void> {
      if (fault !== undefined) throw fault
      if (!stream.write(bytes)) await once(stream, 'drain')
    },
    /** Ends the copy and returns how many rows PostgreSQL has stored. */
    async end(): Promise<number> {
      if (fault !== undefined) throw fault
      const finished = once(stream, 'finish')
      stream.end()
      await finished
      return stream.rowCount
    },
  }
}

/** `found`: what the file said of itself when it was checked. Only these tables are loaded. */
const load = async (
  session: BackupConnection,
  file: string,
  found: About,
  tables: readonly SummedTable[],
  progress: Progress,
): Promise<void> => {
  progress.part('Loading rows', (await stat(file)).size)
  const loaded = new Set(tables.map(({ name }) => name))
  let into: ReturnType<typeof copyInto> | undefined
  for await (const part of readBackup(file, progress)) {
    if (part.kind === 'about' && JSON.stringify(part.about) !== JSON.stringify(found))
      throw new BackupRefused(`${file} was changed while it was read: nothing was restored.`)
    if (part.kind === 'table') into = loaded.has(part.table.name) ? copyInto(session, part.table) : undefined
    if (part.kind === 'rows') await into!.write(part.bytes)
    if (part.kind === 'table end' && into !== undefined) {
      const rows = await into.end()
      if (rows !== part.rows) throw new Error(`${part.table.name}: ${part.rows} rows were sent, ${rows} were taken`)
    }
  }
}

/** Compares the database with the counts and sums of the manifest. */
const compare = async (
  session: BackupConnection,
  tables: readonly SummedTable[],
  manifest: Manifest,
  progress: Progress,
): Promise<void> => {
  progress.part('Comparing counts and sums', tables.length)
  const expected = new Map(manifest.tables.map((table) => [table.name, table]))
  for (const [n, table] of tables.entries()) {
    const there = await totalsOf(session, table)
    const { rows, sums } = expected.get(table.name)!
    const wrong = Object.keys(sums).find((column) => sums[column] !== there.sums[column])
    if (there.rows !== rows)
      throw new BackupRefused(`${table.name} has ${there.rows} rows, the backup ${rows}: nothing was restored.`)
    if (wrong !== undefined)
      throw new BackupRefused(
        `The sum of ${table.name}.${wrong} is ${there.sums[wrong]}, in the backup ${sums[wrong]}: nothing was restored.`,
      )
    progress.at(n + 1)
  }
}

/** A file that was read once: what it says of itself, as it is and in terms of this version. */
type Checked = { readonly found: About; readonly about: About; readonly manifest: Manifest }

const inOneTransaction = async (
  session: BackupConnection,
  options: RestoreOptions,
  migrations: Migrations,
  { found, about, manifest }: Checked,
): Promise<readonly SummedTable[]> => {
  const { progress = noProgress } = options
  await ask(session, 'begin')
  await ask(session, `set local maintenance_work_mem = '256MB'`)
  await ask(session, `select pg_advisory_xact_lock(${migrationLock})`)
  const wasBare = await migrateTo(session, migrations, about)
  const tables = await describeTables(session, tablesOf(migrations.files.slice(0, about.migrations.length)))
  sameTables(tables, about.tables)
  const names = tables.map(({ name }) => `public.${quoted(name)}`)
  await ask(session, `lock table ${names.join(', ')} in access exclusive mode`)
  if (!wasBare) await refuseUnlessEmpty(session, tables)
  const again = await putAside(session)
  // Rows of a first start or of a migration are deleted: the backup has them too.
  for (const { name } of tables) {
    const [row] = await ask(session, hasRows(name, 'false'))
    if (row![0] === 't') await ask(session, `delete from public.${quoted(name)}`)
  }
  await makePartitions(session, about.tables)
  await load(session, options.file, found, tables, progress)
  progress.part('Making indexes and constraints', again.length)
  for (const [n, sql] of again.entries()) {
    await ask(session, sql)
    progress.at(n + 1)
  }
  await compare(session, tables, manifest, progress)
  await ask(session, 'commit')
  return tables
}

/** Without statistics plans read whole tables: so they are collected before the service starts. */
const collectStatistics = async (
  session: BackupConnection,
  tables: readonly SummedTable[],
  progress: Progress,
): Promise<void> => {
  progress.part('Collecting statistics', tables.length)
  for (const [n, { name }] of tables.entries()) {
    await ask(session, `vacuum (analyze) public.${quoted(name)}`)
    progress.at(n + 1)
  }
}

const refuseWhileServing = async (session: BackupConnection): Promise<void> => {
  const nodes = await connectedNodes(session)
  if (nodes.length > 0)
    throw new BackupRefused('A service runs on this database: stop it, restore, and start it again.')
}

export const restore = async (options: RestoreOptions): Promise<RestoreDone> => {
  const { url, file, migrationsFolder, progress = noProgress } = options
  const { about, manifest } = await checkBackup(file, progress)
  progress.end()
  options.onChecked?.(about)
  const migrations = { files: await readMigrations(migrationsFolder), earlier: await readEarlier(migrationsFolder) }
  const checked = { found: about, about: aboutToday(about, manifest, migrations), manifest }

  const session = await connectForBackup(url, 'sanad restore')
  try {
    await refuseWhileServing(session)
    const tables = await inOneTransaction(session, options, migrations, checked)
    const { ran } = await migrate(url, migrationsFolder)
    await collectStatistics(session, tables, progress)
    progress.end()
    await session.close()
    return { about, manifest, migrated: ran }
  } catch (fault) {
    session.abandon()
    if (faultCode(fault) === lockTimeout)
      throw new BackupRefused(
        'Somebody else holds the tables, another restore or a start of the service perhaps: try again.',
      )
    throw fault
  }
}
