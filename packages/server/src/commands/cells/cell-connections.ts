/** Both databases of a move: connections without time limits, one of which holds a lock for as long as the command runs. */
import { createHash } from 'node:crypto'
import { CommandError } from '../../command-error.ts'
import type { AccountId } from '../../core/ids.ts'
import { type BackupConnection, connectForBackup, runText } from '../../postgres/backup/backup-connection.ts'
import { whyUnreachable } from '../../postgres/connection/connect-fault.ts'
import type { Cell } from '../../postgres/tenancy/cells.ts'
import { isSessionHere, thisSession, tryLockMoves } from '../../postgres/tenancy/move-sql.ts'

const application = 'sanad account move'

/** One number for each account: two commands for one account exclude each other, in whichever cell they meet. */
const lockOf = (accountId: AccountId): bigint =>
  createHash('sha256').update(`move ${accountId}`).digest().readBigInt64BE()

const connect = (url: string, whose: string): Promise<BackupConnection> =>
  connectForBackup(url, application).catch((fault: Error) => {
    throw new CommandError(`The database of ${whose} cannot be reached. ${whyUnreachable(fault, url) ?? fault.message}`)
  })

const lockHere = async (session: BackupConnection, accountId: AccountId): Promise<void> => {
  const [row] = await tryLockMoves(session, lockOf(accountId))
  if (!row!.locked) throw new CommandError('Another command is moving this account now. Nothing was changed.')
}

/** `source`: this cell. `target`: the other one. */
export type Cells = { readonly source: BackupConnection; readonly target: BackupConnection }

export const withSource = async <T>(
  url: string,
  accountId: AccountId,
  work: (source: BackupConnection) => Promise<T>,
): Promise<T> => {
  const source = await connect(url, 'this cell')
  try {
    await lockHere(source, accountId)
    return await work(source)
  } finally {
    // What is not committed is rolled back, and the locks end.
    source.abandon()
  }
}

export const withTarget = async <T>(
  source: BackupConnection,
  cell: Cell,
  accountId: AccountId,
  work: (cells: Cells) => Promise<T>,
): Promise<T> => {
  const target = await connect(cell.databaseUrl, `cell ${cell.name}`)
  try {
    const [own] = await thisSession(source)
    const [here] = await isSessionHere(target, own!.pid, own!.began)
    if (here!.here)
      throw new CommandError(`The database of cell ${cell.name} is the database of this cell. Nothing was changed.`)
    await lockHere(target, accountId)
    return await work({ source, target })
  } finally {
    target.abandon()
  }
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
