/** Inserts unmatched alerts by SQL: a queue of any length, newest first, with different amounts. */
import { systemClock } from '../../packages/server/src/core/clock.ts'
import type { ServiceProcess } from '../harness/service-process.ts'

export const insertQueue = ({ db, merchant }: Pick<ServiceProcess, 'db' | 'merchant'>, count: number) =>
  db.run({
    text: `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                               normaliser_version, fingerprint, wallet_id, direction, amount, currency, state, reason,
                               reference, reference_key)
           select $1, (lpad(to_hex($4::bigint - n * 50000), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' ||
                       substr(md5(n::text), 4, 15))::uuid,
                  $2, 'queued-' || n, 'native', true, 'sms', 'Jawali', 'x', to_timestamp(($4::bigint - n * 50000) / 1000.0), 1,
                  decode(md5(n::text), 'hex'), $3, 'credit', (n % 9000 + 10) * 10000, 'YER', 'waiting', 'no_intent',
                  'D' || n, 'D' || n
             from generate_series(1::bigint, $5::bigint) n
           on conflict do nothing`,
    values: [merchant.accountId, merchant.demo.device.id, merchant.demo.wallets.main, systemClock.now(), count],
  })
