/** Accounts with endpoints for the benchmark, and waiting deliveries for them, inserted by one commit. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { randomId } from '../../packages/server/src/core/ids.ts'
import { deriveKey, seal } from '../../packages/server/src/core/seal.ts'
import { at } from '../../packages/server/src/postgres/query/columns.ts'
import { newDeliveryId } from '../../packages/server/src/webhooks/delivery-id.ts'
import type { ServiceProcess } from '../harness/service-process.ts'

export type Shop = { readonly account: string; readonly wallet: string; readonly endpoints: readonly string[] }

const body = (n: string) =>
  `'{"event":"payment.verified","payment_id":"0123456789","intent_id":"019b7cab-76aa-7f10-8b2d-6c8e0a2c4e5f","order_id":"order ' || ${n} || '","reference":"123456789012","base_amount":"1500.00","amount":"1500.00","currency":"YER","status":"VERIFIED","verified_at":"2026-01-02T06:04:05.678000+03:00","manual_override":false}'`

export const sampleBody = `{"event":"payment.verified","payment_id":"0123456789","intent_id":"019b7cab-76aa-7f10-8b2d-6c8e0a2c4e5f","order_id":"order 12345","reference":"123456789012","base_amount":"1500.00","amount":"1500.00","currency":"YER","status":"VERIFIED","verified_at":"2026-01-02T06:04:05.678000+03:00","manual_override":false}`

const sealed = (service: ServiceProcess, id: string): Buffer => {
  const master = new Uint8Array(Buffer.from(readFileSync(join(service.dataDir, 'master.key'), 'utf8').trim(), 'base64'))
  return seal(deriveKey(master, 'webhook secrets'), `whsec_${id}`, id)
}

export const addEndpoint = async (service: ServiceProcess, account: string, url: string): Promise<string> => {
  const id = randomId<string>()
  await service.db.run({
    text: `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
           values ($1, $2, $3, array['payment.verified'], $4, $5)`,
    values: [account, id, url, sealed(service, id), at(systemClock.now())],
  })
  return id
}

export const setEnabled = (service: ServiceProcess, ids: readonly string[], enabled: boolean): Promise<unknown> =>
  service.db.run({ text: 'update webhook_endpoints set enabled = $2 where id = any($1)', values: [ids, enabled] })

export const addShop = async (service: ServiceProcess, urls: readonly string[]): Promise<Shop> => {
  const { db, merchant } = service
  const [account, wallet] = [randomId<string>(), randomId<string>()]
  const now = at(systemClock.now())
  await db.run({
    text: 'insert into accounts (id, name, created_at) values ($1, $2, $3)',
    values: [account, 'Webhook shop', now],
  })
  await db.run({
    text: `insert into wallets (id, account_id, provider_id, name, account_number, created_at)
           select $1, $2, provider_id, 'Webhook shop', account_number, $3 from wallets where id = $4`,
    values: [wallet, account, now, merchant.demo.wallets.main],
  })
  const endpoints: string[] = []
  for (const url of urls) endpoints.push(await addEndpoint(service, account, url))
  return { account, wallet, endpoints }
}

let batches = 0

/** Inserts `each` events for every endpoint, delivered to that endpoint alone. All become due with one commit. */
export const addWaiting = async (
  service: ServiceProcess,
  shops: readonly Shop[],
  each: number,
): Promise<{ readonly batch: string; readonly count: number }> => {
  const batch = `b${++batches}`
  const now = systemClock.now()
  // Ids that begin with the time, as in the service.
  const id = `(lpad(to_hex($5::bigint), 12, '0') || '7' || substr(h, 1, 3) || '8' || substr(h, 4, 15))::uuid`
  const text = `
    with new_events as (
      select e.account, e.wallet, e.endpoint, n, md5($4 || e.endpoint::text || n) as h
        from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as e (account, wallet, endpoint),
             generate_series(1, $6::int) as n),
    inserted as (
      insert into events (account_id, id, kind, wallet_id, alert_id, body, created_at)
      select account, ${id}, 'payment.verified', wallet, h::uuid, ${body('n')}, to_timestamp($5 / 1000.0)
        from new_events)
    insert into deliveries (id, account_id, event_id, endpoint_id, due_at, created_at)
    select ${newDeliveryId(id)}, account, ${id}, endpoint, to_timestamp($5 / 1000.0), to_timestamp($5 / 1000.0) from new_events`
  const rows = shops.flatMap((shop) =>
    shop.endpoints.map((endpoint) => ({ account: shop.account, wallet: shop.wallet, endpoint })),
  )
  await service.db.transaction(async (tx) => {
    const values = [
      rows.map((row) => row.account),
      rows.map((row) => row.wallet),
      rows.map((row) => row.endpoint),
      batch,
      now,
      each,
    ]
    await tx.run({ text, values })
    // As the nodes of the service tell each other: a sender with nothing to do looks every 15 seconds.
    await tx.run({ text: `select pg_notify('sanad_deliveries', 'look')`, values: [] })
  })
  return { batch, count: rows.length * each }
}

export const waitingFor = async (service: ServiceProcess, endpoints: readonly string[]): Promise<number> => {
  const [row] = await service.db.run({
    text: 'select count(*) from deliveries where endpoint_id = any($1)',
    values: [endpoints],
  })
  return Number(row![0])
}
