/**
 * Brings the copy of an account up to date while the account is at work: copies what has changed since the snapshot before, and deletes
 * what has gone. Both take time by what has changed, and by a look at the account's rows; not by copying them again.
 */
import { type BackupConnection, runText } from '../backup/backup-connection.ts'
import { quoted } from '../backup/backup-sql.ts'
import type { Progress } from '../backup/progress.ts'
import { columnList, copyRows, rowsOf } from './copy-account.ts'
import type { MovedTable } from './moved-tables.ts'

/** The oldest transaction that was not over when a snapshot was taken: what the snapshot does not see was written by it or a later one. */
export type SnapshotStart = string

/** Until the caller ends the transaction, the session reads this snapshot. */
export const openSnapshot = async (source: BackupConnection): Promise<SnapshotStart> => {
  await runText(source, 'begin isolation level repeatable read, read only')
  const [row] = await runText(source, 'select pg_snapshot_xmin(pg_current_snapshot())::text')
  return String(row![0])
}

/** SQL: rows `t` that were written since; a row that is older than half of all transaction numbers may be among them, which costs time
 *  alone. Subtransactions have later numbers than their transaction. */
const isWrittenSince = (start: SnapshotStart): string => {
  if (!/^\d+$/.test(start)) throw new Error('a snapshot begins at no number')
  return `age(t.xmin) <= age('${start}'::xid8::xid)`
}

const stored = ({ name }: MovedTable): string => `public.${quoted(name)}`
const changed = ({ name }: MovedTable): string => `pg_temp.${quoted(`changed_${name}`)}`
const listed = ({ name }: MovedTable): string => `pg_temp.${quoted(`listed_${name}`)}`
const keyList = ({ keys }: MovedTable): string => keys.map(quoted).join(', ')
const isSameKey = ({ keys }: MovedTable, one: string, other: string): string =>
  keys.map((key) => `${one}.${quoted(key)} = ${other}.${quoted(key)}`).join(' and ')
const wholeRow = ({ columns }: MovedTable, row: string): string =>
  `row(${columns.map((name) => `${row}.${quoted(name)}`).join(', ')})::text`

const emptied = async (target: BackupConnection, into: string, columns: string, table: MovedTable): Promise<void> => {
  await runText(
    target,
    `create temp table if not exists ${into} on commit drop as select ${columns} from ${stored(table)} with no data`,
  )
  await runText(target, `truncate ${into}`)
}

const count = async (session: BackupConnection, query: string): Promise<number> =>
  Number((await runText(session, `select count(*) from ${query}`))[0]![0])

/** Copies rows that were written since to beside the table. Returns how many of them differ from its rows. */
const stage = async (
  source: BackupConnection,
  target: BackupConnection,
  table: MovedTable,
  accountId: string,
  since: SnapshotStart,
): Promise<number> => {
  const columns = columnList(table)
  await emptied(target, changed(table), columns, table)
  const from = `select ${columns} from ${stored(table)} t where ${rowsOf(table, accountId)} and ${isWrittenSince(since)}`
  if ((await copyRows(source, target, { from, into: `${changed(table)} (${columns})` })) === 0) return 0
  await runText(target, `analyze ${changed(table)}`)
  await runText(
    target,
    `delete from ${changed(table)} c using ${stored(table)} t
      where ${isSameKey(table, 't', 'c')} and ${wholeRow(table, 't')} = ${wholeRow(table, 'c')}`,
  )
  return count(target, changed(table))
}

/** Rows that are here no more are found by their number: all that are here are there now, or among the changed. Returns how many. */
const deleteGone = async (
  source: BackupConnection,
  target: BackupConnection,
  table: MovedTable,
  accountId: string,
): Promise<number> => {
  const rows = `${stored(table)} t where ${rowsOf(table, accountId)}`
  const [here, there, added] = await Promise.all([
    count(source, rows),
    count(target, rows),
    count(
      target,
      `${changed(table)} c where not exists (select from ${stored(table)} t where ${isSameKey(table, 't', 'c')})`,
    ),
  ])
  const gone = there + added - here
  if (gone === 0) return 0
  await emptied(target, listed(table), keyList(table), table)
  await copyRows(source, target, {
    from: `select ${keyList(table)} from ${rows}`,
    into: `${listed(table)} (${keyList(table)})`,
  })
  await runText(target, `analyze ${listed(table)}`)
  await runText(
    target,
    `delete from ${rows} and not exists (select from ${listed(table)} l where ${isSameKey(table, 't', 'l')})`,
  )
  return gone
}

/** A row that differs is deleted and written again by one statement: references to it are checked at its end, and two rows may have changed
 *  places in a unique index. A table that allows no deleting gets none, if its rows are only added. */
const replace = async (target: BackupConnection, table: MovedTable): Promise<void> => {
  const columns = columnList(table)
  const insert = `insert into ${stored(table)} (${columns}) select ${columns} from ${changed(table)}`
  const old = `${stored(table)} t using ${changed(table)} c where ${isSameKey(table, 't', 'c')}`
  const [row] = await runText(target, `select exists (select from ${old.replace(' using ', ', ')})`)
  await runText(
    target,
    row![0] === 't'
      ? `with gone as (delete from ${old} returning 1) ${insert} where (select count(*) from gone) > 0`
      : insert,
  )
}

/**
 * The source session is in a snapshot, the target session in the transaction that has the copy of an earlier snapshot, which began at
 * `since`. Returns how many rows differed. The tables have keys, and are in the order of their references.
 */
export const copyChanges = async (
  source: BackupConnection,
  target: BackupConnection,
  tables: readonly MovedTable[],
  accountId: string,
  since: SnapshotStart,
  progress: Progress,
): Promise<number> => {
  progress.part('Copying what has changed', 2 * tables.length)
  let done = 0
  const step = (): void => progress.at(++done)
  await runText(target, 'set constraints all deferred')
  const staged: MovedTable[] = []
  let rows = 0
  for (const table of tables) {
    const differing = await stage(source, target, table, accountId, since)
    if (differing > 0) staged.push(table)
    rows += differing
    step()
  }
  for (const table of tables.toReversed()) {
    rows += await deleteGone(source, target, table, accountId)
    step()
  }
  for (const table of staged) await replace(target, table)
  await runText(target, 'set constraints all immediate')
  return rows
}
