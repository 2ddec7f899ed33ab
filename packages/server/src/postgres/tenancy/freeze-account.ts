/**
 * Freezes an account: its calls are answered with 503, no webhook of it is begun, and when `freezeAccount` has returned nothing of it is
 * written and nothing that was written is uncommitted, on all nodes. A freeze that was stopped in the middle is run again, or thawed.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Db, Tx } from '../connection/database.ts'
import { areGuardsLeft, deleteFreeze, insertFreeze, markFrozen } from './freeze-sql.ts'
import { guardTables, unguardTables, waitForWriters } from './guard-tables.ts'

/** From its commit on no call of the account is begun. Returns whether it was not frozen before. */
export const beginFreeze = async (tx: Tx, accountId: AccountId, now: Instant): Promise<boolean> =>
  (await insertFreeze(tx, accountId, now)).length > 0

const pause_ms = 100

/** `underWay`: how many webhooks of the account are being sent. They end by themselves: the longest lease bounds the wait. */
export const completeFreeze = async (
  db: Db,
  accountId: AccountId,
  {
    underWay,
    now,
    most_ms,
    say,
  }: {
    readonly underWay: () => Promise<number>
    readonly now: () => Instant
    readonly most_ms: number
    readonly say: (line: string) => void
  },
): Promise<'frozen' | 'busy' | 'not begun'> => {
  const onWait = (table: string): void =>
    say(`Waiting for a transaction that has been writing to ${table} for more than a second.`)
  // A claim that has not seen the freeze is committed now, and is counted.
  await waitForWriters(db, 'deliveries', onWait)
  const began = performance.now()
  while ((await underWay()) > 0) {
    if (performance.now() - began > most_ms) return 'busy'
    await delay(pause_ms)
  }
  if ((await markFrozen(db, accountId, now())).length === 0) return 'not begun'
  await guardTables(db, onWait)
  return 'frozen'
}

/** In one transaction with what the caller writes of it. Returns whether it was frozen. */
export const endFreeze = async (tx: Tx, accountId: AccountId): Promise<boolean> =>
  (await deleteFreeze(tx, accountId)).length > 0

/** After `endFreeze`. If it is left out, the triggers go on to cost a little, until `disableLeftGuards`. */
export const afterFreeze = (db: Db): Promise<boolean> => unguardTables(db)

/** Of a freeze that ended with the last row of its account, and of a command that was killed before `afterFreeze`. */
export const disableLeftGuards = async (db: Db): Promise<void> => {
  if ((await areGuardsLeft(db))[0]!.left) await unguardTables(db)
}
