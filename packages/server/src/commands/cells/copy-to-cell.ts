/**
 * Copies an account into another cell, in one transaction there: first while the account is at work here, then what has changed
 * meanwhile, again and again until little is left, and the rest while it is frozen. So it stands still for the time of a look at its rows,
 * not for the time of copying them.
 */
import { insertMovedUsers, insertNamedUsers, usersToMove } from '../../accounts/tenants/move-users.ts'
import { CommandError } from '../../command-error.ts'
import { systemClock } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { accountSums } from '../../intents/totals/account-sums-sql.ts'
import { tallyAccount } from '../../intents/totals/tally-account.ts'
import { runText } from '../../postgres/backup/backup-connection.ts'
import { noProgress, type Progress } from '../../postgres/backup/progress.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { faultCode } from '../../postgres/connection/unavailable.ts'
import { copyChanges, openSnapshot, type SnapshotStart } from '../../postgres/tenancy/catch-up.ts'
import type { Cell } from '../../postgres/tenancy/cells.ts'
import { copyTables, findDifference } from '../../postgres/tenancy/copy-account.ts'
import { type MovedTable, movedTables } from '../../postgres/tenancy/moved-tables.ts'
import { type Cells, inTransaction } from './cell-connections.ts'

export type CopyOptions = {
  readonly cells: Cells
  readonly cell: Cell
  readonly accountId: AccountId
  readonly progress: Progress
  readonly say: (line: string) => void
  /** From its end on nothing of the account is written here. */
  readonly freeze: () => Promise<void>
}

/** So many times what has changed is copied before the freeze, unless it is fewer rows than this. */
const mostTurns = 4
const fewRows = 10_000

/** A change that cannot be repeated row by row, such as a key that has gone to another row in another table. */
class UnrepeatableChange extends Error {}

/** Refused by a rule of the other database: a constraint, or a trigger of ours. */
const isRefused = (fault: unknown): boolean => /^(23|SN|P0)/.test(faultCode(fault) ?? '')

/** The parts of one copy, in the transaction of the other cell. */
const partsOf = (
  { cells: { source, target }, cell, accountId, progress }: CopyOptions,
  tables: readonly MovedTable[],
) => {
  const scope = wholeAccount(accountId)
  const names = tables.map(({ name }) => name)
  /** Users of whom this transaction has written rows. */
  const named: string[] = []
  const usersHere = () => usersToMove(source, accountId, names)
  const nameUsers = async (): Promise<void> => void named.push(...(await insertNamedUsers(target, await usersHere())))

  const inSnapshot = async (work: (start: SnapshotStart) => Promise<void>): Promise<SnapshotStart> => {
    const start = await openSnapshot(source)
    try {
      await work(start)
      return start
    } finally {
      await runText(source, 'rollback').catch(() => {})
    }
  }

  /** Users may name the account, and members name users. */
  const copyFirst = async (copied: readonly MovedTable[]): Promise<void> => {
    const [own, ...others] = copied
    await copyTables(source, target, [own!], accountId, noProgress)
    await nameUsers()
    await copyTables(source, target, others, accountId, progress)
  }

  const copyAgain = async (copied: readonly MovedTable[], since: SnapshotStart): Promise<number> => {
    await nameUsers()
    return copyChanges(source, target, copied, accountId, since, progress).catch((cause) => {
      throw isRefused(cause) ? new UnrepeatableChange((cause as Error).message, { cause }) : cause
    })
  }

  /** Users, and what is compared. Returns how many rows the account has. */
  const complete = async (): Promise<number> => {
    const users = await usersHere()
    if ((await insertMovedUsers(target, accountId, users, named)) !== users.ids.length)
      throw new CommandError(`Not all users arrived in cell ${cell.name}.`)
    const sums = async (session: Session): Promise<string> => (await accountSums(session, scope))[0]!.sums
    const { rows, difference } = await findDifference(source, target, tables, accountId, sums, progress)
    if (difference !== undefined) throw new CommandError(`The copy is not the same as the account: ${difference}.`)
    progress.part('Tallying', 1)
    if (!(await tallyAccount(target, scope, systemClock.now())))
      throw new CommandError(
        `The account has open intents from a time that cell ${cell.name} has tallied: give it the same SANAD_INTENT_WINDOW_S, or wait until they have ended.`,
      )
    progress.end()
    return rows
  }
  return { inSnapshot, copyFirst, copyAgain, complete }
}

const copyAtWork = async (options: CopyOptions): Promise<number> => {
  const tables = await movedTables(options.cells.source)
  const { inSnapshot, copyFirst, copyAgain, complete } = partsOf(options, tables)
  const [early, late] = [tables.filter(({ isLate }) => !isLate), tables.filter(({ isLate }) => isLate)]
  return inTransaction(options.cells.target, async () => {
    let last = await inSnapshot(() => copyFirst(early))
    let changed = Number.POSITIVE_INFINITY
    for (let turn = 1; turn <= mostTurns && changed >= fewRows; turn++) {
      const since = last
      last = await inSnapshot(async () => {
        changed = await copyAgain(early, since)
      })
    }
    await options.freeze()
    let rows = 0
    await inSnapshot(async () => {
      await copyAgain(early, last)
      await copyTables(options.cells.source, options.cells.target, late, options.accountId, options.progress)
      rows = await complete()
    })
    return rows
  })
}

const copyFrozen = async (options: CopyOptions): Promise<number> => {
  await options.freeze()
  const tables = await movedTables(options.cells.source)
  const { inSnapshot, copyFirst, complete } = partsOf(options, tables)
  return inTransaction(options.cells.target, async () => {
    let rows = 0
    await inSnapshot(async () => {
      await copyFirst(tables)
      rows = await complete()
    })
    return rows
  })
}

/** Everything or nothing; then the account is frozen here. Returns how many rows it has. */
export const copyToCell = (options: CopyOptions): Promise<number> =>
  copyAtWork(options).catch((fault) => {
    if (!(fault instanceof UnrepeatableChange)) throw fault
    options.say(`Rows have changed in a way that cannot be repeated one by one: ${fault.message}.`)
    options.say('Everything is copied again, while the account is frozen.')
    return copyFrozen(options)
  })
