/**
 * A statement: named SQL with typed parameters and typed rows. Named statements are prepared once for each connection. All
 * statements are in one list, so that a test can check each against a real database: it must prepare, and its columns must have
 * the declared names and types.
 */

import type { Scope } from '../../core/scope.ts'
import type { RawQuery, RawRow, Session, Tx } from '../connection/database.ts'
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
  /** Whether it takes the scope of the caller. */
  readonly takesScope: boolean
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

const create = <Args extends readonly unknown[], C extends Columns>(
  name: string,
  columns: C,
  sql: string,
  takesScope: boolean,
  queryOf: (args: Args) => RawQuery,
): Statement<Args, C> => {
  const read = rowReader(columns)
  const run = async (session: Session, ...args: Args) => read(await session.run(queryOf(args)))
  const atEnd = (tx: Tx, ...args: Args) => tx.atEnd(queryOf(args))
  const created = Object.assign(run, { atEnd, statementName: name, sql, columns, takesScope })
  allStatements.push(created as unknown as Statement<never, Columns>)
  return created
}

/** A statement on what belongs to no account, or on rows that the caller names with their accounts. */
export const statement = <Args extends readonly unknown[], C extends Columns>(
  name: string,
  columns: C,
  params: (...args: Args) => readonly unknown[],
  sql: string,
): Statement<Args, C> => create(name, columns, sql, false, (args) => ({ name, text: sql, values: params(...args) }))

/** Limits a statement to the wallets of a scope. */
export type OnlyWallets = {
  /** A condition on the column that holds the wallet's id. */
  (column: string): string
  /** A condition on the column that lists the wallets of a row; a row that lists none belongs to all wallets, and is left out. */
  all(column: string): string
}

/** The scope alone, or a request or filter that has it. */
type WithScope = Scope | { readonly scope: Scope }

/**
 * A statement on rows of one account: its first argument is the scope of the caller, or has it. `sql` as a function is a
 * statement that can be limited to some wallets; it has two texts, so that the plan for all wallets stays as it is. A
 * statement without that refuses a limited scope: what must see all of the account says so by `wholeAccount`.
 */
export const scoped = <First extends WithScope, Args extends readonly unknown[], C extends Columns>(
  name: string,
  columns: C,
  params: (first: First, ...args: Args) => readonly unknown[],
  sql: string | ((only: OnlyWallets) => string),
): Statement<[first: First, ...args: Args], C> => {
  type All = readonly [First, ...Args]
  const walletsOf = ([first]: All) => ('scope' in first ? first.scope : (first as Scope)).wallets
  const text = typeof sql === 'string' ? sql : sql(Object.assign(() => '', { all: () => '' }))
  const whole = (args: All): RawQuery => ({ name, text, values: params(...args) })
  if (typeof sql === 'string')
    return create(name, columns, text, true, (args) => {
      if (walletsOf(args) !== null) throw new Error(`the statement ${name} cannot be limited to wallets`)
      return whole(args)
    })
  const last = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))
  const limitedName = `${name}_limited`
  const wallets = `$${last + 1}::uuid[]`
  const limitedText = sql(
    Object.assign((column: string) => `and ${column} = any(${wallets})`, {
      all: (column: string) => `and ${column} <> '{}' and ${column} <@ ${wallets}`,
    }),
  )
  const limited = (args: All): RawQuery => ({
    name: limitedName,
    text: limitedText,
    values: [...params(...args), walletsOf(args)],
  })
  create(limitedName, columns, limitedText, true, limited)
  return create(name, columns, text, true, (args) => (walletsOf(args) === null ? whole : limited)(args))
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
