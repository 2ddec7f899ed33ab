/**
 * Moves an account to another cell. Each step leaves both cells in a state from which the same command goes on, and from which a move
 * that has not been switched is turned back:
 *
 * 1. begin: the move is written here, and the account is stopping; the other cell expects it, and answers no call for it
 * 2. freeze: nothing of it is written here any more
 * 3. copy: one transaction in the other cell, compared before its commit
 * 4. switch: from this commit on the account is used in the other cell alone
 * 5. thaw: it goes on there
 */
import { randomUUID } from 'node:crypto'
import { recordChange } from '../../accounts/audit/audit.ts'
import { operator } from '../../accounts/audit/change-by-command.ts'
import { notifyOnce } from '../../accounts/live/live-sql.ts'
import { findAccount } from '../../accounts/tenants/account-sql.ts'
import { insertMovedUsers, usersToMove } from '../../accounts/tenants/move-users.ts'
import { CommandError } from '../../command-error.ts'
import { type Instant, systemClock } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import type { AccountId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { MasterKey } from '../../core/seal.ts'
import { accountSums } from '../../intents/totals/account-sums-sql.ts'
import { tallyAccount } from '../../intents/totals/tally-account.ts'
import { type BackupConnection, runText } from '../../postgres/backup/backup-connection.ts'
import { noProgress, type Progress } from '../../postgres/backup/progress.ts'
import type { Db, Session } from '../../postgres/connection/database.ts'
import { deliveriesChannel, wakingPayload, workChannel } from '../../postgres/notify/wake-nodes.ts'
import type { Cell } from '../../postgres/tenancy/cells.ts'
import { copyTables, findDifference } from '../../postgres/tenancy/copy-account.ts'
import { beginFreeze, completeFreeze } from '../../postgres/tenancy/freeze-account.ts'
import { deleteFreeze, insertFreeze, lockFreeze } from '../../postgres/tenancy/freeze-sql.ts'
import { deleteArrival, findMove, insertMove, type MoveState, switchMove } from '../../postgres/tenancy/move-sql.ts'
import { movedTables } from '../../postgres/tenancy/moved-tables.ts'
import { leasedDeliveries } from '../../webhooks/sending/delivery-sql.ts'
import { byCommand } from '../command-line.ts'
import type { Cells } from './cell-connections.ts'
import { checkCell } from './check-cell.ts'
import { deleteCopy } from './delete-copy.ts'

/** As long as the longest lease of a webhook may be. */
const longestCalls_ms = 15 * minute_ms

export type Move = {
  readonly move_id: string
  readonly cell: string
  readonly origin: string
  readonly state: MoveState
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

/** Runs `work` in a transaction of a connection of this command. */
export const inTransaction = async <T>(session: BackupConnection, work: () => Promise<T>): Promise<T> => {
  await runText(session, 'begin')
  try {
    const value = await work()
    await runText(session, 'commit')
    return value
  } catch (fault) {
    await runText(session, 'rollback').catch(() => {})
    throw fault
  }
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
  await byCommand(db, async (tx, audit) => {
    const now = systemClock.now()
    await insertMove(tx, accountId, move, 'copying', now)
    await beginFreeze(tx, accountId, now)
    audit({ action: 'account.move', kind: 'account', id: accountId, accountId, after: { cell: cell.name } })
  })
  return { move_id: move.moveId, cell: cell.name, origin: cell.origin, state: 'copying' }
}

/**
 * Whether the other cell uses the account although the move is `copying` here. The account is expected there before it is copied, and no
 * more only after the switch. So the switch was committed here, and then lost: by a failover to a replica that was behind, or a restore.
 */
export const isUsedThere = async (target: BackupConnection, accountId: AccountId): Promise<boolean> =>
  (await findMove(target, accountId)).length === 0 && (await findAccount(target, accountId)).length > 0

/** Its nodes know within a second that they answer no call for it: long before its rows are there. */
const expect = async ({ cells: { target }, accountId, say }: MoveOptions, move: Move): Promise<void> => {
  if (await isUsedThere(target, accountId))
    return say(`Cell ${move.cell} uses the account already: this cell has lost the switch, and switches again.`)
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
  const scope = wholeAccount(accountId)
  const outcome = await completeFreeze(db, accountId, {
    underWay: async () => (await leasedDeliveries(db, scope))[0]!.leased,
    now: systemClock.now,
    most_ms: longestCalls_ms,
    say,
  })
  if (outcome === 'busy')
    throw new CommandError('Webhooks of the account are still being sent: run the command again, or with --back.')
  if (outcome === 'not begun') throw new CommandError('The account was thawed meanwhile: run the command with --back.')
}

const turnBackText = 'The account is still frozen here: run the command again, or turn the move back with --back.'

/** Everything or nothing. Returns how many rows were copied. */
const copy = async (options: MoveOptions): Promise<number> => {
  const { cells, cell, accountId, progress } = options
  const { source, target } = cells
  const tables = await movedTables(source)
  const scope = wholeAccount(accountId)
  // Users may name the account, and members name users.
  const [own, ...others] = tables
  const sums = async (session: Session): Promise<string> => (await accountSums(session, scope))[0]!.sums
  await runText(source, 'begin isolation level repeatable read, read only')
  try {
    return await inTransaction(target, async () => {
      const names = tables.map(({ name }) => name)
      const users = await usersToMove(source, accountId, names)
      await copyTables(source, target, [own!], accountId, noProgress)
      if ((await insertMovedUsers(target, users)) !== users.ids.length)
        throw new CommandError(`Not all users arrived in cell ${cell.name}. ${turnBackText}`)
      const rows = 1 + (await copyTables(source, target, others, accountId, progress))
      const difference = await findDifference(source, target, tables, accountId, sums, progress)
      if (difference !== undefined)
        throw new CommandError(`The copy is not the same as the account: ${difference}. ${turnBackText}`)
      progress.part('Tallying', 1)
      if (!(await tallyAccount(target, scope, systemClock.now())))
        throw new CommandError(
          `The account has open intents from a time that cell ${cell.name} has tallied: give it the same SANAD_INTENT_WINDOW_S, or wait until they have ended. ${turnBackText}`,
        )
      progress.end()
      return rows
    })
  } finally {
    await runText(source, 'rollback').catch(() => {})
  }
}

/** Rows of the copy that the other cell refuses, in a sentence. */
const explained = (fault: unknown, cell: Cell): unknown => {
  if (fault instanceof CommandError || !(fault instanceof Error)) return fault
  const { code, table, constraint } = fault as Error & { code?: string; table?: string; constraint?: string }
  if (code === '23505')
    return new CommandError(
      `A row of ${table} has a key that cell ${cell.name} has already (${constraint}): nothing was copied. ${turnBackText}`,
      { cause: fault },
    )
  return new CommandError(`Nothing was copied: ${fault.message}. ${turnBackText}`, { cause: fault })
}

const switchOver = async ({ db, accountId }: MoveOptions, move: Move): Promise<void> => {
  const isSwitched = await db.transaction(async (tx) => {
    const now = systemClock.now()
    const switched = await switchMove(tx, accountId, move.move_id, now)
    if (switched.length > 0) await auditOfService(tx, 'account.switch', accountId, { cell: move.cell }, now)
    return switched.length > 0
  })
  if (!isSwitched) throw new CommandError('The move was turned back meanwhile: the account goes on here.')
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
    await expect(options, move)
    say('Its calls get 503 now. Freezing.')
    await freeze(options)
    if ((await findAccount(cells.target, accountId)).length > 0) say('The copy is there already.')
    else {
      say('Frozen. Copying.')
      const rows = await copy(options).catch((fault: unknown) => {
        throw explained(fault, cell)
      })
      say(`${rows} rows were copied and compared.`)
    }
    await switchOver(options, move)
    say(`Switched: the account is used in cell ${cell.name} now.`)
  }
  await thawThere(cells.target, accountId, move)
  say(`It goes on in cell ${cell.name}: ${move.origin}`)
}
