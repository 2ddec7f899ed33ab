/**
 * Writes a backup file so that only a complete file has its name. It is first written under another name, readable by its owner
 * alone, and flushed to disk before it is renamed. A killed process leaves a `.part` file behind, which the next backup of the same
 * name removes.
 */
import { createWriteStream, existsSync } from 'node:fs'
import { access, constants, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, constants as zlib } from 'node:zlib'
import type { Encrypt } from './backup-encryption.ts'
import { BackupRefused, endMark } from './backup-format.ts'
import { paddingOf, tarEnd, tarHeader } from './tar.ts'

/** A file inside the archive. */
export type Member = { readonly name: string; readonly bytes: Buffer }

/** Refuses a path where no backup can be written, before any work is done. */
export const checkPlace = async (path: string): Promise<void> => {
  const folder = dirname(path)
  if (existsSync(path)) throw new BackupRefused(`${path} exists already: choose another file, or remove this one.`)
  const found = await stat(folder).catch(() => undefined)
  if (!found?.isDirectory()) throw new BackupRefused(`${folder} is not a directory: create it, or choose another file.`)
  await access(folder, constants.W_OK).catch(() => {
    throw new BackupRefused(
      `${folder} cannot be written by this user: choose a file in a directory that it may write to.`,
    )
  })
}

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (fault) {
    return (fault as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const partName = (path: string, pid: number): string => `${path}.${pid}.part`

/** Removes the files that killed backups of this name left behind. */
const removeLeftovers = async (path: string): Promise<void> => {
  const folder = dirname(path)
  for (const name of await readdir(folder)) {
    const [, whole, pid] = /^(.*)\.(\d+)\.part$/.exec(name) ?? []
    if (whole === basename(path) && !isAlive(Number(pid))) await rm(join(folder, name), { force: true })
  }
}

async function* tarOf(members: AsyncIterable<Member>): AsyncGenerator<Buffer> {
  for await (const { name, bytes } of members) {
    yield tarHeader(name, bytes.length)
    yield bytes
    const padding = paddingOf(bytes.length)
    if (padding > 0) yield Buffer.alloc(padding)
  }
  yield tarEnd
}

/** One frame with its checksum; level 3 is as fast as the disk and the database. */
const compressor = () =>
  createZstdCompress({ params: { [zlib.ZSTD_c_compressionLevel]: 3, [zlib.ZSTD_c_checksumFlag]: 1 } })

async function* withEndMark(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* bytes
  yield endMark
}

async function* asItIs(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const part of bytes) yield Buffer.from(part.buffer, part.byteOffset, part.byteLength)
}

const syncDirectory = async (folder: string): Promise<void> => {
  const handle = await open(folder)
  await handle.sync().finally(() => handle.close())
}

/** Returns the size of the file in bytes. After a failure or an abort nothing is left behind. */
export const writeBackupFile = async (
  path: string,
  members: AsyncIterable<Member>,
  { signal, encrypt = asItIs }: { readonly signal?: AbortSignal; readonly encrypt?: Encrypt } = {},
): Promise<number> => {
  await removeLeftovers(path)
  const part = partName(path, process.pid)
  try {
    // `flush`: flushed to disk before it is closed.
    const file = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true })
    await pipeline(tarOf(members), compressor(), withEndMark, encrypt, file, { signal })
    if (existsSync(path))
      throw new BackupRefused(`${path} was created by another program meanwhile: it stays as it is.`)
    await rename(part, path)
    await syncDirectory(dirname(path))
    return (await stat(path)).size
  } catch (fault) {
    await rm(part, { force: true })
    if ((fault as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new BackupRefused(`The disk of ${dirname(path)} is full: no backup was made.`)
    throw fault
  }
}
