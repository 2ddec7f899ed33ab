/** The devices of a member: who has one, its limits, and when it is gone. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSession } from '../../src/accounts/sessions/sign-in.ts'
import { pruneDevices } from '../../src/push/push-devices-sql.ts'
import { openPushKeys } from '../../src/push/push-keys.ts'
import { readPushKeys } from '../../src/push/push-keys-sql.ts'
import { errorsOf } from '../support/story.ts'
import { askWith, type TestMember } from '../support/users.ts'
import { pushStory } from './push-story.ts'

const story = await pushStory()
const { clock, node, sql, db, subscribe, walkIn, push, devices } = story

const listed = async (member: TestMember) => (await member.ask('GET', '/notifications/')).body.devices

test('several nodes start at once: one key pair wins, and it is stored sealed', async () => {
  await sql('delete from push_keys')
  const nodes = await Promise.all(Array.from({ length: 5 }, () => openPushKeys(db, story.masterKey, clock.now())))
  const pairs = await Promise.all(nodes.map((read) => read()))
  assert.equal(new Set(pairs.map(({ publicKey, privateKey }) => `${publicKey} ${privateKey}`)).size, 1)
  const [row] = await readPushKeys(db)
  assert.equal(row!.public_key, pairs[0]!.publicKey)
  assert.ok(!row!.private_sealed.toString('latin1').includes(pairs[0]!.privateKey))
  assert.equal(Buffer.from(pairs[0]!.publicKey, 'base64url').length, 65)
})

test('a device is listed with its browser, without its address and keys; nothing readable is stored', async () => {
  const member = await story.newMember('owner')
  const subscription = push.newSubscription()
  const agent = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/126.0 Mobile Safari/537.36'
  const answer = await member.ask('POST', '/notifications/devices/', {
    body: subscription.body,
    headers: { 'user-agent': agent },
  })
  assert.equal(answer.status, 201, answer.text)
  assert.deepEqual([answer.body.browser, answer.body.system, answer.body.current], ['Chrome', 'Android', true])
  assert.equal(answer.body.service, '127.0.0.1')
  const [row] = await sql('select to_json(d)::text from push_devices d where id = $1', [answer.body.id])
  for (const secret of [subscription.path, subscription.body.keys.auth, subscription.body.keys.p256dh]) {
    assert.ok(!String(row![0]).includes(secret))
    assert.ok(!JSON.stringify(await listed(member)).includes(secret))
  }
})

test('the same browser again renews its device; in the hands of another member it becomes theirs', async () => {
  const [first, second] = [await story.newMember('owner'), await story.newMember('cashier')]
  const { body, messages } = push.newSubscription()
  const one = await first.ask('POST', '/notifications/devices/', { body })
  const again = await first.ask('POST', '/notifications/devices/', { body })
  assert.equal(one.body.id, again.body.id)
  const taken = await second.ask('POST', '/notifications/devices/', { body })
  assert.equal(taken.status, 201)
  assert.deepEqual([(await listed(first)).length, (await listed(second)).length], [0, 1])
  clock.advance(1)
  await walkIn('100.00')
  await node.run()
  assert.equal(messages().length, 1)
})

test('a member has at most ten devices; the eleventh is refused, and a removed one makes place', async () => {
  const member = await story.newMember('owner')
  const all = []
  for (let i = 0; i < 10; i++) all.push(await subscribe(member))
  const { body } = push.newSubscription()
  const answers = await Promise.all([0, 1].map(() => member.ask('POST', '/notifications/devices/', { body })))
  for (const answer of answers) assert.deepEqual(errorsOf(answer), ['push_device_limit@non_field_errors'])
  assert.equal((await member.ask('DELETE', `/notifications/devices/${all[0]!.id}/`)).status, 204)
  assert.equal((await member.ask('POST', '/notifications/devices/', { body })).status, 201)
  const [row] = await sql(
    `select string_agg(action, ',' order by action) from audit_log where user_id = $1 and action in ('user.device_off', 'user.device_on')`,
    [member.userId],
  )
  assert.equal(row![0], ['user.device_off', ...Array(11).fill('user.device_on')].join(','))
})

test('eleven subscriptions at once: ten devices', async () => {
  const member = await story.newMember('owner')
  const answers = await Promise.all(
    Array.from({ length: 11 }, () =>
      member.ask('POST', '/notifications/devices/', { body: push.newSubscription().body }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(10).fill(201), 400])
})

test('keys that are no keys are refused, and change nothing', async () => {
  const member = await story.newMember('owner')
  const { body } = push.newSubscription()
  const offCurve = Buffer.alloc(65, 1)
  offCurve[0] = 4
  for (const [keys, error] of [
    [{ ...body.keys, auth: 'AAAA' }, 'push_key_invalid@keys.auth'],
    [{ ...body.keys, p256dh: 'AAAA' }, 'push_key_invalid@keys.p256dh'],
    [{ ...body.keys, p256dh: offCurve.toString('base64url') }, 'push_key_invalid@keys.p256dh'],
  ] as const) {
    const answer = await member.ask('POST', '/notifications/devices/', { body: { ...body, keys } })
    assert.deepEqual(errorsOf(answer), [error])
  }
  assert.deepEqual(await listed(member), [])
})

test('a token of a script cannot subscribe; a device of another member cannot be removed or tested', async () => {
  const [member, other] = [await story.newMember('owner'), await story.newMember('owner')]
  const device = await subscribe(member)
  assert.equal((await other.ask('DELETE', `/notifications/devices/${device.id}/`)).status, 404)
  assert.equal((await other.ask('POST', `/notifications/devices/${device.id}/test/`)).status, 404)
  assert.equal((await listed(member)).length, 1)
})

test('quiet hours need two different times', async () => {
  const member = await story.newMember('owner')
  for (const body of [
    { quiet_from: '22:00' },
    { quiet_until: '22:00' },
    { quiet_from: '22:00', quiet_until: '' },
    { quiet_from: '22:00', quiet_until: '22:00' },
    { quiet_from: '24:00', quiet_until: '06:00' },
    { quiet_from: '9:00', quiet_until: '06:00' },
    { kinds: ['everything'] },
  ])
    assert.equal((await member.ask('PATCH', '/notifications/', { body })).status, 400, JSON.stringify(body))
  const set = await member.ask('PATCH', '/notifications/', {
    body: { kinds: ['wrong_amount', 'money', 'money'], quiet_from: '22:00', quiet_until: '06:30' },
  })
  assert.deepEqual(
    [set.body.kinds, set.body.quiet_from, set.body.quiet_until],
    [['money', 'wrong_amount'], '22:00', '06:30'],
  )
  assert.equal(set.body.time_zone, 'Asia/Aden')
  const off = await member.ask('PATCH', '/notifications/', { body: { kinds: [], quiet_from: '', quiet_until: '' } })
  assert.deepEqual([off.body.kinds, off.body.quiet_from], [[], ''])
})

/** Everything that ends a device, and whether its row is gone at once. */
const ends: Readonly<Record<string, (member: TestMember) => Promise<unknown>>> = {
  'the member is removed': (member) => story.owner.ask('DELETE', `/members/${member.userId}/`),
  'the session is ended': (member) => member.ask('DELETE', `/sessions/${member.session.id}/`),
  'the member signs out': (member) => member.ask('DELETE', '/session/'),
  'all other sessions are ended from elsewhere': async (member) => {
    const session = await openSession(
      db,
      { userId: member.userId, accountId: member.accountId, validFrom: 0 },
      { address: '', agent: '' },
      clock.now(),
    )
    assert.ok('token' in session)
    return askWith(story, session.token)('POST', '/sessions/end_others/')
  },
  'the user is disabled': (member) =>
    sql('update users set disabled_at = $2 where id = $1', [member.userId, new Date(clock.now()).toISOString()]),
  'the credentials change': (member) =>
    sql('update users set valid_from = $2 where id = $1', [member.userId, new Date(clock.now() + 1).toISOString()]),
  'the membership waits for an owner': (member) =>
    sql('update members set request_since = $2 where user_id = $1', [
      member.userId,
      new Date(clock.now()).toISOString(),
    ]),
}

for (const [name, end] of Object.entries(ends))
  test(`${name}: nothing is sent any more, not even what waits, and the device is deleted`, async () => {
    const member = await story.newMember('manager')
    const device = await subscribe(member)
    await walkIn('100.00')
    await node.collect()
    const answer = (await end(member)) as { status?: number; text?: string }
    if (answer.status !== undefined) assert.ok(answer.status < 300, answer.text)
    clock.advance(3_000)
    while (await node.send());
    await walkIn('200.00')
    await node.run()
    assert.deepEqual(device.messages(), [])
    await pruneDevices(db, 500)
    assert.ok(!(await devices()).includes(device.id))
    assert.deepEqual(await sql('select count(*)::text from push_pending where device_id = $1', [device.id]), [['0']])
  })

test('a suspended account is not notified; its devices stay', async () => {
  const member = await story.newMember('manager')
  const device = await subscribe(member)
  await sql(`update accounts set status = 'SUSPENDED' where id = $1`, [member.accountId])
  await walkIn('100.00')
  await node.run()
  await pruneDevices(db, 500)
  await sql(`update accounts set status = 'ACTIVE' where id = $1`, [member.accountId])
  assert.deepEqual(device.messages(), [])
  assert.ok((await devices()).includes(device.id))
})

test('a session that ran out by itself does not end notifications', async () => {
  const member = await story.newMember('manager')
  const device = await subscribe(member)
  clock.advance(31 * 86_400_000)
  await walkIn('100.00')
  await node.run()
  await pruneDevices(db, 500)
  assert.equal(device.messages().length, 1)
})
