/** What this process can see of its machine and settings, for `sanad doctor` and the warnings at the start. */
import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config.ts'
import { isLoopback } from '../core/cidr.ts'
import type { MachineFacts } from '../doctor/diagnosis.ts'
import { keyFileOf } from '../master-key.ts'

/** The file system of the folder, or of the nearest one above it that exists. */
const freeAt = async (path: string): Promise<MachineFacts['disk']> => {
  try {
    const { bavail, bsize } = await statfs(path)
    return { free_bytes: bavail * bsize, path }
  } catch (fault) {
    const above = dirname(path)
    return (fault as NodeJS.ErrnoException).code === 'ENOENT' && above !== path ? freeAt(above) : null
  }
}

const keyFacts = async (config: Config): Promise<MachineFacts['key']> => {
  if (config.masterKey !== undefined) return 'environment'
  const file = keyFileOf(config)
  const mode = await stat(file).then(
    (found) => found.mode,
    () => 0,
  )
  return { file, open: (mode & 0o077) !== 0 }
}

/** `constrainedMemory` is 0 or larger than the machine if no limit is set. */
const memoryLimit = (): number | null => {
  const limit = process.constrainedMemory()
  return limit > 0 && limit < 2 ** 50 ? limit : null
}

export const machineFacts = async (config: Config): Promise<MachineFacts> => ({
  nodeVersion: process.version,
  memoryLimit_bytes: memoryLimit(),
  disk: await freeAt(config.dataDir),
  embedded: config.databaseUrl === undefined,
  production: config.production,
  publicUrl: config.publicUrl,
  onLoopback: isLoopback(config.host),
  trustProxy: config.trustProxy,
  mailIsSet: config.mail !== undefined,
  limitsAreOn: config.limits !== null,
  key: await keyFacts(config),
})
