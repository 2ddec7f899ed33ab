/**
 * Erases accounts whose wait is over. One step is one transaction that locks the erasure, deletes a bounded batch of one table, and stores
 * how far it has come: a node that is killed loses nothing, another goes on, and no two do the same. Which tables hold rows of an account
 * is read from the catalogue. When the account's own row is gone, all tables are looked through again after some minutes, until nothing
 * is found: a node may have been writing the log of a call.
 */
import {
  allowErasing,
  emptyUser,
  eraseAccountRow,
  eraseOfUser,
  eraseUser,
  forgetErasure,
  leaveAccount,
  lockDueErasure,
  saveErasure,
  stopAccount,
  usersToErase,
} from '../accounts/erasure/account-erasure-sql.ts'
import { partFromIntents } from '../alerts/erasing/erased-alerts-sql.ts'
import type { Instant } from '../core/clock.ts'
import { minute_ms } from '../core/duration.ts'
import type { UserId } from '../core/ids.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import { type Db, faultCode, type Tx } from '../postgres/connection/database.ts'
import type { RowOf } from '../postgres/query/statement.ts'
import { type AccountTable, accountTables, deleteRows } from '../postgres/tenancy/account-tables.ts'
import { disableLeftGuards } from '../postgres/tenancy/freeze-account.ts'
import { deleteFreeze } from '../postgres/tenancy/freeze-sql.ts'
import { deleteEndedMove } from '../postgres/tenancy/move-sql.ts'

/** Longer than any cached key, session or phone, and than what is written after an answer. */
const settle_ms = 2 * minute_ms
const foreignKeyViolation = '23503'

/** Members are the last: their users go with them. What says that the account is not in use here, because it was moved to another cell,
 *  stays until all is gone. Intents and alerts refer to each other, and are parted first. */
export const erasedLast = ['members', 'accounts', 'account_freezes', 'account_moves']
const parted = [{ child: 'alerts', parent: 'intents' }]

type Erasure = RowOf<typeof lockDueErasure.columns>
type Progress = Parameters<typeof saveErasure>[2]

/** Deletes at most `most` rows of one account. Returns true if there may be more to do. When there is not, no row is guarded any more
 *  because of an account that was frozen until its last row. */
export const eraseAccounts = async (db: Db, most: number, now: Instant): Promise<boolean> => {
  const more = await eraseStep(db, most, now)
  if (!more) await disableLeftGuards(db)
  return more
}

const eraseStep = (db: Db, most: number, now: Instant): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [erasure] = await lockDueErasure(tx, now)
    if (erasure === undefined) return false
    await allowErasing(tx, erasure.id)
    const step = erasure.state === 'waiting' ? await begin(tx, erasure, now) : await eraseNext(tx, erasure, most, now)
    await saveErasure(tx, erasure.id, { ...progressOf(erasure), ...step })
    return true
  })

const progressOf = (erasure: Erasure): Progress => ({
  state: erasure.state,
  dueAt: erasure.due_at,
  erasedAt: erasure.erased_at,
  position: erasure.position,
  lastId: erasure.last_id,
  rowCounts: erasure.row_counts,
})

/** From now on nothing is accepted for the account. What is under way ends meanwhile. */
const begin = async (tx: Tx, { id }: Erasure, now: Instant): Promise<Partial<Progress>> => {
  await stopAccount(tx, id, now)
  return { state: 'erasing', dueAt: now + settle_ms }
}

const eraseNext = async (tx: Tx, erasure: Erasure, most: number, now: Instant): Promise<Partial<Progress>> => {
  const scope = wholeAccount(erasure.id)
  const alerts = await partFromIntents(tx, scope, erasure.last_id, most, now)
  if (alerts.length > 0) return { lastId: alerts.at(-1)!.id }
  const tables = await accountTables(tx, erasedLast, parted)
  const table = tables[erasure.position]
  if (table !== undefined) return eraseRows(tx, erasure, table, most)
  if (await eraseUsers(tx, scope, now)) return {}
  return end(tx, erasure, tables, now)
}

const eraseRows = async (tx: Tx, erasure: Erasure, table: AccountTable, most: number): Promise<Partial<Progress>> => {
  const { id, position, row_counts } = erasure
  const deleted = await deletedOf(tx, table, id, most)
  // Something was written meanwhile that refers to these rows: it is deleted first.
  if (deleted === 'referred') return { position: 0, lastId: firstId }
  if (deleted === 0) return { position: position + 1 }
  const counts = JSON.parse(row_counts) as Record<string, number>
  return { rowCounts: JSON.stringify({ ...counts, [table.name]: (counts[table.name] ?? 0) + deleted }) }
}

const firstId = '00000000-0000-0000-0000-000000000000'

const deletedOf = (tx: Tx, table: AccountTable, id: string, most: number): Promise<number | 'referred'> =>
  tx
    .attempt(() => deleteRows(tx, table, id, most))
    .catch((fault: unknown) => {
      if (faultCode(fault) === foreignKeyViolation) return 'referred'
      throw fault
    })

/** One user: gone if they belong to no other account. Returns false if there is none left. */
export const eraseUsers = async (tx: Tx, scope: Scope, now: Instant): Promise<boolean> => {
  const [user] = await usersToErase(tx, scope, 1)
  if (user === undefined) return false
  await leaveAccount(tx, scope, user.id)
  if (user.only) await eraseOne(tx, user.id, now)
  return true
}

const eraseOne = async (tx: Tx, id: UserId, now: Instant): Promise<void> => {
  for (const erase of Object.values(eraseOfUser)) await erase(tx, id)
  await tx
    .attempt(() => eraseUser(tx, id))
    .catch(async (fault: unknown) => {
      if (faultCode(fault) !== foreignKeyViolation) throw fault
      await emptyUser(tx, id, now)
    })
}

/** Every table was empty of it once. It is over when they are all empty at one moment, and the account has been gone for a while. */
const end = async (
  tx: Tx,
  { id, state, erased_at }: Erasure,
  tables: readonly AccountTable[],
  now: Instant,
): Promise<Partial<Progress>> => {
  for (const table of tables) if ((await deletedOf(tx, table, id, 1)) !== 0) return { position: 0, lastId: firstId }
  if (state === 'checking') {
    // Of a freeze that was not ended.
    await deleteFreeze(tx, id)
    // An account that lives on in another cell may come back: it does not count as erased.
    if ((await deleteEndedMove(tx, id)).length > 0) await forgetErasure(tx, id)
    return { state: 'done', lastId: firstId }
  }
  await eraseAccountRow(tx, id)
  return { state: 'checking', erasedAt: erased_at ?? now, position: 0, dueAt: now + settle_ms }
}
