/**
 * The master key as the operator stores it: in the environment, or in files of the data directory that only their owner can
 * read. Around a rotation there is a second key beside it. The database tells which of them is the current one
 * (key-ring.ts). Reading keys never creates one.
 */
import { randomBytes } from 'node:crypto'
import { chown, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from './command-error.ts'
import { type Config, masterKeyFault } from './config.ts'
import type { MasterKey } from './core/seal.ts'

const decode = (text: string, where: string): MasterKey => {
  const fault = masterKeyFault(text)
  if (fault !== undefined) throw new CommandError(`${where} ${fault}: restore it from your backup.`)
  return new Uint8Array(Buffer.from(text.trim(), 'base64'))
}

export const keyFileOf = (config: Pick<Config, 'dataDir'>): string => join(config.dataDir, 'master.key')
const nextFileOf = (config: Config): string => `${keyFileOf(config)}.next`
const previousFileOf = (config: Config): string => `${keyFileOf(config)}.previous`

/** Where the key is, as messages name it: the file or the variable. */
export const keyPlaceOf = (config: Config): string =>
  config.masterKey === undefined ? keyFileOf(config) : 'SANAD_MASTER_KEY'

const readKey = async (path: string): Promise<MasterKey | undefined> => {
  try {
    return decode(await readFile(path, 'utf8'), path)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES')
      throw new CommandError(`${path} cannot be read by this user: run Sanad as its owner, or set SANAD_MASTER_KEY.`, {
        cause: fault,
      })
    throw fault
  }
}

/** The keys that exist, in this order: the key itself, the next one, the previous one. */
export const loadMasterKeys = async (config: Config): Promise<MasterKey[]> => {
  if (config.masterKey !== undefined)
    return [
      decode(config.masterKey, 'SANAD_MASTER_KEY'),
      ...(config.masterKeyPrevious === undefined
        ? []
        : [decode(config.masterKeyPrevious, 'SANAD_MASTER_KEY_PREVIOUS')]),
    ]
  const paths = [keyFileOf(config), nextFileOf(config), previousFileOf(config)]
  const keys = await Promise.all(paths.map(readKey))
  return keys.filter((key) => key !== undefined)
}

/**
 * Creates a key file, or returns the key of an existing one. If two processes create it at once, both return the same key.
 * The key is flushed to disk before it is used.
 */
const makeKeyFile = async (path: string): Promise<MasterKey> => {
  await mkdir(dirname(path), { recursive: true, mode: 0o711 })
  const fresh = `${path}.${randomBytes(6).toString('hex')}`
  const file = await open(fresh, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(32).toString('base64')}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  // If root runs a command here, the owner of the directory must still be able to read the file.
  const { uid, gid } = await stat(dirname(path))
  if (process.getuid?.() === 0 && uid !== 0) await chown(fresh, uid, gid)
  await link(fresh, path).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EEXIST') throw fault
  })
  await unlink(fresh)
  await syncFolder(path)
  return (await readKey(path))!
}

const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(dirname(path))
  await folder.sync().finally(() => folder.close())
}

/** Creates the key of a database that has no secret yet. */
export const makeMasterKey = (config: Config): Promise<MasterKey> => makeKeyFile(keyFileOf(config))

/** Creates the next key for a rotation, or returns the one that an earlier run has created. */
export const makeNextMasterKey = (config: Config): Promise<MasterKey> => makeKeyFile(nextFileOf(config))

/** After a rotation: the next key becomes the key, and the old one stays beside it. Calling it again changes nothing. */
export const adoptNextMasterKey = async (config: Config): Promise<void> => {
  if ((await readKey(nextFileOf(config))) === undefined) return
  // A link, not a rename: the key file exists at every instant.
  await unlink(previousFileOf(config)).catch(() => {})
  await link(keyFileOf(config), previousFileOf(config)).catch(() => {})
  await rename(nextFileOf(config), keyFileOf(config))
  await syncFolder(keyFileOf(config))
}
