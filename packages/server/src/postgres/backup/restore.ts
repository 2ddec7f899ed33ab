/**
 * Restores a backup into an empty database, in one transaction: all of it or nothing. Before it begins, the whole file is read
 * once and checked against its checksums; before it commits, the number of rows and the sums in the database are compared with
 * the manifest.
 *
 * The migrations of the backup's version create the tables; newer ones run afterwards. Indexes and constraints are dropped before
 * rows are loaded, and created again afterwards from their definitions, which also checks every row.
 */
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { from as copyFrom } from 'pg-copy-streams'
import { faultCode } from '../connection/database.ts'
import {
  type EarlierMigrations,
  inTodaysTerms,
  readEarlier,
  upgradeEarlier,
} from '../maintenance/earlier-migrations.ts'
import {
  type MigrationFile,
  migrate,
  migrationLedger,
  migrationLock,
  pendingMigrations,
  readMigrations,
} from '../maintenance/migrate.ts'
import { describeTables, type SummedTable, tablesOf, totalsOf } from './backup.ts'
import { type BackupConnection, connectForBackup, lockTimeout, runText } from './backup-connection.ts'
import { type About, BackupRefused, type Manifest, type TableAbout } from './backup-format.ts'
import {
  appliedMigrations,
  connectedNodes,
  copyIn,
  followingTriggers,
  hasMigrationsTable,
  hasRows,
  laterConstraints,
  laterIndexes,
  quoted,
} from './backup-sql.ts'
import { noProgress, type Progress } from './progress.ts'
import { checkBackup, readBackup } from './read-backup-file.ts'

export type RestoreOptions = {
  readonly url: string
  readonly file: string
  readonly migrationsFolder: string
  /** Private keys, for a file that is encrypted. */
  readonly identities?: readonly string[]
  readonly progress?: Progress
  /** Called when the file has been checked and nothing has been changed yet. */
  readonly onChecked?: (about: About) => void
}

export type RestoreDone = { readonly about: About; readonly manifest: Manifest; readonly migrated: number }

/**
 * Conditions for the rows that the first start of a service inserts: a database with no other rows counts as empty. A provider or
 * template that an operator added also has a row in audit_log, which is not on this list.
 */
const firstStart: Readonly<Record<string, string>> = {
  providers: 'account_id is null',
  alert_templates: 'account_id is null',
  tally_progress: 'true',
  // The check value of the master key of the first start: the backup's check value replaces it.
  master_keys: 'true',
  // The key pair of notifications, made at the first start: the backup's replaces it.
  push_keys: 'true',
  // The list of the backups that were made of this database before: none of them had data.
  backups: 'true',
}

/** Refuses a database with rows that a first start does not insert. */
const refuseUnlessEmpty = async (session: BackupConnection, tables: readonly SummedTable[]): Promise<void> => {
  for (const { name } of tables) {
    const [row] = await runText(session, hasRows(name, firstStart[name] ?? 'false'))
    if (row![0] === 't')
      throw new BackupRefused(
        `The database is not empty: ${name} has rows. A backup is restored only into a database without tables, or one that has only the rows of a first start in production; a first start in development makes a demo shop, which counts. Nothing was changed: set SANAD_DATA_DIR to a new folder, or DATABASE_URL to an empty database.`,
      )
  }
}

type Migrations = { readonly files: readonly MigrationFile[]; readonly earlier: EarlierMigrations | undefined }

/**
 * The description of a backup in terms of this version. A backup from before the migrations were squashed counts as if it had run
 * the files of today that replace its own, without the tables that they no longer create.
 */
const aboutInTodaysTerms = (about: About, manifest: Manifest, { files, earlier }: Migrations): About => {
  const ledger = inTodaysTerms(about.migrations, files, earlier)
  if ('wrong' in ledger) throw new BackupRefused(`The backup does not fit this version. ${ledger.wrong}`)
  const unknown = pendingMigrations(files, ledger.applied)
  if ('wrong' in unknown) throw new BackupRefused(`The backup does not fit this version. ${unknown.wrong}`)
  if (!ledger.isEarlier) return about
  const dropped = new Set(earlier!.droppedTables)
  const lost = manifest.tables.find(({ name, rows }) => dropped.has(name) && rows > 0)
  if (lost !== undefined)
    throw new BackupRefused(
      `${lost.name} has ${lost.rows} rows, and this version has no such table: nothing was restored.`,
    )
  return { ...about, migrations: ledger.applied, tables: about.tables.filter(({ name }) => !dropped.has(name)) }
}

/** Creates the schema that the backup had. Returns true if the database had no migrations before. */
const migrateTo = async (session: BackupConnection, { files, earlier }: Migrations, about: About): Promise<boolean> => {
  const [migrationsTable] = await hasMigrationsTable(session)
  const ledger = inTodaysTerms(migrationsTable!.exists ? await appliedMigrations(session) : [], files, earlier)
  if ('wrong' in ledger) throw new BackupRefused(ledger.wrong)
  const { applied } = ledger
  const pending = pendingMigrations(files, applied)
  if ('wrong' in pending) throw new BackupRefused(pending.wrong)
  if (ledger.isEarlier) await upgradeEarlier(session.client, files, earlier!)
  const targetCount = about.migrations.length
  if (applied.length > targetCount)
    throw new BackupRefused(
      `The database has migrations up to ${applied.at(-1)!.name}, the backup only up to ${about.migrations.at(-1)!.name}: restore it into a database without tables, which is then brought to this version.`,
    )
  await runText(session, migrationLedger)
  for (const file of files.slice(applied.length, targetCount)) {
    try {
      await session.client.query(file.sql)
    } catch (cause) {
      const why = (cause as Error).message
      throw new BackupRefused(
        `The tables could not be created (migrations/${file.name}: ${why}): restore into an empty database. Nothing was changed.`,
        { cause },
      )
    }
    await session.run({ text: 'insert into migrations (name, hash) values ($1, $2)', values: [file.name, file.hash] })
  }
  // A migration may have changed this setting.
  await runText(session, 'set local search_path = public')
  return applied.length === 0
}

const refuseOtherTables = (existing: readonly SummedTable[], expected: readonly TableAbout[]): void => {
  const text = (tables: readonly TableAbout[]): string[] =>
    tables.map(({ name, columns }) => `${name} (${columns.toSorted().join(', ')})`).sort()
  const [actualText, expectedText] = [text(existing), text(expected)]
  const wrong =
    expectedText.find((table) => !actualText.includes(table)) ??
    actualText.find((table) => !expectedText.includes(table))
  if (wrong !== undefined)
    throw new BackupRefused(`The tables of the backup are not those of the database: ${wrong}. Nothing was changed.`)
}

/** Drops the constraints and indexes that slow down loading, and checks that older rows may violate, and disables triggers that would
 *  write rows that the backup has. Returns the statements that bring all back, in the order in which they must run. */
const dropForLoading = async (session: BackupConnection): Promise<string[]> => {
  const constraints = await laterConstraints(session)
  const indexes = await laterIndexes(session)
  const triggers = await followingTriggers(session)
  for (const { table, name } of triggers)
    await runText(session, `alter table public.${quoted(table)} disable trigger ${quoted(name)}`)
  // Foreign keys come first in the list: they depend on the keys of other tables.
  for (const { table, name } of constraints)
    await runText(session, `alter table public.${quoted(table)} drop constraint ${quoted(name)}`)
  for (const { name } of indexes) await runText(session, `drop index public.${quoted(name)}`)
  const constraintsOf = (kinds: string): string[] =>
    constraints
      .filter(({ kind }) => kinds.includes(kind))
      .map(
        ({ table, name, definition }) =>
          `alter table public.${quoted(table)} add constraint ${quoted(name)} ${definition}`,
      )
  // A comment is dropped together with its constraint or index.
  const comments = [
    ...constraints.map(({ table, name, comment }) => [
      `constraint ${quoted(name)} on public.${quoted(table)}`,
      comment,
    ]),
    ...indexes.map(({ name, comment }) => [`index public.${quoted(name)}`, comment]),
  ].flatMap(([on, comment]) => (comment === null ? [] : [`comment on ${on} is ${comment}`]))
  return [
    ...constraintsOf('pux'),
    ...indexes.map(({ definition }) => definition),
    ...constraintsOf('c'),
    ...constraintsOf('f'),
    ...comments,
    ...triggers.map(({ table, name }) => `alter table public.${quoted(table)} enable trigger ${quoted(name)}`),
  ]
}

const createPartitions = async (session: BackupConnection, tables: readonly TableAbout[]): Promise<void> => {
  for (const table of tables) {
    const existing = (await describeTables(session, new Set([table.name])))[0]!.partitions.map(({ name }) => name)
    for (const { name, from, to } of table.partitions)
      if (!existing.includes(name))
        await runText(
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

/** `found`: the description that the file had when it was checked. `tables`: only these are loaded. */
const load = async (
  session: BackupConnection,
  { file, identities }: RestoreOptions,
  found: About,
  tables: readonly SummedTable[],
  progress: Progress,
): Promise<void> => {
  progress.part('Loading rows', (await stat(file)).size)
  const loaded = new Set(tables.map(({ name }) => name))
  let copy: ReturnType<typeof copyInto> | undefined
  for await (const part of readBackup(file, progress, identities)) {
    if (part.kind === 'about' && JSON.stringify(part.about) !== JSON.stringify(found))
      throw new BackupRefused(`${file} was changed while it was read: nothing was restored.`)
    if (part.kind === 'table') copy = loaded.has(part.table.name) ? copyInto(session, part.table) : undefined
    if (part.kind === 'rows') await copy!.write(part.bytes)
    if (part.kind === 'table end' && copy !== undefined) {
      const rows = await copy.end()
      if (rows !== part.rows) throw new Error(`${part.table.name}: ${part.rows} rows were sent, ${rows} were stored`)
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
    const existing = await totalsOf(session, table)
    const { rows, sums } = expected.get(table.name)!
    const wrong = Object.keys(sums).find((column) => sums[column] !== existing.sums[column])
    if (existing.rows !== rows)
      throw new BackupRefused(`${table.name} has ${existing.rows} rows, the backup ${rows}: nothing was restored.`)
    if (wrong !== undefined)
      throw new BackupRefused(
        `The sum of ${table.name}.${wrong} is ${existing.sums[wrong]}, in the backup ${sums[wrong]}: nothing was restored.`,
      )
    progress.at(n + 1)
  }
}

/** A file that was checked: its description as it is, and in terms of this version. */
type Checked = { readonly found: About; readonly about: About; readonly manifest: Manifest }

const loadInTransaction = async (
  session: BackupConnection,
  options: RestoreOptions,
  migrations: Migrations,
  { found, about, manifest }: Checked,
): Promise<readonly SummedTable[]> => {
  const { progress = noProgress } = options
  await runText(session, 'begin')
  await runText(session, `set local maintenance_work_mem = '256MB'`)
  await runText(session, `select pg_advisory_xact_lock(${migrationLock})`)
  const wasWithoutTables = await migrateTo(session, migrations, about)
  const tables = await describeTables(session, tablesOf(migrations.files.slice(0, about.migrations.length)))
  refuseOtherTables(tables, about.tables)
  const names = tables.map(({ name }) => `public.${quoted(name)}`)
  await runText(session, `lock table ${names.join(', ')} in access exclusive mode`)
  if (!wasWithoutTables) await refuseUnlessEmpty(session, tables)
  const recreate = await dropForLoading(session)
  // Rows of a first start or of a migration are deleted: the backup has them too.
  for (const { name } of tables) {
    const [row] = await runText(session, hasRows(name, 'false'))
    if (row![0] === 't') await runText(session, `delete from public.${quoted(name)}`)
  }
  await createPartitions(session, about.tables)
  await load(session, options, found, tables, progress)
  progress.part('Creating indexes and constraints', recreate.length)
  for (const [n, sql] of recreate.entries()) {
    await runText(session, sql)
    progress.at(n + 1)
  }
  await compare(session, tables, manifest, progress)
  await runText(session, 'commit')
  return tables
}

/** Collects statistics before the service starts: without them plans read whole tables. */
const collectStatistics = async (
  session: BackupConnection,
  tables: readonly SummedTable[],
  progress: Progress,
): Promise<void> => {
  progress.part('Collecting statistics', tables.length)
  for (const [n, { name }] of tables.entries()) {
    await runText(session, `vacuum (analyze) public.${quoted(name)}`)
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
  const { about, manifest } = await checkBackup(file, progress, options.identities)
  progress.end()
  options.onChecked?.(about)
  const migrations = { files: await readMigrations(migrationsFolder), earlier: await readEarlier(migrationsFolder) }
  const checked = { found: about, about: aboutInTodaysTerms(about, manifest, migrations), manifest }

  const session = await connectForBackup(url, 'sanad restore')
  let isLoaded = false
  try {
    await refuseWhileServing(session)
    const tables = await loadInTransaction(session, options, migrations, checked)
    isLoaded = true
    const { ran } = await migrate(url, migrationsFolder)
    await collectStatistics(session, tables, progress)
    progress.end()
    await session.close()
    return { about, manifest, migrated: ran }
  } catch (fault) {
    session.abandon()
    if (faultCode(fault) === lockTimeout)
      throw new BackupRefused(
        isLoaded
          ? 'The backup is restored, but another session has locked the tables: start the service, which does the rest.'
          : 'Another session has locked the tables, perhaps another restore or a start of the service: try again.',
      )
    throw fault
  }
}
