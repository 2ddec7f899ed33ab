/** `sanad start`: runs the service. Outside production, its first start creates a demo shop to try it with. */
import { countAccounts } from '../../accounts/tenants/account-sql.ts'
import { readConfig } from '../../config.ts'
import { openLog } from '../../log.ts'
import { type Greet, serve } from '../../serve.ts'
import type { AddTo } from '../command-line.ts'
import { createDemo } from '../shop/demo.ts'
import { welcome } from './welcome.ts'

const greet: Greet = async ({ config, db, masterKey, origin, now }) => {
  const [{ accounts }] = (await countAccounts(db)) as [{ accounts: number }]
  const isNew = accounts === 0 && !config.production
  const demo = isNew ? await createDemo(db, masterKey, origin, now) : undefined
  // In production a log is read by programs: between its lines nothing else is printed.
  return config.production && !process.stdout.isTTY ? [] : welcome(config, origin, demo)
}

export const addTo: AddTo = (start, { say }) => {
  start.action(async () => {
    const config = readConfig()
    await serve(config, openLog(config.logLevel), say, greet)
  })
}
