/** Which notifications are sent, to whom, and what is in them: decrypted by a browser of the tests' own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms } from '../../src/core/duration.ts'
import { createMember } from '../support/users.ts'
import { signedBy } from './push-service.ts'
import { pushStory } from './push-story.ts'

const story = await pushStory()
const { clock, node, sql, subscribe, walkIn, create, ask } = story

const only = (kinds: readonly string[], more: object = {}) => ({ body: { kinds, ...more } })
const groupsOf = (messages: readonly { groups: readonly { kind: string; count: number; sums: unknown }[] }[]) =>
  messages.map(({ groups }) => groups.map(({ kind, count, sums }) => [kind, count, sums]))
const yer = (amount: string) => [{ currency: 'YER', amount }]

test('money arrives: the browser decrypts counts and sums, signed by the service and encrypted as the standard says', async () => {
  const member = await story.newMember('owner')
  await member.ask('PATCH', '/notifications/', only(['money']))
  const device = await subscribe(member)
  await walkIn('1500.00')
  await node.run()
  assert.deepEqual(groupsOf(device.messages()), [[['money', 1, yer('1500.00')]]])
  const [request] = device.requests()
  assert.equal(request!.headers['content-encoding'], 'aes128gcm')
  assert.equal(request!.headers.ttl, '14400')
  const shown = (await member.ask('GET', '/notifications/')).body
  const signed = signedBy(request!, shown.public_key)
  assert.equal(signed.aud, story.push.origin)
  assert.equal(signed.sub, 'mailto:push@sanad.example')
  const life_s = signed.exp - clock.now() / 1000
  assert.ok(life_s > 0 && life_s <= 86_400)
  assert.notEqual(shown.devices[0].last_sent_at, null)
})

test('a payload has nothing of the payer, the reference, the order, the wallet or the text', async () => {
  const member = await story.newMember('owner')
  const device = await subscribe(member)
  const reference = await walkIn('2750.00', 'فاطمة علي المثال')
  await node.run()
  const [message] = device.messages()
  assert.deepEqual(Object.keys(message!).sort(), ['groups', 'id', 'v'])
  for (const group of message!.groups) assert.deepEqual(Object.keys(group).sort(), ['count', 'kind', 'sums'])
  const text = JSON.stringify(message)
  for (const secret of ['فاطمة', reference, reference.slice(-4), 'Jawali', story.demo.wallets.main, story.accountId])
    assert.ok(!text.includes(secret), secret)
  for (const { headers, body, path } of device.requests()) {
    const sent = JSON.stringify(headers) + body.toString('latin1') + path
    assert.ok(!sent.includes('2750') && !sent.includes('money'), 'the push service reads no amount and no kind')
  }
})

test('a burst becomes one message with its sum, and what comes soon after it becomes the next', async () => {
  const member = await story.newMember('owner')
  await member.ask('PATCH', '/notifications/', only(['money']))
  const device = await subscribe(member)
  for (const amount of ['1000.00', '2000.00', '3000.00', '4000.00', '2300.00']) await walkIn(amount)
  await node.run()
  assert.deepEqual(groupsOf(device.messages()), [[['money', 5, yer('12300.00')]]])
  await walkIn('100.00')
  await walkIn('200.00')
  await node.run()
  assert.equal(device.messages().length, 1, 'the shortest time between two messages')
  clock.advance(20_000)
  await node.run()
  assert.deepEqual(groupsOf(device.messages()).slice(1), [[['money', 2, yer('300.00')]]])
  clock.advance(60_000)
  await node.run()
  assert.equal(device.messages().length, 2, 'each payment once')
})

test('unmatched money and a wrong amount are told as such; money for an order is not unmatched', async () => {
  const member = await story.newMember('cashier')
  await member.ask('PATCH', '/notifications/', only(['unmatched', 'wrong_amount']))
  const device = await subscribe(member)
  const paid = (await create({ external_order_id: 'B-7' })).body
  const wrong = (await create({ external_order_id: 'B-8' })).body
  const [first, second] = [await walkIn('1500.00'), await walkIn('1400.00')]
  await ask('PATCH', `/intents/${paid.id}/`, { body: { reference: first } })
  await ask('PATCH', `/intents/${wrong.id}/`, { body: { reference: second } })
  await node.run()
  assert.deepEqual(groupsOf(device.messages()), [[['wrong_amount', 1, yer('1400.00')]]])
  clock.advance(day_ms / 24 + 60_000)
  await walkIn('900.00')
  await node.run()
  assert.deepEqual(groupsOf(device.messages()).slice(1), [[['unmatched', 1, yer('900.00')]]])
})

test('money in the test wallet is not told', async () => {
  const member = await story.newMember('owner')
  const device = await subscribe(member)
  const paid = await member.ask('POST', '/test-payment/', {
    body: { wallet: story.demo.wallets.test, amount: '100.00', reference: 'TEST-0001' },
  })
  assert.ok(paid.status < 300, paid.text)
  await node.run()
  assert.deepEqual(device.messages(), [])
})

test('a silent phone is told once, and not while the service could not hear phones itself', async () => {
  const member = await story.newMember('manager')
  await member.ask('PATCH', '/notifications/', only(['phone_silent']))
  const device = await subscribe(member)
  const steady = story.newNode()
  const runFor = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) {
      clock.advance(60_000)
      await steady.collect()
      while (await steady.send());
    }
  }
  await story.handset.heartbeat()
  await runFor(2)
  assert.deepEqual(device.messages(), [])
  await runFor(5)
  assert.deepEqual(groupsOf(device.messages()), [[['phone_silent', 1, []]]])
  await runFor(5)
  assert.equal(device.messages().length, 1, 'one silence is told once')
  await story.handset.heartbeat()
  await runFor(1)
  // The service was stopped for an hour: the phone could not be heard.
  clock.advance(3_600_000)
  await steady.collect()
  await story.handset.heartbeat()
  await runFor(2)
  assert.equal(device.messages().length, 1)
  await runFor(6)
  assert.equal(device.messages().length, 2, 'the next silence')
})

test('a phone of an account that is used in another cell is not told as silent: it reports there', async () => {
  const member = await story.newMember('manager')
  await member.ask('PATCH', '/notifications/', only(['phone_silent']))
  const device = await subscribe(member)
  const steady = story.newNode()
  await story.handset.heartbeat()
  await sql(`insert into account_freezes (account_id, state, began_at) values ($1, 'frozen', now())`, [story.accountId])
  for (let minute = 0; minute < 10; minute++) {
    clock.advance(60_000)
    await steady.collect()
    while (await steady.send());
  }
  assert.deepEqual(device.messages(), [])
  await sql('delete from account_freezes')
  await story.handset.heartbeat()
})

test('an endpoint that fails is told once after ten minutes, and again when it is disabled', async () => {
  const member = await story.newMember('viewer')
  await member.ask('PATCH', '/notifications/', only(['endpoint_failing']))
  const device = await subscribe(member)
  const created = await story.owner.ask('POST', '/webhooks/', { body: { url: `${story.push.origin}/shop` } })
  const { id } = created.body.webhook
  const failing = (failures: number) =>
    sql('update webhook_endpoints set failing_since = $2, failures = $3 where id = $1', [
      id,
      new Date(clock.now()).toISOString(),
      failures,
    ])
  await failing(5)
  await node.run()
  assert.deepEqual(device.messages(), [])
  clock.advance(600_000)
  await node.run()
  await node.run()
  assert.deepEqual(groupsOf(device.messages()), [[['endpoint_failing', 1, []]]])
  const at = new Date(clock.now()).toISOString()
  await sql(`update webhook_endpoints set enabled = false, disabled_why = 'gone', disabled_at = $2 where id = $1`, [
    id,
    at,
  ])
  clock.advance(60_000)
  await node.run()
  assert.equal(device.messages().length, 2)
  clock.advance(60_000)
  await node.run()
  assert.equal(device.messages().length, 2)
})

test('a cashier hears of money and of their own requests, and of no phone and no endpoint, whatever they chose', async () => {
  const member = await story.newMember('cashier')
  const shown = (await member.ask('GET', '/notifications/')).body
  assert.deepEqual(shown.possible_kinds, ['money', 'unmatched', 'wrong_amount', 'request_decided'])
  assert.deepEqual(shown.kinds, shown.possible_kinds)
  const device = await subscribe(member)
  const at = new Date(clock.now()).toISOString()
  await sql('update webhook_endpoints set enabled = true, failing_since = $1, failures = 9 where account_id = $2', [
    at,
    story.accountId,
  ])
  clock.advance(600_000)
  await node.run()
  assert.deepEqual(device.messages(), [])
})

test('a member with the counter screen open is not notified of money, on no device; of wrong amounts they are', async () => {
  const member = await story.newMember('owner')
  await member.ask('PATCH', '/notifications/', only(['money', 'wrong_amount']))
  const [device, other] = [await subscribe(member), await subscribe(member)]
  assert.equal((await member.ask('POST', '/notifications/counter/', { body: { open: true } })).status, 204)
  await walkIn('500.00')
  const wrong = (await create({ external_order_id: 'B-9' })).body
  await ask('PATCH', `/intents/${wrong.id}/`, { body: { reference: await walkIn('1400.00') } })
  await node.run()
  for (const one of [device, other]) assert.deepEqual(groupsOf(one.messages()), [[['wrong_amount', 1, yer('1400.00')]]])
  clock.advance(76_000)
  await walkIn('600.00')
  await node.run()
  assert.deepEqual(
    groupsOf(device.messages()).slice(1),
    [[['money', 1, yer('600.00')]]],
    'the screen told nothing for 75 s',
  )
  await member.ask('POST', '/notifications/counter/', { body: { open: true } })
  await member.ask('POST', '/notifications/counter/', { body: { open: false } })
  clock.advance(20_000)
  await walkIn('700.00')
  await node.run()
  assert.deepEqual(groupsOf(device.messages()).slice(2), [[['money', 1, yer('700.00')]]], 'the screen was closed')
})

test('in quiet hours nothing is sent; at their end one message tells what happened', async () => {
  // 23:00 in Aden is 20:00 in UTC.
  clock.set(Date.parse('2026-03-10T20:30:00Z'))
  const late = await story.newMember('owner')
  await late.ask('PATCH', '/notifications/', only(['money'], { quiet_from: '23:00', quiet_until: '06:30' }))
  const device = await subscribe(late)
  await walkIn('100.00')
  await node.run()
  clock.advance(3_600_000)
  await walkIn('200.00')
  await node.run()
  assert.deepEqual(device.messages(), [])
  assert.equal((await late.ask('POST', `/notifications/devices/${device.id}/test/`)).status, 202)
  await node.run()
  assert.deepEqual(groupsOf(device.messages()), [[['test', 1, []]]], 'a test comes at once')
  clock.set(Date.parse('2026-03-11T03:29:50Z'))
  await node.send()
  assert.equal(device.messages().length, 1)
  clock.set(Date.parse('2026-03-11T03:30:01Z'))
  await node.send()
  assert.deepEqual(groupsOf(device.messages()).slice(1), [[['money', 2, yer('300.00')]]])
})

test('what has waited for more than twelve hours is dropped', async () => {
  clock.set(Date.parse('2026-03-20T06:00:00Z'))
  const late = await story.newMember('owner')
  await late.ask('PATCH', '/notifications/', only(['money'], { quiet_from: '08:00', quiet_until: '23:30' }))
  const device = await subscribe(late)
  await walkIn('100.00')
  await node.run()
  clock.set(Date.parse('2026-03-20T20:31:00Z'))
  while (await node.send());
  assert.deepEqual(device.messages(), [])
  assert.deepEqual(await sql('select count(*)::text from push_pending where device_id = $1', [device.id]), [['0']])
})

test('a device hears nothing of what happened before it subscribed, and nothing of another account', async () => {
  clock.set(Date.parse('2026-03-25T06:00:00Z'))
  const member = await story.newMember('owner')
  await walkIn('100.00')
  clock.advance(1_000)
  const device = await subscribe(member)
  const stranger = story.push.newSubscription()
  const away = await createMember(story, story.otherId, 'owner')
  assert.equal((await away.ask('POST', '/notifications/devices/', { body: stranger.body })).status, 201)
  await node.run()
  assert.deepEqual(device.messages(), [])
  await walkIn('200.00')
  clock.advance(1_000)
  await node.run()
  assert.equal(device.messages().length, 1)
  assert.deepEqual(stranger.messages(), [])
  assert.deepEqual(story.faults, [])
})
