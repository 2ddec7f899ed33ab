/**
 * Deletes the copy of an account that another cell does not use: one that is still arriving. The caller has made sure that this cell has
 * not switched. Everything is deleted in one transaction; nothing of it was ever used.
 */
import {
  allowErasing,
  askErasure,
  eraseAccountRow,
  forgetErasure,
  saveErasure,
} from '../../accounts/erasure/account-erasure-sql.ts'
import { systemClock } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import { type AccountId, smallestId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { type Db, openDatabase, type Tx } from '../../postgres/connection/database.ts'
import { accountTables, deleteRows } from '../../postgres/tenancy/account-tables.ts'
import type { Cell } from '../../postgres/tenancy/cells.ts'
import { deleteFreeze } from '../../postgres/tenancy/freeze-sql.ts'
import { deleteArrival, findMove } from '../../postgres/tenancy/move-sql.ts'
import { erasedLast, eraseUsers } from '../../work/erase-accounts.ts'

const batch = 50_000

const deleteAll = async (tx: Tx, accountId: AccountId): Promise<void> => {
  const now = systemClock.now()
  const erasing = {
    state: 'erasing',
    dueAt: now,
    erasedAt: null,
    position: 0,
    lastId: smallestId,
    rowCounts: '{}',
  } as const
  // The audit log lets go only of an account that is being erased: it is, until the end of this transaction.
  await askErasure(tx, accountId, now)
  await saveErasure(tx, accountId, erasing)
  await allowErasing(tx, accountId)
  await tx.run({ text: 'set constraints all deferred', values: [] })
  for (const table of await accountTables(tx, erasedLast, [{ child: 'alerts', parent: 'intents' }]))
    while ((await deleteRows(tx, table, accountId, batch)) > 0);
  while (await eraseUsers(tx, wholeAccount(accountId), now));
  await eraseAccountRow(tx, accountId)
  await forgetErasure(tx, accountId)
}

const deleteArriving = async (db: Db, accountId: AccountId): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [arrival] = await findMove(tx, accountId)
    if (arrival?.state !== 'arriving') return false
    await deleteAll(tx, accountId)
    await deleteFreeze(tx, accountId)
    await deleteArrival(tx, accountId, arrival.move_id)
    return true
  })

/** Returns whether there was something to delete. */
export const deleteCopy = async (cell: Cell, accountId: AccountId): Promise<boolean> => {
  const db = openDatabase({
    url: cell.databaseUrl,
    connections: 1,
    application: 'sanad account move',
    statement_timeout_ms: hour_ms,
    onFault: () => {},
  })
  try {
    return await deleteArriving(db, accountId)
  } finally {
    await db.close()
  }
}
