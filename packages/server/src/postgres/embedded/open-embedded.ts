/**
 * The embedded PostgreSQL for a command, which does not know whether the service runs: the running one, or else its own, for as
 * long as the command lasts. Commands that overlap do not stop each other's PostgreSQL. The service itself starts it otherwise and
 * holds the directory for its whole life.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { holdDataDir } from './data-dir.ts'
import { connection, type Embedded, type EmbeddedOptions, startEmbedded, urlOf } from './embedded.ts'
import { clusterDirOf, readPostmaster } from './embedded-cluster.ts'
import { adminRole, serviceRole } from './embedded-roles.ts'

export const openEmbedded = async ({ role, ...options }: EmbeddedOptions & { role: string }): Promise<Embedded> => {
  const patience = AbortSignal.timeout(15_000)
  for (;;) {
    // Tried again each time: the holder may be ending.
    const hold = await holdDataDir(options.dataDir, { role })
    if (hold.kind === 'held') return startOwn(options, hold.release)
    const guest = await visit(options.dataDir)
    if (guest) return guest
    if (patience.aborted) {
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
      await guestsLeft(own.socketDir)
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

const guestName = 'sanad guest'

/** A guest (a command that uses another process's PostgreSQL) keeps one connection with this name, so that the host sees it. */
const visit = async (dataDir: string): Promise<Embedded | undefined> => {
  const postmaster = await readPostmaster(clusterDirOf(dataDir))
  if (!postmaster?.ready || !postmaster.socketDir) return undefined
  const { pid, socketDir } = postmaster
  // One that an earlier version started has only the superuser's role.
  const guest = (await guestOf(socketDir, serviceRole)) ?? (await guestOf(socketDir, adminRole))
  if (guest === undefined) return undefined
  const { client, role } = guest
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

const guestOf = async (socketDir: string, role: string) => {
  const client = connection(socketDir, undefined, role)
  try {
    await client.connect()
    await client.query(`set application_name = '${guestName}'`)
    return { client, role }
  } catch {
    await client.end().catch(() => {})
    return undefined
  }
}

/** Waits for guests of this command's PostgreSQL, a minute at most. */
const guestsLeft = async (socketDir: string): Promise<void> => {
  const client = connection(socketDir)
  const patience = AbortSignal.timeout(60_000)
  try {
    await client.connect()
    while (!patience.aborted) {
      const { rows } = await client.query('select 1 from pg_stat_activity where application_name = $1', [guestName])
      if (rows.length === 0) return
      await delay(50)
    }
  } catch {
    // It has ended already.
  } finally {
    await client.end().catch(() => {})
  }
}
