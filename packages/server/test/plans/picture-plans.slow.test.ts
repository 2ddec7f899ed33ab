/**
 * Query plans of sums and pictures in an account with many messages, intents and buyers: the sums of a day and of a shift, what was not
 * handed over, the funnel of payment links, and the operator's counts. Each reads the rows of its time and no others, with plans that
 * were made on empty tables, on full ones, and on tables that are not analysed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { day_ms, hour_ms, minute_ms } from '../../src/core/duration.ts'
import { firstIdAt } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import type { Session } from '../../src/postgres/connection/database.ts'
import { funnelInPeriods } from '../../src/views/checkouts/funnel-sql.ts'
import { arrivedSums, takenSums } from '../../src/views/day-close/money-sums-sql.ts'
import { countServicePart } from '../../src/views/operator/service-counts-sql.ts'
import { notHandedOver, takenLines } from '../../src/views/shifts/shift-lines-sql.ts'
import { openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'
import { preparedPlans } from './prepared-plans.ts'

const service = await openTestService()
const { demo } = service
const { cashier, manager, accountId } = await createMembers(service)
const scope = wholeAccount(accountId)
const now = Date.parse('2026-03-30T20:00:00Z')

/** A day of 480 messages: one each three minutes, for 60 days. */
const step_ms = 3 * minute_ms
const perDay = day_ms / step_ms
const days = 60
const shift = { from: now - 8 * hour_ms, until: now }
const shiftIds = { ...shift, first: firstIdAt(shift.from), last: firstIdAt(shift.until) }
const last14 = Array.from({ length: 15 }, (_, i) => now + (i - 14) * day_ms)

const hot: Readonly<Record<string, (session: Session) => Promise<unknown>>> = {
  arrivedSums: (s) => arrivedSums(s, scope, firstIdAt(now - day_ms), firstIdAt(now)),
  takenSums: (s) => takenSums(s, scope, cashier.userId, shift.from, shift.until, shiftIds.first),
  takenLines: (s) =>
    takenLines(s, scope, cashier.userId, shift, { at: 0, id: '00000000-0000-0000-0000-000000000000' }, 200),
  notHandedOver: (s) => notHandedOver(s, scope, cashier.userId, shiftIds, 500),
  funnel: (s) => funnelInPeriods(s, scope, undefined, last14),
  servicePart: (s) => countServicePart(s, now - 5 * minute_ms, now),
}
const { planAll, measure } = preparedPlans(service.databaseUrl, hot)

/** An id of version 7 at a time. */
const idAt = (ms: string, salt: string): string =>
  `(lpad(to_hex(${ms}), 12, '0') || '7' || substr(md5(${salt}), 1, 3) || '8' || substr(md5(${salt}), 4, 15))::uuid`
const time = `($2::bigint - n * ${step_ms}::bigint)`

const fill = async (): Promise<void> => {
  await service.plant(
    `insert into intents (account_id, id, code, wallet_id, status, base, payable, currency, external_order_id, created_by, created_at,
                          expires_at, verified_at, search_order, search_reference)
     select $1, ${idAt(time, `'i' || n`)}, lpad(n::text, 10, '0'), $3, 'VERIFIED', 150000, 150000, 'YER', 'ORD-' || n, 'story',
            to_timestamp(${time} / 1000.0), to_timestamp(${time} / 1000.0) + interval '1 hour', to_timestamp(${time} / 1000.0), 'ord-' || n, ''
       from generate_series(1, $4::int) as n`,
    [accountId, now, demo.wallets.main, perDay * days],
  )
  await service.plant(
    `insert into alerts (account_id, id, device_id, client_id, adapter, trusted, kind, sender, raw_text, received_at,
                         normaliser_version, fingerprint, wallet_id, direction, amount, currency, state, intent_id)
     select $1, ${idAt(time, `'a' || n`)}, $3, 'plan-' || n, 'native', true, 'sms', 'Jawali', 'text ' || n,
            to_timestamp(${time} / 1000.0), 1, md5(n::text)::bytea, $4, 'credit', 150000, 'YER',
            case when n % 4 = 0 then 'waiting' else 'matched' end, case when n % 4 > 0 then ${idAt(time, `'i' || n`)} end
       from generate_series(1, $5::int) as n`,
    [accountId, now, demo.device.id, demo.wallets.main, perDay * days],
  )
  await service.plant(
    `insert into takings (account_id, alert_id, user_id, at)
     select $1, ${idAt(time, `'a' || n`)}, case when n % 8 = 1 then $3::uuid else $4::uuid end, to_timestamp(${time} / 1000.0)
       from generate_series(1, $5::int) as n where n % 4 in (1, 2)`,
    [accountId, now, cashier.userId, manager.userId, perDay * days],
  )
  await service.plant(
    `insert into handovers (account_id, intent_id, by, at)
     select $1, ${idAt(time, `'i' || n`)}, 'story', to_timestamp(${time} / 1000.0)
       from generate_series(1, $3::int) as n where n % 4 in (1, 3)`,
    [accountId, now, perDay * days],
  )
  await service.plant(
    `insert into shifts (account_id, id, user_id, started_at, latest_end, ended_at)
     select $1, gen_random_uuid(), u, to_timestamp($2::bigint / 1000.0) - n * interval '1 day' - interval '8 hours',
            to_timestamp($2::bigint / 1000.0) - n * interval '1 day' + interval '16 hours', to_timestamp($2::bigint / 1000.0) - n * interval '1 day'
       from generate_series(0, $5::int) as n, unnest(array[$3::uuid, $4::uuid]) as u`,
    [accountId, now, cashier.userId, manager.userId, days],
  )
  await service.plant(
    `insert into payment_links (account_id, id, token_hash, amount, currency, life_s, created_by, created_at)
     select $1, ${idAt(time, `'l' || n`)}, sha256(('link ' || n)::bytea), 1500, 'YER', 3600, 'story', to_timestamp($2::bigint / 1000.0)
       from generate_series(1, 200) as n`,
    [accountId, now],
  )
  await service.plant(
    `insert into checkouts (account_id, id, token_hash, status, amount, currency, created_by, created_at, expires_at, ended_at, search,
                            link_id)
     select $1, ${idAt(time, `'c' || n`)}, sha256(('checkout ' || n)::bytea), 'COMPLETE', 1500, 'YER', 'story',
            to_timestamp(${time} / 1000.0), to_timestamp(${time} / 1000.0), to_timestamp(${time} / 1000.0), '',
            (select k.id from payment_links k where k.account_id = $1 and k.token_hash = sha256(('link ' || (1 + n % 200))::bytea))
       from generate_series(1, $3::int) as n`,
    [accountId, now, perDay * days],
  )
  await service.plant(
    `insert into checkout_intents (account_id, checkout_id, position, intent_id, open)
     select $1, ${idAt(time, `'c' || n`)}, 1, ${idAt(time, `'i' || n`)}, false from generate_series(1, $3::int) as n`,
    [accountId, now, perDay * days],
  )
  await service.plant(
    `insert into link_views (account_id, link_id, at, views)
     select $1, k.id, to_timestamp($2::bigint / 1000.0) - n * interval '6 hours', 2
       from payment_links k, generate_series(1, 4 * $3::int) as n where k.account_id = $1`,
    [accountId, now, days],
  )
}

/** Of a shift of 8 hours 160 messages came; of 14 days 6,720 buyers and 11,200 counts of views. */
const most: Readonly<Record<string, number>> = {
  arrivedSums: perDay * 35,
  takenSums: 20 * 60,
  takenLines: 20 * 60,
  notHandedOver: 160 * 60,
  funnel: 14 * perDay * 8 + 11_200 * 5,
  servicePart: 100,
}

const assertFewReads = async (client: pg.Client): Promise<void> => {
  for (const name of Object.keys(hot)) {
    const { rows, pages, way } = await measure(client, name)
    assert.ok(rows <= most[name]!, `${name}: ${rows} rows of at most ${most[name]}, ${pages} pages: ${way}`)
    assert.doesNotMatch(
      way,
      /Seq Scan (alerts|intents|takings|handovers|checkouts|checkout_intents|link_views)/,
      `${name}: ${way}`,
    )
  }
}

const early = await planAll()
await fill()
const late = await planAll()
service.atEnd(async () => {
  await Promise.all([early.end(), late.end()])
})

test('plans that were made on empty tables read the rows of their time', () => assertFewReads(early))

test('plans that were made on full tables read the rows of their time, before and after they are analysed', async () => {
  await assertFewReads(late)
  await service.plant('analyze')
  await assertFewReads(late)
  const analysed = await planAll()
  await assertFewReads(analysed).finally(() => analysed.end())
})
