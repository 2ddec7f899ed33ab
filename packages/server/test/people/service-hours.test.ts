/** The operator's figures by hour: each message and payment is counted once, and the worst of an hour stays. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showServiceHours } from '@sanad/contract/dashboard/operator/service-hours'
import { Check } from 'typebox/value'
import { countService, sampleService } from '../../src/work/measure-service.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, db, demo } = service
clock.advance(Date.parse('2026-05-04T09:10:00Z') - clock.now())
const members = await createMembers(service)
const shopPhone = phone(service.origin, clock.now, demo.device)
const minute_ms = 60_000

type Hour = { hour: string; messages: number; payments: number; lag_s: number | null; silent_phones: number | null }
const shown = async (): Promise<{ hours: Hour[]; counted_until: string }> => {
  const answer = await members.operator.ask('GET', '/operator/hours/')
  assert.equal(answer.status, 200, answer.text)
  assert.ok(Check(showServiceHours.answer, answer.body), answer.text)
  return answer.body
}
/** As the background loops do, on two nodes at once. */
const measure = async (): Promise<void> => {
  await Promise.all([sampleService(db, clock.now()), sampleService(db, clock.now())])
  while ((await Promise.all([countService(db, clock.now()), countService(db, clock.now())])).includes(true));
}
const report = (reference: string) =>
  shopPhone.alerts([
    {
      client_id: reference,
      kind: 'sms',
      sender: 'Jawali',
      text: purchaseText('1500', reference),
      sim_slot: 'SIM1',
      received_at: Math.floor(clock.now() / 1000),
    },
  ])

test('before anything is measured there are 24 empty hours, for operators only', async () => {
  const { hours } = await shown()
  assert.equal(hours.length, 24)
  assert.deepEqual(
    [hours[0]!.hour.slice(0, 16), hours[23]!.hour.slice(0, 16)],
    ['2026-05-03T13:00', '2026-05-04T12:00'],
  )
  assert.ok(
    hours.every(({ messages, lag_s, silent_phones }) => messages === 0 && lag_s === null && silent_phones === null),
  )
  for (const member of [members.owner, members.manager, members.stranger])
    assert.equal((await member.ask('GET', '/operator/hours/')).status, 403)
})

test('messages and payments are counted once, by two nodes at once, across the end of an hour', async () => {
  const token = await service.tokenFor(demo.client_id, demo.client_secret)
  const made = await service.ask('POST', '/intents/', { token, body: { wallet: demo.wallets.main, amount: '1500' } })
  await service.ask('PATCH', `/intents/${made.body.id}/`, { token, body: { reference: '690000000001' } })
  await report('690000000001')
  await report('690000000002')
  await measure()
  // The five minutes are not over yet.
  assert.equal((await shown()).hours[23]!.messages, 0)
  clock.advance(49 * minute_ms)
  await report('690000000003')
  clock.advance(2 * minute_ms)
  await report('690000000004')
  clock.advance(10 * minute_ms)
  await measure()
  await measure()
  const { hours, counted_until } = await shown()
  assert.deepEqual(
    hours.slice(-2).map(({ messages, payments }) => [messages, payments]),
    [
      [3, 1],
      [1, 0],
    ],
  )
  assert.equal(counted_until.slice(0, 16), '2026-05-04T13:10')
  // The hours before the first measurement are counted from what is stored.
  const stored = await service.sql(`select count(*) from service_hours`)
  assert.equal(Number(stored[0]![0]), 25)
})

test('the most silent phones of an hour stay, and a quiet queue has no lag', async () => {
  const silent = async () => (await shown()).hours[23]!.silent_phones
  const quiet = await silent()
  await service.sql('update devices set last_seen_at = $2, heartbeat_at = $2, heartbeat_s = 60 where id = $1', [
    demo.device.id,
    new Date(clock.now()).toISOString(),
  ])
  clock.advance(4 * minute_ms)
  await measure()
  assert.equal(await silent(), quiet! + 1)
  await service.sql('update devices set last_seen_at = $2, heartbeat_at = $2 where id = $1', [
    demo.device.id,
    new Date(clock.now()).toISOString(),
  ])
  await measure()
  assert.equal(await silent(), quiet! + 1)
  assert.equal((await shown()).hours[23]!.lag_s, 0)
})

test('a service that was stopped for nine days counts the last day only, and old hours are deleted', async () => {
  for (let day = 0; day < 9; day += 3) {
    clock.advance(3 * 24 * 60 * minute_ms)
    await shown()
  }
  await measure()
  const { hours } = await shown()
  assert.ok(hours.slice(0, 23).every(({ lag_s }) => lag_s === null))
  assert.equal(hours[23]!.lag_s, 0)
  assert.equal(Number((await service.sql('select count(*) from service_hours'))[0]![0]), 24)
})
