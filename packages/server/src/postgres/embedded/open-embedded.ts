/**
 * The embedded PostgreSQL for a command, which does not know whether the service runs. The command connects to the PostgreSQL that
 * runs, or starts its own for as long as the command lasts. Commands that overlap do not stop each other's PostgreSQL. The service
 * itself does not use this file: it holds the directory for its whole life.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { minute_ms } from '../../core/duration.ts'
import { holdDataDir } from './data-dir.ts'
import { connection, type Embedded, type EmbeddedOptions, startEmbedded, urlOf } from './embedded.ts'
import { clusterDirOf, readPostmaster } from './embedded-cluster.ts'
import { adminRole, serviceRole } from './embedded-roles.ts'

export const openEmbedded = async ({ role, ...options }: EmbeddedOptions & { role: string }): Promise<Embedded> => {
  const deadline = AbortSignal.timeout(15_000)
  for (;;) {
    // Tried again in each round: the holder may be ending.
    const hold = await holdDataDir(options.dataDir, { role })
    if (hold.kind === 'held') return startOwn(options, hold.release)
    const shared = await connectToRunning(options.dataDir)
    if (shared) return shared
    if (deadline.aborted) {
      throw new Error(
        `${options.dataDir} is held by process ${hold.pid} (${hold.role}), and no PostgreSQL answers there: stop that process, or set SANAD_DATA_DIR or DATABASE_URL.`,
      )
    }
    await delay(100)
  }
}

const startOwn = async (options: EmbeddedOptions, release: () => Promise<void>): Promise<Embedded> => {
  try {
    const own = await startEmbedded(options)
    const stop = async () => {
      await waitForSharedUsers(own.socketDir)
      await own.stop()
      await release()
    }
    let stopping: Promise<void> | undefined
    return {
      ...own,
      stop: () => {
        stopping ??= stop()
        return stopping
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

/** The application name that a command has as the user of another process's PostgreSQL, also in earlier versions. */
const sharedUserName = 'sanad guest'

/** A command that uses the PostgreSQL of another process keeps one connection with this application name, so that the owner sees
 *  it and waits. */
const connectToRunning = async (dataDir: string): Promise<Embedded | undefined> => {
  const postmaster = await readPostmaster(clusterDirOf(dataDir))
  if (!postmaster?.ready || !postmaster.socketDir) return undefined
  const { pid, socketDir } = postmaster
  // A PostgreSQL that an earlier version started has only the superuser's role.
  const user = (await connectAsShared(socketDir, serviceRole)) ?? (await connectAsShared(socketDir, adminRole))
  if (user === undefined) return undefined
  const { client, role } = user
  let leaving: Promise<void> | undefined
  return {
    url: urlOf(socketDir, role),
    adminUrl: urlOf(socketDir, adminRole),
    socketDir,
    pid,
    stop: () => {
      leaving ??= client.end().catch(() => {})
      return leaving
    },
  }
}

const connectAsShared = async (socketDir: string, role: string) => {
  const client = connection(socketDir, undefined, role)
  try {
    await client.connect()
    await client.query(`set application_name = '${sharedUserName}'`)
    return { client, role }
  } catch {
    await client.end().catch(() => {})
    return undefined
  }
}

/** Waits until no other command uses this command's PostgreSQL, a minute at most. */
const waitForSharedUsers = async (socketDir: string): Promise<void> => {
  const client = connection(socketDir)
  const deadline = AbortSignal.timeout(minute_ms)
  try {
    await client.connect()
    while (!deadline.aborted) {
      const { rows } = await client.query('select 1 from pg_stat_activity where application_name = $1', [
        sharedUserName,
      ])
      if (rows.length === 0) return
      await delay(50)
    }
  } catch {
    // PostgreSQL has ended already.
  } finally {
    await client.end().catch(() => {})
  }
}
