/** Calls that write, and the pages of buyers. Each makes what it needs before it is measured. */
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../../packages/server/src/core/clock.ts'
import { signatureOf } from '../../../packages/server/src/http/device/signature.ts'
import type { Asked } from '../../harness/call.ts'
import type { ServiceProcess } from '../../harness/service-process.ts'
import { referencedPool, referenceOf, reportOf } from '../../rows/alert-pool.ts'
import { waitingPages } from '../../rows/open-pages.ts'
import { makeOpen } from '../../rows/seed.ts'

export type WriteCall = { readonly path: string; readonly status: number } & Asked

/** `prepare` is called once for each database; what it returns makes the request number `n`, of at most `most`. */
export type PreparedCall = {
  readonly name: string
  readonly prepare: (service: ServiceProcess, most: number) => Promise<(n: number) => WriteCall>
}

const intents = '/api/v1/merchant/intents/'
const alerts = '/api/v1/device/alerts'

export const writeCalls: readonly PreparedCall[] = [
  {
    name: 'create an intent',
    prepare: async ({ merchant: { token, demo } }) => {
      const run = randomUUID().slice(0, 8)
      return (n) => ({
        path: intents,
        status: 201,
        method: 'POST',
        token,
        headers: { 'SERVICE-IDEMPOTENCY-KEY': `${run}-${n}` },
        body: { wallet: demo.wallets.main, amount: '1500.00', external_order_id: `${run}-${n}` },
      })
    },
  },
  {
    name: 'attach a reference',
    prepare: async ({ db, merchant }, most) => {
      const { ids } = await makeOpen(db, merchant, most, systemClock.now())
      const run = String(systemClock.now()).slice(-7)
      return (n) => ({
        path: `${intents}${ids[n]}/`,
        status: 200,
        method: 'PATCH',
        token: merchant.token,
        body: { reference: `66${run}${String(n).padStart(6, '0')}` },
      })
    },
  },
  {
    name: 'an alert to VERIFIED',
    prepare: async (service, most) => {
      const pool = await referencedPool(service, most)
      const { id: device, secret } = service.merchant.demo.device
      return (n) => {
        const body = { alerts: [reportOf(referenceOf(pool, n))] }
        const [requestId, timestamp] = [randomUUID(), String(Math.floor(systemClock.now() / 1000))]
        const signed = {
          method: 'POST',
          path: alerts,
          device,
          requestId,
          timestamp,
          body: Buffer.from(JSON.stringify(body)),
        }
        const headers = {
          'x-service-device': device,
          'x-service-request-id': requestId,
          'x-service-timestamp': timestamp,
          'x-service-device-signature': signatureOf(secret, signed),
        }
        return { path: alerts, status: 200, method: 'POST', headers, body }
      }
    },
  },
  {
    name: 'create a checkout',
    prepare: async ({ merchant: { token } }) => {
      const run = randomUUID().slice(0, 8)
      return (n) => ({
        path: '/api/v1/checkout/sessions/',
        status: 201,
        method: 'POST',
        token,
        body: { amount: '1500.00', external_order_id: `${run}-${n}` },
      })
    },
  },
  {
    name: "a buyer's page",
    prepare: async (service) => {
      const { tokens } = await waitingPages(service, 200)
      return (n) => ({ path: `/pay/${tokens[n % tokens.length]}`, status: 200, headers: { 'accept-encoding': 'gzip' } })
    },
  },
]
