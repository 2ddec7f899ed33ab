/**
 * Reads a backup file from beginning to end and checks it against its own manifest: the order of its parts, the number of rows
 * and the SHA-256 of each table. The backup is known to be complete and undamaged only after its end has been read. Keeps one
 * piece at a time in memory.
 */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createZstdDecompress } from 'node:zlib'
import { type Decrypt, decryptWith, isEncryptedFile } from './backup-encryption.ts'
import {
  type About,
  aboutName,
  BackupNotRead,
  BackupRefused,
  endMark,
  type Manifest,
  manifestName,
  manifestSumName,
  pieceName,
  readAbout,
  readManifest,
  rowsIn,
  sha256,
  sumLine,
  type TableAbout,
} from './backup-format.ts'
import { noProgress, type Progress } from './progress.ts'
import { block_bytes, paddingOf, readTarHeader } from './tar.ts'

/** A limit above the size of any piece, so that a damaged header cannot use up the memory. */
const mostMember_bytes = 64 * 1024 * 1024

export type Part =
  | { readonly kind: 'about'; readonly about: About }
  | { readonly kind: 'table'; readonly table: TableAbout }
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly kind: 'table end'; readonly table: TableAbout; readonly rows: number }
  | { readonly kind: 'manifest'; readonly manifest: Manifest }

const damaged = (path: string, why: string): BackupRefused =>
  new BackupRefused(
    `${path} is damaged or incomplete (${why}): nothing was restored from it. Take another backup file.`,
  )

type Member = { readonly name: string; readonly bytes: Buffer }

/** How a file is decrypted; undefined: it is not encrypted. */
const decryptOf = async (path: string, identities: readonly string[]): Promise<Decrypt | undefined> => {
  if (!(await isEncryptedFile(path))) return undefined
  if (identities.length === 0)
    throw new BackupNotRead(`${path} is encrypted: give --identity FILE, the file with the private key that reads it.`)
  return decryptWith(path, identities)
}

/** The files of the archive, one after another. */
async function* membersOf(
  path: string,
  identities: readonly string[],
  onRead: (read_bytes: number) => void,
): AsyncGenerator<Member> {
  const decrypt = await decryptOf(path, identities)
  const file = createReadStream(path, { highWaterMark: 1024 * 1024 })
  const plain = createZstdDecompress({ chunkSize: 512 * 1024 })
  // A fault of any of them destroys `plain`, whose reader throws it.
  const copying = decrypt === undefined ? pipeline(file, plain) : pipeline(file, decrypt, plain)
  copying.catch(() => {})
  const chunks = plain[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let buffered: Buffer[] = []
  let buffered_bytes = 0
  const take = async (bytes: number): Promise<Buffer> => {
    while (buffered_bytes < bytes) {
      const { value, done } = await chunks.next()
      if (done) throw damaged(path, 'it ends too early')
      buffered.push(value)
      buffered_bytes += value.length
    }
    const all = buffered.length === 1 ? buffered[0]! : Buffer.concat(buffered)
    buffered = [all.subarray(bytes)]
    buffered_bytes -= bytes
    return all.subarray(0, bytes)
  }
  try {
    for (;;) {
      const header = readTarHeader(await take(block_bytes))
      if (header === undefined) throw damaged(path, 'a header is invalid')
      if (header === 'end') break
      if (header.bytes > mostMember_bytes) throw damaged(path, `${header.name} is too large`)
      const bytes = await take(header.bytes)
      await take(paddingOf(header.bytes))
      onRead(file.bytesRead)
      yield { name: header.name, bytes }
    }
    // Read to the end: the checksum of the compressed stream comes last.
    while (!(await chunks.next()).done);
  } catch (fault) {
    if (fault instanceof BackupRefused) throw fault
    const { code, message } = fault as NodeJS.ErrnoException
    if (code !== undefined && !/^(Z_|ZSTD_)/.test(code)) throw fault
    throw damaged(path, message)
  } finally {
    file.destroy()
    plain.destroy()
  }
}

type Reading = { rows: number; bytes: number; readonly hash: Hash; pieces: number }

/** Yields the parts in order; throws `BackupRefused` at the first invalid one. */
export async function* readBackup(
  path: string,
  progress: Progress = noProgress,
  identities: readonly string[] = [],
): AsyncGenerator<Part> {
  const members = membersOf(path, identities, (read_bytes) => progress.at(read_bytes))
  const first = await members.next()
  if (first.done || first.value.name !== aboutName) throw damaged(path, `it does not begin with ${aboutName}`)
  const about = readAbout(first.value.bytes)
  const aboutSum = sha256(first.value.bytes)
  yield { kind: 'about', about }

  const actual: { name: string; rows: number; bytes: number; sha256: string }[] = []
  let next = await members.next()
  for (const table of about.tables) {
    yield { kind: 'table', table }
    const reading: Reading = { rows: 0, bytes: 0, hash: createHash('sha256'), pieces: 0 }
    while (!next.done && next.value.name === pieceName(table.name, reading.pieces + 1)) {
      const { bytes } = next.value
      reading.pieces++
      reading.bytes += bytes.length
      reading.rows += rowsIn(bytes)
      reading.hash.update(bytes)
      yield { kind: 'rows', bytes }
      next = await members.next()
    }
    const { rows, bytes } = reading
    actual.push({ name: table.name, rows, bytes, sha256: reading.hash.digest('hex') })
    yield { kind: 'table end', table, rows }
  }

  if (next.done || next.value.name !== manifestName)
    throw damaged(path, `${next.done ? 'nothing' : next.value.name} is in the place of ${manifestName}`)
  const manifestBytes = next.value.bytes
  const manifest = readManifest(manifestBytes)
  const sum = await members.next()
  if (sum.done || sum.value.name !== manifestSumName || !sum.value.bytes.equals(sumLine(manifestBytes)))
    throw damaged(path, `${manifestName} is not as it was written`)
  if (manifest.about_sha256 !== aboutSum) throw damaged(path, `${aboutName} is not as it was written`)
  const expected = manifest.tables.map(({ name, rows, bytes, sha256: digest }) => ({
    name,
    rows,
    bytes,
    sha256: digest,
  }))
  const wrong = actual.find((table, n) => JSON.stringify(table) !== JSON.stringify(expected[n]))
  if (wrong !== undefined || expected.length !== actual.length)
    throw damaged(path, `the rows of ${wrong?.name ?? 'a table'} are not as they were written`)
  if (!(await members.next()).done) throw damaged(path, 'there is data after its end')
  yield { kind: 'manifest', manifest }
}

/** The size of the file; refuses one without the end mark, which an encrypted file has inside. */
const wholeSize = async (path: string, handle: FileHandle): Promise<number> => {
  const { size } = await handle.stat()
  if (await isEncryptedFile(path)) return size
  const end = Buffer.alloc(endMark.length)
  await handle.read(end, 0, end.length, Math.max(0, size - end.length))
  if (!end.equals(endMark)) throw damaged(path, 'its end is missing')
  return size
}

/** Checks the whole file, without a database. `identities`: private keys for an encrypted one. */
export const checkBackup = async (
  path: string,
  progress: Progress = noProgress,
  identities: readonly string[] = [],
): Promise<{ readonly about: About; readonly manifest: Manifest }> => {
  const handle = await open(path).catch((fault: NodeJS.ErrnoException) => {
    throw new BackupNotRead(
      `${path} cannot be opened: ${fault.code === 'ENOENT' ? 'there is no such file' : fault.message}.`,
    )
  })
  const size = await wholeSize(path, handle).finally(() => handle.close())
  progress.part('Checking the file', size)
  let about: About | undefined
  for await (const part of readBackup(path, progress, identities)) {
    if (part.kind === 'about') about = part.about
    if (part.kind === 'manifest') return { about: about!, manifest: part.manifest }
  }
  throw damaged(path, 'it has no manifest')
}
