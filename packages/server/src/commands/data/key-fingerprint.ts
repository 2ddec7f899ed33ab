/**
 * Tells whether two master keys are the same without telling anything else about them. Never makes a key: where there is
 * none, there is no fingerprint.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { deriveKey } from '../../core/seal.ts'

const keyFile = (config: Config): string => join(config.dataDir, 'master.key')

/** Where the key is, for a person. */
export const keyPlace = (config: Config): string =>
  config.masterKey === undefined ? keyFile(config) : 'SANAD_MASTER_KEY'

const keyText = async (config: Config): Promise<string | undefined> => {
  if (config.masterKey !== undefined) return config.masterKey
  return readFile(keyFile(config), 'utf8').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return undefined
    throw fault
  })
}

export const keyFingerprint = async (config: Config): Promise<string | null> => {
  const text = await keyText(config)
  if (text === undefined) return null
  const key = new Uint8Array(Buffer.from(text.trim(), 'base64'))
  return Buffer.from(deriveKey(key, 'fingerprint in backups')).toString('hex', 0, 16)
}
