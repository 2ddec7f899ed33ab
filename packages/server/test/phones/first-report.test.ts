/** The first report of a phone, paired or through an app, switches it ON, and users who wait for it see it at once. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { purchaseText } from '../support/sms-texts.ts'
import { askAt, openTestService } from '../support/story.ts'
import { openStream } from '../support/stream-client.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, demo } = service
const members = await createMembers(service)
const { owner } = members
const second = await service.startNode()

/** Longer than a phone is cached (a second and a half). */
const expireCaches = () => clock.advance(2_000)

const addPhone = async () => {
  const created = await owner.ask('POST', '/phones/', { body: { name: 'Counter phone' } })
  assert.equal(created.status, 201, created.text)
  return { id: created.body.phone.id as string, code: created.body.pairing.code as string }
}
const connectApp = async (id: string, app: string) => {
  const answer = await owner.ask('POST', `/phones/${id}/ingest/`, { body: { app } })
  assert.equal(answer.status, 200, answer.text)
  return answer.body as { url: string; signing_key: string }
}
const switchTo = async (id: string, on: boolean) => {
  const answer = await owner.ask('PATCH', `/phones/${id}/`, { body: { switched_on: on } })
  assert.equal(answer.body.switched_on, on, answer.text)
  expireCaches()
}
const isOn = async (id: string) => (await owner.ask('GET', `/phones/${id}/`)).body.switched_on
const pair = (code: string) =>
  askAt(`${service.origin}/api/v1/device/pair`, 'POST', {
    body: { code, agent: 'sanad-agent', version: '1.0', model: 'A1', android: '14' },
  })
const post = async (url: string, text: string) => {
  const answer = await askAt(url, 'POST', { body: text, headers: { 'content-type': 'text/plain' } })
  assert.equal(answer.status, 200, answer.text)
}
const statesOf = async (id: string) =>
  (await service.sql('select state from alerts where device_id = $1 order by id', [id])).map(([state]) => state)

test('the first report through an app switches its phone ON, and is not held: a payment in it is verified', async () => {
  const { id } = await addPhone()
  const bound = await service.sql(`update wallets set device_id = $2, sim_slot = '' where id = $1 returning id`, [
    demo.wallets.second,
    id,
  ])
  assert.equal(bound.length, 1)
  expireCaches()
  const { url, signing_key } = await connectApp(id, 'sms-to-url')
  const offered = async () => (await service.ask('GET', '/wallets/')).body.map((wallet: { id: string }) => wallet.id)
  assert.ok(!(await offered()).includes(demo.wallets.second))
  const text = purchaseText('1500.00', '660000000001')
  const body = JSON.stringify({ from: 'Jawali', text, receivedStamp: clock.now() })
  const refused = await askAt(url, 'POST', { body, headers: { 'x-signature': '00' } })
  assert.deepEqual([refused.status, await isOn(id)], [401, false])

  const signature = createHmac('sha256', signing_key).update(body).digest('hex')
  assert.equal((await askAt(url, 'POST', { body, headers: { 'x-signature': signature } })).status, 200)
  assert.equal(await isOn(id), true)
  assert.deepEqual(await statesOf(id), ['waiting'])
  expireCaches()
  assert.ok((await offered()).includes(demo.wallets.second))
  const intent = await service.create({ wallet: demo.wallets.second })
  assert.equal(intent.status, 201, intent.text)
  const patched = await service.ask('PATCH', `/intents/${intent.body.id}/`, { body: { reference: '660000000001' } })
  assert.equal(patched.body.status, 'VERIFIED')
})

test('a phone that a user switched OFF stays OFF, whatever it reports first', async () => {
  for (const switches of [[false], [true, false]]) {
    const { id, code } = await addPhone()
    const { url } = await connectApp(id, 'text')
    for (const on of switches) await switchTo(id, on)
    await post(url, `the first message of ${id}`)
    assert.equal(await isOn(id), false, String(switches))
    assert.deepEqual(await statesOf(id), ['held'])
    assert.equal((await pair(code)).status, 200)
    assert.equal(await isOn(id), false, String(switches))
  }
})

test('a phone that is switched OFF after its first report stays OFF; renaming it does not count as switching', async () => {
  const { id, code } = await addPhone()
  const { url } = await connectApp(id, 'text')
  assert.equal((await owner.ask('PATCH', `/phones/${id}/`, { body: { name: 'Till' } })).status, 200)
  await post(url, `the first message of ${id}`)
  assert.equal(await isOn(id), true)
  await switchTo(id, false)
  await post(url, 'the second message')
  await connectApp(id, 'text')
  assert.equal((await pair(code)).status, 200)
  assert.equal(await isOn(id), false)
  assert.equal((await statesOf(id)).at(-1), 'held')
})

test('several first reports at once, on two nodes: the phone is ON and none of them is held', async () => {
  const { id } = await addPhone()
  const { url } = await connectApp(id, 'text')
  const onSecondNode = url.replace(service.origin, second.origin)
  await Promise.all([url, onSecondNode, url, onSecondNode].map((to, n) => post(to, `message ${n}`)))
  assert.equal(await isOn(id), true)
  assert.ok(!(await statesOf(id)).includes('held'))
})

test('the stream reports a pairing at once, on every node, and only to users who may see phones', async () => {
  const { id, code } = await addPhone()
  const listen = (member: typeof owner, origin = service.origin) =>
    openStream(origin, { cookie: `sanad_session=${member.session.token}`, origin })
  const [here, there, cashier] = [
    await listen(owner),
    await listen(members.viewer, second.origin),
    await listen(members.cashier),
  ]
  const stranger = await listen(members.stranger)
  assert.equal((await pair('0000000000')).status, 401)
  assert.equal((await pair(code)).status, 200)
  await Promise.all([here.untilHint('phone', id), there.untilHint('phone', id)])
  assert.equal(here.hints().filter((hint) => hint === `phone ${id}`).length, 1)
  const intent = (await service.create()).body.id
  await cashier.untilHint('intent', intent)
  assert.deepEqual(
    [...cashier.hints(), ...stranger.hints()].filter((hint) => hint.startsWith('phone')),
    [],
  )
  for (const stream of [here, there, cashier, stranger]) stream.hangUp()
})

test('the stream reports the first report through an app, even an empty one, and a phone that is back', async () => {
  const { id } = await addPhone()
  const { url } = await connectApp(id, 'text')
  const here = await openStream(service.origin, {
    cookie: `sanad_session=${owner.session.token}`,
    origin: service.origin,
  })
  await post(url, '')
  await here.untilHint('phone', id)
  assert.equal(await isOn(id), true)
  clock.advance(200_000)
  const quiet = (await owner.ask('GET', `/phones/${id}/`)).body
  assert.deepEqual([quiet.state, quiet.silent_s, quiet.silence.reason], ['healthy', 200, 'learning'])
  here.events.length = 0
  await post(url, '')
  await here.untilHint('phone', id)
  assert.equal((await owner.ask('GET', `/phones/${id}/`)).body.state, 'healthy')
  // While the phone reports, an alert causes a hint for the alert only.
  expireCaches()
  here.events.length = 0
  await post(url, 'another message')
  await here.until((events) => events.some(({ data }) => data.includes('"alert"')))
  assert.ok(!here.hints().includes(`phone ${id}`))
  here.hangUp()
})
