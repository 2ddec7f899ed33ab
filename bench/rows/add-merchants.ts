/** More merchants in a running service, each with an account, wallets, a phone, keys and a user of its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createDemo } from '../../packages/server/src/commands/shop/demo.ts'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import type { MasterKey } from '../../packages/server/src/core/seal.ts'
import { type Merchant, merchantAs, type ServiceProcess } from '../harness/service-process.ts'

export const addMerchants = async (service: ServiceProcess, count: number): Promise<Merchant[]> => {
  const text = readFileSync(join(service.dataDir, 'master.key'), 'utf8').trim()
  const master: MasterKey = new Uint8Array(Buffer.from(text, 'base64'))
  const merchants: Merchant[] = []
  for (let n = 0; n < count; n++) {
    const demo = await createDemo(service.db, master, service.origin, systemClock.now())
    merchants.push(await merchantAs(service.db, service.origin, demo))
  }
  return merchants
}
