/**
 * What is stored of deliveries, and for how long. Attempts and ends have one partition a day: partitions of the coming days are
 * created in time, old ones are dropped as a whole. Several nodes may call this; one of them does the work. A row whose day had
 * no partition yet is in the default partition. When the partition of its day is created, the row is moved there, unless there
 * are too many such rows. Old rows of the default partition are deleted. Replays are few, and are stored as long as ends. The
 * text of an old event is emptied; its row stays, so that no event is sent twice (docs/decisions/0012).
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import type { WebhookSettings } from '../settings.ts'
import {
  deleteOldReplays,
  deleteStrayAttempts,
  deleteStrayEnds,
  forgetBodyRows,
  partitionsOf,
  strayAttempts,
  strayEnds,
  tryLockPartitions,
} from './keep-partitions-sql.ts'

const daysAhead = 3
const mostMoved = 10_000
const mostDeleted = 5_000

const tables = [
  { name: 'delivery_attempts', kept_days: 'attempts_days', strays: strayAttempts, deleteStrays: deleteStrayAttempts },
  { name: 'delivery_ends', kept_days: 'ends_days', strays: strayEnds, deleteStrays: deleteStrayEnds },
] as const

type Table = (typeof tables)[number]

/** `delivery_attempts_d20260102`, by the day in UTC. */
const partitionName = (table: Table, day: Instant): string =>
  `${table.name}_d${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`

const dayOfPartition = (name: string): Instant | undefined => {
  const [, year, month, day] = /_d(\d{4})(\d{2})(\d{2})$/.exec(name) ?? []
  return year === undefined ? undefined : Date.UTC(Number(year), Number(month) - 1, Number(day))
}

const run = (tx: Tx, text: string) => tx.run({ text, values: [] })

/** Returns the names of the partitions that were created and dropped. Safe to call at any time, from every node. */
export const keepPartitions = async (
  db: Db,
  settings: WebhookSettings,
  now: Instant,
): Promise<{ readonly created: string[]; readonly dropped: string[] }> => {
  const created: string[] = []
  const dropped: string[] = []
  const today = now - (((now % day_ms) + day_ms) % day_ms)
  for (const table of tables) {
    const existing = (await partitionsOf(db, table.name)).map((row) => row.name)
    for (let day = today; day <= today + daysAhead * day_ms; day += day_ms) {
      const name = partitionName(table, day)
      if (!existing.includes(name) && (await inOwnTransaction(db, (tx) => createPartition(tx, table, day))))
        created.push(name)
    }
    const oldestDay = today - settings[table.kept_days] * day_ms
    for (const name of existing) {
      const day = dayOfPartition(name)
      if (day === undefined || day >= oldestDay) continue
      if (await inOwnTransaction(db, (tx) => dropPartition(tx, table, name))) dropped.push(name)
    }
    await table.deleteStrays(db, oldestDay, mostDeleted)
  }
  const oldestDay = today - settings.ends_days * day_ms
  await deleteOldReplays(db, oldestDay, mostDeleted)
  return { created, dropped }
}

/** A transaction with a short lock timeout, so that neither this node nor others wait for long. False: another node
 *  has the lock, or there was nothing to do. */
const inOwnTransaction = (db: Db, work: (tx: Tx) => Promise<boolean>): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [lock] = await tryLockPartitions(tx)
    if (!lock?.locked) return false
    await run(tx, `set local lock_timeout = '1s'`)
    return work(tx)
  })

/**
 * The partition is created as a separate table and then attached: creating it in place would lock the whole table. Attaching
 * locks only the default partition, which contains the rows of a day without a partition. Names and days come from this file, so
 * they need no escaping.
 */
const createPartition = async (tx: Tx, table: Table, day: Instant): Promise<boolean> => {
  const name = partitionName(table, day)
  if ((await partitionsOf(tx, table.name)).some((row) => row.name === name)) return false
  const [from, until] = [new Date(day).toISOString(), new Date(day + day_ms).toISOString()]
  await run(tx, `lock table ${table.name}_other in access exclusive mode`)
  const [strays] = await table.strays(tx, day, day + day_ms, mostMoved + 1)
  // Too many to move while others wait: the rows of this day stay in the default partition.
  if (strays !== undefined && strays.rows > mostMoved) return false
  await run(tx, `create table ${name} (like ${table.name} including defaults including constraints)`)
  if (strays !== undefined && strays.rows > 0) {
    await run(
      tx,
      `with moved as (delete from ${table.name}_other where at >= '${from}' and at < '${until}' returning *)
       insert into ${name} select * from moved`,
    )
  }
  await run(tx, `alter table ${table.name} attach partition ${name} for values from ('${from}') to ('${until}')`)
  return true
}

const dropPartition = async (tx: Tx, table: Table, name: string): Promise<boolean> => {
  if (!(await partitionsOf(tx, table.name)).some((row) => row.name === name)) return false
  await run(tx, `drop table ${name}`)
  return true
}

/**
 * Empties the text of events that are too old, at most `most`, and returns how many there were. It is done a day later than
 * promised, so that no request reads an event while it is emptied.
 */
export const forgetBodies = async (db: Db, settings: WebhookSettings, now: Instant, most: number): Promise<number> =>
  (await forgetBodyRows(db, now - (settings.bodies_days + 1) * day_ms, most)).length
