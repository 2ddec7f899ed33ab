/**
 * The tables that hold rows of an account, read from the catalogue, in an order in which they can be emptied: a table before those that
 * it refers to. A table that is added later is there without anybody thinking of it. A table without an account of its own counts if it
 * refers to one that has it.
 */

import { quoted } from '../backup/backup-sql.ts'
import type { Session } from '../connection/database.ts'
import { storedTables, tableReferences } from './account-tables-sql.ts'

/** `rows`: SQL, the condition of the account's rows; `$1` is the account. */
export type AccountTable = { readonly name: string; readonly rows: string }

type Reference = { readonly child: string; readonly parent: string }

/** `later`: tables that the caller handles itself. `parted`: a reference that the caller removes first, because two tables refer to
 *  each other. */
export const accountTables = async (
  session: Session,
  later: readonly string[],
  parted: readonly Reference[],
): Promise<AccountTable[]> => {
  const [stored, references] = await Promise.all([storedTables(session), tableReferences(session)])
  const direct = new Map(
    stored.filter((table) => table.of_account).map(({ name }) => [name, { name, rows: 'account_id = $1' }] as const),
  )
  const found = new Map<string, AccountTable>(direct)
  for (const { child, parent, columns, child_column, parent_column } of references)
    if (!found.has(child) && direct.has(parent) && columns === 1)
      found.set(child, {
        name: child,
        rows: `${quoted(child_column)} in (select ${quoted(parent_column)} from public.${quoted(parent)} where account_id = $1)`,
      })
  for (const name of later) found.delete(name)
  const isParted = ({ child, parent }: Reference): boolean =>
    child === parent || parted.some((other) => other.child === child && other.parent === parent)
  return inOrder(
    [...found.values()],
    references.filter((reference) => !isParted(reference)),
  )
}

/** Each table after all that refer to it. */
const inOrder = (tables: readonly AccountTable[], references: readonly Reference[]): AccountTable[] => {
  const ordered: AccountTable[] = []
  let left = [...tables]
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name))
    const free = left.filter(({ name }) => !references.some(({ child, parent }) => parent === name && names.has(child)))
    if (free.length === 0) throw new Error(`these tables refer to each other: ${[...names].join(', ')}`)
    ordered.push(...free)
    left = left.filter((table) => !free.includes(table))
  }
  return ordered
}

/** Deletes at most `most` of the account's rows. Returns how many. */
export const deleteRows = async (
  session: Session,
  { name, rows }: AccountTable,
  accountId: string,
  most: number,
): Promise<number> => {
  const table = `public.${quoted(name)}`
  const [row] = await session.run({
    text: `with gone as (delete from ${table} where ctid = any(array(select ctid from ${table} where ${rows} limit ${most})) returning 1)
           select count(*)::int from gone`,
    values: [accountId],
  })
  return Number(row![0])
}
