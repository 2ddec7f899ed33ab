/**
 * Everything of one account but its secrets, as a tar archive of JSON lines (docs/account-export.md). It is written piece by piece to
 * `FILE.part`; after each piece a journal beside it says how far it has come, so that a command that was stopped or killed goes on there.
 * The journal is a file, because it must agree with the bytes on this disk. Rows are read page by page, not in one snapshot.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { quoted } from '../backup/backup-sql.ts'
import { noProgress, type Progress } from '../backup/progress.ts'
import { paddingOf, tarEnd, tarHeader } from '../backup/tar.ts'
import type { Session } from '../connection/database.ts'
import { type AccountTable, accountTables } from './account-tables.ts'
import { tableColumns } from './account-tables-sql.ts'

export type ExportOptions = {
  readonly accountId: string
  /** Tables that do not name the account, and which of their rows belong to it. */
  readonly first: readonly AccountTable[]
  readonly file: string
  readonly sanadVersion: string
  readonly now: number
  readonly progress?: Progress
  /** Rows of a piece. */
  readonly pieceRows?: number
  readonly signal?: AbortSignal
}

export const exportFormat = 'sanad account'
export const exportVersion = 1

/** Bytes are hashes, sealed secrets or fingerprints, except these. */
const shownBytes: ReadonlySet<string> = new Set(['checkout_pages.logo'])

/** Secrets that are no bytes, or hold some. */
const secrets: ReadonlySet<string> = new Set([
  'users.password_hash',
  'pins.hash',
  'webhook_endpoints.headers',
  'device_requests.answer',
  'push_devices.message',
])

export const isExported = (table: string, { name, type }: { readonly name: string; readonly type: string }): boolean =>
  !secrets.has(`${table}.${name}`) && (!type.startsWith('bytea') || shownBytes.has(`${table}.${name}`))

type Piece = { readonly name: string; readonly rows: number; readonly sha256: string }
type Journal = {
  readonly account: string
  readonly madeAt: string
  /** The size of the part that is complete. */
  readonly bytes: number
  readonly table: number
  readonly tables: readonly string[]
  /** The key of the last row that was written of this table; null: none was. */
  readonly last: readonly string[] | null
  readonly pieces: readonly Piece[]
}

/** The tables of an export, those that others refer to first. */
export const exportedTables = async (session: Session, first: readonly AccountTable[]): Promise<AccountTable[]> => {
  const tables = await accountTables(session, [], [{ child: 'alerts', parent: 'intents' }])
  return [...first, ...tables.toReversed().filter(({ name }) => !first.some((other) => other.name === name))]
}

/** Numbers of eight bytes are texts: JSON readers round them. */
const shown = ({ name, type }: { readonly name: string; readonly type: string }): string =>
  type === 'bigint' || type === 'numeric'
    ? `${quoted(name)}::text as ${quoted(name)}`
    : type === 'bytea'
      ? `encode(${quoted(name)}, 'base64') as ${quoted(name)}`
      : quoted(name)

type Page = { readonly lines: readonly string[]; readonly last: readonly string[] | null }

/** The next rows of a table, in the order of its primary key. Tables without one are only added to: their order is that of their rows. */
const readPage = async (
  session: Session,
  { name, rows }: AccountTable,
  accountId: string,
  last: readonly string[] | null,
  most: number,
): Promise<Page> => {
  const columns = await tableColumns(session, name)
  const primary = columns.filter(({ key_place }) => key_place > 0).sort((a, b) => a.key_place - b.key_place)
  const key = primary.length > 0 ? primary : [{ name: 'ctid', type: 'tid' }]
  const keys = key.map((column) => quoted(column.name))
  const places = key.map(({ type }, n) => `$${n + 2}::text::${type}`)
  const after = last === null ? '' : ` and (${keys.join(', ')}) > (${places.join(', ')})`
  const fields = columns.filter((column) => isExported(name, column)).map(shown)
  const text = `
    select row_to_json(e)::text, k.export_key
      from (select *, json_build_array(${keys.map((one) => `${one}::text`).join(', ')})::text as export_key
              from public.${quoted(name)}
             where ${rows}${after}
             order by ${keys.join(', ')}
             limit ${most}) as k
     cross join lateral (select ${fields.join(', ')}) as e`
  const found = await session.run({ text, values: [accountId, ...(last ?? [])] })
  return {
    lines: found.map(([line]) => String(line)),
    last: found.length < most ? null : (JSON.parse(String(found.at(-1)![1])) as string[]),
  }
}

const writeMember = async (part: FileHandle, at: number, name: string, bytes: Buffer): Promise<number> => {
  const member = Buffer.concat([tarHeader(name, bytes.length), bytes, Buffer.alloc(paddingOf(bytes.length))])
  await part.write(member, 0, member.length, at)
  return at + member.length
}

const saveJournal = async (path: string, journal: Journal): Promise<void> => {
  const next = await open(`${path}.next`, 'w', 0o600)
  await next.writeFile(JSON.stringify(journal))
  await next.sync()
  await next.close()
  await rename(`${path}.next`, path)
}

/** The journal of an export of this account that was not finished; undefined: there is none. One of another account, from a time when
 *  there were other tables, or of bytes that are not there, begins again. */
const readJournal = async (
  file: string,
  accountId: string,
  tables: readonly string[],
): Promise<Journal | undefined> => {
  const [part, path] = [`${file}.part`, `${file}.part.json`]
  if (!existsSync(path) || !existsSync(part)) return undefined
  const journal = JSON.parse(await readFile(path, 'utf8')) as Journal
  const fits = journal.account === accountId && journal.tables.join() === tables.join()
  return fits && (await stat(part)).size >= journal.bytes ? journal : undefined
}

export type Exported = { readonly rows: number; readonly bytes: number; readonly resumed: boolean }

export const exportAccount = async (session: Session, options: ExportOptions): Promise<Exported> => {
  const { accountId, file, progress = noProgress, pieceRows = 2_000, signal } = options
  const tables = await exportedTables(session, options.first)
  const names = tables.map(({ name }) => name)
  const [partPath, journalPath] = [`${file}.part`, `${file}.part.json`]
  const begun = await readJournal(file, accountId, names)
  const part = await open(partPath, begun === undefined ? 'w' : 'r+', 0o600)
  try {
    let journal = begun ?? (await begin(part, options, names))
    // What was written after the last journal is written again.
    await part.truncate(journal.bytes)
    progress.part('Writing tables', tables.length)
    while (journal.table < tables.length) {
      signal?.throwIfAborted()
      const table = tables[journal.table]!
      const { lines, last } = await readPage(session, table, accountId, journal.last, pieceRows)
      const number = journal.pieces.filter(({ name }) => name.startsWith(`tables/${table.name}.0`)).length + 1
      let { bytes, pieces } = journal
      if (lines.length > 0) {
        const content = Buffer.from(`${lines.join('\n')}\n`)
        const name = `tables/${table.name}.${String(number).padStart(6, '0')}.jsonl`
        bytes = await writeMember(part, bytes, name, content)
        pieces = [...pieces, { name, rows: lines.length, sha256: createHash('sha256').update(content).digest('hex') }]
      }
      await part.sync()
      journal = { ...journal, bytes, pieces, last, table: last === null ? journal.table + 1 : journal.table }
      await saveJournal(journalPath, journal)
      progress.at(journal.table)
    }
    const manifest = Buffer.from(`${JSON.stringify({ pieces: journal.pieces }, null, 1)}\n`)
    const end = await writeMember(part, journal.bytes, 'manifest.json', manifest)
    await part.write(tarEnd, 0, tarEnd.length, end)
    await part.sync()
    await rename(partPath, file)
    await syncFolder(file)
    await rm(journalPath)
    progress.end()
    return {
      rows: journal.pieces.reduce((sum, { rows }) => sum + rows, 0),
      bytes: end + tarEnd.length,
      resumed: begun !== undefined,
    }
  } finally {
    await part.close()
  }
}

const begin = async (
  part: FileHandle,
  { accountId, now, sanadVersion }: ExportOptions,
  tables: readonly string[],
): Promise<Journal> => {
  const madeAt = new Date(now).toISOString()
  const about = {
    format: exportFormat,
    version: exportVersion,
    account: accountId,
    begun_at: madeAt,
    sanad_version: sanadVersion,
    tables,
  }
  const bytes = await writeMember(part, 0, 'about.json', Buffer.from(`${JSON.stringify(about, null, 1)}\n`))
  return { account: accountId, madeAt, bytes, table: 0, tables, last: null, pieces: [] }
}

const syncFolder = async (file: string): Promise<void> => {
  const folder = await open(dirname(file), 'r')
  await folder.sync()
  await folder.close()
}
