/** The sender of notifications: answers of push services, retries, two nodes, a node that is killed, addresses that are refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pushCollector } from '../../src/push/collect-pushes.ts'
import { receiverCaller } from '../../src/webhooks/calling/call-receiver.ts'
import { errorsOf } from '../support/story.ts'
import { pushStory } from './push-story.ts'

const story = await pushStory()
const { clock, node, sql, subscribe, walkIn, push, devices } = story

const answerWith = (path: string, status: number, headers: Record<string, string> = {}) =>
  push.answers.set(path, (response) => void response.writeHead(status, headers).end())
const stateOf = async (id: string) =>
  (
    await sql('select attempts::int, failures::int, message is null, next_at is null from push_devices where id = $1', [
      id,
    ])
  )[0]
const newDevice = async () => subscribe(await story.newMember('owner'))
const removeAll = () => sql('delete from push_devices')

for (const status of [404, 410])
  test(`a push service that answers ${status}: the device is dropped`, async () => {
    const device = await newDevice()
    answerWith(device.path, status)
    await walkIn('100.00')
    await node.run()
    assert.equal(device.requests().length, 1)
    assert.ok(!(await devices()).includes(device.id))
    await removeAll()
  })

for (const status of [429, 500, 503])
  test(`${status}: the same message is tried again, after growing pauses, until it is taken`, async () => {
    const device = await newDevice()
    answerWith(device.path, status)
    await walkIn('100.00')
    await node.run()
    const pauses = [30, 120, 600, 1_800]
    for (const [i, pause_s] of pauses.entries()) {
      clock.advance((pause_s - 1) * 1000)
      await node.send()
      assert.equal(device.requests().length, i + 1, `not before ${pause_s} s`)
      clock.advance(1_000)
      await node.send()
      assert.equal(device.requests().length, i + 2)
    }
    assert.equal(new Set(device.messages().map(({ id }) => id)).size, 1, 'one id')
    push.answers.delete(device.path)
    clock.advance(3_600_000)
    await node.send()
    assert.equal(device.requests().length, 6)
    assert.deepEqual(await stateOf(device.id), ['0', '0', 't', 'f'])
    await removeAll()
  })

test('Retry-After is honoured, up to an hour', async () => {
  const device = await newDevice()
  answerWith(device.path, 429, { 'retry-after': '300' })
  await walkIn('100.00')
  await node.run()
  clock.advance(299_000)
  await node.send()
  assert.equal(device.requests().length, 1)
  clock.advance(1_000)
  await node.send()
  assert.equal(device.requests().length, 2)
  await removeAll()
})

test('a message is given up after six attempts, and a device after five such messages', async () => {
  const device = await newDevice()
  answerWith(device.path, 500)
  for (let message = 1; message <= 5; message++) {
    await walkIn('100.00')
    await node.run()
    for (let i = 0; i < 8; i++) {
      clock.advance(1_500_000)
      await node.send()
    }
    if (message < 5) assert.equal((await stateOf(device.id))![1], String(message))
  }
  assert.ok(!(await devices()).includes(device.id))
  assert.ok(device.requests().length <= 30)
})

test('an answer that would be the same again (403) ends the message at once', async () => {
  const device = await newDevice()
  answerWith(device.path, 403)
  await walkIn('100.00')
  await node.run()
  clock.advance(3_600_000)
  await node.send()
  assert.equal(device.requests().length, 1)
  assert.deepEqual((await stateOf(device.id))!.slice(1, 3), ['1', 't'])
  await removeAll()
})

test('a push service that cannot be reached is tried again', async () => {
  const device = await newDevice()
  push.answers.set(device.path, (response) => void response.destroy())
  await walkIn('100.00')
  await node.run()
  const before = device.requests().length
  push.answers.delete(device.path)
  clock.advance(30_000)
  await node.send()
  assert.equal(device.requests().length, before + 1)
  await removeAll()
})

test('two nodes collect and send at the same moment: each device gets one message', async () => {
  const all = [await newDevice(), await newDevice(), await newDevice()]
  const [dbA, dbB] = [story.openDb(), story.openDb()]
  const [a, b] = [story.newNode({ db: dbA }), story.newNode({ db: dbB })]
  for (let i = 0; i < 5; i++) await walkIn('100.00')
  await Promise.all([a.collect(), b.collect(), node.collect()])
  clock.advance(3_000)
  await Promise.all([a.send(), b.send(), node.send(), a.send(), b.send()])
  for (const device of all) {
    assert.equal(device.messages().length, 1)
    assert.deepEqual(
      device.messages()[0]!.groups.find(({ kind }) => kind === 'money'),
      { kind: 'money', count: 5, sums: [{ currency: 'YER', amount: '500.00' }] },
    )
  }
  await Promise.all([dbA.close(), dbB.close()])
  await removeAll()
})

test('a node is killed after sending and before recording: the same message is sent again, and not for ever', async () => {
  const device = await newDevice()
  await walkIn('100.00')
  await node.collect()
  clock.advance(3_000)
  // The call is made, and nothing after it happens.
  const dying = story.newNode({
    call: async (request) => {
      await (await fetch(request.url, { method: 'POST', body: Buffer.from(request.body), headers: {} })).text()
      return new Promise(() => {})
    },
  })
  void dying.send()
  while (device.requests().length < 1) await new Promise((done) => setTimeout(done, 10))
  await node.send()
  assert.equal(device.requests().length, 1, 'the other node has it until its lease ends')
  clock.advance(121_000)
  await node.send()
  const [first, second] = device.messages()
  assert.equal(first!.id, second!.id, 'the device knows it by its id')
  clock.advance(121_000)
  await node.send()
  assert.equal(device.requests().length, 2)

  // A node that dies each time.
  await walkIn('200.00')
  await node.collect()
  clock.advance(30_000)
  for (let i = 0; i < 20; i++) {
    const before = device.requests().length
    void dying.send()
    for (let tries = 0; tries < 30 && device.requests().length === before; tries++)
      await new Promise((done) => setTimeout(done, 10))
    clock.advance(121_000)
  }
  assert.equal(device.requests().length, 2 + 6, 'at most six attempts')
  await removeAll()
})

test('a node is killed after the alert was stored: another node finds the money', async () => {
  const device = await newDevice()
  await walkIn('100.00')
  // Nobody touched the account on this node: its sweep finds it.
  const sweeping = pushCollector(story.db)
  await sweeping.collectPushes(clock.now())
  clock.advance(3_000)
  await node.send()
  assert.equal(device.messages().length, 1)
  await removeAll()
})

test('a subscription at a private address is refused, and nothing is sent', async () => {
  const member = await story.newMember('owner')
  const { keys } = push.newSubscription().body
  for (const endpoint of [
    'http://10.0.0.1/push',
    'https://169.254.169.254/latest',
    'http://127.0.0.2/push',
    'https://[::1]/push',
    'ftp://push.example.com/',
    'https://user:pw@push.example.com/',
    'nonsense',
    `https://push.example.com/${'x'.repeat(2100)}`,
  ]) {
    const answer = await member.ask('POST', '/notifications/devices/', { body: { endpoint, keys } })
    assert.equal(answer.status, 400, endpoint)
    assert.match(errorsOf(answer).join(), /@endpoint$/)
  }
  assert.deepEqual(await devices(), [])
})

test('an address that becomes private after the subscription is refused when it is called, and nothing is sent', async () => {
  const device = await newDevice()
  // The operator's setting that allows loopback is gone: the same address is private now.
  const strict = receiverCaller({ development: true, allow: [] })
  const guarded = story.newNode({ call: strict.call })
  await walkIn('100.00')
  await guarded.run()
  strict.close()
  assert.equal(device.requests().length, 0)
  assert.deepEqual((await stateOf(device.id))!.slice(1, 3), ['1', 't'], 'given up, not tried again')
  await removeAll()
  assert.deepEqual(story.faults, [])
})
