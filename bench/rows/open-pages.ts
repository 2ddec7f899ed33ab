/** Checkouts of buyers who have opened their link; some of them have chosen a wallet and sent a reference. */
import { randomBytes } from 'node:crypto'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { fingerprint } from '../../packages/server/src/core/seal.ts'
import { at } from '../../packages/server/src/postgres/query/columns.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import { type AlertPool, referencedPool } from './alert-pool.ts'
import { idPrefix } from './id-prefix.ts'

/** `tokens`: the tokens of the checkouts' links. */
export type OpenPages = { readonly tokens: readonly string[] }

const insertCheckouts = `
  insert into checkouts (account_id, id, token_hash, amount, currency, external_order_id, description, created_by,
                         created_at, expires_at, search)
  select $1, n.id, n.hash, 150000, 'YER', 'A-' || n.place, 'Two bags of coffee, ground', 'bench', $4::timestamptz,
         $4::timestamptz + interval '1 hour', 'a-' || n.place
    from unnest($2::uuid[], $3::bytea[]) with ordinality as n (id, hash, place)`

let runs = 0

const insert = async ({ db, merchant }: ServiceProcess, size: number) => {
  const tokens = Array.from({ length: size }, () => randomBytes(20).toString('base64url'))
  const prefix = idPrefix(++runs)
  const ids = tokens.map((_, n) => {
    const text = `${prefix}${String(n).padStart(12, '0')}`
    return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join('-')
  })
  const hashes = tokens.map((token) => fingerprint(token))
  await db.run({ text: insertCheckouts, values: [merchant.accountId, ids, hashes, at(systemClock.now())] })
  return { tokens, ids }
}

const vacuum = async ({ db }: ServiceProcess): Promise<void> => {
  for (const table of ['checkouts', 'checkout_intents', 'wallets', 'accounts', 'devices'])
    await db.run({ text: `vacuum (analyze) ${table}`, values: [] })
}

/** Pages on which no wallet was chosen yet. */
export const newPages = async (service: ServiceProcess, size: number): Promise<OpenPages> => {
  const { tokens } = await insert(service, size)
  await vacuum(service)
  return { tokens }
}

/** Pages with an open intent that has a reference: an alert with that reference verifies it. */
export const waitingPages = async (service: ServiceProcess, size: number): Promise<OpenPages & { pool: AlertPool }> => {
  const pool = await referencedPool(service, size)
  const { tokens, ids } = await insert(service, size)
  await service.db.run({
    text: `insert into checkout_intents (account_id, checkout_id, position, intent_id, open)
           select $1, n.checkout, 1, n.intent, true from unnest($2::uuid[], $3::uuid[]) as n (checkout, intent)`,
    values: [service.merchant.accountId, ids, pool.ids],
  })
  await vacuum(service)
  return { tokens, pool }
}
