/**
 * Intents that wait for an alert, each with a reference that pgbench can compute too; or intents whose alerts are
 * stored already.
 */
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { at } from '../../packages/server/src/postgres/query/columns.ts'
import { purchaseText } from '../../packages/server/test/support/sms-texts.ts'
import type { ServiceProcess } from '../harness/service-process.ts'
import { idPrefix } from './id-prefix.ts'
import { makeOpen, type OpenPool } from './seed.ts'
import { vacuumRows } from './vacuum-rows.ts'

export type AlertPool = OpenPool & {
  /** The prefix of each reference; nine digits follow. */
  readonly references: string
  readonly templateId: string
}

let pools = 0

export const referenceOf = (pool: AlertPool, n: number): string => `${pool.references}${String(n).padStart(9, '0')}`

/** The text of the SMS that pays an intent of a pool. */
export const paymentText = (reference: string): string => purchaseText('1,500.00', reference)

/** What a phone reports for it, as in the body of a request. */
export const reportOf = (reference: string) => ({
  client_id: reference,
  kind: 'sms',
  sender: 'Jawali',
  text: paymentText(reference),
  sim_slot: 'SIM1',
  received_at: new Date(systemClock.now()).toISOString(),
})

const open = async (service: ServiceProcess, size: number): Promise<AlertPool> => {
  const { db, merchant } = service
  const pool = await makeOpen(db, merchant, size, systemClock.now())
  const [row] = await db.run({
    text: `select t.id from alert_templates t join wallets w on w.provider_id = t.provider_id
            where w.id = $1 and t.status = 'active' order by t.id limit 1`,
    values: [merchant.demo.wallets.main],
  })
  return { ...pool, references: `77${String(++pools).padStart(3, '0')}`, templateId: row![0]! }
}

/** PENDING intents with a reference: an alert verifies each. */
export const referencedPool = async (service: ServiceProcess, size: number): Promise<AlertPool> => {
  const pool = await open(service, size)
  await service.db.run({
    text: `update intents set reference = $1 || right(id::text, 9), reference_key = $1 || right(id::text, 9),
                  search_reference = $1 || right(id::text, 9), reference_at = created_at
            where account_id = $2 and id between $3 and $4`,
    values: [pool.references, service.merchant.accountId, pool.ids[0], pool.ids.at(-1)],
  })
  await vacuumRows(service.db)
  return pool
}

/** `alerts`: the prefix of each alert's id; twelve digits follow. */
export type AlertedPool = AlertPool & { readonly alerts: string }

/** PENDING intents without a reference, and for each an alert that waits for it. */
export const alertedPool = async (service: ServiceProcess, size: number): Promise<AlertedPool> => {
  const pool = await open(service, size)
  const { demo, accountId } = service.merchant
  const alerts = idPrefix(pools)
  await service.db.run({
    text: `
      insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                          normaliser_version, fingerprint, wallet_id, identity, template_id, direction, amount, currency, reference,
                          reference_key, state, reason)
      select $1, ($8 || lpad(n::text, 12, '0'))::uuid, $3, 'waiting ' || $2 || n, 'native', true, 'sms', 'Jawali', 'text',
             $4::timestamptz, 1, sha256(('waiting ' || $2 || n)::bytea), $5,
             (select identity from wallets where account_id = $1 and id = $5), $6, 'credit', 150000, 'YER',
             $2 || lpad(n::text, 9, '0'), $2 || lpad(n::text, 9, '0'), 'waiting', 'no_intent'
        from generate_series(0, $7::int - 1) as n`,
    values: [
      accountId,
      pool.references,
      demo.device.id,
      at(systemClock.now()),
      demo.wallets.main,
      pool.templateId,
      size,
      alerts,
    ],
  })
  await vacuumRows(service.db)
  return { ...pool, alerts }
}
