/**
 * Query plans of a reading of the metrics in accounts with many alerts, intents and deliveries: no reading scans a large table, with
 * plans that were made on empty tables, on full ones, and on tables that are not analysed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { day_ms, minute_ms } from '../../src/core/duration.ts'
import type { Session } from '../../src/postgres/connection/database.ts'
import { countUnmatched, serviceFigures } from '../../src/views/operator/account-overview-sql.ts'
import { queueState } from '../../src/webhooks/sending/delivery-sql.ts'
import { openTestService } from '../support/story.ts'
import { accountOfWallet } from '../support/users.ts'
import { preparedPlans } from './prepared-plans.ts'

const service = await openTestService()
const { demo } = service
const accountId = await accountOfWallet(service, demo.wallets.main)
const now = Date.parse('2026-03-30T20:00:00Z')
const alerts = 60_000
/** One message each three minutes: 480 a day. A quarter of them waits, of every age; one in fifty is not read. */
const step_ms = 3 * minute_ms

const read: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  serviceFigures: (s) => serviceFigures(s, now),
  countUnmatched: (s) => countUnmatched(s, now - day_ms, now - 5 * minute_ms),
  queueState: (s) => queueState(s, now),
}
const { planAll, measure } = preparedPlans(service.databaseUrl, read)

const time = `($2::bigint - n * ${step_ms}::bigint)`
const fill = (): Promise<void> =>
  service.plant(
    `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                         normaliser_version, fingerprint, wallet_id, direction, amount, currency, state)
     select $1, (lpad(to_hex(${time}), 12, '0') || '7' || substr(md5('a' || n), 1, 3) || '8' || substr(md5('a' || n), 4, 15))::uuid,
            $3, 'plan-' || n, 'native', true, 'sms', 'Jawali', 'text ' || n, to_timestamp(${time} / 1000.0), 1,
            md5(n::text)::bytea, $4, 'credit', 150000, 'YER',
            case when n % 50 = 0 then 'unread' when n % 4 = 0 then 'waiting' else 'debit' end
       from generate_series(1, $5::int) as n`,
    [accountId, now, demo.device.id, demo.wallets.main, alerts],
  )

/** Of 60,000 alerts 1,200 are not read, and about 120 of the last day wait. */
const most: Readonly<Record<string, number>> = { serviceFigures: 4_000, countUnmatched: 1_500, queueState: 200 }

const assertNoScan = async (client: pg.Client): Promise<void> => {
  for (const name of Object.keys(read)) {
    const { rows, pages, way } = await measure(client, name)
    assert.ok(rows <= most[name]!, `${name}: ${rows} rows of at most ${most[name]}, ${pages} pages: ${way}`)
    assert.doesNotMatch(way, /Seq Scan (alerts|intents|deliveries|events)/, `${name}: ${way}`)
  }
}

const early = await planAll()
await fill()
const late = await planAll()
service.atEnd(async () => {
  await Promise.all([early.end(), late.end()])
})

test('plans that were made on empty tables scan no large table', () => assertNoScan(early))

test('plans that were made on full tables scan no large table, before and after they are analysed', async () => {
  await assertNoScan(late)
  await service.plant('analyze')
  await assertNoScan(late)
  const analysed = await planAll()
  await assertNoScan(analysed).finally(() => analysed.end())
})
