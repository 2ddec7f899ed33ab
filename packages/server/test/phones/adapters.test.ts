/** Adapters for existing forwarding apps: they read what each app really sends, and no report is lost or refused. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import type { AccountId, AlertId, PhoneId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import type { Adapter, SentMessage } from '../../src/http/device/adapters/adapter.ts'
import { ruleFile } from '../../src/http/device/adapters/rule-file.ts'
import { smsForwarder } from '../../src/http/device/adapters/sms-forwarder.ts'
import { smsToUrl } from '../../src/http/device/adapters/sms-to-url.ts'
import { smsgate } from '../../src/http/device/adapters/smsgate.ts'
import { text } from '../../src/http/device/adapters/text.ts'
import { isValidSignature } from '../../src/http/device/signature.ts'
import type { RecordAlerts } from '../../src/matching/report/record-alerts.ts'
import { createPhone, renewIngestAccess, setSigningKey, switchPhone } from '../../src/wallets/phones/phone-access.ts'
import { phoneSecrets } from '../../src/wallets/phones/phone-secrets.ts'
import { runs } from '../support/runs.ts'
import { transferText } from '../support/sms-texts.ts'
import { type Answer, askAt, morning, openTestService } from '../support/story.ts'

const zone = zoneOf('Asia/Aden')
const parsed = (adapter: Adapter, body: string | Uint8Array, more: Partial<SentMessage> = {}) =>
  adapter.read({ bytes: Buffer.from(body as string), type: '', query: new Map(), zone, now: morning, ...more })
const only = (adapter: Adapter, body: string | Uint8Array, more: Partial<SentMessage> = {}) => {
  const { reports } = parsed(adapter, body, more)
  assert.equal(reports.length, 1)
  const { clientId, ...rest } = reports[0]!
  assert.match(clientId, /^[!-~]{1,128}$/)
  return { clientId, ...rest }
}
const empty = { kind: 'sms', sender: '', package: '', title: '', simSlot: '', sentAt: null, phoneReceivedAt: null }

const arabic = transferText('1500', '258113.19', '777123456')
const smsToUrlBody = `{
  "from":"Jawali",
  "text":"${arabic}\\nشكرا",
  "sentStamp":1767322900000,
  "receivedStamp":1767322903123,
  "sim":"sim2"
}`
// Gson escapes `'` and `=`.
const smsgateBody =
  '{"id":"Ey6ECgOkVVFjz3CL48B8C","webhookId":"LreFUt-Z3sSq0JufY9uWB","event":"sms:received","deviceId":"dev1",' +
  '"payload":{"messageId":"abc123","message":"it\\u0027s a\\u003db","sender":"Jawali","recipient":"+967777000000",' +
  '"simNumber":1,"receivedAt":"2026-01-02T06:01:40.000+03:00","phoneNumber":"Jawali"}}'

test('sms-to-url: every field of the default template is read', () => {
  assert.deepEqual(only(smsToUrl, smsToUrlBody), {
    ...empty,
    clientId: only(smsToUrl, smsToUrlBody).clientId,
    sender: 'Jawali',
    text: `${arabic}\nشكرا`,
    simSlot: 'SIM2',
    sentAt: 1767322900000,
    phoneReceivedAt: 1767322903123,
  })
  assert.equal(parsed(smsToUrl, smsToUrlBody).health, undefined)
})

test('sms-to-url: an undetected SIM is no slot, timestamps may be strings, the sender a number', () => {
  const report = only(smsToUrl, '{"from":777123456,"text":"x","sentStamp":"1767322900000","sim":"undetected"}')
  assert.equal(report.sender, '777123456')
  assert.equal(report.simSlot, '')
  assert.equal(report.sentAt, 1767322900000)
})

test("sms-to-url: the phone's own state is read, and an unreplaced placeholder is ignored", () => {
  const body = '{"from":"a","text":"b","version":"2.4","battery":"81","power":"ac","network":"wifi"}'
  assert.deepEqual(parsed(smsToUrl, body).health, { app_version: '2.4', battery: 81, power: 'ac', network: 'wifi' })
  assert.equal(parsed(smsToUrl, '{"from":"a","text":"b","battery":"%battery%"}').health, undefined)
})

test('sms-to-url and text: a repeated message has the same id; with another time it has another id', () => {
  const [first] = parsed(smsToUrl, smsToUrlBody).reports
  const later = only(smsToUrl, smsToUrlBody, { now: morning + 45 * 3_600_000 })
  assert.equal(later.clientId, first!.clientId, 'the time of the retry does not matter')
  assert.notEqual(only(smsToUrl, smsToUrlBody.replace('903123', '903124')).clientId, first!.clientId)
  assert.notEqual(only(smsToUrl, smsToUrlBody.replace('Jawali', 'Jaib')).clientId, first!.clientId)
  const at = new Map([['at', '1767322903123']])
  assert.equal(
    only(text, arabic, { query: at }).clientId,
    only(text, arabic, { query: at, now: morning + 7_200_000 }).clientId,
  )
})

test('a message without a time of its own gets another id each time it comes', () => {
  const [a, b] = [morning, morning].map((now) => only(text, arabic, { now }).clientId)
  assert.notEqual(a, b)
})

test('smsgate: a received message gets the id of its event, not the id of the message', () => {
  assert.deepEqual(only(smsgate, smsgateBody), {
    ...empty,
    clientId: 'smsgate:Ey6ECgOkVVFjz3CL48B8C',
    sender: 'Jawali',
    text: "it's a=b",
    simSlot: 'SIM1',
    sentAt: Date.parse('2026-01-02T03:01:40Z'),
  })
})

test('smsgate: the sender is also read from phoneNumber, as it was called before 2026', () => {
  const old = smsgateBody.replace('"sender":"Jawali","recipient":"+967777000000",', '')
  assert.equal(only(smsgate, old).sender, 'Jawali')
})

test('smsgate: an invalid id is replaced, always by the same one', () => {
  const long = smsgateBody.replace('Ey6ECgOkVVFjz3CL48B8C', 'é'.repeat(500))
  assert.equal(only(smsgate, long).clientId, only(smsgate, long).clientId)
  assert.notEqual(only(smsgate, long).clientId, only(smsgate, long.replace('é', 'e')).clientId)
  const none = smsgateBody.replace('"id":"Ey6ECgOkVVFjz3CL48B8C",', '')
  assert.equal(only(smsgate, none).clientId, only(smsgate, none).clientId)
})

const ping =
  '{"id":"p1","webhookId":"w","event":"system:ping","deviceId":"d","payload":{"health":{"status":"pass","checks":{' +
  '"messages:failed":{"status":"pass","observedValue":0,"observedUnit":"messages","description":""},' +
  '"connection:status":{"status":"pass","observedValue":1,"observedUnit":"boolean","description":""},' +
  '"battery:level":{"status":"pass","observedValue":94,"observedUnit":"percent","description":""},' +
  '"battery:charging":{"status":"pass","observedValue":5,"observedUnit":"flags","description":""}}}}}'
const started =
  '{"id":"s1","webhookId":"w","event":"app:started","deviceId":"d","payload":{"simCards":[{"slotIndex":0,"simNumber":1,' +
  '"phoneNumber":"+967777","carrierName":"Yemen Mobile","iccid":"8996701234567890123"},{"slotIndex":1,"simNumber":2}]}}'

test('smsgate: pings are heartbeats; a start event has the SIM cards, of which only the last digits are kept', () => {
  assert.deepEqual(parsed(smsgate, ping), {
    reports: [],
    health: { battery: 94, charging: true, network: 'connected' },
    isPing: true,
  })
  assert.deepEqual(parsed(smsgate, started), {
    reports: [],
    health: {
      sims: [
        { slot: 'SIM1', carrier: 'Yemen Mobile', iccid_tail: '0123' },
        { slot: 'SIM2', carrier: '', iccid_tail: '' },
      ],
    },
  })
  assert.deepEqual(parsed(smsgate, '{"event":"system:ping","payload":{"health":{"checks":{"battery:level":5}}}}'), {
    reports: [],
    health: {},
    isPing: true,
  })
})

test('smsgate: events of sent messages are ignored; unknown events are stored', () => {
  for (const event of ['sms:sent', 'sms:delivered', 'sms:failed'])
    assert.deepEqual(parsed(smsgate, smsgateBody.replace('sms:received', event)).reports, [])
  const unknown = smsgateBody.replace('sms:received', 'mms:received')
  assert.equal(only(smsgate, unknown).text, unknown)
  assert.equal(only(smsgate, unknown).sender, '')
})

test('sms-forwarder: an SMS and a notification of a JSON template are read', () => {
  const sms = only(
    smsForwarder,
    JSON.stringify({
      from: 'Jawali',
      content: 'Jawali\nx\nSIM1_Yemen Mobile',
      org_content: arabic,
      card_slot: 'SIM1_Yemen Mobile',
      receive_time: '2026-01-02 06:01:40',
      timestamp: '1767322999999',
    }),
  )
  assert.equal(sms.kind, 'sms')
  assert.equal(sms.sender, 'Jawali')
  assert.equal(sms.text, arabic, 'the original text, not the text that the app composed')
  assert.equal(sms.simSlot, 'SIM1')
  assert.equal(sms.phoneReceivedAt, Date.parse('2026-01-02T03:01:40Z'), 'in the zone of the service')
  const unreadable = { from: 'Jawali', org_content: arabic, receive_time: '[receive_time]', timestamp: '1767322999999' }
  assert.equal(only(smsForwarder, JSON.stringify(unreadable)).phoneReceivedAt, 1767322999999)
  const notification = only(
    smsForwarder,
    JSON.stringify({ from: 'com.jawali.app', text: arabic, title: 'حوالة واردة' }),
  )
  assert.equal(notification.kind, 'notification')
  assert.equal(notification.package, 'com.jawali.app')
  assert.equal(notification.title, 'حوالة واردة')
  assert.equal(notification.simSlot, '')
  const named = { from: 'Jawali', text: arabic, title: 'تم إلغاء الحوالة', card_slot: 'SIM2' }
  const withTitle = only(smsForwarder, JSON.stringify(named))
  assert.equal(
    withTitle.title,
    'تم إلغاء الحوالة',
    'also if the user’s template names the sender instead of the package',
  )
  assert.equal(withTitle.simSlot, 'SIM2')
  const times = { receive_time: '2026-01-02 06:01:40' }
  const ids = ['', 'حوالة واردة', 'تم إلغاء الحوالة'].map(
    (title) => only(smsForwarder, JSON.stringify({ ...named, ...times, title })).clientId,
  )
  assert.equal(new Set(ids).size, 3, 'another title is another message')
})

test('sms-forwarder: the form that it sends without a template is read', () => {
  const form = new URLSearchParams({ from: 'Jawali', content: arabic, timestamp: '1767322903123' }).toString()
  const report = only(smsForwarder, form, { type: 'application/x-www-form-urlencoded; charset=utf-8' })
  assert.equal(report.sender, 'Jawali')
  assert.equal(report.text, arabic)
  assert.equal(report.phoneReceivedAt, 1767322903123)
})

test('text: the body is the message, the query has the sender, the SIM and the time', () => {
  const query = new Map([
    ['from', 'ONE Cash'],
    ['sim', '2'],
    ['at', '1767322903123'],
  ])
  const { clientId: _id, ...report } = only(text, arabic, { query })
  assert.deepEqual(report, {
    ...empty,
    sender: 'ONE Cash',
    text: arabic,
    simSlot: 'SIM2',
    phoneReceivedAt: 1767322903123,
  })
  assert.equal(only(text, 'x', { query: new Map([['from', ' 967777123456']]) }).sender, '+967777123456')
})

test('an unreadable body is stored unchanged; an empty body is ignored', () => {
  for (const adapter of [smsToUrl, smsgate, smsForwarder]) {
    for (const body of [
      '{"from":"Jawali","te',
      '[]',
      '5',
      'hello',
      '{"event":"sms:received","payload":{}}',
      '{"a":1}',
    ]) {
      const { clientId, ...report } = only(adapter, body)
      assert.deepEqual(report, { ...empty, text: body }, adapter.name)
      assert.ok(clientId.startsWith(`${adapter.name}:`))
    }
    for (const body of ['', ' \n']) assert.deepEqual(parsed(adapter, body).reports, [], adapter.name)
  }
  assert.deepEqual(parsed(text, ' \n').reports, [])
})

test('a byte order mark is ignored', () => {
  assert.equal(only(smsToUrl, `\ufeff${smsToUrlBody}`).sender, 'Jawali')
  assert.equal(only(text, '\ufeffhello').text, 'hello')
})

const adapters = [smsToUrl, smsgate, smsForwarder, text]
const types = fc.constantFrom('', 'application/json', 'application/x-www-form-urlencoded', 'text/plain; charset=x')
const names = fc.constantFrom(
  ...['from', 'text', 'sentStamp', 'receivedStamp', 'sim', 'battery', 'id', 'event', 'payload', 'message', 'sender'],
  ...['simNumber', 'receivedAt', 'health', 'checks', 'battery:level', 'observedValue', 'simCards', 'content', 'at'],
)
const values = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('sms:received', 'system:ping', 'app:started', 1e308, -1, 1767322903123, '٣', '\ud800', '\0'),
)
const shaped = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    values,
    fc.dictionary(names, tie('any')),
    fc.array(tie('any'), { maxLength: 3 }),
  ),
  body: fc.dictionary(names, tie('any')),
})).body

test('no bytes make an adapter throw, and every report gets an id', () => {
  const bodies = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.string({ unit: 'binary' }).map((body) => new Uint8Array(Buffer.from(body))),
    shaped.map((body) => new Uint8Array(Buffer.from(JSON.stringify(body)))),
  )
  const queries = fc.dictionary(fc.constantFrom('from', 'sim', 'at'), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(bodies, types, queries, (bytes, type, query) => {
      for (const adapter of adapters) {
        const sent = { bytes, type, query: new Map(Object.entries(query)), zone, now: morning }
        const { reports, health } = adapter.read(sent)
        // A message without its own time gets another id each time.
        const comparable = (report: (typeof reports)[number]) =>
          report.sentAt === null && report.phoneReceivedAt === null ? { ...report, clientId: '' } : report
        assert.deepEqual(adapter.read(sent).reports.map(comparable), reports.map(comparable))
        for (const report of reports) {
          assert.match(report.clientId, /^[!-~]{1,128}$/)
          for (const when of [report.sentAt, report.phoneReceivedAt])
            assert.ok(when === null || (Number.isInteger(when) && when >= 0 && when < 253_402_300_800_000))
        }
        // The state of the phone must be storable as JSON.
        assert.ok(!JSON.stringify(health ?? {}).includes('\\u0000'))
        if (adapter.signature !== undefined) {
          const { over, hex } = adapter.signature(bytes, query)
          assert.equal(isValidSignature('key', over, hex), false)
        }
      }
    }),
    { numRuns: runs(2_000, 300) },
  )
})

test('the rule file has one rule, named after the phone, for the senders of its wallets only', () => {
  const settings = {
    phone: 'd0000000-0000-4000-8000-000000000000' as PhoneId,
    url: 'https://pay.example.com/',
    token: 'tok',
    signingKey: 'key',
    senders: ['Jawali', 'ONE Cash', 'a.b', 'Jawali'],
    simSlot: 'SIM2' as const,
  }
  const [rule, ...more] = JSON.parse(ruleFile(settings))
  assert.deepEqual(more, [])
  assert.deepEqual(Object.keys(rule).sort(), [
    ...['chunked_mode', 'headers', 'ignore_ssl', 'is_sender_regex', 'is_sms_enabled', 'key', 'local_mode'],
    ...['retries_number', 'sender', 'sign_hmac_sha256', 'sign_hmac_sha256_secret', 'sim_slot', 'sms_filter'],
    ...['store_failed', 'template', 'url'],
  ])
  assert.equal(rule.key, settings.phone)
  assert.equal(rule.url, 'https://pay.example.com/ingest/sms-to-url/tok')
  assert.equal(rule.sender, '^(?:Jawali|ONE Cash|a\\.b)$')
  assert.equal(rule.is_sender_regex, true)
  assert.equal(rule.sim_slot, 2)
  assert.equal(rule.ignore_ssl, false)
  assert.equal(rule.sign_hmac_sha256, true)
  assert.equal(rule.sign_hmac_sha256_secret, 'key')
  assert.equal(typeof JSON.parse(rule.headers), 'object')

  const [plain] = JSON.parse(ruleFile({ ...settings, signingKey: null, senders: ['Jaib (x)'], simSlot: '' }))
  assert.equal(plain.sender, 'Jaib (x)')
  assert.equal(plain.is_sender_regex, false)
  assert.equal(plain.sign_hmac_sha256, false)
  assert.equal(plain.sim_slot, 0)
  assert.equal(JSON.parse(ruleFile({ ...settings, senders: [] }))[0].sender, '*')
})

test('the adapter reads what the app sends with the rule file', () => {
  const senders = { signingKey: null, senders: ['Jawali'], simSlot: '' } as const
  const [rule] = JSON.parse(ruleFile({ phone: 'd' as PhoneId, url: 'https://x', token: 't', ...senders }))
  const filled = (rule.template as string)
    .replace('%from%', 'Jawali')
    .replace('%text%', JSON.stringify(arabic).slice(1, -1))
    .replace('%sentStamp%', '1767322900000')
    .replace('%receivedStamp%', '1767322903123')
    .replace('%sim%', 'sim1')
    .replace('%battery%', '81')
  const report = only(smsToUrl, filled)
  assert.equal(report.text, arabic)
  assert.equal(report.simSlot, 'SIM1')
  assert.deepEqual(parsed(smsToUrl, filled).health, { battery: 81 })
})

// Over HTTP.

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { db, clock } = service
const secrets = phoneSecrets(service.masterKey)
const hiding = hidingBy(service.masterKey)
const account = (
  await service.sql('select account_id from devices where id = $1', [service.demo.device.id])
)[0]![0] as AccountId

const newPhone = async (signingKey?: string | null) => {
  const { id } = await createPhone(db, secrets, account, 'A phone', clock.now())
  await switchPhone(db, wholeAccount(account), id, true)
  return { id, ...(await renewIngestAccess(db, secrets, wholeAccount(account), id, clock.now(), signingKey))! }
}
const send = (adapter: string, token: string, body: string | Uint8Array, headers: Record<string, string> = {}) =>
  askAt(`${service.origin}/ingest/${adapter}/${token}`, 'POST', { body, headers })
const sign = (key: string, ...parts: (string | Uint8Array)[]) => {
  const hmac = createHmac('sha256', key)
  for (const part of parts) hmac.update(part)
  return hmac.digest('hex')
}
const alertsOf = async (id: string): Promise<Record<string, unknown>[]> =>
  (await service.sql('select row_to_json(a) from alerts a where device_id = $1 order by id', [id])).map((row) =>
    JSON.parse(row[0]!),
  )
/** The text of the alert; that of an unknown sender is sealed, and is opened here. */
const textOf = (row: Record<string, unknown>): unknown =>
  row.sealed_text === null
    ? row.raw_text
    : hiding.open(row.id as AlertId, Buffer.from(String(row.sealed_text).slice(2), 'hex')).text
const rowOf = async (id: string): Promise<Record<string, unknown>> =>
  JSON.parse((await service.sql('select row_to_json(d) from devices d where id = $1', [id]))[0]![0]!)
const assertOk = (answer: Answer, about?: string): void => {
  assert.equal(answer.status, 200, `${about}: ${answer.text}`)
  assert.deepEqual(answer.body, { ok: true })
}
const assertRefused = (answer: Answer, about?: string): void => {
  assert.equal(answer.status, 401, about)
  assert.equal(answer.body.errors[0].code, 'authentication_failed')
}

test('sms-to-url: a signed message is trusted, and stored once however often it comes', async () => {
  const { id, token, signingKey } = await newPhone()
  const headers = { 'X-Signature': sign(signingKey!, smsToUrlBody) }
  for (let n = 0; n < 3; n++) {
    assertOk(await send('sms-to-url', token, smsToUrlBody, headers))
    clock.advance(3_600_000)
  }
  const [stored, ...more] = await alertsOf(id)
  assert.deepEqual(more, [])
  assert.equal(stored!.trusted, true)
  assert.equal(stored!.adapter, 'sms-to-url')
  assert.equal(stored!.sender, 'Jawali')
  assert.ok((await rowOf(id)).last_seen_at)
  assert.ok((await rowOf(id)).last_alert_at)
})

test('smsgate: the signature covers the bytes and the timestamp; retries are signed again and make one alert', async () => {
  const { id, token } = await newPhone(null)
  assert.equal(await setSigningKey(db, secrets, wholeAccount(account), id, 'of the app', clock.now()), true)
  clock.advance(2_000)
  for (const stamp of ['1767322903', '1767326503']) {
    const headers = { 'X-Timestamp': stamp, 'X-Signature': sign('of the app', smsgateBody, stamp).toUpperCase() }
    assertOk(await send('smsgate', token, smsgateBody, headers))
  }
  const [stored, ...more] = await alertsOf(id)
  assert.deepEqual(more, [])
  assert.equal(stored!.trusted, true)
  assert.equal(stored!.raw_text, "it's a=b")
  assertRefused(
    await send('smsgate', token, smsgateBody, {
      'X-Timestamp': '1767322904',
      'X-Signature': sign('of the app', smsgateBody, '1767322903'),
    }),
  )
})

test('smsgate: a ping stores the health of the phone, and a start event adds the SIM cards to it', async () => {
  const { id, token } = await newPhone(null)
  assertOk(await send('smsgate', token, ping))
  assertOk(await send('smsgate', token, started))
  const row = await rowOf(id)
  assert.deepEqual(row.health, {
    battery: 94,
    charging: true,
    network: 'connected',
    sims: [
      { slot: 'SIM1', carrier: 'Yemen Mobile', iccid_tail: '0123' },
      { slot: 'SIM2', carrier: '', iccid_tail: '' },
    ],
  })
  assert.equal(Date.parse(row.last_seen_at as string), clock.now())
  assert.equal(row.last_alert_at, null)
  assert.deepEqual(await alertsOf(id), [])
})

test('with a signing key, a missing or wrong signature is refused, and nothing is stored', async () => {
  const { id, token, signingKey } = await newPhone()
  const tampered = smsToUrlBody.replace('1500', '9500')
  assertRefused(await send('sms-to-url', token, smsToUrlBody), 'missing')
  assertRefused(await send('sms-to-url', token, smsToUrlBody, { 'X-Signature': '' }), 'empty')
  assertRefused(await send('sms-to-url', token, smsToUrlBody, { 'X-Signature': 'junk' }), 'no hex')
  assertRefused(
    await send('sms-to-url', token, smsToUrlBody, { 'X-Signature': sign('other', smsToUrlBody) }),
    'another key',
  )
  assertRefused(
    await send('sms-to-url', token, tampered, { 'X-Signature': sign(signingKey!, smsToUrlBody) }),
    'other bytes',
  )
  assertRefused(await send('smsgate', token, smsgateBody), 'the other app that can sign')
  assert.deepEqual(await alertsOf(id), [])
})

test('without a signing key, and from apps that cannot sign, alerts are accepted but not trusted', async () => {
  const bodies: [string, string, Record<string, string>][] = [
    ['sms-to-url', smsToUrlBody, { 'X-Signature': sign('x', smsToUrlBody) }],
    ['smsgate', smsgateBody, {}],
    ['sms-forwarder', JSON.stringify({ from: 'Jaib', text: 'one' }), {}],
    ['text', 'two', { 'content-type': 'text/plain' }],
  ]
  for (const [app, body, headers] of bodies) {
    const { id, token } = await newPhone(null)
    assertOk(await send(app, token, body, headers), app)
    assert.deepEqual(
      (await alertsOf(id)).map(({ trusted }) => trusted),
      [false],
      app,
    )
  }
})

test('a wrong token is refused, an old one is invalid after its replacement, an unknown app is 404', async () => {
  const { id, token } = await newPhone(null)
  assertOk(await send('text', token, 'hello'))
  for (const invalid of ['x', token.slice(1), `${token}x`, token.toUpperCase(), '%00', '%FF', 'a'.repeat(4_000)])
    assert.ok([401, 404].includes((await send('text', invalid, 'hello')).status), invalid)
  assertRefused(await send('text', 'A'.repeat(43), 'hello'))
  const next = (await renewIngestAccess(db, secrets, wholeAccount(account), id, clock.now(), null))!
  assertOk(await send('text', next.token, 'hello again'), 'at once')
  clock.advance(2_000)
  assertRefused(await send('text', token, 'hello'))
  for (const [method, path] of [
    ['POST', '/ingest/unknown-app/x'],
    ['POST', '/ingest/text'],
    ['POST', '/ingest'],
  ] as const)
    assert.equal((await askAt(`${service.origin}${path}`, method, { body: 'x' })).status, 404, path)
  const get = await askAt(`${service.origin}/ingest/text/${next.token}`, 'GET', {})
  assert.equal(get.status, 405)
})

test('whatever an authenticated app sends is answered with 200 and stored', async () => {
  const { id, token } = await newPhone(null)
  // An address belongs to one app; here each app in turn.
  const sendAs = async (adapter: string, body: string | Uint8Array, headers: Record<string, string> = {}) => {
    await service.sql('update devices set ingest_adapter = $2 where id = $1', [id, adapter])
    clock.advance(2_000)
    return send(adapter, token, body, headers)
  }
  const sent: [string, string | Uint8Array, string][] = [
    ['sms-to-url', '{"from":"Jawali","text":"cut o', '{"from":"Jawali","text":"cut o'],
    ['sms-to-url', '{"from":"x\\u0000y","text":"NUL \\u0000 inside"}', 'NUL \ufffd inside'],
    ['sms-to-url', '{"from":"x","text":"half \\ud800"}', 'half \ufffd'],
    ['smsgate', 'null', 'null'],
    ['text', new Uint8Array([0x61, 0xff, 0x00, 0x62]), 'a\ufffd\ufffdb'],
    ['sms-forwarder', '<xml/>', '<xml/>'],
    ['text', 'x'.repeat(100 * 1024), 'x'.repeat(65_536)],
    ['sms-to-url', JSON.stringify({ from: 'y'.repeat(5_000), text: 'z'.repeat(100 * 1024) }), 'z'.repeat(65_536)],
    ['sms-to-url', '['.repeat(100_000), '['.repeat(65_536)],
    ['text', 'unknown sender', 'unknown sender'],
  ]
  for (const [adapter, body] of sent) assertOk(await sendAs(adapter, body, { 'content-type': '(none)' }), adapter)
  const stored = await alertsOf(id)
  assert.deepEqual(
    stored.map(textOf),
    sent.map(([, , stored]) => stored),
  )
  for (const [adapter, body] of sent) assertOk(await sendAs(adapter, body), adapter)
  const again = (await alertsOf(id)).slice(sent.length)
  assert.deepEqual(
    again.map(({ state, reason }) => `${state} ${reason}`),
    sent.map(() => 'duplicate same_text'),
    'each retry is a duplicate, and can be found',
  )
  assertOk(await sendAs('text', ''), 'nothing at all')
  assert.equal((await alertsOf(id)).length, 2 * sent.length)
})

test('a phone that is off gets 200, and its alert is held', async () => {
  const { id, token } = await newPhone(null)
  await switchPhone(db, wholeAccount(account), id, false)
  assertOk(await send('text', token, arabic))
  assert.equal((await alertsOf(id))[0]!.state, 'held')
})

test('the query of the text adapter is read as it was sent', async () => {
  const { id, token } = await newPhone(null)
  assertOk(
    await send('text', `${token}?from=ONE%20Cash&sim=1&at=${clock.now()}`, 'hello', { 'content-type': 'text/plain' }),
  )
  const [stored] = await alertsOf(id)
  assert.equal(stored!.sender, 'ONE Cash')
  assert.equal(stored!.sim_slot, 'SIM1')
  assert.equal(Date.parse(stored!.phone_received_at as string), clock.now())
})

test('neither token nor signing key is logged or stored in plain text', async () => {
  const { id, token, signingKey } = await newPhone()
  await send('sms-to-url', token, smsToUrlBody, { 'X-Signature': sign(signingKey!, smsToUrlBody) })
  await send('sms-to-url', `${token}x`, smsToUrlBody)
  const log = service.lines.join('')
  assert.ok(log.includes('"route":"/ingest/:adapter/:token"'))
  const row = JSON.stringify(await rowOf(id))
  for (const secret of [token, signingKey!])
    for (const place of [log, row]) {
      assert.ok(!place.includes(secret))
      assert.ok(!place.includes(Buffer.from(secret).toString('hex')))
    }
})

test('a report that cannot be stored now is answered with 503, so that the app sends it again', async () => {
  let broken = true
  const recorded: string[] = []
  const record: RecordAlerts = async (_from, reports) => {
    if (broken) throw new Error('the database is away')
    recorded.push(...reports.map((report) => report.text))
    return reports.map(() => 'accepted')
  }
  const shaky = await openTestService({ SANAD_LIMITS: JSON.stringify({ device: { burst: 3 } }) }, { record })
  const { ingest_token: token } = shaky.demo.device
  const report = () => askAt(`${shaky.origin}/ingest/text/${token}`, 'POST', { body: 'hello' })
  const answer = await report()
  assert.equal(answer.status, 503)
  assert.equal(answer.body.type, 'server_error')
  assert.ok(Number(answer.headers['retry-after']) >= 1)
  assert.ok(shaky.lines.some((line) => line.includes('the database is away')))
  assert.ok(!shaky.lines.join('').includes(token))
  broken = false
  assertOk(await report())
  assert.deepEqual(recorded, ['hello'])
  assertOk(await report())
  const throttled = await report()
  assert.equal(throttled.status, 503, 'above its limit the app must retry; after a 4xx it could drop the alert')
  assert.ok(Number(throttled.headers['retry-after']) >= 1)
})

test('wrong tokens are limited by the address they come from; a valid token from there still passes', async () => {
  const strict = await openTestService({ SANAD_LIMITS: JSON.stringify({ ingest_failure: { burst: 3 } }) })
  const at = (token: string) => askAt(`${strict.origin}/ingest/text/${token}`, 'POST', { body: 'hello' })
  for (const expected of [401, 401, 401, 429, 429]) assert.equal((await at('guess')).status, expected)
  assertOk(await at(strict.demo.device.ingest_token))
  strict.clock.advance(60_000)
  assert.equal((await at('guess')).status, 401)
})
