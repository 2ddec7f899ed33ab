/** A process that upgrades a data directory and ends itself with SIGKILL after the step that is named; the test starts it. */

import { oldBinariesIn } from '../../src/commands/data/old-postgres.ts'
import { systemClock } from '../../src/core/clock.ts'
import { migrationsFolder } from '../../src/open-store.ts'
import { upgradeCluster } from '../../src/postgres/embedded/upgrade-cluster.ts'

const [dataDir, programs, lastStep] = process.argv.slice(2)
await upgradeCluster({
  dataDir: dataDir!,
  migrationsFolder,
  sanadVersion: 'a test',
  now: systemClock.now(),
  findOld: () => oldBinariesIn(programs!),
  afterStep: (step) => {
    if (step === lastStep) process.kill(process.pid, 'SIGKILL')
  },
})
