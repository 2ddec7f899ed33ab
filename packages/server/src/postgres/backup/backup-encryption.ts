/**
 * Backups that only the owner of a private key can read, in the format age (age-encryption.org/v1), which the program `age` reads
 * and writes too. The file is encrypted and decrypted in pieces of 64 kB: its size does not matter for memory. A cut or changed
 * piece, the last one included, does not decrypt. The server needs public keys only.
 */
import { open, readFile, stat } from 'node:fs/promises'
import { BackupNotRead, BackupRefused } from './backup-format.ts'

/** The first bytes of every encrypted file. */
const firstLine = Buffer.from('age-encryption.org/v1\n')
const armorLine = '-----BEGIN AGE ENCRYPTED FILE-----'

/** How many public keys a backup may be encrypted to, and how many private keys a file may hold. */
const mostKeys = 20
const mostIdentityFile_bytes = 64 * 1024

/** Loaded only if something is encrypted. */
const loadAge = () => import('age-encryption')

export type Encrypt = (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Buffer>
export type Decrypt = (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Buffer>

const buffersOf = async function* (bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const part of bytes) yield Buffer.from(part.buffer, part.byteOffset, part.byteLength)
}

/** Encrypts to these public keys (`age1...`): the owner of any one of them can read it. Refuses a text that is no public key. */
export const encryptTo = async (keys: readonly string[]): Promise<Encrypt> => {
  if (keys.length > mostKeys) throw new BackupRefused(`A backup is encrypted to at most ${mostKeys} public keys.`)
  const { Encrypter } = await loadAge()
  const encrypter = new Encrypter()
  for (const key of keys) {
    // The text of a secret key is not repeated: it would be in a log.
    if (/^age-secret-key-/i.test(key))
      throw new BackupRefused(
        'This is a secret key. --encrypt-to takes the public key, age1..., and the secret key stays away from the server.',
      )
    try {
      encrypter.addRecipient(key)
    } catch {
      throw new BackupRefused(`${key.slice(0, 100)} is no public key of age: age-keygen prints one, age1... .`)
    }
  }
  return async function* (bytes) {
    yield* buffersOf(await encrypter.encrypt(ReadableStream.from(bytes)))
  }
}

/** Reads a file as `age-keygen -o FILE` writes it: a private key in each line, and comments. */
export const readIdentities = async (path: string): Promise<readonly string[]> => {
  const found = await stat(path).catch((fault: NodeJS.ErrnoException) => {
    throw new BackupNotRead(
      `${path} cannot be opened: ${fault.code === 'ENOENT' ? 'there is no such file' : fault.message}.`,
    )
  })
  if (!found.isFile() || found.size > mostIdentityFile_bytes)
    throw new BackupNotRead(`${path} is no file with private keys of age.`)
  const text = await readFile(path, 'utf8')
  if (text.startsWith(armorLine) || text.startsWith('age-encryption.org/'))
    throw new BackupNotRead(`${path} is itself encrypted: decrypt it first, age -d -o KEYFILE ${path}.`)
  const identities = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const { Decrypter } = await loadAge()
  if (identities.length === 0) throw new BackupNotRead(`${path} has no private key: a line AGE-SECRET-KEY-1... .`)
  if (identities.length > mostKeys) throw new BackupNotRead(`${path} has more than ${mostKeys} private keys.`)
  for (const [n, identity] of identities.entries())
    try {
      new Decrypter().addIdentity(identity)
    } catch {
      throw new BackupNotRead(
        `${path} has a line that is no private key of age (key ${n + 1}): a line is AGE-SECRET-KEY-1... .`,
      )
    }
  return identities
}

/** Whether the file begins as an encrypted one does. */
export const isEncryptedFile = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const begin = Buffer.alloc(armorLine.length)
    const { bytesRead } = await handle.read(begin, 0, begin.length, 0)
    if (begin.subarray(0, bytesRead).toString('latin1') === armorLine)
      throw new BackupNotRead(
        `${path} is encrypted as text (armor), which Sanad does not read: decrypt it with the program age.`,
      )
    return begin.subarray(0, firstLine.length).equals(firstLine)
  } finally {
    await handle.close()
  }
}

/** Throws `BackupRefused` if no key fits; another fault means that the file is damaged or cut. */
export const decryptWith = async (path: string, identities: readonly string[]): Promise<Decrypt> => {
  const { Decrypter } = await loadAge()
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return async function* (bytes) {
    const plain = await decrypter.decrypt(ReadableStream.from(bytes)).catch((fault: Error) => {
      if (/no identity matched/.test(fault.message))
        throw new BackupNotRead(
          `${path} is encrypted to another key than the one given: nothing was read. Give the file with the private key that belongs to it.`,
        )
      throw new Error(`its encryption cannot be read: ${fault.message}`)
    })
    try {
      yield* buffersOf(plain)
    } catch (fault) {
      // What `age` says of a piece that was changed or cut.
      if (/invalid tag|final chunk|expected/.test((fault as Error).message))
        throw new Error('a part of it does not decrypt', { cause: fault })
      throw fault
    }
  }
}

/** Sizes of the parts of an encrypted file: a piece of plain text, and what encryption adds to each and before the first. */
const piece_bytes = 64 * 1024
const tag_bytes = 16
const nonce_bytes = 16
const mostHeader_bytes = 64 * 1024

/** Whether the file may be a whole encrypted one, as far as that can be seen without a key: its header ends, and its size is possible. */
export const looksWholeEncrypted = async (path: string): Promise<boolean> => {
  const handle = await open(path)
  try {
    const { size } = await handle.stat()
    const begin = Buffer.alloc(Math.min(size, mostHeader_bytes))
    await handle.read(begin, 0, begin.length, 0)
    const header = begin.toString('latin1')
    const end = /\n--- [A-Za-z0-9+/]{43}\n/.exec(header)
    if (!begin.subarray(0, firstLine.length).equals(firstLine) || end === null) return false
    const payload_bytes = size - end.index - end[0].length - nonce_bytes
    const last_bytes = payload_bytes % (piece_bytes + tag_bytes)
    // No backup is empty.
    return payload_bytes > tag_bytes && (last_bytes === 0 || last_bytes > tag_bytes)
  } finally {
    await handle.close()
  }
}
