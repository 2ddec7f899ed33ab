/** How a move ends that was not switched, and how the forwarding ends of one that was. */
import { askErasure, saveErasure } from '../../accounts/erasure/account-erasure-sql.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import { type AccountId, smallestId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { Cell } from '../../postgres/tenancy/cells.ts'
import { afterFreeze, endFreeze } from '../../postgres/tenancy/freeze-account.ts'
import { pauseFreeze } from '../../postgres/tenancy/freeze-sql.ts'
import { deleteCopyingMove, findMove, markMoveEnding } from '../../postgres/tenancy/move-sql.ts'
import { byCommand } from '../command-line.ts'
import type { Cells } from './cell-connections.ts'
import { deleteCopy } from './delete-copy.ts'
import { auditOfService, thawThere } from './move-account.ts'

/** From the commit on the account goes on here, whether or not the other cell can be reached. Returns whether there was a move. */
export const goOnHere = async (db: Db, accountId: AccountId): Promise<boolean> => {
  const [move] = await findMove(db, accountId)
  if (move?.state === 'switched' || move?.state === 'ending')
    throw new CommandError(
      `The account is used in cell ${move.cell} already: it cannot be turned back. Move it from there to this cell instead, after the forwarding here has ended (--end).`,
    )
  if (move?.state === 'arriving')
    throw new CommandError('The account is being moved to this cell: turn it back in the cell that it comes from.')
  const ended = await byCommand(db, async (tx, audit) => {
    const gone = await deleteCopyingMove(tx, accountId)
    if (gone.length === 0) return false
    await endFreeze(tx, accountId)
    audit({ action: 'account.move_back', kind: 'account', id: accountId, accountId })
    return true
  })
  // The triggers of a turn that was killed here are disabled too.
  await afterFreeze(db)
  return ended
}

/** Returns whether there was a copy. The account goes on here, so a copy that is still arriving there is not in use. */
export const cleanThere = (cell: Cell, accountId: AccountId): Promise<boolean> => deleteCopy(cell, accountId)

/** From the commit on nothing is forwarded. The service erases the rows: the account is stopping meanwhile, so nothing of it works. */
export const endForwarding = async (
  db: Db,
  { target }: Pick<Cells, 'target'>,
  accountId: AccountId,
): Promise<'begun' | 'already'> => {
  const [move] = await findMove(db, accountId)
  if (move?.state === 'ending') return 'already'
  if (move?.state !== 'switched')
    throw new CommandError('The account was not moved to another cell: there is no forwarding to end.')
  // It may have been killed before the account went on there.
  await thawThere(target, accountId, move)
  await db.transaction(async (tx) => {
    const now = systemClock.now()
    if ((await markMoveEnding(tx, accountId)).length === 0) return
    await pauseFreeze(tx, accountId)
    await askErasure(tx, accountId, now)
    await saveErasure(tx, accountId, {
      state: 'erasing',
      dueAt: now,
      erasedAt: null,
      position: 0,
      lastId: smallestId,
      rowCounts: '{}',
    })
    await auditOfService(tx, 'account.end_move', accountId, { cell: move.cell }, now)
  })
  return 'begun'
}
