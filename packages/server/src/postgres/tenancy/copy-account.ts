/**
 * Copies rows of an account from one database into another, table by table: out of a snapshot there, into a transaction here that the
 * caller commits. Rows go through this process in pieces, so memory use does not depend on their number.
 */
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { type BackupConnection, runText } from '../backup/backup-connection.ts'
import { quoted } from '../backup/backup-sql.ts'
import type { Progress } from '../backup/progress.ts'
import type { Session } from '../connection/database.ts'
import type { MovedTable } from './moved-tables.ts'

/** COPY takes no parameters: the id is a UUID, which was read as one. */
export const rowsOf = ({ rows }: Pick<MovedTable, 'rows'>, accountId: string): string => {
  if (!/^[0-9a-f-]{36}$/.test(accountId)) throw new Error('an account id is no UUID')
  return rows.replaceAll('$1', `'${accountId}'::uuid`)
}

/** In COPY's text format each row is one line: line breaks inside are escaped. */
const countLines = (seen: (rows: number) => void): Transform => {
  let rows = 0
  return new Transform({
    transform(chunk: Buffer, _, next) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) rows++
      seen(rows)
      next(null, chunk)
    },
  })
}

/** SQL: the table or query that is read, the table and columns that are written. Returns how many rows were stored. */
export const copyRows = async (
  source: BackupConnection,
  target: BackupConnection,
  { from, into }: { readonly from: string; readonly into: string },
  seen: (rows: number) => void = () => {},
): Promise<number> => {
  const out = source.client.query(copyTo(`copy (${from}) to stdout`, { highWaterMark: 256 * 1024 }))
  const stored = target.client.query(copyFrom(`copy ${into} from stdin`))
  await pipeline(out, countLines(seen), stored)
  return stored.rowCount
}

/** SQL: the columns that are copied. */
export const columnList = ({ columns }: Pick<MovedTable, 'columns'>): string => columns.map(quoted).join(', ')

const copyTable = (
  source: BackupConnection,
  target: BackupConnection,
  table: MovedTable,
  accountId: string,
  seen: (rows: number) => void,
): Promise<number> => {
  const [name, columns] = [`public.${quoted(table.name)}`, columnList(table)]
  const from = `select ${columns} from ${name} where ${rowsOf(table, accountId)}`
  return copyRows(source, target, { from, into: `${name} (${columns})` }, seen)
}

export type Totals = Readonly<Record<string, string | null>>

/** SQL on rows `t` that are of the account: their number, the sum of each numeric column, and a sum of a hash of each whole row. */
const totalsText = ({ name, rows, columns, summed }: MovedTable): string => `
  select ${[
    'count(*)::text',
    ...summed.map((column) => `sum(${quoted(column)})::text`),
    `sum(hashtextextended(row(${columns.map(quoted).join(', ')})::text, 0)::numeric)::text`,
  ].join(', ')}
    from public.${quoted(name)} t
   where ${rows}`

const totalsOf = async (session: Session, table: MovedTable, accountId: string): Promise<Totals> => {
  const [row] = await session.run({ text: totalsText(table), values: [accountId] })
  return Object.fromEntries(['rows', ...table.summed, 'content'].map((name, n) => [name, row![n] ?? null]))
}

/** How many rows there are, and what differs between the two databases, in words; undefined: nothing does. Both sides count at the same
 *  time. `sumsOf`: further sums, as one text. */
export const findDifference = async (
  source: BackupConnection,
  target: BackupConnection,
  tables: readonly MovedTable[],
  accountId: string,
  sumsOf: (session: Session) => Promise<string>,
  progress: Progress,
): Promise<{ readonly rows: number; readonly difference?: string }> => {
  let rows = 0
  progress.part('Comparing counts and sums', tables.length + 1)
  for (const [n, table] of tables.entries()) {
    const [there, here] = await Promise.all([totalsOf(source, table, accountId), totalsOf(target, table, accountId)])
    const wrong = Object.keys(there).find((name) => there[name] !== here[name])
    rows += Number(there.rows)
    if (wrong !== undefined) {
      const [copied, own] = [here[wrong] ?? 'nothing', there[wrong] ?? 'nothing']
      return { rows, difference: `${table.name}: ${wrong} is ${copied} in the copy, ${own} here` }
    }
    progress.at(n + 1)
  }
  const [there, here] = await Promise.all([sumsOf(source), sumsOf(target)])
  return there === here ? { rows } : { rows, difference: 'the amounts of intents by wallet and status differ' }
}

/** The source session is in a snapshot, the target session in a transaction. References to rows that come later are checked at the end. */
export const copyTables = async (
  source: BackupConnection,
  target: BackupConnection,
  tables: readonly MovedTable[],
  accountId: string,
  progress: Progress,
): Promise<void> => {
  progress.part('Counting rows', tables.length)
  let total = 0
  for (const [n, table] of tables.entries()) {
    const [row] = await runText(
      source,
      `select count(*) from public.${quoted(table.name)} where ${rowsOf(table, accountId)}`,
    )
    total += Number(row![0])
    progress.at(n + 1)
  }
  progress.part('Copying rows', total)
  let copied = 0
  await runText(target, 'set constraints all deferred')
  for (const table of tables) {
    const before = copied
    copied += await copyTable(source, target, table, accountId, (rows) => progress.at(before + rows))
  }
  await runText(target, 'set constraints all immediate')
}
