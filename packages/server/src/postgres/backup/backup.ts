/**
 * A backup of all rows, as they were at one moment, while others read and write: one REPEATABLE READ READ ONLY transaction
 * from beginning to end. It does not block requests; a migration waits for it, and partitions are neither created nor dropped
 * meanwhile. Memory use is constant: rows go from the server to the file in pieces of a few megabytes.
 */
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { to as copyTo } from 'pg-copy-streams'
import type { Instant } from '../../core/clock.ts'
import { faultCode } from '../connection/database.ts'
import { inTodaysTerms, readEarlier } from '../maintenance/earlier-migrations.ts'
import { type MigrationFile, pendingMigrations, readMigrations } from '../maintenance/migrate.ts'
import { type BackupConnection, connectForBackup, lockTimeout, runText } from './backup-connection.ts'
import type { Encrypt } from './backup-encryption.ts'
import {
  type About,
  aboutName,
  BackupRefused,
  formatVersion,
  jsonBytes,
  type Manifest,
  manifestName,
  manifestSumName,
  type Partition,
  pieceName,
  rowsIn,
  sha256,
  sumLine,
  type TableAbout,
  type TableTotals,
} from './backup-format.ts'
import {
  appliedMigrations,
  columnsOf,
  copyOut,
  hasMigrationsTable,
  partitionBounds,
  quoted,
  schemaTables,
  serverVersion,
  totals,
} from './backup-sql.ts'
import { noProgress, type Progress } from './progress.ts'
import { checkPlace, type Member, writeBackupFile } from './write-backup-file.ts'

export type BackupOptions = {
  readonly url: string
  readonly file: string
  readonly migrationsFolder: string
  readonly sanadVersion: string
  readonly masterKeyFingerprint: string | null
  readonly now: Instant
  readonly progress?: Progress
  readonly signal?: AbortSignal
  /** Without it the file is not encrypted. */
  readonly encrypt?: Encrypt
}

export type BackupDone = {
  readonly about: About
  readonly manifest: Manifest
  readonly file_bytes: number
  /** Tables in the same schema that do not belong to Sanad: they are not in the file. */
  readonly leftOut: readonly string[]
}

const piece_bytes = 4 * 1024 * 1024
/** The job that creates and drops partitions of deliveries tries to take this lock; if it cannot, it waits for its next run. */
const partitionsLock = 72622312
/** A copy on which nothing arrives for so long has lost its server. */
const silence_ms = 120_000

/** The tables that the migrations create, read from their text. */
export const tablesOf = (files: readonly MigrationFile[]): Set<string> => {
  const creation =
    /^\s*(?:create (?:unlogged )?table (?:if not exists )?|alter table \w+ rename to )(?:public\.)?(\w+)/gim
  return new Set(files.flatMap(({ sql }) => [...sql.matchAll(creation)].map(([, name]) => name!)))
}

export type SummedTable = TableAbout & { readonly summed: readonly string[] }

/** The columns and partitions of these tables. */
export const describeTables = async (session: BackupConnection, names: ReadonlySet<string>): Promise<SummedTable[]> => {
  const tables: SummedTable[] = []
  for (const { name, partitioned } of await schemaTables(session)) {
    if (name === 'migrations' || !names.has(name)) continue
    const columns = await columnsOf(session, name)
    tables.push({
      name,
      columns: columns.map((column) => column.name),
      summed: columns.filter(({ summed }) => summed).map((column) => column.name),
      partitions: partitioned ? (await partitionBounds(session, name)).map(partitionOf) : [],
    })
  }
  return tables
}

const partitionOf = ({ name, bounds }: { name: string; bounds: string }): Partition => {
  const [, from, to] = /^FOR VALUES FROM \('([^']+)'\) TO \('([^']+)'\)$/.exec(bounds) ?? []
  if (from === undefined || to === undefined) throw new Error(`partition ${name} is not a range of time: ${bounds}`)
  return { name, from, to }
}

/** The number of rows and the sums of a table in this connection's snapshot. */
export const totalsOf = async (
  session: BackupConnection,
  table: SummedTable,
): Promise<Pick<TableTotals, 'rows' | 'sums'>> => {
  const [row] = await runText(session, totals(table.name, table.summed))
  const [rows, ...sums] = row!
  return { rows: Number(rows), sums: Object.fromEntries(table.summed.map((column, n) => [column, sums[n] ?? null])) }
}

/** Fails if nothing arrives for too long; the time that the consumer takes does not count. */
async function* withTimeout(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const source = chunks[Symbol.asyncIterator]()
  for (;;) {
    const timeout = new AbortController()
    const silent = delay(silence_ms, 'silent' as const, { signal: timeout.signal }).catch(() => 'silent' as const)
    const next = await Promise.race([source.next(), silent])
    timeout.abort()
    if (next === 'silent')
      throw new BackupRefused(`The database sent nothing for ${silence_ms / 1000} s: no backup was made.`)
    if (next.done) return
    yield next.value
  }
}

/** The rows of a table in pieces. */
async function* piecesOf(session: BackupConnection, table: TableAbout): AsyncGenerator<Buffer> {
  const rows = session.client.query(copyTo(copyOut(table.name, table.columns), { highWaterMark: 256 * 1024 }))
  // The reader of the next rows gets the fault; without a listener a later error would end the process.
  rows.on('error', () => {})
  let chunks: Buffer[] = []
  let size_bytes = 0
  for await (const chunk of withTimeout(rows)) {
    chunks.push(chunk)
    size_bytes += chunk.length
    if (size_bytes < piece_bytes) continue
    yield Buffer.concat(chunks)
    chunks = []
    size_bytes = 0
  }
  if (size_bytes > 0) yield Buffer.concat(chunks)
}

type Snapshot = {
  readonly about: About
  readonly tables: readonly SummedTable[]
  readonly leftOut: readonly string[]
}

/** Takes the snapshot, and locks every table against changes of its definition. */
const beginSnapshot = async (session: BackupConnection, options: BackupOptions): Promise<Snapshot> => {
  const [migrationsTable] = await hasMigrationsTable(session)
  if (!migrationsTable!.exists)
    throw new BackupRefused('There is nothing to back up: this database has no tables of Sanad.')
  const files = await readMigrations(options.migrationsFolder)
  const earlier = await readEarlier(options.migrationsFolder)
  const known = tablesOf(files)
  const locked = (await schemaTables(session)).filter(({ name }) => name === 'migrations' || known.has(name))
  await runText(session, `select pg_advisory_lock_shared(${partitionsLock})`)
  await runText(session, 'begin isolation level repeatable read read only')
  // Locked before the first query, which takes the snapshot: so no table of the snapshot can be altered or dropped.
  const names = locked.map(({ name }) => `public.${quoted(name)}`)
  await runText(session, `lock table ${names.join(', ')} in access share mode`)

  const ledger = inTodaysTerms(await appliedMigrations(session), files, earlier)
  if ('wrong' in ledger) throw new BackupRefused(ledger.wrong)
  const { applied } = ledger
  const pending = pendingMigrations(files, applied)
  if ('wrong' in pending) throw new BackupRefused(pending.wrong)
  const ours = tablesOf(files.slice(0, applied.length))
  const tables = await describeTables(session, ours)
  const existing = await schemaTables(session)
  // A database of the previous version has empty tables that this version drops: they belong to Sanad too.
  const sanadTables = new Set(['migrations', ...ours, ...(ledger.isEarlier ? earlier!.droppedTables : [])])
  const leftOut = existing.map(({ name }) => name).filter((name) => !sanadTables.has(name))
  const [version] = await serverVersion(session)
  const about: About = {
    format: 'sanad backup',
    version: formatVersion,
    id: randomUUID(),
    made_at: new Date(options.now).toISOString(),
    sanad_version: options.sanadVersion,
    postgres_version: version!.version,
    master_key_fingerprint: options.masterKeyFingerprint,
    migrations: applied,
    tables: tables.map(({ name, columns, partitions }) => ({ name, columns, partitions })),
  }
  return { about, tables, leftOut }
}

async function* membersOf(
  session: BackupConnection,
  { about, tables }: Snapshot,
  progress: Progress,
  onManifest: (manifest: Manifest) => void,
): AsyncGenerator<Member> {
  const aboutBytes = jsonBytes(about)
  yield { name: aboutName, bytes: aboutBytes }

  progress.part('Counting rows', tables.length)
  const counted: Pick<TableTotals, 'rows' | 'sums'>[] = []
  for (const table of tables) {
    counted.push(await totalsOf(session, table))
    progress.at(counted.length)
  }
  const allRows = counted.reduce((sum, { rows }) => sum + rows, 0)
  progress.part(`Copying ${allRows.toLocaleString('en')} rows`, allRows)

  const copiedTables: TableTotals[] = []
  let copied = 0
  for (const [n, table] of tables.entries()) {
    const hash = createHash('sha256')
    let [rows, bytes, pieces] = [0, 0, 0]
    for await (const piece of piecesOf(session, table)) {
      hash.update(piece)
      bytes += piece.length
      rows += rowsIn(piece)
      yield { name: pieceName(table.name, ++pieces), bytes: piece }
      progress.at(copied + rows)
    }
    const { rows: counted_rows, sums } = counted[n]!
    if (rows !== counted_rows)
      throw new Error(`${table.name} has ${counted_rows} rows, but ${rows} were copied: no backup was made.`)
    copied += rows
    copiedTables.push({ name: table.name, rows, bytes, sha256: hash.digest('hex'), sums })
  }
  const manifest: Manifest = { about_sha256: sha256(aboutBytes), tables: copiedTables }
  const manifestBytes = jsonBytes(manifest)
  yield { name: manifestName, bytes: manifestBytes }
  yield { name: manifestSumName, bytes: sumLine(manifestBytes) }
  onManifest(manifest)
}

export const backup = async (options: BackupOptions): Promise<BackupDone> => {
  const { file, progress = noProgress, signal, encrypt } = options
  await checkPlace(file)
  const session = await connectForBackup(options.url, 'sanad backup')
  try {
    const snapshot = await beginSnapshot(session, options)
    let manifest: Manifest | undefined
    const members = membersOf(session, snapshot, progress, (written) => {
      manifest = written
    })
    const file_bytes = await writeBackupFile(file, members, {
      ...(signal !== undefined && { signal }),
      ...(encrypt !== undefined && { encrypt }),
    })
    progress.end()
    await session.close()
    return { about: snapshot.about, manifest: manifest!, file_bytes, leftOut: snapshot.leftOut }
  } catch (fault) {
    session.abandon()
    if (faultCode(fault) === lockTimeout)
      throw new BackupRefused('Another session has locked the tables, perhaps a migration: try again in a moment.')
    throw fault
  }
}
