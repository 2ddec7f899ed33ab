/**
 * What is kept of deliveries, and for how long. Attempts and ends have one partition a day: partitions of the coming days are
 * made in time, old ones are dropped as a whole. Several nodes may call this: one does it. A row that came before its day had a
 * partition is in the default partition; it is moved to its day, if there are not too many, or deleted when its time comes.
 * Replays, of which there are few, are kept as long as ends. The text of an old event is emptied; its row stays, so that no event
 * is sent twice (docs/decisions/0012).
 */
import type { Instant } from '../../core/clock.ts'
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
  tryHoldPartitions,
} from './keep-partitions-sql.ts'

const day_ms = 86_400_000
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

/** The names of partitions that were made and dropped. Safe to call at any time, from every node. */
export const keepPartitions = async (
  db: Db,
  settings: WebhookSettings,
  now: Instant,
): Promise<{ readonly made: string[]; readonly dropped: string[] }> => {
  const made: string[] = []
  const dropped: string[] = []
  const today = now - (((now % day_ms) + day_ms) % day_ms)
  for (const table of tables) {
    const there = (await partitionsOf(db, table.name)).map((row) => row.name)
    for (let day = today; day <= today + daysAhead * day_ms; day += day_ms) {
      const name = partitionName(table, day)
      if (!there.includes(name) && (await alone(db, (tx) => makePartition(tx, table, day)))) made.push(name)
    }
    const firstKept = today - settings[table.kept_days] * day_ms
    for (const name of there) {
      const day = dayOfPartition(name)
      if (day === undefined || day >= firstKept) continue
      if (await alone(db, (tx) => dropPartition(tx, table, name))) dropped.push(name)
    }
    await table.deleteStrays(db, firstKept, mostDeleted)
  }
  const firstKept = today - settings.ends_days * day_ms
  await deleteOldReplays(db, firstKept, mostDeleted)
  return { made, dropped }
}

/** Each in its own transaction with a short lock timeout, so that neither we nor others wait for long. */
const alone = (db: Db, work: (tx: Tx) => Promise<boolean>): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [lock] = await tryHoldPartitions(tx)
    if (!lock?.held) return false
    await run(tx, `set local lock_timeout = '1s'`)
    return work(tx)
  })

/**
 * Made as a separate table and then attached: creating it in place would lock the whole table. Attaching locks only the default
 * partition, which holds the rows of a day without a partition. Names and days are ours, so they need no escaping.
 */
const makePartition = async (tx: Tx, table: Table, day: Instant): Promise<boolean> => {
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
 * Empties the text of events that are too old, some at a time, and returns how many there were. A day later than promised, so
 * that no request meets an event at the moment in which it is emptied.
 */
export const forgetBodies = async (db: Db, settings: WebhookSettings, now: Instant, most: number): Promise<number> =>
  (await forgetBodyRows(db, now - (settings.bodies_days + 1) * day_ms, most)).length
