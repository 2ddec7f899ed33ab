/**
 * The master key as the operator keeps it: in the environment, or in files of the data directory that only their owner can
 * read. Beside the key itself there may be another one, before, while and after it is rotated; which of them is the
 * current one is for the database to say (key-ring.ts). Nothing here makes a key unless it is asked to.
 */
import { randomBytes } from 'node:crypto'
import { chown, link, mkdir, open, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CommandError } from './command-error.ts'
import { type Config, wrongMasterKey } from './config.ts'
import type { MasterKey } from './core/seal.ts'

const decode = (text: string, where: string): MasterKey => {
  const wrong = wrongMasterKey(text)
  if (wrong !== undefined) throw new CommandError(`${where} ${wrong}: restore it from your backup.`)
  return new Uint8Array(Buffer.from(text.trim(), 'base64'))
}

export const keyFileOf = (config: Pick<Config, 'dataDir'>): string => join(config.dataDir, 'master.key')
const nextFileOf = (config: Config): string => `${keyFileOf(config)}.next`
const previousFileOf = (config: Config): string => `${keyFileOf(config)}.previous`

/** How a person knows the place of the key. */
export const keyPlaceOf = (config: Config): string =>
  config.masterKey === undefined ? keyFileOf(config) : 'SANAD_MASTER_KEY'

const readKey = async (path: string): Promise<MasterKey | undefined> => {
  try {
    return decode(await readFile(path, 'utf8'), path)
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    if (code === 'EACCES')
      throw new CommandError(`${path} is closed to this user: run Sanad as its owner, or set SANAD_MASTER_KEY.`, {
        cause: fault,
      })
    throw fault
  }
}

/** Those that there are: the key itself, the one that shall be next, the one before. */
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

/** A key that is there stays: of two makers one wins, and both read the winner's. On the disk before it is used. */
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
  // Root, running a command here, must not close the file to the user who owns the directory.
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

/** For a database that has no secret yet. */
export const makeMasterKey = (config: Config): Promise<MasterKey> => makeKeyFile(keyFileOf(config))

/** For a rotation: the one that an earlier try has made, or a new one. */
export const makeNextMasterKey = (config: Config): Promise<MasterKey> => makeKeyFile(nextFileOf(config))

/** The rotation has ended: the next key is the key, and the one before is kept beside it. May be done again. */
export const adoptNextMasterKey = async (config: Config): Promise<void> => {
  if ((await readKey(nextFileOf(config))) === undefined) return
  // By a link, so that there is never an instant without a key.
  await unlink(previousFileOf(config)).catch(() => {})
  await link(keyFileOf(config), previousFileOf(config)).catch(() => {})
  await rename(nextFileOf(config), keyFileOf(config))
  await syncFolder(keyFileOf(config))
}
