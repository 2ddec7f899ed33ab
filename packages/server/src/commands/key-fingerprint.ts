/**
 * Tells whether two master keys are the same without telling anything else about them. Never makes a key: where there is
 * none, there is no fingerprint.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { deriveKey } from '../ground/seal.ts'
import { loadMasterKey } from '../master-key.ts'

/** Where the key is, for a person. */
export const keyPlace = (config: Config): string =>
  config.masterKey === undefined ? join(config.dataDir, 'master.key') : 'SANAD_MASTER_KEY'

export const keyFingerprint = async (config: Config): Promise<string | null> => {
  if (config.masterKey === undefined && !existsSync(join(config.dataDir, 'master.key'))) return null
  const key = await loadMasterKey(config)
  return Buffer.from(deriveKey(key, 'fingerprint in backups')).toString('hex', 0, 16)
}
