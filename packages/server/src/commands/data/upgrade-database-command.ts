/** `sanad upgrade-database`: brings the files of the embedded PostgreSQL to the major version that comes with Sanad. */
import { CommandError } from '../../command-error.ts'
import { readConfig } from '../../config.ts'
import { systemClock } from '../../core/clock.ts'
import { migrationsFolder, refuseWithoutEmbedded } from '../../open-store.ts'
import { BackupRefused } from '../../postgres/backup/backup-format.ts'
import { UpgradeRefused, upgradeCluster } from '../../postgres/embedded/upgrade-cluster.ts'
import { version } from '../../version.ts'
import type { AddTo } from '../command-line.ts'
import { installOldBinaries, oldBinariesIn } from './old-postgres.ts'
import { progressBar } from './progress-bar.ts'

export const addTo: AddTo = (command, { say }) => {
  command
    .option(
      '--old-binaries <directory>',
      'the programs of the old version, such as /usr/lib/postgresql/17; without it npm installs them for this run',
    )
    .action(async ({ oldBinaries }: { oldBinaries?: string }) => {
      const config = readConfig()
      if (config.databaseUrl !== undefined)
        throw new CommandError(
          'DATABASE_URL is set: this command is for the embedded PostgreSQL. A PostgreSQL of your own is upgraded with its own tools.',
        )
      try {
        const result = await upgradeCluster({
          dataDir: config.dataDir,
          migrationsFolder,
          sanadVersion: version,
          now: systemClock.now(),
          progress: progressBar(),
          findOld: (major, folder) => {
            if (oldBinaries !== undefined) return oldBinariesIn(oldBinaries)
            say(`Installing the programs of PostgreSQL ${major} for this run`)
            return installOldBinaries(major, folder)
          },
        })
        if (result.kind === 'nothing to do') return say(`Nothing to do: the files are of PostgreSQL ${result.major}.`)
        const rows =
          result.rows === undefined ? '' : ` ${result.rows.toLocaleString('en')} rows; counts and sums are the same.`
        say(`Done: the files are of PostgreSQL ${result.major} now.${rows}`)
        say(`The old files are kept in ${result.kept}: remove them when the service has run well for some days.`)
      } catch (fault) {
        if (fault instanceof UpgradeRefused || fault instanceof BackupRefused) throw new CommandError(fault.message)
        refuseWithoutEmbedded(fault)
      }
    })
}
