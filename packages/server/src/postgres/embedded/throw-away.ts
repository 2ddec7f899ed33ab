/**
 * A PostgreSQL for one piece of work, in a directory of its own, reached by a Unix socket that only its user may open. It is stopped
 * and removed when the work ends, fails or is stopped. If this process is killed, the kernel ends PostgreSQL, and the next call
 * removes the directory.
 */
import { chmod, lstat, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import { holdDataDir } from './data-dir.ts'
import { type Settings, startEmbedded } from './embedded.ts'
import { clusterDirOf, removeSocketDir, socketDirOf } from './embedded-cluster.ts'
import { endOrphans } from './embedded-orphans.ts'

/** A directory gets the first name when its lock is held: one with that name and without a holder belongs to nobody. */
const prefix = 'sanad-verify-'
const newPrefix = 'sanad-new-verify-'

/** What is written here is thrown away: nothing waits for the disk. */
const settings: Settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: 20,
  shared_buffers: '128MB',
  max_wal_size: '1GB',
}

const remove = async (dataDir: string): Promise<void> => {
  await removeSocketDir(socketDirOf(dataDir)).catch(() => {})
  // A PostgreSQL that ends at this moment may still write a file.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
}

/** Removes the directories of killed processes of this user. */
export const removeLeftovers = async (parent: string, now: Instant): Promise<void> => {
  for (const name of await readdir(parent)) {
    const path = join(parent, name)
    if (!name.startsWith(prefix) && !name.startsWith(newPrefix)) continue
    const found = await lstat(path).catch(() => undefined)
    if (!found?.isDirectory() || found.uid !== process.getuid!()) continue
    if (name.startsWith(newPrefix)) {
      // Its owner may be about to take the lock.
      if (found.mtimeMs < now - hour_ms) await remove(path)
      continue
    }
    const hold = await holdDataDir(path, { role: 'removal' }).catch(() => undefined)
    if (hold?.kind !== 'held') continue
    try {
      await endOrphans(clusterDirOf(path)).catch(() => {})
      await remove(path)
    } finally {
      await hold.release()
    }
  }
}

export type ThrowAwayOptions = {
  /** The directory in which the directory is made. */
  readonly parent: string
  readonly now: Instant
  /** Stops PostgreSQL, so that the work fails. */
  readonly signal: AbortSignal
}

export const withThrowAway = async <T>(
  { parent, now, signal }: ThrowAwayOptions,
  work: (url: string) => Promise<T>,
): Promise<T> => {
  await removeLeftovers(parent, now)
  const fresh = await mkdtemp(join(parent, newPrefix))
  let dataDir = fresh
  try {
    // Other users may enter it but not list it: PostgreSQL may run as another user inside it.
    await chmod(fresh, 0o711)
    const hold = await holdDataDir(fresh, { role: 'sanad backup verify' })
    if (hold.kind === 'busy') throw new Error(`${fresh} is held by process ${hold.pid}`)
    try {
      dataDir = join(parent, `${prefix}${fresh.slice(-6)}`)
      await rename(fresh, dataDir)
      signal.throwIfAborted()
      const embedded = await startEmbedded({ dataDir, settings })
      const stop = (): void => void embedded.stop()
      signal.addEventListener('abort', stop)
      try {
        signal.throwIfAborted()
        return await work(embedded.url)
      } finally {
        signal.removeEventListener('abort', stop)
        await embedded.stop()
      }
    } finally {
      await remove(dataDir)
      await hold.release()
    }
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}
