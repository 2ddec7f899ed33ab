/**
 * Moves an account to another cell. Each step leaves both cells in a state from which the same command goes on, and from which a move
 * that has not been switched is turned back:
 *
 * 1. begin: the move is written here
 * 2. expect: the other cell expects the account, and answers no call for it
 * 3. copy: one transaction in the other cell, most of it while the account is at work here
 * 4. freeze: nothing of it is written here any more; what has changed is copied, and all is compared before the commit
 * 5. switch: from this commit on the account is used in the other cell alone
 * 6. thaw: it goes on there
 *
 * If the copy fails, the account goes on here.
 */
import { randomUUID } from 'node:crypto'
import { recordChange } from '../../accounts/audit/audit.ts'
import { operator } from '../../accounts/audit/change-by-command.ts'
import { notifyOnce } from '../../accounts/live/live-sql.ts'
import { findAccount } from '../../accounts/tenants/account-sql.ts'
import { CommandError } from '../../command-error.ts'
import { type Instant, systemClock } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import type { MasterKey } from '../../core/seal.ts'
import type { BackupConnection } from '../../postgres/backup/backup-connection.ts'
import type { Progress } from '../../postgres/backup/progress.ts'
import type { Db, Session } from '../../postgres/connection/database.ts'
import { deliveriesChannel, wakingPayload, workChannel } from '../../postgres/notify/wake-nodes.ts'
import type { Cell } from '../../postgres/tenancy/cells.ts'
import { afterFreeze, beginFreeze, endFreeze } from '../../postgres/tenancy/freeze-account.ts'
import { deleteFreeze, insertFreeze, lockFreeze } from '../../postgres/tenancy/freeze-sql.ts'
import { countMissing } from '../../postgres/tenancy/missing-rows.ts'
import { deleteArrival, findMove, insertMove, type MoveState, switchMove } from '../../postgres/tenancy/move-sql.ts'
import { waitForReplicas } from '../../postgres/tenancy/wait-for-replicas.ts'
import { byCommand } from '../command-line.ts'
import { type Cells, inTransaction } from './cell-connections.ts'
import { checkCell, checkCellAgain } from './check-cell.ts'
import { copyToCell } from './copy-to-cell.ts'
import { deleteCopy } from './delete-copy.ts'
import { stopAccount } from './stop-account.ts'

const longestReplica_ms = 10_000

export type Move = {
  readonly move_id: string
  readonly cell: string
  readonly origin: string
  readonly state: MoveState
  readonly began_at: Instant
}

export type MoveOptions = {
  readonly db: Db
  readonly cells: Cells
  readonly cell: Cell
  readonly accountId: AccountId
  readonly masterKey: MasterKey
  readonly prepare: boolean
  readonly progress: Progress
  readonly say: (line: string) => void
}

/** An entry that names the account and is not one of its rows: those are frozen, or copied. */
export const auditOfService = (session: Session, action: string, id: AccountId, after: unknown, now: Instant) =>
  recordChange(session, operator, { action, kind: 'account', id, accountId: null, after }, now)

const begin = async (options: MoveOptions): Promise<Move> => {
  const { db, cells, cell, accountId, masterKey, prepare, say } = options
  const [frozen] = await lockFreeze(db, accountId)
  if (frozen !== undefined)
    throw new CommandError(
      'The account is frozen: sanad account thaw lets it go on, then move it. Nothing was changed.',
    )
  // A copy of a move that was turned back while the other cell could not be reached.
  await deleteCopy(cell, accountId)
  for (const line of await checkCell(cells, cell, accountId, masterKey, prepare, systemClock.now())) say(line)
  const move = { moveId: randomUUID(), cell: cell.name, origin: cell.origin }
  const now = systemClock.now()
  await byCommand(db, async (tx, audit) => {
    await insertMove(tx, accountId, move, 'copying', now)
    audit({ action: 'account.move', kind: 'account', id: accountId, accountId, after: { cell: cell.name } })
  })
  return { move_id: move.moveId, cell: cell.name, origin: cell.origin, state: 'copying', began_at: now }
}

/**
 * Whether the other cell uses the account although the move is `copying` here. The account is expected there before it is copied, and no
 * more only after the switch. So the switch was committed here, and then lost: by a failover to a replica that was behind, or a restore.
 */
export const isUsedThere = async (target: BackupConnection, accountId: AccountId): Promise<boolean> =>
  (await findMove(target, accountId)).length === 0 && (await findAccount(target, accountId)).length > 0

/** Its nodes know within a second that they answer no call for it: long before its rows are there. */
const expect = async ({ cells: { target }, accountId }: MoveOptions, move: Move): Promise<void> => {
  const [arrival] = await findMove(target, accountId)
  if (arrival?.move_id === move.move_id) return
  if (arrival !== undefined) throw new CommandError(`Cell ${move.cell} expects the account from another move.`)
  await inTransaction(target, async () => {
    const now = systemClock.now()
    await insertMove(target, accountId, { moveId: move.move_id, cell: move.cell, origin: move.origin }, 'arriving', now)
    await insertFreeze(target, accountId, now)
  })
}

const freeze = async ({ db, accountId, say }: MoveOptions): Promise<void> => {
  say('Its calls get 503 now. Freezing.')
  await db.transaction((tx) => beginFreeze(tx, accountId, systemClock.now()))
  const outcome = await stopAccount(db, accountId, say)
  if (outcome === 'busy') throw new CommandError('Webhooks of the account are still being sent.')
  if (outcome === 'not begun') throw new CommandError('The account was thawed meanwhile.')
}

/** Returns whether the account was frozen. */
const goOn = async (db: Db, accountId: AccountId): Promise<boolean> => {
  const was = await db.transaction((tx) => endFreeze(tx, accountId))
  await afterFreeze(db)
  return was
}

const again = 'Run the command again, or turn the move back with --back.'

/** Rows of the copy that the other cell refuses, in a sentence. */
const explained = (fault: unknown, cell: Cell): string => {
  const { message, code, table, constraint } = fault as Error & { code?: string; table?: string; constraint?: string }
  return code === '23505'
    ? `A row of ${table} has a key that cell ${cell.name} has already (${constraint}): nothing was copied.`
    : fault instanceof CommandError
      ? message
      : `Nothing was copied: ${message}.`
}

/** Copies the account and freezes it. If that fails, the account goes on here. */
const bringOver = async (options: MoveOptions): Promise<void> => {
  const { db, cells, cell, accountId, masterKey, progress, say } = options
  say('Copying. The account goes on here meanwhile.')
  const stop = async (): Promise<void> => {
    await freeze(options)
    await checkCellAgain(cells, cell, accountId, masterKey)
    say('Frozen. Copying what has changed.')
  }
  try {
    const rows = await copyToCell({ cells, cell, accountId, progress, say, freeze: stop })
    say(`${rows} rows are there, and were compared.`)
  } catch (cause) {
    const state = await goOn(db, accountId).then(
      () => 'The account goes on here.',
      () => 'The account is still frozen here.',
    )
    throw new CommandError(`${explained(cause, cell)} ${state} ${again}`, { cause })
  }
}

/** The account is used there, and this cell has lost the switch. It may have lost the freeze too, and have gone on. */
const stopAgain = async (options: MoveOptions, { began_at }: Move): Promise<void> => {
  const { cells, cell, accountId, say } = options
  say(`Cell ${cell.name} uses the account already: this cell has lost the switch, and switches again.`)
  await freeze(options)
  const missing = await countMissing(cells.source, cells.target, accountId, began_at)
  if (missing.length > 0)
    say(
      `This cell has gone on for the account after the switch: ${missing.join(', ')} are here alone. They stay until --end: read them with sanad account export, and book their money in cell ${cell.name}.`,
    )
}

const switchOver = async ({ db, accountId, say }: MoveOptions, move: Move): Promise<void> => {
  const isSwitched = await db.transaction(async (tx) => {
    const now = systemClock.now()
    const switched = await switchMove(tx, accountId, move.move_id, now)
    if (switched.length > 0) await auditOfService(tx, 'account.switch', accountId, { cell: move.cell }, now)
    return switched.length > 0
  })
  if (!isSwitched) throw new CommandError('The move was turned back meanwhile: the account goes on here.')
  // A replica that is promoted without the freeze and the switch would use the account too.
  const behind = await waitForReplicas(db, longestReplica_ms)
  if (behind > 0)
    say(
      `${behind} of this cell's replicas do not have the switch yet. If one of them is promoted without it, run the command again at once.`,
    )
}

/** Only after the switch. It may be repeated. */
export const thawThere = async (target: BackupConnection, accountId: AccountId, move: Move): Promise<void> => {
  await inTransaction(target, async () => {
    if ((await deleteArrival(target, accountId, move.move_id)).length === 0) return
    await deleteFreeze(target, accountId)
    const change = { action: 'account.arrive', kind: 'account', id: accountId, accountId } as const
    await recordChange(target, operator, change, systemClock.now())
    // Sent with the commit: a node that has nothing to do sleeps, and would find what is due up to a minute later.
    for (const channel of [workChannel, deliveriesChannel]) await notifyOnce(target, channel, [wakingPayload])
  })
}

export const moveAccount = async (options: MoveOptions): Promise<void> => {
  const { db, cells, cell, accountId, say } = options
  const [found] = await findMove(db, accountId)
  if (found !== undefined && found.cell !== cell.name)
    throw new CommandError(`The account is being moved to cell ${found.cell}, not to ${cell.name}.`)
  if (found?.state === 'arriving') throw new CommandError('The account is being moved to this cell.')
  if (found?.state === 'ending') throw new CommandError(`The account was moved to cell ${cell.name}.`)
  const move = found ?? (await begin(options))
  if (move.state === 'copying') {
    if (await isUsedThere(cells.target, accountId)) await stopAgain(options, move)
    else {
      const [frozen] = await lockFreeze(db, accountId)
      const isThere = (await findAccount(cells.target, accountId)).length > 0
      // A freeze that was lost, as by a failover, or has ended: rows here may have changed since they were copied.
      if (isThere && frozen?.state !== 'frozen') await deleteCopy(cell, accountId)
      await expect(options, move)
      if (isThere && frozen?.state === 'frozen') say('The copy is there already.')
      else {
        if (frozen !== undefined && (await goOn(db, accountId))) say('The account goes on here.')
        await bringOver(options)
      }
    }
    await switchOver(options, move)
    say(`Switched: the account is used in cell ${cell.name} now.`)
  }
  await thawThere(cells.target, accountId, move)
  say(`It goes on in cell ${cell.name}: ${move.origin}`)
}
