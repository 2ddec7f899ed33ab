/**
 * Ends are stored only if the database's clock has passed them too. The connections of these tests use the database's clock, as
 * outside of tests; the time that a node passes is chosen by each test.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { storeCheckoutEnd } from '../../src/checkouts/checkout-sql.ts'
import { endCheckout, endDueCheckouts } from '../../src/checkouts/end-checkouts.ts'
import { systemClock } from '../../src/core/clock.ts'
import { hour_ms } from '../../src/core/duration.ts'
import type { AccountId, CheckoutId, IntentId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { expireOneIntent } from '../../src/intents/expire-one-sql.ts'
import { expireHolder } from '../../src/intents/reference-sql.ts'
import { anyOpen } from '../../src/intents/totals/tally-sql.ts'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { askAt, openTestService } from '../support/story.ts'
import { useDatabaseClock } from '../support/test-databases.ts'
import { accountOfWallet } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { sql, demo, origin } = service
const zone = zoneOf('Asia/Aden')
const now = systemClock.now()
service.clock.set(now)
// The token of the service's start has ended by now.
const token = await service.tokenFor(demo.client_id, demo.client_secret)
const accountId: AccountId = await accountOfWallet(service, demo.wallets.main)

await useDatabaseClock(service.database)
const db = openDatabase({ url: service.databaseUrl, connections: 2, application: 'test', onFault: () => {} })
service.atEnd(() => db.close())

const ask = async (method: string, path: string, body: unknown) => {
  const answer = await askAt(`${origin}/api/v1${path}`, method, { token, body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}
const newIntent = async (): Promise<IntentId> =>
  (await ask('POST', '/merchant/intents/', { wallet: demo.wallets.main, amount: '1500.00' })).id
const newCheckout = async (): Promise<CheckoutId> =>
  (await ask('POST', '/checkout/sessions/', { amount: '1500.00' })).id
const statusOf = async (id: string): Promise<string> =>
  (await sql('select status from intents where id = $1', [id]))[0]![0] as string
const close = (id: string) =>
  sql(`update intents set expires_at = clock_timestamp() - interval '1 millisecond' where id = $1`, [id])
const entryId = (): string => randomUUID()

test('89: a node two hours ahead ends no intent whose window is open by the database', async () => {
  const id = await newIntent()
  assert.equal(await expireIntents(db, 500, now + 2 * hour_ms, zone), 0)
  assert.deepEqual(await expireOneIntent(db, { accountId, id, entryId: entryId() }, now + 2 * hour_ms), [])
  assert.equal(await statusOf(id), 'PENDING')
})

test('89: a node two hours behind ends no intent, although the database has passed its window', async () => {
  const id = await newIntent()
  await close(id)
  assert.equal(await expireIntents(db, 500, now - 2 * hour_ms, zone), 0)
  assert.deepEqual(await expireOneIntent(db, { accountId, id, entryId: entryId() }, now - 2 * hour_ms), [])
  assert.equal(await statusOf(id), 'PENDING')
  // Both clocks have passed it.
  assert.equal(await expireIntents(db, 500, now + 2 * hour_ms, zone), 1)
  assert.equal(await statusOf(id), 'EXPIRED')
})

test('89: one intent that is closed by both clocks is ended at once by expireOneIntent', async () => {
  const id = await newIntent()
  await close(id)
  assert.equal((await expireOneIntent(db, { accountId, id, entryId: entryId() }, systemClock.now())).length, 1)
  assert.equal(await statusOf(id), 'EXPIRED')
})

test('89: a reference stays with its intent while the database says that its window is open', async () => {
  const [holder, second] = [await newIntent(), await newIntent()]
  const reference = '81234567'
  await ask('PATCH', `/merchant/intents/${holder}/`, { reference })
  const [key] = await sql('select reference_key from intents where id = $1', [holder])
  const asked = { accountId, intentId: second, referenceKey: key![0] as string, entryId: entryId() }
  const [ahead] = await expireHolder(db, asked, now + 2 * hour_ms)
  assert.deepEqual(ahead, { held: true, ended_id: null, subscribed: false })
  assert.equal(await statusOf(holder), 'PENDING')
  await close(holder)
  const [behind] = await expireHolder(db, { ...asked, entryId: entryId() }, now - 2 * hour_ms)
  assert.equal(behind!.held, true)
  const [both] = await expireHolder(db, { ...asked, entryId: entryId() }, systemClock.now() + 1_000)
  assert.deepEqual(both, { held: false, ended_id: holder, subscribed: false })
})

test('89: a checkout is not ended before the database’s clock has passed its end', async () => {
  const id = await newCheckout()
  const [row] = await sql('select extract(epoch from expires_at) * 1000 from checkouts where id = $1', [id])
  const end = Number(row![0])
  assert.equal(await endDueCheckouts(db, zone, 500, end + hour_ms, () => {}), 0)
  assert.equal(await endCheckout(db, zone, wholeAccount(accountId), id, end + hour_ms), false)
  assert.deepEqual(await storeCheckoutEnd(db, wholeAccount(accountId), id, 'EXPIRED', end), [])
  assert.equal((await sql('select status from checkouts where id = $1', [id]))[0]![0], 'OPEN')
  assert.equal((await sql('select count(*) from events where kind = $1', ['checkout.expired']))[0]![0], '0')
  await sql(`update checkouts set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [id])
  assert.equal(await endDueCheckouts(db, zone, 500, systemClock.now(), () => {}), 1)
  assert.equal((await sql('select status from checkouts where id = $1', [id]))[0]![0], 'EXPIRED')
})

test('89: a checkout is cancelled whatever the clocks say', async () => {
  const id = await newCheckout()
  assert.equal((await storeCheckoutEnd(db, wholeAccount(accountId), id, 'CANCELLED', now + 2 * hour_ms)).length, 1)
})

test('89: the statements of an earlier version change no row that is not due', async () => {
  const [open, due] = [await newIntent(), await newIntent()]
  const checkout = await newCheckout()
  await close(due)
  const late = new Date(now + 2 * hour_ms).toISOString()
  const expired = await db.run({
    text: `update intents set status = 'EXPIRED' where status = 'PENDING' and expires_at <= $1 returning id`,
    values: [late],
  })
  assert.deepEqual(expired, [[due]])
  assert.equal(await statusOf(open), 'PENDING')
  const ended = await db.run({
    text: `update checkouts set status = 'EXPIRED', ended_at = $2 where id = $1 returning id`,
    values: [checkout, late],
  })
  assert.deepEqual(ended, [])
  // Other ends are not about time.
  const cancelled = await db.run({
    text: `update intents set status = 'CANCELLED' where id = $1 returning id`,
    values: [open],
  })
  assert.equal(cancelled.length, 1)
})

test('89: hours with an intent that is open by the database are not tallied by a node that is ahead', async () => {
  await newIntent()
  const [row] = await anyOpen(db, now - hour_ms, now + hour_ms, now + 2 * hour_ms)
  assert.equal(row!.open, true)
})
