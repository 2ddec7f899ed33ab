/**
 * The heartbeat of Incoming SMS to URL Forwarder: an empty, unsigned call to an address of its own. It finds a dead phone within minutes,
 * and proves nothing else.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAt, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService()
const { clock, origin, sql } = service
const { owner, manager } = await createMembers(service)

const newPhone = async (app: string, body: Record<string, unknown> = {}) => {
  const created = await owner.ask('POST', '/phones/', { body: { name: `${app} phone ${clock.now()}` } })
  const id = created.body.phone.id as string
  const access = await owner.ask('POST', `/phones/${id}/ingest/`, { body: { app, ...body } })
  assert.equal(access.status, 200, access.text)
  const settings = access.body.settings as { label: string; value: string }[]
  const heartbeat = settings.find(({ label }) => label === 'Heartbeat URL')?.value
  return { id, url: access.body.url as string, heartbeat }
}
const beat = (url: string, body: string | undefined = undefined) =>
  askAt(url, 'POST', { ...(body === undefined ? {} : { body }), headers: { 'content-type': 'text/plain' } })
const shown = async (id: string) => (await manager.ask('GET', `/phones/${id}/`)).body
const alertCount = async (): Promise<unknown> => (await sql('select count(*)::int from alerts'))[0]![0]

test('two heartbeats give the period, and after three missing ones the phone is silent', async () => {
  const { id, heartbeat } = await newPhone('sms-to-url')
  assert.match(heartbeat!, new RegExp(`^${origin}/heartbeat/[A-Za-z0-9_-]{65}$`))
  assert.equal((await beat(heartbeat!)).status, 200)
  assert.equal((await shown(id)).state, 'off', 'a heartbeat does not connect the phone')
  await sql('update devices set switched_on = true where id = $1', [id])
  clock.advance(300_000)
  for (let n = 0; n < 3; n++) {
    assert.equal((await beat(heartbeat!)).status, 200)
    clock.advance(300_000)
  }
  const state = async () => (await sql('select heartbeat_s from devices where id = $1', [id]))[0]![0]
  assert.equal(Number(await state()), 300)
  assert.equal((await shown(id)).state, 'healthy')
  clock.advance(11 * 60_000)
  assert.equal((await shown(id)).state, 'silent')
  await beat(heartbeat!)
  assert.equal((await shown(id)).state, 'healthy')
})

test('a heartbeat is no message, whatever it carries, and needs no signature; messages still need theirs', async () => {
  const before = await alertCount()
  const { id, url, heartbeat } = await newPhone('sms-to-url')
  const money = JSON.stringify({ from: 'Jawali', text: 'تم استلام مبلغ 1500 من علي رقم العملية 123456789012' })
  for (const body of ['', money, 'x'.repeat(10_000)]) assert.equal((await beat(heartbeat!, body)).status, 200)
  assert.equal(await alertCount(), before)
  const phone = await shown(id)
  assert.equal(phone.last_alert_at, null)
  assert.equal((await askAt(url, 'POST', { body: JSON.parse(money) })).status, 401, 'an unsigned message is refused')
  assert.equal(await alertCount(), before)
  for (const method of ['GET', 'PUT', 'DELETE']) assert.equal((await askAt(heartbeat!, method, {})).status, 405)
})

test('the address ends with the access of the phone, and belongs to this app alone', async () => {
  const one = await newPhone('sms-to-url')
  const two = await newPhone('sms-to-url')
  const token = one.heartbeat!.split('/').at(-1)!
  const ingest = one.url.split('/').at(-1)!
  const mixed = two.heartbeat!.split('/').at(-1)!.slice(0, 22) + token.slice(22)
  const changed = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  for (const wrong of [mixed, changed.replace(/.{2}$/, 'zz'), ingest, 'x', `${token}x`, '%00', 'A'.repeat(65)])
    assert.equal((await beat(`${origin}/heartbeat/${wrong}`)).status, 401, wrong)
  // The token of the heartbeat opens no other address.
  assert.equal((await askAt(`${origin}/ingest/sms-to-url/${token}`, 'POST', { body: { text: 'x' } })).status, 401)
  const again = await owner.ask('POST', `/phones/${one.id}/ingest/`, { body: { app: 'sms-to-url' } })
  assert.equal(again.status, 200)
  clock.advance(2_000)
  assert.equal((await beat(one.heartbeat!)).status, 401, 'the access was created again')
  assert.equal((await newPhone('smsgate')).heartbeat, undefined)
  await owner.ask('POST', `/phones/${two.id}/ingest/`, { body: { app: 'smsgate' } })
  clock.advance(2_000)
  assert.equal((await beat(two.heartbeat!)).status, 401)
})

test('heartbeats are bounded: a flood is refused and stores at most one in ten seconds', async () => {
  const { id, heartbeat } = await newPhone('sms-to-url')
  const statuses = new Set<number>()
  for (let n = 0; n < 650; n++) statuses.add((await beat(heartbeat!)).status)
  assert.deepEqual([...statuses].sort(), [200, 429])
  const seen = async () => String((await sql('select heartbeat_at from devices where id = $1', [id]))[0]![0])
  const first = await seen()
  clock.advance(9_000)
  await beat(heartbeat!)
  assert.equal(await seen(), first)
  clock.advance(60_000)
  await beat(heartbeat!)
  assert.notEqual(await seen(), first)
})
