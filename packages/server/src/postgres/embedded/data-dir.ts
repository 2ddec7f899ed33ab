/**
 * The lock of a data directory. At most one process holds it, also when two start at the same moment, and it is freed when the
 * holder ends in any way: it is an flock(2) on one file, so there is nothing to clean up by hand. A lock on a file, unlike a
 * socket, also works between two containers that share the volume.
 *
 * The file describes its holder in one JSON line, for users; the lock alone decides. What is done with the directory is left to
 * the holder.
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

/** Never removed: a process that waited on a removed file would hold a lock that no other process sees. */
const lockFile = (dataDir: string) => join(dataDir, 'holder.lock')

/** Creates the directory if needed and holds it until `release` or the end of this process. */
export const holdDataDir = async (dataDir: string, about: { role: string; url?: string }): Promise<Hold> => {
  // Other users may pass through but not list it: PostgreSQL may run as another user below it (embedded-user.ts).
  orSay(dataDir, () => mkdirSync(dataDir, { recursive: true, mode: 0o711 }))
  const patience = AbortSignal.timeout(2_000)
  for (;;) {
    const fd = await lock(lockFile(dataDir), constants.O_RDWR | constants.O_CREAT)
    if (fd !== undefined) {
      say(fd, JSON.stringify({ pid: process.pid, ...about }))
      return { kind: 'held', release: releaseOnce(fd) }
    }
    // The lock is taken before the line is written, and a process that only asks holds it for a moment: look again.
    const holder = read(lockFile(dataDir))
    if (holder && (isAlive(holder.pid) || patience.aborted)) return { kind: 'busy', ...holder }
    if (patience.aborted) return { kind: 'busy', pid: 0, role: 'unknown' }
    await delay(20)
  }
}

/** The holder of the directory, if there is one. */
export const dataDirHolder = async (dataDir: string): Promise<Holder | undefined> => {
  try {
    const fd = await lock(lockFile(dataDir), constants.O_RDWR)
    if (fd === undefined) return read(lockFile(dataDir)) ?? { pid: 0, role: 'unknown' }
    letGo(fd)
    return undefined
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** The open file that carries the lock; undefined if another process has it. A descriptor and not a FileHandle, which would be
 *  closed, and the lock lost, when it is garbage collected. */
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

/** macOS has no such program, but can take the same lock when it opens the file. */
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
  const fd = orSay(file, () => openSync(file, flags, 0o600))
  const { uid, gid } = statSync(dirname(file))
  if (process.getuid?.() === 0 && fstatSync(fd).uid !== uid) fchownSync(fd, uid, gid)
  return fd
}

const orSay = <T>(path: string, act: () => T): T => {
  try {
    return act()
  } catch (cause) {
    if (!isCode(cause, 'EACCES') && !isCode(cause, 'EPERM') && !isCode(cause, 'EROFS')) throw cause
    throw new Error(
      `${path} is closed to this user: run Sanad as the owner of that directory, or set SANAD_DATA_DIR to one of your own.`,
      { cause },
    )
  }
}

const say = (fd: number, line: string) => {
  ftruncateSync(fd)
  writeSync(fd, line, 0)
}

const letGo = (fd: number) => {
  say(fd, '')
  closeSync(fd)
}

/** What the holder wrote about itself; undefined if it has not written it yet. */
const read = (file: string): Holder | undefined => {
  try {
    const written: Partial<Holder> = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof written.pid !== 'number' || typeof written.role !== 'string') return undefined
    return { pid: written.pid, role: written.role, ...(typeof written.url === 'string' && { url: written.url }) }
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
    if (!released) letGo(fd)
    released = true
  }
}
