/** PostgreSQL has no room left: calls that write are refused for a while, calls that read work, and nothing needs a restart. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { ask, clock, demo, origin, sql } = service

/** PostgreSQL reports a full disk with this code; the trigger does it without filling one. */
const fill = async (): Promise<void> => {
  await sql(`create function no_room() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`)
  for (const table of ['intents', 'alerts', 'intent_moves'])
    await sql(`create trigger no_room before insert on ${table} for each statement execute function no_room()`)
}
const free = (): Promise<unknown> => sql('drop function no_room() cascade')

test('with a full disk a call that writes gets 503 with Retry-After and stores nothing; afterwards it is done once', async () => {
  const body = { wallet: demo.wallets.main, amount: '1500.00', external_order_id: 'B-1' }
  const headers = { 'service-idempotency-key': randomUUID() }
  const create = () => ask('POST', '/intents/', { body, headers })
  const reporter = phone(origin, clock.now, demo.device)
  await fill()
  const refused = await create()
  assert.equal(refused.status, 503, refused.text)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  const text = purchaseText('1500', '220700099001', 'علي صالح المثال')
  const received_at = new Date(clock.now()).toISOString()
  const alert = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }
  const report = await reporter.alerts([alert])
  assert.equal(report.status, 503, report.text)
  assert.equal((await ask('GET', '/intents/')).body.count, 0)
  assert.equal((await ask('GET', '/wallets/')).status, 200)
  await free()
  const created = await create()
  assert.equal(created.status, 201, created.text)
  assert.equal((await create()).body.id, created.body.id)
  assert.equal((await ask('GET', '/intents/')).body.count, 1)
  const again = await reporter.alerts([alert])
  assert.deepEqual([again.status, again.body.results[0].status], [200, 'accepted'], again.text)
})
