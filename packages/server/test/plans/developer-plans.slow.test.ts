/**
 * Query plans of the pages for developers, with sixty thousand events, waiting deliveries and calls. Each statement is planned
 * with real values, and reads about as many rows as it shows.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { apiCallsAfter, newestApiCalls } from '../../src/calls/api-calls-sql.ts'
import type { EndpointId, IntentId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { listEndpoints } from '../../src/webhooks/endpoints/endpoint-sql.ts'
import { listDeliveries } from '../../src/webhooks/log/delivery-log-sql.ts'
import { deliveriesOfIntent } from '../../src/webhooks/log/event-delivery-sql.ts'
import { eventsAfter, eventsBefore } from '../../src/webhooks/log/event-feed-sql.ts'
import { morning, openTestService } from '../support/story.ts'
import { accountOfWallet } from '../support/users.ts'
import { tableReads } from './table-reads.ts'

const service = await openTestService()
const { demo } = service
const accountId = await accountOfWallet(service, demo.wallets.main)
const endpointId = randomUUID() as EndpointId
const many = 60_000
const start = new Date(morning).toISOString()
const idOf = `(lpad(to_hex($2::bigint + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid`

await service.plant(
  `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
   values ($1, $2, 'https://shop.example/hook', '{payment.verified}', '', $3)`,
  [accountId, endpointId, start],
)
await service.plant(
  `insert into events (account_id, id, kind, wallet_id, alert_id, body, created_at)
   select $1, ${idOf}, 'payment.verified', $3, gen_random_uuid(), '{"order_id":"A"}', to_timestamp(($2::bigint + n) / 1000.0)
     from generate_series(1, $4::int) n`,
  [accountId, morning, demo.wallets.main, many],
)
// The oldest ten deliveries have failed: a list that begins with the newest reaches them last.
await service.plant(
  `insert into deliveries (id, account_id, event_id, endpoint_id, due_at, created_at, attempt)
   select gen_random_uuid(), account_id, id, $1, created_at, created_at,
          case when row_number() over (order by id) <= 10 then 3 else 0 end
     from events`,
  [endpointId],
)
await service.plant(
  `insert into api_calls (account_id, id, at, client_id, method, path, status, code, took_ms, request_id, request_body, error_body)
   select $1, ${idOf}, to_timestamp(($2::bigint + n) / 1000.0), 'key', 'GET', '/', case when n <= 10 then 404 else 200 end, '', 1,
          n::text, '', ''
     from generate_series(1, $3::int) n`,
  [accountId, morning, many],
)
await service.plant('analyze')

const newest = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const position = { eventId: newest, replay: 2 ** 31 - 1 }
const all = { method: undefined, status: [100, 599] } as const
const cases: Readonly<Record<string, readonly [most: number, ask: (session: never) => Promise<unknown>]>> = {
  'failed deliveries behind many that wait': [
    200,
    (s) => listDeliveries.failed(s, wholeAccount(accountId), endpointId, position, 26),
  ],
  'the newest deliveries': [200, (s) => listDeliveries.all(s, wholeAccount(accountId), endpointId, position, 26)],
  'an endpoint with its counts': [2_200, (s) => listEndpoints(s, wholeAccount(accountId), endpointId, 1_001, morning)],
  'the deliveries of an intent without any': [
    10,
    (s) => deliveriesOfIntent(s, wholeAccount(accountId), null, randomUUID() as IntentId),
  ],
  'the newest calls': [100, (s) => newestApiCalls.all(s, wholeAccount(accountId), newest, all, 51)],
  'failed calls behind many others': [
    100,
    (s) => newestApiCalls.failed(s, wholeAccount(accountId), newest, { ...all, status: [400, 599] }, 51),
  ],
  'calls after the last one': [10, (s) => apiCallsAfter(s, wholeAccount(accountId), newest, all, 100)],
  'events after the last one': [10, (s) => eventsAfter(s, wholeAccount(accountId), newest, 100)],
  'the newest events': [250, (s) => eventsBefore(s, wholeAccount(accountId), newest, 100)],
}

for (const [name, [most, ask]] of Object.entries(cases))
  test(`${name}: reads about as many rows as it shows`, async () => {
    const read = (await tableReads(service.db, ask)).reduce((sum, { rows, filteredOut }) => sum + rows + filteredOut, 0)
    assert.ok(read <= most, `${read} rows are read, at most ${most} may be`)
  })
