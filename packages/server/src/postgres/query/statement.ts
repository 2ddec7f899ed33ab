/**
 * A statement: named SQL with typed parameters and typed rows. Named statements are prepared once for each connection. All
 * statements are in one list, so that a test can check each against a real database: it must prepare, and its columns must have
 * the declared names and types.
 */

import { firstIdAt } from '../../core/ids.ts'
import type { DayParameters, OnlyToday, Scope } from '../../core/scope.ts'
import type { RawQuery, RawRow, Session, Tx } from '../connection/database.ts'
import { at, type Column } from './columns.ts'

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
  const fieldOf = ({ isText, isNullable }: Column<unknown>, i: number): string =>
    !isText ? `readers[${i}](values[${i}])` : isNullable ? `values[${i}]` : `values[${i}] ?? readers[${i}](null)`
  const fields = Object.entries(columns).map(([name, column], i) => `${JSON.stringify(name)}: ${fieldOf(column, i)}`)
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

/** Limits a statement to the wallets and the day of a scope. Each text is empty for a scope that has no such limit. */
export type Only = {
  /** A condition on the column that holds the wallet's id. */
  (column: string): string
  /** A condition on the column that lists the wallets of a row; a row that lists none belongs to all wallets, and is left out. */
  all(column: string): string
  /** A condition that a row is of today. A statement that has none refuses a scope of today, unless it says `everyDay`. */
  today(condition: (day: DayParameters) => string): string
  /** One text for a scope of today, another for all days. */
  ofDay(today: (day: DayParameters) => string, otherwise: string): string
  /** The statement is about nothing that has a day, or only about what another statement found within the scope. */
  everyDay(): ''
  /** The statement is about one member's own rows, whatever wallets they see. */
  everyWallet(): ''
}

/** The scope alone, or a request or filter that has it. */
type WithScope = Scope | { readonly scope: Scope }

type Limits = { readonly wallets: boolean; readonly today: boolean }

const formName = (name: string, { wallets, today }: Limits): string =>
  `${name}${wallets ? '_limited' : ''}${today ? '_today' : ''}`

/** The names under which PostgreSQL knows a statement: for all wallets and days, and with each limit. */
export const formNames = (name: string): string[] =>
  [false, true].flatMap((wallets) => [false, true].map((today) => formName(name, { wallets, today })))

/** `parameter`: the name of a parameter, made at its first use: PostgreSQL refuses one that the text does not use. */
export const dayParameters = (
  parameter: (name: keyof DayParameters, type: string, value: (today: OnlyToday) => unknown) => string,
): DayParameters => ({
  get first() {
    return parameter('first', 'uuid', ({ since }) => firstIdAt(since))
  },
  get firstOpen() {
    return parameter('firstOpen', 'uuid', ({ openSince }) => firstIdAt(openSince))
  },
  get oldest() {
    return parameter('oldest', 'uuid', ({ oldest }) => firstIdAt(oldest))
  },
  get since() {
    return parameter('since', 'timestamptz', ({ since }) => at(since))
  },
  get now() {
    return parameter('now', 'timestamptz', ({ now }) => at(now))
  },
})

/** The text of a statement with these limits, its further parameters, and which limits it knows. */
const limitedText = (sql: (only: Only) => string, last: number, limits: Limits) => {
  const further: ((scope: Scope) => unknown)[] = []
  const names = new Map<string, string>()
  const parameter = (name: string, type: string, value: (scope: Scope) => unknown): string => {
    if (!names.has(name)) names.set(name, `$${last + further.push(value)}::${type}`)
    return names.get(name)!
  }
  const wallets = (): string => parameter('wallets', 'uuid[]', (scope) => scope.wallets)
  const day = dayParameters((name, type, value) => parameter(name, type, ({ today }) => value(today!)))
  const says = { wallets: false, today: false }
  const ofWallets = (condition: (wallets: string) => string): string => {
    says.wallets = true
    return limits.wallets ? `and ${condition(wallets())}` : ''
  }
  const ofDay = (today: (parameters: DayParameters) => string, otherwise: string): string => {
    says.today = true
    return limits.today ? today(day) : otherwise
  }
  const text = sql(
    Object.assign((column: string) => ofWallets((list) => `${column} = any(${list})`), {
      all: (column: string) => ofWallets((list) => `${column} <> '{}' and ${column} <@ ${list}`),
      today: (condition: (parameters: DayParameters) => string) => ofDay((its) => `and ${condition(its)}`, ''),
      ofDay,
      everyDay: () => ofDay(() => '', '') as '',
      everyWallet: () => {
        says.wallets = true
        return '' as const
      },
    }),
  )
  return { text, says, further: (scope: Scope) => further.map((value) => value(scope)) }
}

/**
 * A statement on rows of one account: its first argument is the scope of the caller, or has it. `sql` as a function is a
 * statement that can be limited to some wallets and, if it says what is of today, to that; each limit has its own text, so that the
 * plan without limits stays as it is. A statement without that refuses a limited scope: what must see all of the account says so by
 * `wholeAccount`.
 */
export const scoped = <First extends WithScope, Args extends readonly unknown[], C extends Columns>(
  name: string,
  columns: C,
  params: (first: First, ...args: Args) => readonly unknown[],
  sql: string | ((only: Only) => string),
): Statement<[first: First, ...args: Args], C> => {
  type All = readonly [First, ...Args]
  const scopeOf = ([first]: All): Scope => ('scope' in first ? first.scope : (first as Scope))
  const none = { wallets: false, today: false }
  const text = typeof sql === 'string' ? sql : limitedText(sql, 0, none).text
  const last = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)))
  const variant = (limits: Limits): ((args: All) => RawQuery) | undefined => {
    if (typeof sql === 'string') return undefined
    const made = limitedText(sql, last, limits)
    if ((limits.today && !made.says.today) || (limits.wallets && !made.says.wallets)) return undefined
    const full = formName(name, limits)
    const queryOf = (args: All): RawQuery => ({
      name: full,
      text: made.text,
      values: [...params(...args), ...made.further(scopeOf(args))],
    })
    create(full, columns, made.text, true, queryOf)
    return queryOf
  }
  const limited = variant({ wallets: true, today: false })
  const ofToday = variant({ wallets: false, today: true })
  const both = variant({ wallets: true, today: true })
  return create(name, columns, text, true, (args) => {
    const { wallets, today } = scopeOf(args)
    if (wallets === null && today === null) return { name, text, values: params(...args) }
    const query = wallets === null ? ofToday : today === null ? limited : both
    if (query === undefined)
      throw new Error(`the statement ${name} cannot be limited to ${wallets === null ? 'today' : 'wallets'}`)
    return query(args)
  })
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
