/**
 * The one key from which all others are derived: given by the operator, or made once and kept in a file that only its
 * owner can read. Two processes that start at once on an empty directory end with the same key.
 */
import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'
import type { MasterKey } from './ground/seal.ts'

const decode = (text: string, where: string): MasterKey => {
  const key = new Uint8Array(Buffer.from(text.trim(), 'base64'))
  if (key.length !== 32) throw new Error(`${where} does not hold 32 bytes in base64: restore it from your backup.`)
  return key
}

export const loadMasterKey = async (config: Config): Promise<MasterKey> => {
  if (config.masterKey !== undefined) return decode(config.masterKey, 'SANAD_MASTER_KEY')
  const path = join(config.dataDir, 'master.key')
  const read = async (): Promise<MasterKey | undefined> => {
    try {
      return decode(await readFile(path, 'utf8'), path)
    } catch (fault) {
      if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw fault
    }
  }
  const known = await read()
  if (known !== undefined) return known
  await mkdir(config.dataDir, { recursive: true })
  const fresh = `${path}.${randomBytes(6).toString('hex')}`
  await writeFile(fresh, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  // A link never replaces what is there: of two makers one wins, and both read the winner's.
  await link(fresh, path).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== 'EEXIST') throw fault
  })
  await unlink(fresh)
  return (await read())!
}
