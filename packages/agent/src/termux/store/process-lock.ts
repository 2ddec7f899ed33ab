/**
 * A lock between processes that is released by itself when its process ends, however it ends: an exclusive transaction
 * on a SQLite file. A file with a process id in it would stay behind after a kill.
 */
import { openSqlite, sqliteCode } from './open-sqlite.ts'

export type ProcessLock = { release(): void }

const SQLITE_BUSY = 5

/** Undefined: another process has it. */
export const tryLock = (path: string): ProcessLock | undefined => {
  const db = openSqlite(path)
  try {
    db.exec('pragma busy_timeout = 0; begin exclusive')
  } catch (fault) {
    db.close()
    if (sqliteCode(fault) === SQLITE_BUSY) return undefined
    throw fault
  }
  return { release: () => db.close() }
}

/** Tries again until `most_ms` have passed. Undefined: another process still has the lock. */
export const waitForLock = async (
  path: string,
  most_ms: number,
  wait: (ms: number) => Promise<void>,
): Promise<ProcessLock | undefined> => {
  const step_ms = 250
  for (let waited = 0; ; waited += step_ms) {
    const lock = tryLock(path)
    if (lock !== undefined || waited >= most_ms) return lock
    await wait(step_ms)
  }
}
