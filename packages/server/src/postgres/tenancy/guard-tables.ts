/**
 * The triggers that refuse to write rows of a frozen account. Creating or enabling one waits for every transaction that has written to
 * its table, and every later one obeys it. So when all are enabled, what was written before is committed or gone, and nothing more is
 * written. The tables are read from the catalogue: one that is added later is guarded without anybody thinking of it.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { minute_ms } from '../../core/duration.ts'
import { quoted } from '../backup/backup-sql.ts'
import type { Db, Tx } from '../connection/database.ts'
import { faultCode } from '../connection/unavailable.ts'
import { storedTables } from './account-tables-sql.ts'
import { frozenAccounts, guardedTables, hasLongWriter, lockFreezes } from './freeze-sql.ts'

/** How a row names its account, beside the column account_id: see refuse_frozen() in the schema. */
const further: readonly (readonly [table: string, by: string])[] = [
  ['accounts', 'id'],
  ['device_requests', 'device_id'],
  ['passkeys', 'user_id'],
  ['users', 'user'],
  ['wallet_balances', 'wallet_id'],
]

/** Tables with the column account_id that stay writable, each with the reason. */
const writable: Readonly<Record<string, readonly string[]>> = {
  'it says which account is frozen, or moved': ['account_freezes', 'account_moves'],
  'it is written in one statement with deliveries, which are guarded; partitions are filled and dropped by the day': [
    'delivery_attempts',
    'delivery_ends',
    'endpoint_hours',
  ],
  'the log of calls: a line that comes late stays here': ['api_calls'],
  'it belongs to this host name, and is not copied: the devices of members, and what waits for them': [
    'push_devices',
    'push_pending',
    'push_told',
  ],
  'it belongs to a user, who may act for another account': ['sessions', 'user_notices'],
}
const writableTables = Object.values(writable).flat()
const isWritable = (table: string): boolean =>
  writableTables.some((name) => table === name || (table.startsWith(`${name}_`) && name.startsWith('delivery_')))

export const tablesToGuard = async (db: Db): Promise<(readonly [table: string, by: string])[]> => {
  const named = (await storedTables(db)).filter(({ name, of_account }) => of_account && !isWritable(name))
  return [...named.map(({ name }) => [name, 'account_id'] as const), ...further]
}

/** Longer than PostgreSQL's deadlock_timeout, after which it cancels an autovacuum that is in the way. */
const lockWait_ms = 1_500
const lockNotAvailable = '55P03'
const mostTries = 40
const pause_ms = 250
/** As long as a copy of another account may take. */
const longestWriter_ms = 30 * minute_ms

/** Called when a transaction that writes to the table for long is waited for, perhaps for minutes. */
export type OnWait = (table: string) => void

/** A lock that waits makes every later writer wait. So a transaction that writes for long is waited for without one. */
const untilNoLongWriter = async (db: Db, table: string, onWait: OnWait): Promise<void> => {
  const began = performance.now()
  for (let looks = 0; (await hasLongWriter(db, table))[0]!.busy; looks++) {
    if (looks === 0) onWait(table)
    if (performance.now() - began > longestWriter_ms)
      throw new Error(`a transaction has been writing to ${table} for too long: end it, and try again`)
    await delay(pause_ms)
  }
}

/** Runs a transaction whose statement locks one table. It waits briefly, so that writers behind it do not wait long, and tries again. */
const whenFree = async (db: Db, table: string, onWait: OnWait, work: (tx: Tx) => Promise<void>): Promise<void> => {
  for (let tries = 1; ; tries++) {
    await untilNoLongWriter(db, table, onWait)
    try {
      return await db.transaction(async (tx) => {
        await tx.run({ text: `set local lock_timeout = ${lockWait_ms}`, values: [] })
        await work(tx)
      })
    } catch (fault) {
      if (faultCode(fault) !== lockNotAvailable || tries === mostTries) throw fault
      await delay(pause_ms)
    }
  }
}

const run = async (tx: Tx, text: string): Promise<void> => void (await tx.run({ text, values: [] }))

/** Returns when every transaction that has written to the table before is over. */
export const waitForWriters = (db: Db, table: string, onWait: OnWait): Promise<void> =>
  whenFree(db, table, onWait, (tx) => run(tx, `lock table public.${quoted(table)} in share row exclusive mode`))

/** One table after another, each in its own transaction: a writer of two tables never waits in a circle. */
export const guardTables = async (db: Db, onWait: OnWait): Promise<void> => {
  const existing = new Set((await guardedTables(db)).map(({ name }) => name))
  for (const [table, by] of await tablesToGuard(db)) {
    const name = `public.${quoted(table)}`
    await whenFree(db, table, onWait, async (tx) => {
      if (!existing.has(table))
        await run(
          tx,
          `create trigger frozen_account before insert or update or delete on ${name}
             for each row execute function refuse_frozen('${by}')`,
        )
      await run(tx, `alter table ${name} enable trigger frozen_account`)
    })
  }
}

const silently: OnWait = () => {}

/** Disables the triggers if no account is frozen. Returns whether it did; if a transaction writes for long, it is left to the next call. */
export const unguardTables = async (db: Db): Promise<boolean> => {
  for (const { name } of await guardedTables(db)) {
    if ((await hasLongWriter(db, name))[0]!.busy) return false
    let isFree = true
    await whenFree(db, name, silently, async (tx) => {
      await lockFreezes(tx)
      isFree = (await frozenAccounts(tx)).length === 0
      if (isFree) await run(tx, `alter table public.${quoted(name)} disable trigger frozen_account`)
    })
    if (!isFree) return false
  }
  return true
}
