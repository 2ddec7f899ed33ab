/** Where the rows live: the operator's PostgreSQL, or the embedded one in the data directory. */
import { join } from 'node:path'
import { CommandError } from './command-error.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { whyUnreachable } from './postgres/connection/connect-fault.ts'
import { type Db, openDatabase } from './postgres/connection/database.ts'
import { openEmbedded } from './postgres/embedded/open-embedded.ts'
import { migrate } from './postgres/maintenance/migrate.ts'

export const migrationsFolder = join(import.meta.dirname, '../../../migrations')

export type Store = { readonly url: string; close(): Promise<void> }

/** For operator commands: works whether or not the service runs on the same data directory. */
export const visitStore = async (config: Config, role: string): Promise<Store> => {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, close: async () => {} }
  const embedded = await openEmbedded({ dataDir: config.dataDir, role })
  return { url: embedded.url, close: () => embedded.stop() }
}

/** The first that speaks to the database: where it cannot be reached, one sentence says so. */
export const migrateStore = (url: string, say?: (line: string) => void): ReturnType<typeof migrate> =>
  migrate(url, migrationsFolder, say).catch((fault: Error) => {
    const why = whyUnreachable(fault, url)
    throw why === undefined ? fault : new CommandError(why, { cause: fault })
  })

export const openPool = (url: string, config: Config, log: Log): Db =>
  openDatabase({
    url,
    connections: config.databaseConnections,
    application: 'sanad',
    // As long as a request with an idempotency key waits for another with the same key.
    lock_timeout_ms: 10_000,
    onFault: (fault) => log.warn({ err: fault }, 'a connection to the database broke'),
  })

/** Statements that many requests share wait only briefly for a lock: one stuck row must not hold up the others. */
export const openSharedPool = (url: string, log: Log): Db =>
  openDatabase({
    url,
    connections: 10,
    application: 'sanad shared',
    lock_timeout_ms: 1_000,
    planOnce: true,
    onFault: (fault) => log.warn({ err: fault }, 'a connection to the database broke'),
  })

/**
 * The sender's own: what it sends never waits for a connection that requests hold, nor they for it. Its commits do not
 * wait for the disk, and so do not hold up those that must: should PostgreSQL crash, a claim that is forgotten is claimed
 * again and a delivery that is not written down goes out again, with the same event id. The events themselves were
 * committed by others, with a flush.
 */
export const openSendingPool = (url: string, log: Log): Db =>
  openDatabase({
    url,
    connections: 4,
    application: 'sanad sender',
    lock_timeout_ms: 5_000,
    planOnce: true,
    flushLater: true,
    onFault: (fault) => log.warn({ err: fault }, 'a connection to the database broke'),
  })

/** Runs `work` on a migrated database, and closes everything behind it. */
export const withStore = async <T>(
  config: Config,
  log: Log,
  role: string,
  work: (db: Db) => Promise<T>,
): Promise<T> => {
  const store = await visitStore(config, role)
  try {
    await migrateStore(store.url)
    const db = openPool(store.url, config, log)
    try {
      return await work(db)
    } finally {
      await db.close()
    }
  } finally {
    await store.close()
  }
}
