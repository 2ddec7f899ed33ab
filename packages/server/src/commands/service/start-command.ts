/**
 * `sanad start`: runs the service. Outside production, its first start creates a demo shop to try it with. The service is imported after
 * the compile cache is in use, and what only a first start needs is imported only then.
 */

import { readConfig } from '../../config.ts'
import type { Greet } from '../../serve.ts'
import type { AddTo } from '../command-line.ts'
import { saveCompileCache, useCompileCache } from './compile-cache.ts'

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
  start.action(async () => {
    const config = readConfig()
    useCompileCache(config.dataDir, config.databaseUrl === undefined)
    const [{ openLog }, { serve }] = await Promise.all([import('../../log.ts'), import('../../serve.ts')])
    await serve(config, openLog(config.logLevel, config.logFormat), say, greet)
    saveCompileCache()
  })
}
