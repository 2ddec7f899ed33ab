/** Opens the database: the operator's PostgreSQL, or the embedded one in the data directory. */
import { join } from 'node:path'
import { CommandError } from './command-error.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { whyUnreachable } from './postgres/connection/connect-fault.ts'
import { type Db, openDatabase, type Pool } from './postgres/connection/database.ts'
import { NoEmbeddedPostgres } from './postgres/embedded/embedded-binaries.ts'
import { openEmbedded } from './postgres/embedded/open-embedded.ts'
import { migrate, WrongHistory } from './postgres/maintenance/migrate.ts'

export const migrationsFolder = join(import.meta.dirname, '../../../migrations')

export type Store = { readonly url: string; close(): Promise<void> }

/** Reports a machine on which the embedded PostgreSQL does not run in one sentence. */
export const refuseWithoutEmbedded = (fault: unknown): never => {
  throw fault instanceof NoEmbeddedPostgres ? new CommandError(fault.message, { cause: fault }) : fault
}

/** Opens the database for an operator's command. The service may be running on the same data directory, or not. */
export const openStore = async (config: Config, role: string): Promise<Store> => {
  if (config.databaseUrl !== undefined) return { url: config.databaseUrl, close: async () => {} }
  const embedded = await openEmbedded({ dataDir: config.dataDir, role }).catch(refuseWithoutEmbedded)
  return { url: embedded.url, close: () => embedded.stop() }
}

/**
 * Migrates the database. It is the first to connect, so it reports a database that cannot be reached, or that is not for this
 * version, in one sentence.
 */
export const migrateStore = (url: string, say?: (line: string) => void): ReturnType<typeof migrate> =>
  migrate(url, migrationsFolder, say).catch((fault: Error) => {
    const why = fault instanceof WrongHistory ? fault.message : whyUnreachable(fault, url)
    throw why === undefined ? fault : new CommandError(why, { cause: fault })
  })

/** Connections of a node beside those of requests: statements that many requests share, the sender, the clock, and hints. */
const sharedConnections = 10
const sendingConnections = 4
const clockConnections = 1
const hintConnections = 1

/** What one node may open at most, all together. */
export const connectionsOfOneNode = ({ databaseConnections }: Pick<Config, 'databaseConnections'>): number =>
  databaseConnections + sharedConnections + sendingConnections + clockConnections + hintConnections

/**
 * What the processes of one machine may open at most, with one more during a rolling restart. A machine with one process has no rolling
 * restart.
 */
export const connectionsOfMachine = (config: Pick<Config, 'databaseConnections' | 'processes' | 'role'>): number =>
  processesOf(config) === 1 ? connectionsOfOneNode(config) : (processesOf(config) + 1) * connectionsOfOneNode(config)

/** The processes of this machine that use the database: those that serve, and one for the background work. */
export const processesOf = ({ processes, role }: Pick<Config, 'processes' | 'role'>): number =>
  processes === 1 || role === 'serve' ? processes : processes + 1

export const openPool = (url: string, config: Config, log: Log): Pool =>
  openDatabase({
    url,
    connections: config.databaseConnections,
    application: 'sanad',
    // A request with an idempotency key waits this long for another request with the same key.
    lock_timeout_ms: 10_000,
    onFault: (fault) => log.warn({ err: fault }, 'a connection to the database broke'),
  })

/** For statements that many requests share. They wait only briefly for a lock: one locked row must not delay all requests. */
export const openSharedPool = (url: string, log: Log): Pool =>
  openDatabase({
    url,
    connections: sharedConnections,
    application: 'sanad shared',
    lock_timeout_ms: 1_000,
    planOnce: true,
    onFault: (fault) => log.warn({ err: fault }, 'a connection to the database broke'),
  })

/**
 * Connections of the webhook sender alone: the sender and the requests never wait for each other's connections. Its commits
 * do not wait for the disk, so that they do not delay commits that must. If PostgreSQL crashes, a lost claim is made again
 * and a lost attempt is sent again, with the same event id. The events themselves are committed with a flush.
 */
export const openSendingPool = (url: string, log: Log): Pool =>
  openDatabase({
    url,
    connections: sendingConnections,
    application: 'sanad sender',
    lock_timeout_ms: 5_000,
    planOnce: true,
    flushLater: true,
    onFault: (fault) => log.warn({ err: fault }, 'a connection to the database broke'),
  })

/** Only for what is read every second: a busy pool must not make the answer late. What it writes is replaced soon, and need not
 *  survive a crash. */
export const openClockPool = (url: string, log: Log): Db =>
  openDatabase({
    url,
    connections: clockConnections,
    application: 'sanad clock',
    statement_timeout_ms: 2_000,
    lock_timeout_ms: 1_000,
    flushLater: true,
    onFault: (fault) => log.warn({ err: fault }, 'a connection to the database broke'),
  })

/** A replica that is silent is given up soon: the primary answers instead. */
const replicaLimits = { tick_ms: 250, silent_ms: 1_000, ask_ms: 1_000, connect_ms: 1_000, wait_ms: 2_000 }

/** The replica's connections: those that read, and one that only looks how far it is. */
export const openReplicaPools = (
  url: string,
  { readConnections: connections }: Pick<Config, 'readConnections'>,
  onFault: (fault: Error) => void,
): { readonly reading: Pool; readonly looking: Db } => {
  const shared = {
    url,
    replica: true,
    limits: replicaLimits,
    onFault,
  }
  return {
    reading: openDatabase({ ...shared, connections, application: 'sanad reading' }),
    looking: openDatabase({ ...shared, connections: 1, application: 'sanad lag', statement_timeout_ms: 1_000 }),
  }
}

/** Runs `work` on a migrated database, then closes everything that was opened. */
export const withStore = async <T>(
  config: Config,
  log: Log,
  role: string,
  work: (db: Db) => Promise<T>,
): Promise<T> => {
  const store = await openStore(config, role)
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
