/**
 * A statement: named SQL with typed parameters and typed rows. Named statements are prepared once for each connection. All
 * statements are in one list, so that a test can check each against a real database: it must prepare, and its columns must have
 * the declared names and types.
 */

import type { RawRow, Session, Tx } from '../connection/database.ts'
import type { Column } from './columns.ts'

export type Columns = Readonly<Record<string, Column<unknown>>>
export type RowOf<C extends Columns> = { -readonly [K in keyof C]: C[K] extends Column<infer T> ? T : never }

export type Statement<Args extends readonly unknown[], C extends Columns> = {
  (session: Session, ...args: Args): Promise<RowOf<C>[]>
  /** Runs the statement together with the commit. For a statement whose result is not needed. */
  atEnd(tx: Tx, ...args: Args): void
  readonly statementName: string
  readonly sql: string
  readonly columns: C
}

export const allStatements: Statement<never, Columns>[] = []

/**
 * Creates the function that reads rows of these columns, once for each statement. The generated code is one object literal: an
 * object that gets two dozen properties one by one becomes a hash table in V8, slow to create and slow to read. Measured,
 * processor time of both sides together: reading 100 intents costs 12 % less; for one row it is the same.
 */
export const rowReader = <C extends Columns>(columns: C): ((raw: readonly RawRow[]) => RowOf<C>[]) => {
  const readers = Object.values(columns).map(({ read }) => read)
  const fields = Object.keys(columns).map((name, i) => `${JSON.stringify(name)}: readers[${i}](values[${i}])`)
  const literal = `return (values) => ({ ${fields.join(', ')} })`
  const readRow = new Function('readers', literal)(readers) as (values: RawRow) => RowOf<C>
  return (raw) => raw.map(readRow)
}

export const readRows = <C extends Columns>(columns: C, raw: readonly RawRow[]): RowOf<C>[] => rowReader(columns)(raw)

export const statement = <Args extends readonly unknown[], C extends Columns>(
  name: string,
  columns: C,
  params: (...args: Args) => readonly unknown[],
  sql: string,
): Statement<Args, C> => {
  const read = rowReader(columns)
  const query = (args: Args) => ({ name, text: sql, values: params(...args) })
  const run = async (session: Session, ...args: Args) => read(await session.run(query(args)))
  const atEnd = (tx: Tx, ...args: Args) => tx.atEnd(query(args))
  const created = Object.assign(run, { atEnd, statementName: name, sql, columns })
  allStatements.push(created as unknown as Statement<never, Columns>)
  return created
}

/** For a statement that returns nothing. */
export const noColumns = {} as const

/**
 * The end of a query for the only row with two keys. It makes the planner use the index of exactly these two, however few rows it
 * expects. With equality alone, any index that begins with the first key costs the same on a table that was empty when the plan
 * was made; so does a partial index of PENDING rows while there are none. With an order by the second key, other indices would
 * have to sort.
 */
export const onlyRow = (first: string, second: string, equals: string): string =>
  `${first} and ${second} >= ${equals} and ${second} <= ${equals} order by ${second} limit 1`

/**
 * The end of a statement that must change all of its rows: returns how many it changed, and fails if that is not the number of
 * ids. The check is in SQL, because the statement is sent together with the commit. (Casting a text to a number fails with that
 * text.)
 */
export const allChanged = (changed: string, ids: string, error: string): string =>
  `select case when count(*) = cardinality(${ids}) then count(*) else ('${error}: ' || count(*))::bigint end as done
    from ${changed}`
