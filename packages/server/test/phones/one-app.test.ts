/**
 * The address of a forwarding app belongs to one app, so that a signature cannot be left out: not by another adapter, not on a
 * phone that speaks the native protocol. An unsigned message never outranks a signed one. Each attack has its legitimate twin.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import type { AccountId, PhoneId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { canSign } from '../../src/http/device/adapters/app-guide.ts'
import { createAddress, openSetup } from '../../src/wallets/pairing/set-up-phone.ts'
import { mayUseAddress } from '../../src/wallets/phones/ingest-address.ts'
import { createPhone, renewIngestAccess } from '../../src/wallets/phones/phone-access.ts'
import { phoneSecrets } from '../../src/wallets/phones/phone-secrets.ts'
import { phone as phoneOf } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, askAt, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo, clock, sql, db, origin } = service
const { owner, manager, cashier, viewer } = await createMembers(service)
const secrets = phoneSecrets(service.masterKey)
const [[account]] = (await sql('select account_id from devices where id = $1', [demo.device.id])) as [[AccountId]]

const apps = ['sms-to-url', 'smsgate', 'sms-forwarder', 'text'] as const
type App = (typeof apps)[number]

const send = (
  app: string,
  token: string,
  body: string | object,
  headers: Record<string, string> = {},
): Promise<Answer> => askAt(`${origin}/ingest/${app}/${token}`, 'POST', { body, headers })
const status = async (app: string, token: string, text = 'hello'): Promise<number> =>
  (await send(app, token, app === 'text' ? text : { from: 'Jawali', text })).status

const sign = (key: string, ...parts: string[]): string => {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}
/** A message as the app signs it. */
const signed = (app: 'sms-to-url' | 'smsgate', key: string, text: string) => {
  const stamp = String(Math.floor(clock.now() / 1000))
  if (app === 'sms-to-url') {
    const body = JSON.stringify({
      from: 'Jawali',
      text,
      sentStamp: clock.now(),
      receivedStamp: clock.now(),
      sim: 'sim1',
    })
    return { body, headers: { 'X-Signature': sign(key, body) } }
  }
  const payload = { message: text, sender: 'Jawali', simNumber: 1, receivedAt: new Date(clock.now()).toISOString() }
  const body = JSON.stringify({ id: stamp, event: 'sms:received', payload })
  return { body, headers: { 'X-Timestamp': stamp, 'X-Signature': sign(key, body, stamp) } }
}

type Access = { readonly id: PhoneId; readonly token: string; readonly key: string | null }

/** A phone to which the owner gave an app, over the dashboard. */
const phoneWith = async (app: App): Promise<Access> => {
  const { id } = await createPhone(db, secrets, account, `With ${app}`, clock.now())
  return { id, ...(await letIn(id, app)) }
}
const letIn = async (id: string, app: App, more: object = {}) => {
  const access = await owner.ask('POST', `/phones/${id}/ingest/`, { body: { app, ...more } })
  assert.equal(access.status, 200, access.text)
  clock.advance(2_000)
  return { token: access.body.url.split('/').at(-1) as string, key: access.body.signing_key as string | null }
}
const refusedApp = async (id: string) => (await owner.ask('GET', `/phones/${id}/`)).body.refused_app
const alertsOf = async (id: string): Promise<string[]> =>
  (await sql('select adapter from alerts where device_id = $1 order by id', [id])).map(([adapter]) => adapter!)

test('the address of each app answers 401 to every other app, stores nothing, and the phone’s page says who tried', async () => {
  for (const chosen of apps) {
    const { id, token } = await phoneWith(chosen)
    assert.equal(await refusedApp(id), null)
    for (const other of apps.filter((app) => app !== chosen)) {
      clock.advance(11_000)
      const answer = await send(other, token, 'hello')
      assert.equal(answer.status, 401, `${other} under the address of ${chosen}`)
      assert.equal(answer.body.errors[0].code, 'authentication_failed')
      const { app, at } = await refusedApp(id)
      assert.deepEqual([app, Date.parse(at)], [other, clock.now()])
    }
    assert.deepEqual(await alertsOf(id), [], chosen)
    for (const reader of [manager, viewer])
      assert.notEqual((await reader.ask('GET', `/phones/${id}/`)).body.refused_app, null)
    assert.equal((await cashier.ask('GET', `/phones/${id}/`)).status, 403)
  }
})

test('the chosen app is heard: signed where it signs, unsigned where the owner chose an app that does not', async () => {
  for (const app of apps) {
    const { id, token, key } = await phoneWith(app)
    if (app === 'sms-to-url' || app === 'smsgate') {
      const { body, headers } = signed(app, key!, 'hello')
      assert.equal((await send(app, token, body, headers)).status, 200, app)
      assert.equal(await status(app, token), 401, 'without its signature')
    } else assert.equal(await status(app, token), 200, app)
    assert.deepEqual(await alertsOf(id), [app])
    assert.equal(await refusedApp(id), null)
  }
})

test('an owner who chooses another app moves the phone: the new address works, the old one does not', async () => {
  const phone = await phoneWith('sms-to-url')
  assert.equal(await status('text', phone.token), 401)
  const moved = await letIn(phone.id, 'text')
  assert.equal(await refusedApp(phone.id), null, 'attempts at the old address are forgotten')
  assert.equal(await status('text', moved.token), 200)
  const { body, headers } = signed('sms-to-url', phone.key!, 'hello')
  assert.equal((await send('sms-to-url', phone.token, body, headers)).status, 401)
  const back = await letIn(phone.id, 'smsgate')
  const message = signed('smsgate', back.key!, 'hello')
  assert.equal((await send('smsgate', back.token, message.body, message.headers)).status, 200)
  assert.equal(await status('text', back.token), 401)
  const unsigned = await letIn(phone.id, 'smsgate', { signing_key: null })
  assert.equal(await status('smsgate', unsigned.token), 200, 'the owner chose to have it unsigned')
})

test('refused apps are counted against their address, and attempts are stored at most every ten seconds', async () => {
  const strict = await openTestService({ SANAD_LIMITS: JSON.stringify({ ingest_failure: { burst: 3 } }) })
  const token = strict.demo.device.ingest_token
  const at = (app: string) => askAt(`${strict.origin}/ingest/${app}/${token}`, 'POST', { body: 'hello' })
  for (const expected of [401, 401, 401, 429]) assert.equal((await at('sms-forwarder')).status, expected)
  assert.equal((await at('text')).status, 200, 'the chosen app still passes')
  const [[app, time]] = (await strict.sql('select refused_app, refused_app_at from devices where id = $1', [
    strict.demo.device.id,
  ])) as [[string, string]]
  assert.deepEqual([app, Date.parse(time)], ['sms-forwarder', strict.clock.now()])
})

test('an address without an app belongs to the first that uses it', async () => {
  const { id } = await createPhone(db, secrets, account, 'Earlier phone', clock.now())
  const { token } = (await renewIngestAccess(db, secrets, wholeAccount(account), id, clock.now(), null))!
  const answers = await Promise.all(['text', 'sms-forwarder', 'text', 'sms-forwarder'].map((app) => status(app, token)))
  assert.deepEqual(answers.toSorted(), [200, 200, 401, 401], 'of several at once, one app wins')
  const [first] = await alertsOf(id)
  assert.equal(await status(first!, token), 200)
  for (const other of apps.filter((app) => app !== first)) assert.equal(await status(other, token), 401, other)
})

test('an address without an app is not given to an unsigned message of a phone that can sign', async () => {
  const keyed = await createPhone(db, secrets, account, 'With a key', clock.now())
  const access = (await renewIngestAccess(db, secrets, wholeAccount(account), keyed.id, clock.now()))!
  for (const app of apps) assert.equal(await status(app, access.token), 401, app)
  const { body, headers } = signed('sms-to-url', access.signingKey!, 'hello')
  assert.equal((await send('sms-to-url', access.token, body, headers)).status, 200)
  assert.equal(await status('text', access.token), 401)

  const native = await createPhone(db, secrets, account, 'With a secret', clock.now())
  const { token } = (await renewIngestAccess(db, secrets, wholeAccount(account), native.id, clock.now(), null))!
  // From before a phone had one way to report: a secret beside the address.
  await sql(`update devices set secret_sealed = 'x', secret_version = 1 where id = $1`, [native.id])
  clock.advance(2_000)
  for (const app of apps) assert.equal(await status(app, token), 401, app)
  const chosen = await letIn(native.id, 'text')
  assert.equal(await status('text', chosen.token), 200, 'the owner chose the app')
})

const pair = async (id: string) => {
  const { code } = (await owner.ask('POST', `/phones/${id}/pairing/`)).body.pairing
  const paired = await askAt(`${origin}/api/v1/device/pair`, 'POST', { body: { code } })
  assert.equal(paired.status, 200, paired.text)
  clock.advance(2_000)
  return phoneOf(origin, clock.now, { id, secret: paired.body.secret })
}
const shownPhone = async (id: string) => {
  const { paired, forwards, app } = (await owner.ask('GET', `/phones/${id}/`)).body
  return { paired, forwards, app }
}

test('pairing a phone natively ends the address of its app, also of one that signs', async () => {
  for (const app of apps) {
    const { id, token, key } = await phoneWith(app)
    const native = await pair(id)
    const message = key === null ? undefined : signed(app as 'sms-to-url', key, 'hello')
    const answer =
      message === undefined ? await send(app, token, 'x') : await send(app, token, message.body, message.headers)
    assert.equal(answer.status, 401, app)
    assert.equal((await native.heartbeat()).status, 200)
    assert.deepEqual(await shownPhone(id), { paired: true, forwards: 'no', app: 'agent' })
    assert.deepEqual(await alertsOf(id), [])
  }
})

test('giving an app access ends the native pairing, from the dashboard and from the set-up page', async () => {
  for (const app of apps) {
    const { id } = await createPhone(db, secrets, account, `Native, then ${app}`, clock.now())
    const [first, second] = [await pair(id), await pair(id)]
    assert.equal((await first.heartbeat()).status, 200, 'the earlier secret is valid until the new one is used')
    await letIn(id, app)
    for (const native of [first, second]) assert.equal((await native.heartbeat()).status, 401, app)
    assert.deepEqual(await shownPhone(id), { paired: false, forwards: canSign(app) ? 'signed' : 'unsigned', app })
  }
  const { id } = await createPhone(db, secrets, account, 'Native, then the page', clock.now())
  const native = await pair(id)
  const { code } = (await owner.ask('POST', `/phones/${id}/pairing/`)).body.pairing
  assert.equal((await native.heartbeat()).status, 200, 'a code alone ends nothing')
  const opened = (await db.transaction((tx) => openSetup(tx, secrets, code, '', clock.now(), () => {})))!
  assert.equal((await native.heartbeat()).status, 200, 'an opened page ends nothing')
  await db.transaction((tx) => createAddress(tx, secrets, opened, 'sms-forwarder', null, clock.now()))
  clock.advance(2_000)
  assert.equal((await native.heartbeat()).status, 401)
})

test('a phone from before with two signed ways: a change of the app’s key ends the native one', async () => {
  const { id, token, key } = await phoneWith('sms-to-url')
  const [[sealed]] = (await sql(`select encode(signing_key_sealed, 'hex') from devices where id = $1`, [id])) as [
    [string],
  ]
  const native = await pair(id)
  await sql(
    `update devices set ingest_token_hash = sha256($2::text::bytea), ingest_adapter = 'sms-to-url', signing_key_sealed = decode($3, 'hex')
      where id = $1`,
    [id, token, sealed],
  )
  clock.advance(2_000)
  assert.equal((await native.heartbeat()).status, 200)
  const { body, headers } = signed('sms-to-url', key!, 'hello')
  assert.equal((await send('sms-to-url', token, body, headers)).status, 200)
  assert.equal((await owner.ask('PUT', `/phones/${id}/signing-key/`, { body: { signing_key: null } })).status, 200)
  clock.advance(2_000)
  assert.equal((await native.heartbeat()).status, 401, 'no unsigned way beside a signed one')
  assert.equal(await status('sms-to-url', token), 200)
})

test('a phone without an app keeps its native pairing when a key is set', async () => {
  const { id } = await createPhone(db, secrets, account, 'Native only', clock.now())
  const native = await pair(id)
  await owner.ask('PUT', `/phones/${id}/signing-key/`, { body: { signing_key: null } })
  clock.advance(2_000)
  assert.equal((await native.heartbeat()).status, 200)
})

test('the rule of the address', () => {
  const phone = (ingestAdapter: string, secret = false, key = false) => ({
    ingestAdapter,
    secretSealed: secret ? Buffer.of(1) : null,
    signingKeySealed: key ? Buffer.of(1) : null,
  })
  assert.equal(mayUseAddress(phone('text'), 'text', false), true)
  assert.equal(mayUseAddress(phone('text'), 'smsgate', true), false)
  assert.equal(mayUseAddress(phone(''), 'text', false), true)
  for (const can of [phone('', true), phone('', false, true)]) {
    assert.equal(mayUseAddress(can, 'text', false), false)
    assert.equal(mayUseAddress(can, 'smsgate', true), true)
    assert.equal(mayUseAddress(can, 'smsgate'), true, 'not known before the body is read')
  }
})

/** The demo's phone signs by the native protocol; its address belongs to the app `text`, which does not sign. */
const shopPhone = phoneOf(origin, clock.now, demo.device)
let count = 0
const credit = (text: string) =>
  shopPhone.alerts([
    {
      client_id: `credit-${++count}`,
      kind: 'sms',
      sender: 'Jawali',
      text,
      sim_slot: 'SIM1',
      received_at: String(Math.floor(clock.now() / 1000)),
    },
  ])
const denial = (reference: string, amount = '1,500.00'): Promise<Answer> =>
  send('text', `${demo.device.ingest_token}?from=Jawali&sim=SIM1`, `${purchaseText(amount, reference)} تم الإلغاء.`, {
    'content-type': 'text/plain',
  })
const intentWith = async (reference: string): Promise<string> => {
  const intent = await service.create()
  await service.ask('PATCH', `/intents/${intent.body.id}/`, { body: { reference } })
  return intent.body.id
}
const stateOf = async (id: string) => (await service.ask('GET', `/intents/${id}/`)).body.status
const doubtsOf = async (intent: string): Promise<string[]> => {
  const [[id]] = (await sql('select id from alerts where intent_id = $1', [intent])) as [[string]]
  const { doubts } = (await owner.ask('GET', `/unmatched/${id}/`)).body
  return doubts.map(({ code }: { code: string }) => code)
}

test('an unsigned denial does not stop a signed payment: it is a doubt, with a link to the denial', async () => {
  for (const amount of ['1,500.00', '9,000.00']) {
    const reference = `77000000${amount.length}${amount[0]}`
    const intent = await intentWith(reference)
    assert.equal((await denial(reference, amount)).status, 200)
    clock.advance(11 * 60_000)
    await credit(purchaseText('1,500.00', reference))
    assert.equal(await stateOf(intent), 'VERIFIED', amount)
    assert.ok((await doubtsOf(intent)).includes('unsigned_denial'))
    const timeline = (await owner.ask('GET', `/intents/${intent}/`)).body.timeline
    assert.match(timeline.at(-1).facts.doubts, /unsigned_denial/)
    const [[denied]] = (await sql(
      `select id from alerts where reason = 'denied' and not trusted order by id desc limit 1`,
    )) as [[string]]
    const [[id]] = (await sql('select id from alerts where intent_id = $1', [intent])) as [[string]]
    const { doubts } = (await owner.ask('GET', `/unmatched/${id}/`)).body
    assert.equal(doubts.find(({ code }: { code: string }) => code === 'unsigned_denial').facts.other, denied)
    clock.advance(3_600_000)
  }
})

/** A credit of a phone other than the demo's own transfers: without a balance, with a reference. */
const unsigned = (text: string) => send('text', `${demo.device.ingest_token}?from=Jawali&sim=SIM1`, text)

test('an unsigned message that repeats the payment and adds a denial does not take its place, before or after it', async () => {
  const first = await intentWith('770000000801')
  assert.equal((await denial('770000000801')).status, 200)
  await credit(purchaseText('1,500.00', '770000000801'))
  assert.equal(await stateOf(first), 'VERIFIED', 'the denial contains the whole text, and came a moment before')
  assert.ok((await doubtsOf(first)).includes('unsigned_denial'))

  await credit(purchaseText('1,500.00', '770000000802'))
  await denial('770000000802')
  const [[state]] = (await sql(`select state from alerts where reference_key = '770000000802' and trusted`)) as [
    [string],
  ]
  assert.equal(state, 'waiting')
  assert.equal(await stateOf(await intentWith('770000000802')), 'VERIFIED')
})

test('an unsigned part of a message, read as other money, does not send the signed message to review', async () => {
  const text = purchaseText('1,500.00', '770000000803')
  const cut = text.slice(0, text.indexOf('770000000803') + 10)
  for (const order of ['before', 'after'] as const) {
    const reference = order === 'before' ? '770000000803' : '770000000804'
    const whole = text.replaceAll('770000000803', reference)
    const part = cut.replaceAll('7700000008', reference.slice(0, 10))
    if (order === 'before') await unsigned(`${part} من علي`)
    await credit(whole)
    if (order === 'after') await unsigned(part)
    const [[state]] = (await sql(`select state from alerts where reference_key = $1 and trusted`, [reference])) as [
      [string],
    ]
    assert.equal(state, 'waiting', order)
    assert.equal(await stateOf(await intentWith(reference)), 'VERIFIED', order)
  }
})

test('a signed denial still stops the payment, and an unsigned one stops an unsigned payment', async () => {
  const reference = '770000000901'
  const intent = await intentWith(reference)
  await credit(`${purchaseText('1,500.00', reference)} تم الإلغاء.`)
  clock.advance(11 * 60_000)
  await credit(purchaseText('1,500.00', reference))
  assert.equal(await stateOf(intent), 'PENDING')

  const path = `/wallets/${demo.wallets.main}/`
  await owner.ask('PATCH', path, { body: { low_trust_limit: '5000.00' } })
  clock.advance(2_000)
  const other = '770000000902'
  const unsigned = await intentWith(other)
  await denial(other)
  clock.advance(11 * 60_000)
  await send('text', `${demo.device.ingest_token}?from=Jawali&sim=SIM1`, purchaseText('1,500.00', other))
  assert.equal(await stateOf(unsigned), 'PENDING')
  await owner.ask('PATCH', path, { body: { low_trust_limit: '0.00' } })
  clock.advance(2_000)
})

test('an unsigned denial after a signed payment that waits for its reference changes nothing', async () => {
  const reference = '770000000903'
  await credit(purchaseText('1,500.00', reference))
  clock.advance(11 * 60_000)
  await denial(reference)
  assert.equal(await stateOf(await intentWith(reference)), 'VERIFIED')
})
