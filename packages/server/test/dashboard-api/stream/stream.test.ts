/** The live stream: which users get which events, on every node, what happens after a disconnect, and when it ends. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openSession } from '../../../src/accounts/sessions/sign-in.ts'
import { type EventId, timeOrderedId } from '../../../src/core/ids.ts'
import type { Db, Pool } from '../../../src/postgres/connection/database.ts'
import { openNotifier } from '../../../src/postgres/notify/notifier.ts'
import { insertEvents } from '../../../src/webhooks/event-sql.ts'
import { phone } from '../../support/phone.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { askAt, openTestService } from '../../support/story.ts'
import { openStream, type StreamClient } from '../../support/stream-client.ts'
import { createMember, createMembers, dashboardAt, type TestMember } from '../../support/users.ts'

/** If set, nodes that are started from now on use this database connection instead of their own. */
const injected: { db?: Pool } = {}
const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }, injected)
const members = await createMembers(service)
const second = await service.startNode()
const handset = phone(service.origin, () => service.clock.now(), service.demo.device)

const open: StreamClient[] = []
const listen = async (member: TestMember, more: { at?: string; last?: string } = {}): Promise<StreamClient> => {
  const headers = {
    cookie: `sanad_session=${member.session.token}`,
    ...(more.last === undefined ? {} : { 'last-event-id': more.last }),
  }
  const listener = await openStream(more.at ?? service.origin, headers)
  open.push(listener)
  return listener
}
service.atEnd(async () => {
  for (const stream of open) stream.hangUp()
})

const newIntent = async (origin = service.origin): Promise<string> => {
  const body = { wallet: service.demo.wallets.main, amount: '1500.00' }
  const answer = await askAt(`${origin}/api/v1/merchant/intents/`, 'POST', { token: service.token, body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id
}

test('a hint is sent on every node when an intent is created or gets a reference; proxies do not buffer it', async () => {
  const here = await listen(members.viewer)
  const there = await listen(members.cashier, { at: second.origin })
  assert.equal(here.status, 200)
  assert.match(String(here.headers['content-type']), /^text\/event-stream/)
  assert.equal(here.headers['x-accel-buffering'], 'no')
  assert.match(String(here.headers['cache-control']), /no-store/)
  const id = await newIntent()
  await Promise.all([here.untilHint('intent', id), there.untilHint('intent', id)])
  here.events.length = 0
  there.events.length = 0
  const patched = await service.ask('PATCH', `/intents/${id}/`, { body: { reference: 'LIVE-1' } })
  assert.equal(patched.status, 200)
  await Promise.all([here.untilHint('intent', id), there.untilHint('intent', id)])
  here.hangUp()
  there.hangUp()
})

test('an event is a hint: kind and id, and no data of the object', async () => {
  const here = await listen(members.owner)
  const id = await newIntent()
  await here.untilHint('intent', id)
  for (const { data } of here.events) assert.deepEqual(Object.keys(JSON.parse(data)), ['kind', 'id'])
  here.hangUp()
})

test('another account does not get the hint', async () => {
  const stranger = await listen(members.stranger)
  const here = await listen(members.owner)
  const id = await newIntent()
  await here.untilHint('intent', id)
  const theirs = await askAt(`${service.base}/intents/`, 'POST', {
    token: await service.tokenFor(service.demo.other.client_id, service.demo.other.client_secret),
    body: { wallet: service.demo.other.wallet, amount: '5.00' },
  })
  assert.equal(theirs.status, 201, theirs.text)
  // The other account's own hint is sent later: a hint of this account would have arrived before it.
  await stranger.untilHint('intent', theirs.body.id)
  assert.deepEqual(stranger.hints(), [`intent ${theirs.body.id}`])
  stranger.hangUp()
  here.hangUp()
})

test("a hint for a user's change is sent to the roles that may read it", async () => {
  const [owner, cashier] = [await listen(members.owner), await listen(members.cashier)]
  const changed = await members.owner.ask('PATCH', '/account/', { body: { name: 'A shop that is looked at' } })
  assert.equal(changed.status, 200, changed.text)
  await Promise.all([owner.untilHint('account', members.accountId), cashier.untilHint('account', members.accountId)])
  owner.hangUp()
  cashier.hangUp()
})

test('a hint for a heartbeat is sent to roles that may see phones, and not to a cashier', async () => {
  const [viewer, cashier] = [await listen(members.viewer), await listen(members.cashier)]
  assert.equal((await handset.heartbeat({ battery: 50 })).status, 200)
  await viewer.untilHint('phone', service.demo.device.id)
  const id = await newIntent()
  await cashier.untilHint('intent', id)
  assert.ok(!cashier.hints().some((hint) => hint.startsWith('phone')))
  viewer.hangUp()
  cashier.hangUp()
})

test('if an alert verifies an intent, hints for the alert and the intent are sent on every node', async () => {
  const there = await listen(members.cashier, { at: second.origin })
  const id = await newIntent()
  await service.ask('PATCH', `/intents/${id}/`, { body: { reference: '420000000001' } })
  await there.untilHint('intent', id)
  there.events.length = 0
  const text = purchaseText('1,500.00', '420000000001')
  const sms = { client_id: 'live-1', kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at: '1767323045' }
  assert.equal((await handset.alerts([sms])).status, 200)
  const [[alert]] = (await service.sql('select id from alerts where intent_id = $1', [id])) as [[string]]
  await Promise.all([there.untilHint('intent', id), there.untilHint('alert', alert)])
  there.hangUp()
})

test('if a reference that a user attaches matches an alert, a hint for the alert is sent as well', async () => {
  const text = purchaseText('1,500.00', '420000000002')
  const sms = { client_id: 'live-2', kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at: '1767323045' }
  assert.equal((await handset.alerts([sms])).status, 200)
  const [[alert]] = (await service.sql(`select id from alerts where client_id = 'live-2'`)) as [[string]]
  const id = await newIntent()
  const here = await listen(members.cashier)
  const attached = await members.cashier.ask('POST', `/intents/${id}/reference/`, {
    body: { reference: '420000000002' },
  })
  assert.equal(attached.body.status, 'VERIFIED', attached.text)
  const witness = await newIntent()
  await here.untilHint('intent', witness)
  assert.ok(here.hints().includes(`alert ${alert}`), here.hints().join())
  here.hangUp()
})

test('a hint is sent when an intent expires', async () => {
  const worker = await service.startNode()
  const here = await listen(members.viewer)
  const id = await newIntent()
  await here.untilHint('intent', id)
  here.events.length = 0
  service.clock.advance(3_600_001)
  worker.service.work()
  await here.untilHint('intent', id)
  here.hangUp()
})

test('after a reconnect, missed events are sent, on any node', async () => {
  const before = await listen(members.owner)
  const seen = await newIntent()
  await before.untilHint('intent', seen)
  before.hangUp()
  await before.ended
  const missed = await newIntent()
  for (const at of [service.origin, second.origin]) {
    const again = await listen(members.owner, { at, last: before.lastId() })
    await again.untilHint('intent', missed)
    assert.ok(!again.events.some(({ event }) => event === 'reset'))
    again.hangUp()
  }
})

test('a reconnect with an unknown id gets a reset', async () => {
  for (const last of ['019b7c1e-0000-7000-8000-000000000000', 'x', '../../etc', '%00'.repeat(10)]) {
    const again = await listen(members.owner, { last })
    await again.until((events) => events.some(({ event }) => event === 'reset'))
    // From then on events are sent as usual.
    const id = await newIntent()
    await again.untilHint('intent', id)
    const third = await listen(members.owner, { last: again.lastId() })
    const later = await newIntent()
    await third.untilHint('intent', later)
    assert.ok(!third.events.some(({ event }) => event === 'reset'))
    again.hangUp()
    third.hangUp()
  }
})

test('a node that lost its LISTEN connection sends a reset, and gets events again afterwards', async () => {
  const there = await listen(members.owner, { at: second.origin })
  await service.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'sanad notify' and datname = current_database()`,
  )
  await there.until((events) => events.some(({ event }) => event === 'reset'))
  const before = there.events.length
  let received = false
  while (!received) {
    const id = await newIntent()
    // The other node's LISTEN connection may return a moment later; until then its notifications are queued.
    await there.untilHint('intent', id)
    received = there.events.length > before
  }
  there.hangUp()
})

test('more events than can be forwarded cause a reset', async () => {
  const there = await listen(members.owner, { at: second.origin })
  const notifier = await openNotifier({ url: service.databaseUrl, onFault: () => {} })
  for (let i = 0; i < 10_001; i++) notifier.notify('sanad_live', `${members.otherId} id-${i} intent x${i}`)
  await there.until((events) => events.some(({ event }) => event === 'reset'))
  await notifier.close()
  there.hangUp()
})

test('a stream ends when its session ends, and when its user is no longer a member', async () => {
  const leaving = await createMember(service, members.accountId, 'manager')
  const stream = await listen(leaving)
  await leaving.ask('DELETE', '/session/')
  service.clock.advance(2_000)
  await stream.ended

  const removed = await createMember(service, members.accountId, 'manager')
  const other = await listen(removed)
  await service.sql('delete from members where user_id = $1', [removed.userId])
  service.clock.advance(2_000)
  await other.ended
})

test('the check whether a user may still listen reads the database, not the cache of the node', async () => {
  const removed = await createMember(service, members.accountId, 'manager')
  const stream = await listen(removed)
  await service.sql('delete from members where user_id = $1', [removed.userId])
  // The clock does not move: in the cache of the node the user is still a member.
  assert.equal((await removed.ask('GET', '/wallets/')).status, 200)
  await stream.ended
})

test('one query checks all listeners of a node', async () => {
  const checkedCounts: number[] = []
  let received = (): void => {}
  const run: Db['run'] = (query) => {
    if (query.name === 'find_sessions' || query.name === 'find_users_in_accounts') {
      checkedCounts.push((query.values![0] as readonly unknown[]).length)
      received()
    }
    return service.db.run(query)
  }
  injected.db = { ...service.db, run }
  const node = await service.startNode()
  delete injected.db
  const streams: StreamClient[] = []
  for (const { userId } of [members.owner, members.manager, members.cashier, members.viewer])
    for (let i = 0; i < 10; i++) {
      const signedIn = { userId, accountId: members.accountId, validFrom: 0 }
      const session = await openSession(service.db, signedIn, { address: '', agent: '' }, service.clock.now())
      if ('refused' in session) throw new Error(`no session: ${session.refused}`)
      streams.push(await openStream(node.origin, { cookie: `sanad_session=${session.token}` }))
    }
  open.push(...streams)
  // The first check may have begun before the last stream was opened.
  checkedCounts.length = 0
  await new Promise<void>((done) => {
    received = () => void (checkedCounts.length === 4 && done())
  })
  assert.deepEqual(checkedCounts.slice(1), [40, 40, 40])
  for (const stream of streams) stream.hangUp()
})

test('a reduced role gets fewer events, on its open stream', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  const stream = await listen(member)
  const witness = await listen(members.owner)
  await handset.heartbeat({ battery: 51 })
  await stream.untilHint('phone', service.demo.device.id)
  await service.sql(`update members set role = 'cashier' where user_id = $1`, [member.userId])
  service.clock.advance(2_000)
  // The role is checked from time to time: until the next check events are still sent.
  for (;;) {
    stream.events.length = 0
    witness.events.length = 0
    await handset.heartbeat({ battery: 52 })
    const id = await newIntent()
    await Promise.all([witness.untilHint('intent', id), stream.untilHint('intent', id)])
    assert.ok(witness.hints().some((hint) => hint.startsWith('phone')))
    if (!stream.hints().some((hint) => hint.startsWith('phone'))) break
    service.clock.advance(100)
  }
  stream.hangUp()
  witness.hangUp()
})

test('too many streams of one user are refused, until one is closed', async () => {
  const eager = await createMember(service, members.accountId, 'viewer')
  const many: StreamClient[] = []
  for (let i = 0; i < 10; i++) many.push(await listen(eager))
  assert.ok(many.every(({ status }) => status === 200))
  const refused = await eager.ask('GET', '/stream/')
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  many[0]!.hangUp()
  let status = 429
  while (status === 429) {
    const again = await listen(eager)
    status = again.status
    again.hangUp()
  }
  assert.equal(status, 200)
  for (const stream of many) stream.hangUp()
})

test('HEAD of the stream is answered without a body, and ends', async () => {
  const answer = await members.viewer.ask('HEAD', '/stream/')
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '')
})

test('a token may open a stream as well', async () => {
  const { email, password } = service.demo.dashboard
  const { body } = await askAt(dashboardAt(service.origin, '/token/'), 'POST', { body: { email, password } })
  const here = await openStream(service.origin, { authorization: `Bearer ${body.access_token}` })
  open.push(here)
  const id = await newIntent()
  await here.untilHint('intent', id)
  here.hangUp()
})

test('hints for a delivery and for a disabled endpoint are sent to the roles that may read them', async () => {
  const statuses = [200, 410]
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => response.writeHead(statuses.shift() ?? 200).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const created = await members.owner.ask('POST', '/webhooks/', { body: { url } })
  assert.equal(created.status, 201, created.text)
  const { id } = created.body.webhook
  const worker = await service.startNode()
  worker.service.work()
  const [here, cashier] = [await listen(members.viewer), await listen(members.cashier)]
  const createEvent = async (): Promise<string> => {
    const now = service.clock.now()
    const event = timeOrderedId<EventId>(now)
    const walletId = service.demo.wallets.main
    const fields = { accountId: members.accountId, id: event, walletId, intentId: null, alertId: randomUUID() as never }
    await insertEvents(service.db, [{ ...fields, kind: 'payment.verified', body: '{}', createdAt: now }])
    return (await service.sql('select id from deliveries where event_id = $1', [event]))[0]![0]!
  }
  await here.untilHint('delivery', await createEvent())
  await createEvent()
  await here.untilHint('webhook', id)
  assert.equal((await members.viewer.ask('GET', `/webhooks/${id}/`)).body.disabled.why, 'gone')
  assert.deepEqual(
    cashier.hints().filter((hint) => /^(delivery|webhook)/.test(hint)),
    [],
  )
  here.hangUp()
  cashier.hangUp()
  receiver.closeAllConnections()
  receiver.close()
  await worker.service.close()
})

test('a node that drains ends its streams at once, also those of clients that do not read', async () => {
  const third = await service.startNode()
  const here = await listen(members.owner, { at: third.origin })
  const deaf = await openStream(
    third.origin,
    { cookie: `sanad_session=${members.viewer.session.token}` },
    { pause: true },
  )
  open.push(deaf)
  const began = performance.now()
  await third.service.close()
  await here.ended
  assert.ok(performance.now() - began < 10_000)
  deaf.hangUp()
})
