/**
 * The format of a backup file: a tar archive compressed with zstd, so that it can be opened without Sanad.
 *
 *     about.json                what was copied, from which version, when
 *     tables/NAME.000001.copy   the rows of a table in the text form of COPY, in pieces; the pieces of a table in order
 *     manifest.json             for each table: rows, bytes, SHA-256 of its bytes, sums of its numbers
 *     manifest.json.sha256      the SHA-256 of the manifest, as sha256sum writes it
 *
 * An encrypted backup is this file inside the format age (backup-encryption.ts).
 *
 * The manifest comes last, and the end mark after the archive: a truncated file lacks them. Pure; other files read and write.
 */
import { createHash } from 'node:crypto'

/** A refusal for the user of the command: one sentence that says why. */
export class BackupRefused extends Error {}

/** The file could not be read at all, for lack of a key or of the file: this says nothing about the backup. */
export class BackupNotRead extends BackupRefused {}

export type AppliedMigration = { readonly name: string; readonly hash: string }

/** A partition of a table for a range of time; its bounds as PostgreSQL writes them in UTC. */
export type Partition = { readonly name: string; readonly from: string; readonly to: string }

export type TableAbout = {
  readonly name: string
  /** The copied columns; generated columns are not copied. */
  readonly columns: readonly string[]
  /** Without the default partition, which a migration creates. */
  readonly partitions: readonly Partition[]
}

export type About = {
  readonly format: 'sanad backup'
  readonly version: number
  /** Distinguishes two backups. A file of an earlier version has none. */
  readonly id?: string
  readonly made_at: string
  readonly sanad_version: string
  readonly postgres_version: string
  /** Distinguishes two master keys and reveals nothing else about them. Null: no key was available. */
  readonly master_key_fingerprint: string | null
  readonly migrations: readonly AppliedMigration[]
  readonly tables: readonly TableAbout[]
}

export type TableTotals = {
  readonly name: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
  /** The sum of each column of whole numbers, such as money; null if it has no values. */
  readonly sums: Readonly<Record<string, string | null>>
}

export type Manifest = { readonly about_sha256: string; readonly tables: readonly TableTotals[] }

export const formatVersion = 1

export const aboutName = 'about.json'
export const manifestName = 'manifest.json'
export const manifestSumName = 'manifest.json.sha256'
export const pieceName = (table: string, number: number): string =>
  `tables/${table}.${String(number).padStart(6, '0')}.copy`

/** The last bytes of a complete file: a skippable frame of zstd, which every reader of zstd skips. */
export const endMark = Buffer.concat([Buffer.from('502a4d1808000000', 'hex'), Buffer.from('sanadend')])

export const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const jsonBytes = (value: About | Manifest): Buffer => Buffer.from(`${JSON.stringify(value, null, 1)}\n`)

export const sumLine = (manifest: Uint8Array): Buffer => Buffer.from(`${sha256(manifest)}  ${manifestName}\n`)

/** The number of rows in COPY's text form: each row ends with its only line feed. */
export const rowsIn = (bytes: Buffer): number => {
  let rows = 0
  for (let place = bytes.indexOf(10); place >= 0; place = bytes.indexOf(10, place + 1)) rows++
  return rows
}

/** Names become part of SQL and of file names. */
const plainName = /^[a-z_][a-z0-9_]{0,62}$/
const bound = /^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\+00$/

const notABackup = (why: string): BackupRefused => new BackupRefused(`This is not a backup of Sanad: ${why}.`)

const parseJson = (bytes: Buffer, name: string): Record<string, unknown> => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // Reported below.
  }
  throw notABackup(`its ${name} cannot be read`)
}

export const readAbout = (bytes: Buffer): About => {
  const about = parseJson(bytes, aboutName) as Partial<About>
  if (about.format !== 'sanad backup') throw notABackup(`${aboutName} has another format`)
  if (about.version !== formatVersion)
    throw new BackupRefused(
      `The backup has format ${about.version}, this version of Sanad reads format ${formatVersion}: restore it with the version that made it (${about.sanad_version}) or a newer one.`,
    )
  const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
  const tables: readonly Partial<TableAbout>[] = isList(about.tables) ? about.tables : []
  if (!isList(about.migrations) || !tables.every((table) => isList(table?.columns) && isList(table.partitions)))
    throw notABackup(`${aboutName} is incomplete`)
  const partitions = tables.flatMap((table) => table.partitions!)
  const names = [...tables.flatMap((table) => [table.name, ...table.columns!]), ...partitions.map(({ name }) => name)]
  const bounds = partitions.flatMap(({ from, to }) => [from, to])
  const areAll = (values: readonly unknown[], form: RegExp): boolean =>
    values.every((value) => typeof value === 'string' && form.test(value))
  if (names.length === 0 || !areAll(names, plainName) || !areAll(bounds, bound))
    throw notABackup(`${aboutName} has names that no table of Sanad has`)
  return about as About
}

export const readManifest = (bytes: Buffer): Manifest => parseJson(bytes, manifestName) as unknown as Manifest
