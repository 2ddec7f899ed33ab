/** `sanad backup FILE`: writes all rows of one moment to a file, whether or not the service runs. */
import { resolve } from 'node:path'
import { CommandError } from '../../command-error.ts'
import { readConfig } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { migrationsFolder, openStore } from '../../open-store.ts'
import { backup } from '../../postgres/backup/backup.ts'
import { BackupRefused } from '../../postgres/backup/backup-format.ts'
import { version } from '../../version.ts'
import type { AddTo } from '../command-line.ts'
import { keyFingerprint, keyPlace } from './key-fingerprint.ts'
import { progressBar } from './progress-bar.ts'

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`

export const addTo: AddTo = (command, { say }) => {
  command.argument('<file>', 'where to write it; must not exist yet').action(async (path: string) => {
    const config = readConfig()
    const file = resolve(path)
    const stopped = new AbortController()
    const stop = (): void => stopped.abort()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop)
    const store = await openStore(config, 'sanad backup')
    try {
      const masterKeyFingerprint = await keyFingerprint(config)
      const result = await backup({
        url: store.url,
        file,
        migrationsFolder,
        sanadVersion: version,
        masterKeyFingerprint,
        now: systemClock.now(),
        progress: progressBar(),
        signal: stopped.signal,
      })
      const rows = result.manifest.tables.reduce((sum, table) => sum + table.rows, 0)
      say(`Done: ${file}, ${rows.toLocaleString('en')} rows, ${megabytes(result.file_bytes)}.`)
      for (const table of result.leftOut) say(`Left out: the table ${table}, which is not Sanad's.`)
      say(
        masterKeyFingerprint === null
          ? 'The master key is not in this file, and none was found here. Without it the secrets in the backup (of phones, webhooks and second factors) are lost: keep it, apart from the backup.'
          : `The master key (${keyPlace(config)}) is not in this file. Without it the secrets in the backup (of phones, webhooks and second factors) are lost: keep a copy of it, apart from the backup.`,
      )
    } catch (fault) {
      if (stopped.signal.aborted) throw new CommandError('Stopped: no backup was made.')
      if (fault instanceof BackupRefused) throw new CommandError(fault.message)
      throw fault
    } finally {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
      await store.close()
    }
  })
}
