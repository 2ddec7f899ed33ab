/**
 * The lock of a data directory. At most one process holds it, even if two start at the same moment, and it is freed when the
 * holder ends in any way. It is an flock(2) on one file, so there is nothing to clean up by hand. A lock on a file, unlike a
 * socket, also works between two containers that share the volume.
 *
 * The file describes its holder in one JSON line, for users; the lock alone decides. The holder decides how to use the directory.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  fchownSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

export type Holder = { pid: number; role: string; url?: string }
export type Hold = { kind: 'held'; release(): Promise<void> } | ({ kind: 'busy' } & Holder)

/** The file is never removed: a process that waited on a removed file would hold a lock that no other process sees. */
const lockFile = (dataDir: string) => join(dataDir, 'holder.lock')

/** Creates the directory if needed and holds it until `release` or the end of this process. */
export const holdDataDir = async (dataDir: string, about: { role: string; url?: string }): Promise<Hold> => {
  // Other users may enter the directory but not list it: PostgreSQL may run as another user inside it (embedded-user.ts).
  explainDenied(dataDir, () => mkdirSync(dataDir, { recursive: true, mode: 0o711 }))
  const deadline = AbortSignal.timeout(2_000)
  for (;;) {
    const fd = await lock(lockFile(dataDir), constants.O_RDWR | constants.O_CREAT)
    if (fd !== undefined) {
      writeLine(fd, JSON.stringify({ pid: process.pid, ...about }))
      return { kind: 'held', release: releaseOnce(fd) }
    }
    // The lock is taken before the line is written, and `dataDirHolder` of another process takes it for a moment: try again.
    const holder = readHolder(lockFile(dataDir))
    if (holder && (isAlive(holder.pid) || deadline.aborted)) return { kind: 'busy', ...holder }
    if (deadline.aborted) return { kind: 'busy', pid: 0, role: 'unknown' }
    await delay(20)
  }
}

/** The holder of the directory, if there is one. */
export const dataDirHolder = async (dataDir: string): Promise<Holder | undefined> => {
  try {
    const fd = await lock(lockFile(dataDir), constants.O_RDWR)
    if (fd === undefined) return readHolder(lockFile(dataDir)) ?? { pid: 0, role: 'unknown' }
    releaseLock(fd)
    return undefined
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The descriptor of the locked file; undefined: another process has the lock. Not a FileHandle, which is closed when it
 *  is garbage collected: the lock would be lost. */
const lock = async (file: string, flags: number): Promise<number | undefined> => {
  if (process.platform === 'darwin') return lockAtOpen(file, flags)
  const fd = open(file, flags)
  try {
    // The lock belongs to the open file, not to the process that took it: it stays after the program `flock` has ended.
    const program = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', fd] })
    const [code] = await once(program, 'exit')
    if (code === 0) return fd
    if (code !== 1) throw new Error(`flock ended with ${code}`)
  } catch (cause) {
    closeSync(fd)
    throw new Error(
      `${file} cannot be locked: install the program flock (package util-linux), set SANAD_DATA_DIR to a directory on a local disk, or set DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
  closeSync(fd)
  return undefined
}

/** macOS has no program `flock`, but can take the same lock when it opens the file. */
const lockAtOpen = (file: string, flags: number): number | undefined => {
  const exclusive = 0x20 // O_EXLOCK
  try {
    return open(file, flags | exclusive | constants.O_NONBLOCK)
  } catch (error) {
    if (isCode(error, 'EAGAIN')) return undefined
    throw error
  }
}

/** The file gets the owner of the directory: a command run by root must not lock that user out. */
const open = (file: string, flags: number): number => {
  const fd = explainDenied(file, () => openSync(file, flags, 0o600))
  const { uid, gid } = statSync(dirname(file))
  if (process.getuid?.() === 0 && fstatSync(fd).uid !== uid) fchownSync(fd, uid, gid)
  return fd
}

const explainDenied = <T>(path: string, act: () => T): T => {
  try {
    return act()
  } catch (cause) {
    if (!isCode(cause, 'EACCES') && !isCode(cause, 'EPERM') && !isCode(cause, 'EROFS')) throw cause
    throw new Error(
      `${path} is not accessible to this user: run Sanad as the owner of that directory, or set SANAD_DATA_DIR to one of your own.`,
      { cause },
    )
  }
}

const writeLine = (fd: number, line: string) => {
  ftruncateSync(fd)
  writeSync(fd, line, 0)
}

const releaseLock = (fd: number) => {
  writeLine(fd, '')
  closeSync(fd)
}

/** The line that the holder wrote; undefined: it has not written it yet. */
const readHolder = (file: string): Holder | undefined => {
  try {
    const parsed: Partial<Holder> = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof parsed.pid !== 'number' || typeof parsed.role !== 'string') return undefined
    return { pid: parsed.pid, role: parsed.role, ...(typeof parsed.url === 'string' && { url: parsed.url }) }
  } catch {
    return undefined
  }
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return isCode(error, 'EPERM')
  }
}

const isCode = (error: unknown, code: string) => error instanceof Error && 'code' in error && error.code === code

const releaseOnce = (fd: number) => {
  let released = false
  return async () => {
    if (!released) releaseLock(fd)
    released = true
  }
}
