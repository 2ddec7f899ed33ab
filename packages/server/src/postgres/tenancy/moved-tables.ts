/**
 * The tables of an account that are copied when it is moved to another cell, from the catalogue: one that is added later is copied
 * without anybody thinking of it. Users are not here: they belong to no account (accounts/tenants/move-users.ts).
 */
import { schemaTables } from '../backup/backup-sql.ts'
import type { Session } from '../connection/database.ts'
import { type AccountTable, accountTables } from './account-tables.ts'
import { tableColumns, tableReferences } from './account-tables-sql.ts'

/** Tables with rows of accounts that are not copied, each with the reason. */
export const notMoved: Readonly<Record<string, readonly string[]>> = {
  'it says which account is frozen, or moved': ['account_freezes', 'account_moves'],
  'triggers of the database count': ['intent_counts'],
  'the other cell counts it again, up to its own time': ['intent_hours', 'intent_tallies', 'intent_waits'],
  'the log of calls stays where they were answered, for the week that it is kept': ['api_calls'],
  'devices that get notifications belong to a host name': ['push_devices', 'push_pending', 'push_told'],
  'it belongs to a user, who signs in again': ['sessions', 'user_notices'],
}

/** SQL: `rows` is the condition of the account's rows; `$1` is the account. */
export type MovedTable = AccountTable & {
  readonly columns: readonly string[]
  /** Columns whose sums are compared. */
  readonly summed: readonly string[]
  /** The columns of the primary key; none: it has no key. */
  readonly keys: readonly string[]
  /** Copied while the account is frozen, because its rows cannot be brought up to date one by one: it has no key, or PostgreSQL itself
   *  would delete or change its rows with others. */
  readonly isLate: boolean
}

const numbers = new Set(['smallint', 'integer', 'bigint', 'numeric'])

/** A table after all to which its rows refer. The references of alerts to intents are checked at the end of the transaction. */
export const movedTables = async (session: Session): Promise<MovedTable[]> => {
  const left = new Set(Object.values(notMoved).flat())
  const schema = await schemaTables(session)
  const whole = new Set(schema.filter(({ partitioned }) => !partitioned).map(({ name }) => name))
  const found = await accountTables(session, [], [{ child: 'alerts', parent: 'intents' }])
  const tables: AccountTable[] = [
    { name: 'accounts', rows: 'id = $1' },
    ...found.toReversed().filter(({ name }) => whole.has(name)),
    // Rows of a partition are written through its table.
    ...schema.filter(({ partitioned }) => partitioned).map(({ name }) => ({ name, rows: 'account_id = $1' })),
  ]
  const references = await tableReferences(session)
  const late = new Set<string>()
  const moved: MovedTable[] = []
  for (const table of tables) {
    if (left.has(table.name)) continue
    const columns = await tableColumns(session, table.name)
    const keys = columns.filter(({ key_place }) => key_place > 0)
    // What it refers to comes before it.
    const isLate =
      keys.length === 0 ||
      references.some(({ child, parent, follows }) => child === table.name && (follows || late.has(parent)))
    if (isLate) late.add(table.name)
    moved.push({
      ...table,
      columns: columns.map(({ name }) => name),
      summed: columns.filter(({ type }) => numbers.has(type)).map(({ name }) => name),
      keys: keys.toSorted((one, other) => one.key_place - other.key_place).map(({ name }) => name),
      isLate,
    })
  }
  return moved
}
