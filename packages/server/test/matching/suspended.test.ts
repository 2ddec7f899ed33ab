/**
 * A suspended account: nothing is matched, and no alert is lost. Reports of its phones are stored and held. When the account
 * is active again, they are processed as if they had just arrived.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { rereadForTemplate } from '../../src/matching/reread/reread-templates.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { openTestService } from '../support/story.ts'
import { openStream } from '../support/stream-client.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const worker = await service.startNode()
worker.service.work()
const handset = phone(service.origin, () => service.clock.now(), service.demo.device)

const report = (reference: string, text = purchaseText('1,500.00', reference)) => {
  const received_at = String(Math.floor(service.clock.now() / 1000))
  return handset.alerts([{ client_id: reference, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }])
}
const operate = async (action: 'suspend' | 'resume') => {
  const answer = await members.operator.ask('POST', `/operator/accounts/${members.accountId}/${action}/`)
  assert.equal(answer.status, 200, answer.text)
}
/** The operator must not be a member of the account: suspending it would end the operator's own session. */
await service.sql('delete from members where user_id = $1', [members.operator.userId])

const stateOf = async (reference: string): Promise<string> =>
  (await service.sql('select state from alerts where client_id = $1', [reference]))[0]![0]!
const statusOf = async (id: string): Promise<string> =>
  (await service.sql('select status from intents where id = $1', [id]))[0]![0]!
const intentWith = async (reference: string): Promise<string> => {
  const { id } = (await service.create()).body
  assert.equal((await service.ask('PATCH', `/intents/${id}/`, { body: { reference } })).status, 200)
  return id
}
/** Waits for the condition; it is checked again after each event of the live stream. */
const until = async (fits: () => Promise<boolean>) => {
  const stream = await openStream(service.origin, { cookie: `sanad_session=${members.owner.session.token}` })
  for (let seen = stream.events.length; !(await fits()); seen = stream.events.length)
    await stream.until((events) => events.length > seen)
  stream.hangUp()
}

test('alerts of a suspended account are stored and verify nothing; they count when the account is active again', async () => {
  const id = await intentWith('510000000001')
  await operate('suspend')
  const answer = await report('510000000001')
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(answer.body.results, [{ client_id: '510000000001', status: 'held' }])
  assert.deepEqual([await stateOf('510000000001'), await statusOf(id)], ['held', 'PENDING'])
  await operate('resume')
  service.clock.advance(2_000)
  await until(async () => (await statusOf(id)) === 'VERIFIED')
  assert.equal(await stateOf('510000000001'), 'matched')
})

test('a payment that became too late because of the suspension is unmatched, not lost', async () => {
  const id = await intentWith('510000000002')
  await operate('suspend')
  await report('510000000002')
  service.clock.advance(3_600_001)
  await operate('resume')
  service.clock.advance(2_000)
  await until(async () => (await stateOf('510000000002')) !== 'held')
  assert.equal(await stateOf('510000000002'), 'waiting')
  assert.notEqual(await statusOf(id), 'VERIFIED')
})

test('alerts that are held because the phone was off stay held after the suspension', async () => {
  const switchPhone = (on: boolean) =>
    service.sql('update devices set switched_on = $2 where id = $1', [service.demo.device.id, String(on)])
  await switchPhone(false)
  await report('510000000003')
  await switchPhone(true)
  service.clock.advance(60_000)
  await operate('suspend')
  await report('510000000004')
  await operate('resume')
  service.clock.advance(2_000)
  await until(async () => (await stateOf('510000000004')) !== 'held')
  assert.equal(await stateOf('510000000003'), 'held')
})

test('a template published during the suspension reads nothing until the account is active again', async () => {
  const text = 'قبضت 1,500.00 YER بمرجع 510000000005 والسلام'
  const id = await intentWith('510000000005')
  await report('510000000005', text)
  assert.equal(await stateOf('510000000005'), 'unread')
  await operate('suspend')
  const [[provider]] = (await service.sql('select provider_id from wallets where id = $1', [
    service.demo.wallets.main,
  ])) as [[string]]
  const drafted = await members.operator.ask('POST', '/operator/templates/', {
    body: {
      provider,
      name: 'Another wording',
      sender_names: ['Jawali'],
      direction: 'credit',
      currency: 'YER',
      sentence: 'قبضت {amount:money} YER بمرجع {reference:reference} والسلام',
      samples: [{ text, expect: { amount: '1500.00', currency: 'YER', reference: '510000000005' } }],
      counter_samples: [{ text: 'أرسلت 1,500.00 YER بمرجع 510000000005 والسلام', why: 'money that left' }],
    },
  })
  assert.equal(drafted.status, 201, drafted.text)
  const published = await members.operator.ask('POST', `/operator/templates/${drafted.body.template.id}/publish/`)
  assert.equal(published.status, 200, published.text)
  service.clock.advance(2_000)
  while (
    await rereadForTemplate(
      { db: service.db, zone: zoneOf('Asia/Aden'), hiding: hidingBy(service.masterKey) },
      service.clock.now(),
    )
  );
  assert.deepEqual([await stateOf('510000000005'), await statusOf(id)], ['unread', 'PENDING'])
  await operate('resume')
  service.clock.advance(2_000)
  await until(async () => (await statusOf(id)) === 'VERIFIED')
})
