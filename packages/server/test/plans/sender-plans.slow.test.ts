/**
 * Query plans of the webhook sender, which are made once and kept. Its queue is empty and vacuumed most of the day. A plan
 * that was made on an empty queue must still use its index when thousands of deliveries wait.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { AccountId, AlertId, DeliveryId, EndpointId, EventId, WalletId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import type { Session } from '../../src/postgres/connection/database.ts'
import { newDeliveryId } from '../../src/webhooks/delivery-id.ts'
import { insertEvents } from '../../src/webhooks/event-sql.ts'
import { findDelivery } from '../../src/webhooks/log/delivery-log-sql.ts'
import { eventOfDelivery } from '../../src/webhooks/log/redeliver-sql.ts'
import {
  claimDeliveries,
  dueEndpoints,
  endDisabledDeliveries,
  finishSuccessful,
  finishWithHealth,
  reapLeases,
} from '../../src/webhooks/sending/delivery-sql.ts'
import { openTestService } from '../support/story.ts'
import { preparedPlans } from './prepared-plans.ts'

const service = await openTestService()
const { sql, demo, clock } = service
const now = clock.now()
const iso = (at: number): string => new Date(at).toISOString()
const accountId = (await sql('select account_id from devices where id = $1', [demo.device.id]))[0]![0] as AccountId
const walletId = demo.wallets.main as WalletId
const many = 4_000

await sql('alter table deliveries set (autovacuum_enabled = off)')
const [busy, following, off] = [randomUUID(), randomUUID(), randomUUID()] as [EndpointId, EndpointId, EndpointId]
for (const [id, enabled] of [
  [busy, true],
  [following, true],
  [off, false],
])
  await sql(
    `insert into webhook_endpoints (account_id, id, url, kinds, enabled, secret_sealed, created_at)
     values ($1, $2, 'https://shop.example/', array['payment.verified', 'payment.received'], $3, '\\x00', $4)`,
    [accountId, id, enabled, iso(now)],
  )
const [ours, died] = [randomUUID(), randomUUID()]
/** Two deliveries that a worker has claimed, with their row locations. */
let leased: { id: DeliveryId; place: string }[] = []
/** A delivery in the middle of the waiting ones. */
let waiting = randomUUID() as DeliveryId

const fill = async (): Promise<void> => {
  for (const [kind, endpoint] of [
    ['1', busy],
    ['2', following],
    ['3', off],
  ]) {
    const idOf = (n: string) =>
      `('0190000${kind}-' || lpad(to_hex(${n}), 4, '0') || '-7000-8000-' || lpad((${n})::text, 12, '0'))::uuid`
    const id = idOf('n')
    await sql(
      `insert into events (account_id, id, kind, wallet_id, alert_id, body, created_at)
       select $1, ${id}, 'payment.received', $2, ${id}, '{}', $3 from generate_series(1, ${many}) as n`,
      [accountId, walletId, iso(now)],
    )
    // In the second kind, every second delivery follows the one before it.
    await sql(
      `insert into deliveries (id, account_id, event_id, endpoint_id, due_at, created_at, follows)
       select ${newDeliveryId(id)}, $1, ${id}, $2, $3::timestamptz + n * interval '1 ms', $3::timestamptz + n * interval '1 ms',
              case when '${kind}' = '2' and n % 2 = 0 then ${idOf('n - 1')} end
         from generate_series(1, ${many}) as n`,
      [accountId, endpoint, iso(now)],
    )
  }
  await sql(
    `update deliveries set lease_id = $1, lease_until = $2, attempt = 1
      where id in (select id from deliveries where endpoint_id = $3 order by due_at offset 100 limit 2)`,
    [ours, iso(now + 60_000), busy],
  )
  await sql(
    `update deliveries set lease_id = $1, lease_until = $2, attempt = 1
      where id in (select id from deliveries where endpoint_id = $3 order by due_at offset 200 limit 2)`,
    [died, iso(now - 1), busy],
  )
  const rows = await sql('select id, ctid::text from deliveries where lease_id = $1', [ours])
  leased = rows.map(([id, place]) => ({ id: id as DeliveryId, place: place! }))
  const [middle] = await sql('select id from deliveries where endpoint_id = $1 order by due_at offset 2000 limit 1', [
    busy,
  ])
  waiting = middle![0] as DeliveryId
}

const later = now + 3_600_000
const claim = (id: EndpointId, firstOnly: boolean) => (session: Session) =>
  claimDeliveries(session, {
    lease: { id: ours, until: later + 30_000 },
    now: later,
    shares: [{ id, most: 4, underWay: 0 }],
    callLimit: 8,
    firstOnly,
  })
const finished = (ending: 'delivered' | 'exhausted' | null) =>
  leased.map(({ id, place }) => ({
    id,
    endpointId: busy,
    place,
    leaseId: ours,
    at: now,
    nextAt: ending === null ? later : null,
    ending,
    outcome: 'ok',
    status: 200,
    error: '',
    request: '{}',
    response: '{}',
    took: '{}',
  }))
const { planAll, measure } = preparedPlans(service.databaseUrl, {
  dueEndpoints: (session) => dueEndpoints(session, '00000000-0000-0000-0000-000000000000', later, 8, 1_000),
  claim: claim(busy, false),
  claimFirst: claim(busy, true),
  claimFollowing: claim(following, false),
  arrived: (session) => finishSuccessful(session, finished('delivered'), now),
  again: (session) => finishWithHealth(session, finished(null)),
  ended: (session) => finishWithHealth(session, finished('exhausted')),
  reapLeases: (session) => reapLeases(session, now, 100, 14),
  endDisabledDeliveries: (session) => endDisabledDeliveries(session, now, 10),
  findDelivery: (session) => findDelivery(session, wholeAccount(accountId), busy, waiting),
  eventOfDelivery: (session) => eventOfDelivery(session, wholeAccount(accountId), busy, waiting, now),
  insertEvents: (session) =>
    insertEvents(session, [
      {
        accountId,
        id: randomUUID() as EventId,
        kind: 'payment.verified',
        walletId,
        intentId: null,
        alertId: '01900001-04d2-7000-8000-000000001234' as AlertId,
        body: '{}',
        createdAt: now,
      },
    ]),
})
type Planned = Awaited<ReturnType<typeof planAll>>
/** The most rows that a statement may read: a few at each node of its plan. */
const mostRows = 120
const assertFewReads = async (client: Planned, names: readonly string[]): Promise<void> => {
  const tooManyReads: string[] = []
  for (const name of names) {
    const { rows, way } = await measure(client, name)
    if (rows > mostRows) tooManyReads.push(`${name} reads ${rows} rows: ${way}`)
  }
  assert.deepEqual(tooManyReads, [])
}
const statements = [
  'dueEndpoints',
  'claim',
  'claimFirst',
  'claimFollowing',
  'arrived',
  'again',
  'ended',
  'reapLeases',
  'endDisabledDeliveries',
  'insertEvents',
  'findDelivery',
  'eventOfDelivery',
]

await sql('vacuum analyze deliveries')
await sql('vacuum analyze events')
const cleaned = await planAll()
await fill()
const late = await planAll()
service.atEnd(async () => {
  await Promise.all([cleaned.end(), late.end()])
})

test('plans that were made on an empty, vacuumed queue use their index when thousands of deliveries wait', () =>
  assertFewReads(cleaned, statements))

test('plans that were made while thousands waited use their index, before and after the queue is analysed', async () => {
  await assertFewReads(late, statements)
  await sql('vacuum analyze deliveries')
  await assertFewReads(late, statements)
})

test('the result of a claimed delivery is recorded by its row location', async () => {
  const ownDeliveries = () => sql('select id from deliveries where lease_id = $1', [ours])
  const attempts = () => sql('select count(*) from delivery_attempts')
  // The endpoint has no known success yet: its health must be recorded in a transaction instead.
  assert.deepEqual(await finishSuccessful(service.db, finished('delivered'), now), [{ endpoint_id: busy }])
  assert.deepEqual([(await ownDeliveries()).length, await attempts()], [2, [['0']]])
  await sql('update webhook_endpoints set last_success_at = $1', [iso(now)])
  assert.deepEqual(await finishSuccessful(service.db, finished('delivered'), now), [])
  assert.deepEqual([await ownDeliveries(), await attempts()], [[], [['2']]])
  // A delivery with the lease of another worker is not changed.
  const [row] = await sql('select id, ctid::text from deliveries where lease_id = $1', [died])
  leased = [{ id: row![0] as DeliveryId, place: row![1]! }]
  assert.deepEqual(await finishSuccessful(service.db, finished('delivered'), now), [])
  assert.deepEqual(
    [(await sql('select 1 from deliveries where lease_id = $1', [died])).length, await attempts()],
    [2, [['2']]],
  )
})
