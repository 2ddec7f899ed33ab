/**
 * Query plans of the figures of Today in an account with many messages: each reads the credits of its periods, and no others. The
 * plans are measured on full tables, and again with plans that were made on empty tables.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms, hour_ms } from '../../src/core/duration.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { arrivedInPeriods, firstCredit } from '../../src/views/arrived/arrived-sql.ts'
import { dateAfter, dayOf, hoursOf, localDate, untilSameTime } from '../../src/views/arrived/periods.ts'
import { openTestService } from '../support/story.ts'
import { accountOfWallet } from '../support/users.ts'
import { preparedPlans } from './prepared-plans.ts'
import { readsOf } from './table-reads.ts'

const service = await openTestService()
const { demo } = service
const accountId = await accountOfWallet(service, demo.wallets.main)
const scope = wholeAccount(accountId)
const zone = zoneOf('Asia/Aden')
const now = Date.parse('2026-03-30T09:00:00Z')
const today = localDate(zone, now)
const last = (days: number) => Array.from({ length: days }, (_, i) => dayOf(zone, dateAfter(today, -i)))
const weeks = [0, 7, 14, 21, 28].flatMap((days) => hoursOf(zone, dateAfter(today, -days)))

const hot = {
  today: (s: never) =>
    arrivedInPeriods(
      s,
      scope,
      [0, 1, 7].map((days) => untilSameTime(zone, now, days)),
    ),
  days: (s: never) => arrivedInPeriods(s, scope, last(14)),
  hours: (s: never) => arrivedInPeriods(s, scope, weeks),
  first: (s: never) => firstCredit(s, scope),
}
const plans = preparedPlans(service.databaseUrl, hot as never)
const onEmptyTables = await plans.planAll()

// For 90 days a message each two minutes: 720 a day. One in three is a debit, one in nine a duplicate.
const step_ms = 2 * 60_000
await service.plant(
  `
  insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                      normaliser_version, fingerprint, wallet_id, direction, amount, currency, state)
  select $1, (lpad(to_hex($2::bigint - n * ${step_ms}::bigint), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' ||
              substr(md5(n::text), 4, 15))::uuid,
         $3, 'plan-' || n, 'native', true, 'sms', 'Jawali', 'text ' || n, to_timestamp(($2::bigint - n * ${step_ms}::bigint) / 1000.0), 1,
         md5(n::text)::bytea, case when n % 2 = 0 then $4::uuid else $5::uuid end,
         case when n % 3 = 0 then 'debit' else 'credit' end, 150000, 'YER',
         case when n % 3 = 0 then 'debit' when n % 9 = 1 then 'duplicate' when n % 9 = 2 then 'review' else 'waiting' end
    from generate_series(1, $6::int) n`,
  [accountId, now, demo.device.id, demo.wallets.main, demo.wallets.second, Math.floor((90 * day_ms) / step_ms)],
)
await service.plant('analyze')

/** Credits that are no duplicates: five of nine. */
const creditsIn = (span_ms: number): number => Math.ceil(((span_ms / step_ms) * 5) / 9)
const most = {
  today: creditsIn(3 * 12 * hour_ms) + 10,
  days: creditsIn(13 * day_ms + 12 * hour_ms) + 10,
  hours: creditsIn(4 * day_ms + 12 * hour_ms) + 10,
  first: 1,
} as const

for (const [name, run] of Object.entries(hot)) {
  const allowed = most[name as keyof typeof most]
  test(`${name}: reads the credits of its periods by their index, and no others`, async () => {
    const { count, isWhole, rows } = await readsOf(service.db, 'alerts', run as never)
    assert.ok(count === 1 && !isWhole)
    assert.ok(rows <= allowed, `${rows} rows of at most ${allowed}`)
    assert.ok(name === 'first' || rows > allowed - 30, `${rows} rows: the test would not notice`)
  })
  test(`${name}: a plan that was made on empty tables uses the index too`, async () => {
    const { way } = await plans.measure(onEmptyTables, name)
    assert.match(way, /alerts by alerts_credits/)
    assert.ok(!/Seq Scan alerts/.test(way), way)
  })
}

test('the connection ends', () => onEmptyTables.end())
