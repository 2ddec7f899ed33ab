/**
 * The fingerprint of the master key: it shows whether two keys are the same, and nothing else about them. Never creates a
 * key: without a key there is no fingerprint.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { deriveKey } from '../../core/seal.ts'

const keyFile = (config: Config): string => join(config.dataDir, 'master.key')

/** The place of the key, for messages to the operator. */
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
