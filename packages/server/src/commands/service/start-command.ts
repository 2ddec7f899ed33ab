/**
 * `sanad start`: runs the service. Outside production, its first start creates a demo shop to try it with. The service is imported after
 * the compile cache is in use, and what only a first start needs is imported only then.
 */

import { Option } from 'commander'
import { readConfig } from '../../config.ts'
import type { Greet } from '../../serve.ts'
import type { AddTo } from '../command-line.ts'
import { saveCompileCache, useCompileCache } from './compile-cache.ts'
import { giveBackMemory } from './give-back-memory.ts'

const greet: Greet = async ({ config, db, masterKey, origin, now }) => {
  const { countAccounts } = await import('../../accounts/tenants/account-sql.ts')
  const [{ accounts }] = (await countAccounts(db)) as [{ accounts: number }]
  const isNew = accounts === 0 && !config.production
  const demo = isNew ? await (await import('../shop/demo.ts')).createDemo(db, masterKey, origin, now) : undefined
  // In production a log is read by programs: between its lines nothing else is printed.
  if (config.production && !process.stdout.isTTY) return []
  return (await import('./welcome.ts')).welcome(config, origin, demo)
}

export const addTo: AddTo = (start, { say }) => {
  start
    .addOption(new Option('--child').hideHelp())
    .action(async ({ child }: { child?: true }) => (child ? startChild() : startService(say)))
}

const startService = async (say: (line: string) => void): Promise<void> => {
  const config = readConfig()
  useCompileCache(config.dataDir, config.databaseUrl === undefined)
  const { openLog } = await import('../../log.ts')
  if (config.processes > 1) {
    const { runMachine } = await import('../../processes/run-machine.ts')
    await runMachine(config, openLog(config.logLevel, config.logFormat, undefined, process.pid), say, greet)
  } else {
    const { serve } = await import('../../serve.ts')
    await serve(config, openLog(config.logLevel, config.logFormat), say, greet)
  }
  saveCompileCache()
  giveBackMemory()
}

/** One of the processes that the parent starts (processes/run-machine.ts). What it cannot start for, the parent says. */
const startChild = async (): Promise<void> => {
  const { openParentLink } = await import('../../processes/parent-link.ts')
  const link = await openParentLink()
  try {
    const settings = readConfig()
    useCompileCache(settings.dataDir, settings.databaseUrl === undefined)
    const [{ openLog }, { serve }] = await Promise.all([import('../../log.ts'), import('../../serve.ts')])
    // Requests and work have their processes; the port for operators is where requests are.
    const metricsPort = link.duty === 'work' ? undefined : settings.metricsPort
    const config = { ...settings, role: link.duty, metricsPort, underNpm: false }
    const log = openLog(config.logLevel, config.logFormat, undefined, process.pid)
    await serve(
      config,
      log,
      (line) => log.info({}, line),
      async () => [],
      link,
    )
    saveCompileCache()
    giveBackMemory()
  } catch (fault) {
    await link.faulty(fault as Error)
    process.exit(1)
  }
}
