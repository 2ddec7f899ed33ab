/** Phones in the dashboard: they are paired, switched on and off, connected through an app, and show their state and alerts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const { owner, manager } = members
const { clock, demo } = service
const shopPhone = phone(service.origin, clock.now, demo.device)

const createPhone = async (name = 'Counter phone') => {
  const answer = await owner.ask('POST', '/phones/', { body: { name } })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const show = async (id: string) => (await manager.ask('GET', `/phones/${id}/`)).body
const pair = (code: string): Promise<Answer> =>
  askAt(`${service.origin}/api/v1/device/pair`, 'POST', {
    body: { code, agent: 'sanad-agent', version: '1.0', model: 'A1', android: '14' },
  })
const sms = (text: string, client_id: string, sender = 'Jawali') => ({
  client_id,
  kind: 'sms',
  sender,
  text,
  sim_slot: 'SIM1',
  received_at: new Date(clock.now()).toISOString(),
})
const jawali = (reference: string): string => purchaseText('36000', reference, 'علي صالح')

test('a new phone shows its code once, with a QR code of the pairing address; the code pairs it and switches it ON', async () => {
  const { phone: created, pairing } = await createPhone()
  assert.deepEqual(
    [created.state, created.paired, created.switched_on, created.forwards],
    ['waiting', false, false, 'no'],
  )
  assert.notEqual(created.pairing_until, null)
  const code = pairing.code.replace('-', '')
  assert.equal(pairing.uri, `${service.origin}/pair#c=${code}`)
  assert.match(pairing.qr_svg, /^<svg[^>]*>.*<\/svg>$/s)
  const log = await service.sql(`select before, after from audit_log where kind = 'phone'`)
  assert.ok(!JSON.stringify([log, service.lines, await show(created.id)]).includes(code))

  assert.equal((await pair(pairing.code)).status, 200)
  const paired = await show(created.id)
  assert.deepEqual(
    [paired.paired, paired.switched_on, paired.pairing_until, paired.state],
    [true, true, null, 'healthy'],
  )
  assert.equal((await pair(pairing.code)).status, 401)
})

test('a new pairing code keeps the phone and its history, and makes the previous code invalid', async () => {
  const { phone: created, pairing } = await createPhone()
  const again = await owner.ask('POST', `/phones/${created.id}/pairing/`)
  assert.equal(again.status, 200, again.text)
  assert.equal(again.body.phone.id, created.id)
  assert.equal((await pair(pairing.code)).status, 401)
  assert.equal((await pair(again.body.pairing.code)).body.device_id, created.id)
  clock.advance(1_000)
  const late = await owner.ask('POST', `/phones/${created.id}/pairing/`)
  clock.advance(600_001)
  assert.equal((await show(created.id)).pairing_until, null)
  assert.equal((await pair(late.body.pairing.code)).status, 401)
})

test('the list has the state of each phone: battery, version, queue, SIMs, and for how long it is silent', async () => {
  const sims = [{ slot: 'SIM1', carrier: 'Yemen Mobile', iccid_tail: '1234' }]
  const beat = await shopPhone.heartbeat({
    battery: 71,
    charging: true,
    queue_depth: 3,
    app_version: '2.4',
    sims,
    problems: ['sms_refused'],
  })
  assert.equal(beat.status, 200, beat.text)
  const shopPhoneState = async () => {
    const { body } = await manager.ask('GET', '/phones/')
    return body.results.find(({ id }: { id: string }) => id === demo.device.id)
  }
  const healthy = await shopPhoneState()
  assert.equal(healthy.state, 'healthy')
  assert.deepEqual(
    [healthy.health.battery, healthy.health.charging, healthy.health.queue_depth, healthy.health.app_version],
    [71, true, 3, '2.4'],
  )
  assert.deepEqual(healthy.health.sims, sims)
  assert.deepEqual(healthy.health.problems, ['sms_refused'])
  await shopPhone.heartbeat({ battery: 70 })
  assert.deepEqual((await shopPhoneState()).health.problems, [], 'a heartbeat without problems ends them')
  assert.ok(healthy.wallets.some(({ id }: { id: string }) => id === demo.wallets.main))
  clock.advance(200_000)
  const silent = await shopPhoneState()
  assert.deepEqual([silent.state, silent.silent_s], ['silent', 200])
})

test('the alerts of a phone that is switched OFF are held, and its wallets are not offered', async () => {
  const off = await manager.ask('PATCH', `/phones/${demo.device.id}/`, { body: { switched_on: false } })
  assert.deepEqual([off.body.switched_on, off.body.state], [false, 'off'])
  const { body } = await shopPhone.alerts([sms(jawali('220700000001'), 'held-1')])
  assert.equal(body.results[0].status, 'held')
  assert.deepEqual(errorsOf(await service.create()), ['wallet_not_monitored@wallet'])
  const on = await manager.ask('PATCH', `/phones/${demo.device.id}/`, {
    body: { switched_on: true, name: 'Till phone' },
  })
  assert.deepEqual([on.body.name, on.body.switched_on], ['Till phone', true])
  assert.equal((await service.create()).status, 201)
  const log = await service.sql(`select after from audit_log where action = 'phone.update' order by id`)
  assert.deepEqual(
    log.map(([after]) => JSON.parse(after!).switched_on),
    [false, true],
  )
})

test('the alerts of a phone are listed in pages, the newest first', async () => {
  for (let n = 0; n < 5; n++) {
    clock.advance(10_000)
    await shopPhone.alerts([sms(n === 2 ? 'Your account was opened' : jawali(`22070000010${n}`), `listed-${n}`)])
  }
  const texts: string[] = []
  let after = ''
  do {
    const { body } = await manager.ask('GET', `/phones/${demo.device.id}/alerts/?page_size=2&after=${after}`)
    texts.push(...body.results.map(({ text }: { text: string }) => text))
    if (after === '')
      assert.deepEqual(
        [body.results[0].amount, body.results[0].reference, body.results[0].wallet.name, body.results[0].state],
        ['36000.00', '220700000104', 'Main wallet', 'waiting'],
      )
    after = body.next ?? ''
  } while (after !== '')
  assert.equal(texts.length, 6)
  assert.equal(texts[2], 'Your account was opened')
})

test('a self-test waits until the phone reports, and succeeds with the first alert since it began', async () => {
  clock.advance(60_000)
  const ask = async (since = '') =>
    (await manager.ask('GET', `/phones/${demo.device.id}/self-test/${since && `?since=${since}`}`)).body
  const started = await ask()
  assert.deepEqual([started.state, started.alert], ['waiting', null])
  clock.advance(11_000)
  await shopPhone.heartbeat()
  assert.equal((await ask(started.since)).state, 'heard')
  await shopPhone.alerts([sms('hello', 'self-test', 'Somebody')])
  for (const since of [started.since, encodeURIComponent(started.since)]) {
    const ended = await ask(since)
    assert.deepEqual(
      [ended.state, ended.alert.text, ended.alert.sender, ended.alert.hidden],
      ['arrived', '', '', 'stranger'],
    )
  }
  const bad = await manager.ask('GET', `/phones/${demo.device.id}/self-test/?since=yesterday`)
  assert.deepEqual(errorsOf(bad), ['invalid@since'])
})

test('a started self-test counts a message within ten minutes, and is shown to the phone and to every member', async () => {
  clock.advance(60_000)
  const path = `/phones/${demo.device.id}/self-test/`
  const ask = async (since = '') => (await manager.ask('GET', `${path}${since && `?since=${since}`}`)).body
  const shownUntil = async () => (await manager.ask('GET', `/phones/${demo.device.id}/`)).body.self_test_until
  assert.equal(await shownUntil(), null)
  const started = (await manager.ask('POST', path)).body
  assert.deepEqual([started.state, Date.parse(started.until) - Date.parse(started.since)], ['waiting', 600_000])
  assert.equal(await shownUntil(), started.until)
  assert.equal((await ask()).since, started.since, 'another member finds the open test')
  const { body: heard } = await shopPhone.heartbeat()
  assert.equal(heard.self_test_until, Math.floor(Date.parse(started.until) / 1000))

  // No message comes: the test ends, and a later message does not count.
  clock.advance(600_000)
  assert.equal(await shownUntil(), null)
  assert.equal((await shopPhone.heartbeat()).body.self_test_until, null)
  await shopPhone.alerts([sms('hello again', 'after the self-test', 'Somebody')])
  const ended = await ask(started.since)
  assert.deepEqual([ended.state, ended.alert, ended.until], ['ended', null, started.until])
  assert.equal((await ask()).until, null)

  // The next test gets a message, and keeps that result after its end.
  clock.advance(1_000)
  const next = (await manager.ask('POST', path)).body
  assert.equal(next.state, 'waiting')
  await shopPhone.alerts([sms('third', 'within the self-test', 'Somebody')])
  clock.advance(3_600_000)
  assert.equal((await ask(next.since)).state, 'arrived')
  const log = await service.sql(`select actor from audit_log where action = 'phone.self_test'`)
  assert.equal(log.length, 2)
})

test('a forwarding app is connected with a rule file or with settings, and its signed alerts are accepted', async () => {
  const path = `/phones/${demo.device.id}/ingest/`
  const answer = await owner.ask('POST', path, { body: { app: 'sms-to-url' } })
  assert.equal(answer.status, 200, answer.text)
  const { rule_file, url, signing_key, phone: detail } = answer.body
  assert.equal(detail.forwards, 'signed')
  const [rule] = JSON.parse(rule_file.content)
  assert.deepEqual([rule.key, rule.url, rule.sign_hmac_sha256_secret], [demo.device.id, url, signing_key])
  assert.match(rule.sender, /Jawali/)
  const { createHmac } = await import('node:crypto')
  const body = JSON.stringify({ from: 'Jawali', text: jawali('220700000777'), sim: 'sim1', receivedStamp: clock.now() })
  const signed = { 'x-signature': createHmac('sha256', signing_key).update(body).digest('hex') }
  assert.equal((await askAt(url, 'POST', { body, headers: signed })).status, 200)
  assert.equal((await askAt(url, 'POST', { body, headers: { 'x-signature': '00' } })).status, 401)

  const secrets = [signing_key, url.split('/').at(-1)]
  const log = await service.sql(`select before, after from audit_log where kind = 'phone'`)
  const allTexts = JSON.stringify([log, service.lines, await show(demo.device.id)])
  for (const secret of secrets) assert.ok(!allTexts.includes(secret))

  const renewed = await owner.ask('POST', path, { body: { app: 'text' } })
  assert.deepEqual([renewed.body.signing_key, renewed.body.rule_file], [null, null])
  assert.equal((await askAt(url, 'POST', { body, headers: signed })).status, 401)
  for (const app of ['smsgate', 'sms-forwarder'])
    assert.ok((await owner.ask('POST', path, { body: { app } })).body.settings.length >= 4)
})

test('an app’s own signing key is accepted as it is; only owners see keys of phones', async () => {
  const path = `/phones/${demo.device.id}`
  const own = await owner.ask('POST', `${path}/ingest/`, { body: { app: 'smsgate', signing_key: ' made by the app ' } })
  assert.equal(own.body.signing_key, ' made by the app ')
  const none = await owner.ask('PUT', `${path}/signing-key/`, { body: { signing_key: null } })
  assert.equal(none.body.forwards, 'unsigned')
  assert.equal((await owner.ask('PUT', `${path}/signing-key/`, { body: { signing_key: 'k' } })).body.forwards, 'signed')
  assert.deepEqual(errorsOf(await owner.ask('PUT', `${path}/signing-key/`, { body: {} })), ['required@signing_key'])
  assert.deepEqual(errorsOf(await owner.ask('POST', `${path}/ingest/`, { body: { app: 'x' } })), ['invalid_choice@app'])
  assert.equal((await manager.ask('POST', `${path}/ingest/`, { body: { app: 'text' } })).status, 403)
})

test('a phone with wallets or alerts cannot be removed', async () => {
  const { phone: created } = await createPhone()
  const bound = await manager.ask('PATCH', `/wallets/${demo.wallets.unmonitored}/`, { body: { phone: created.id } })
  assert.equal(bound.status, 200, bound.text)
  const remove = (id: string) => manager.ask('DELETE', `/phones/${id}/`)
  assert.deepEqual(errorsOf(await remove(created.id)), ['phone_has_wallets@non_field_errors'])
  await manager.ask('PATCH', `/wallets/${demo.wallets.unmonitored}/`, { body: { phone: null } })
  assert.equal((await remove(created.id)).status, 204)
  assert.equal((await remove(created.id)).status, 404)

  const { phone: reporting, pairing } = await createPhone()
  const { body } = await pair(pairing.code)
  await phone(service.origin, clock.now, { id: reporting.id, secret: body.secret }).alerts([sms('hello', 'x')])
  assert.deepEqual(errorsOf(await remove(reporting.id)), ['phone_has_alerts@non_field_errors'])
})

test('a phone that sent only heartbeats can be removed, unless a wallet is bound to it at the same time', async () => {
  const { phone: created, pairing } = await createPhone()
  const { body } = await pair(pairing.code)
  await phone(service.origin, clock.now, { id: created.id, secret: body.secret }).heartbeat()
  const [removed, bound] = await Promise.all([
    manager.ask('DELETE', `/phones/${created.id}/`),
    manager.ask('PATCH', `/wallets/${demo.wallets.unmonitored}/`, { body: { phone: created.id } }),
  ])
  if (removed.status === 204) assert.deepEqual(errorsOf(bound), ['does_not_exist@phone'])
  else assert.deepEqual([errorsOf(removed), bound.status], [['phone_has_wallets@non_field_errors'], 200])
  await manager.ask('PATCH', `/wallets/${demo.wallets.unmonitored}/`, { body: { phone: null } })
})

test('invalid fields of a phone are refused', async () => {
  assert.deepEqual(errorsOf(await owner.ask('POST', '/phones/', { body: {} })), ['required@name'])
  assert.deepEqual(errorsOf(await owner.ask('POST', '/phones/', { body: { name: 'x'.repeat(101) } })), [
    'max_length@name',
  ])
  const bad = await manager.ask('PATCH', `/phones/${demo.device.id}/`, { body: { switched_on: null, name: '' } })
  assert.deepEqual(errorsOf(bad), ['blank@name', 'null@switched_on'])
})
