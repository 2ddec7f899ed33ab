/** How a phone is paired, how it signs its requests, and what happens to its reports. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { hidingBy } from '../../src/alerts/hidden/hidden-text.ts'
import type { AccountId, PhoneId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { findPhoneOf } from '../../src/wallets/phones/account-phones.ts'
import { answerLife_ms } from '../../src/wallets/phones/answer-once.ts'
import { createPhone, regenerateCode, switchPhone } from '../../src/wallets/phones/phone-access.ts'
import { phoneSecrets } from '../../src/wallets/phones/phone-secrets.ts'
import { prunePhoneRequests } from '../../src/wallets/phones/phone-sql.ts'
import { isSilent } from '../../src/wallets/silence/silence.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { db, clock, demo } = service
const other = await service.startNode()
const secrets = phoneSecrets(service.masterKey)
const account = (
  await service.sql('select account_id from devices where id = $1', [demo.device.id])
)[0]![0] as AccountId
const now = () => clock.now()
const seconds = () => Math.floor(clock.now() / 1000)

const pair = (code: unknown, fields: Record<string, unknown> = {}, origin = service.origin): Promise<Answer> =>
  askAt(`${origin}/api/v1/device/pair`, 'POST', { body: { code, ...fields } })
const newPhone = () => createPhone(db, secrets, account, 'A phone', clock.now())
const pairedPhone = async () => {
  const { body } = await pair((await newPhone()).code)
  return phone(service.origin, now, { id: body.device_id, secret: body.secret })
}
const rowOf = async (id: string): Promise<Record<string, unknown>> =>
  JSON.parse((await service.sql('select row_to_json(d) from devices d where id = $1', [id]))[0]![0]!)
const silent = async (id: string): Promise<boolean> =>
  isSilent((await findPhoneOf(db, wholeAccount(account), id))!.signs, clock.now())
const alertsOf = async (id: string): Promise<Record<string, unknown>[]> =>
  (await service.sql('select row_to_json(a) from alerts a where device_id = $1 order by id', [id])).map((row) =>
    JSON.parse(row[0]!),
  )
let texts = 0
const alert = (more: Record<string, unknown> = {}) => ({
  client_id: randomUUID(),
  kind: 'sms',
  sender: 'Jawali',
  text: `text ${++texts}`,
  received_at: seconds(),
  ...more,
})
const statuses = (answer: Answer): string[] => answer.body.results.map(({ status }: { status: string }) => status)

const wrongCode = {
  type: 'client_error',
  errors: [
    {
      code: 'authentication_failed',
      detail: 'This code is wrong, used or expired. Create a new one on the dashboard.',
      attr: null,
    },
  ],
}
const incorrect = {
  type: 'client_error',
  errors: [{ code: 'authentication_failed', detail: 'Incorrect authentication credentials.', attr: null }],
}
const missing = {
  type: 'client_error',
  errors: [{ code: 'not_authenticated', detail: 'Authentication credentials were not provided.', attr: null }],
}
const assertRefused = (answer: Answer, body: object, about?: string): void => {
  assert.equal(answer.status, 401, `${about}: ${answer.text}`)
  assert.deepEqual(answer.body, body, about)
}

test('a code pairs a phone once: it gets its secret, and the first pairing switches it on', async () => {
  const created = await newPhone()
  assert.match(created.code, /^[0-9A-HJKMNP-TV-Z]{5}-[0-9A-HJKMNP-TV-Z]{5}$/)
  assert.equal((await rowOf(created.id)).switched_on, false)
  const answer = await pair(created.code, { agent: 'sanad-agent', version: '1.0', model: 'A15', android: 14 })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.deepEqual(Object.keys(answer.body), ['device_id', 'secret', 'secret_version', 'server_time', 'config'])
  assert.equal(answer.body.device_id, created.id)
  assert.equal(answer.body.secret_version, 1)
  assert.equal(answer.body.server_time, seconds())
  assert.equal(answer.body.config.heartbeat_s, 60)
  const row = await rowOf(created.id)
  assert.deepEqual(row.about, { agent: 'sanad-agent', version: '1.0', model: 'A15', android: '14' })
  assert.equal(row.switched_on, true)
  const paired = phone(service.origin, now, { id: created.id, secret: answer.body.secret })
  assert.equal((await paired.heartbeat()).status, 200)
  assertRefused(await pair(created.code), wrongCode, 'the same code again')
})

test('a code is accepted as people type it: either case, spaces, hyphens, O for 0, I and L for 1', async () => {
  for (const typed of [
    (code: string) => code.toLowerCase(),
    (code: string) => code.replace('-', ' '),
    (code: string) => ` ${[...code].join(' ')} `,
    (code: string) => code.replace('-', '').replaceAll('0', 'o').replaceAll('1', 'l'),
    (code: string) => code.replaceAll('0', 'O').replaceAll('1', 'i'),
    (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit))),
  ]) {
    const { code } = await newPhone()
    assert.equal((await pair(typed(code))).status, 200, typed(code))
  }
})

test('a code that is used several times at once, on two nodes, pairs one phone', async () => {
  const { code } = await newPhone()
  const answers = await Promise.all([1, 2, 3, 4].map((n) => pair(code, {}, n % 2 ? service.origin : other.origin)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 401, 401, 401])
})

test('a code is valid for exactly ten minutes', async () => {
  const [first, second] = [await newPhone(), await newPhone()]
  clock.set(first.until - 1)
  assert.equal((await pair(first.code)).status, 200)
  clock.set(second.until)
  assertRefused(await pair(second.code), wrongCode)
})

/** A wrong code that differs only in its last character. */
const near = (code: string, n: number): string => {
  const plain = code.replace('-', '')
  const last = 'ABCDEFGHJKMNPQRSTVWXYZ'.replace(plain[9]!, '')[n]!
  return plain.slice(0, 9) + last
}

test('four wrong attempts leave a code valid, five invalidate it', async () => {
  const [patient, dead] = [await newPhone(), await newPhone()]
  for (let n = 0; n < 4; n++) assertRefused(await pair(near(patient.code, n)), wrongCode)
  assert.equal((await pair(patient.code)).status, 200)
  for (let n = 0; n < 5; n++) assertRefused(await pair(near(dead.code, n)), wrongCode)
  assertRefused(await pair(dead.code), wrongCode)
  const renewed = await regenerateCode(db, secrets, wholeAccount(account), dead.id, clock.now())
  assert.equal((await pair(renewed!.code)).status, 200, 'a new code has its own attempts')
})

test('wrong, used, expired, unknown and malformed codes get the same answer', async () => {
  for (const code of ['0000000000', 'UUUUUUUUUU', '123', 'x'.repeat(100), "' or 1=1 --", '\u202e12345', 12])
    assertRefused(await pair(code), wrongCode, String(code))
})

test('missing and invalid fields of a pairing are ordinary field errors', async () => {
  assert.deepEqual(errorsOf(await askAt(`${service.origin}/api/v1/device/pair`, 'POST', { body: {} })), [
    'required@code',
  ])
  assert.deepEqual(errorsOf(await pair(null, { agent: null, model: 'x'.repeat(101) })), [
    'null@code',
    'null@agent',
    'max_length@model',
  ])
  assert.deepEqual(errorsOf(await askAt(`${service.origin}/api/v1/device/pair`, 'POST', { body: '{' })), [
    'parse_error@null',
  ])
  const get = await askAt(`${service.origin}/api/v1/device/pair`, 'GET', {})
  assert.equal(get.status, 405)
  assert.equal(get.headers.allow, 'POST')
})

test('neither code nor secret is stored in plain text or logged', async () => {
  const created = await newPhone()
  const before = JSON.stringify(await rowOf(created.id))
  const answer = await pair(created.code)
  const after = JSON.stringify(await rowOf(created.id))
  const log = service.lines.join('')
  const plain = created.code.replace('-', '')
  for (const secret of [created.code, plain, answer.body.secret])
    for (const place of [before, after, log]) {
      assert.ok(!place.includes(secret))
      assert.ok(!place.includes(Buffer.from(secret).toString('hex')))
    }
})

test('a signed report is stored with its raw text and answered by id', async () => {
  const paired = await pairedPhone()
  const sent = alert({ sim_slot: 'SIM2', sent_at: '2026-01-02T06:00:00+03:00', title: 'T', text: 'سطر\nثان  ' })
  const answer = await paired.alerts([sent])
  assert.equal(answer.status, 200)
  assert.deepEqual(Object.keys(answer.body), ['results', 'server_time', 'switched_on', 'config_version'])
  assert.deepEqual(answer.body.results, [{ client_id: sent.client_id, status: 'accepted' }])
  assert.equal(answer.body.switched_on, true)
  const [stored, ...more] = await alertsOf(paired.id)
  assert.deepEqual(more, [])
  assert.equal(stored!.raw_text, 'سطر\nثان  ')
  assert.equal(stored!.client_id, sent.client_id)
  assert.equal(stored!.adapter, 'native')
  assert.equal(stored!.trusted, true)
  assert.equal(stored!.sim_slot, 'SIM2')
  assert.equal(Date.parse(stored!.sent_at as string), Date.parse('2026-01-02T03:00:00Z'))
  assert.equal(Date.parse(stored!.phone_received_at as string), seconds() * 1000)
  assert.ok((await rowOf(paired.id)).last_alert_at)
  assert.deepEqual(statuses(await paired.alerts([sent])), ['duplicate'])
})

test('any change after signing invalidates the signature', async () => {
  const paired = await pairedPhone()
  const body = { alerts: [alert()] }
  const unknownId = '00000000-0000-4000-8000-000000000000'
  const cases: Record<string, Parameters<typeof paired.send>[2]> = {
    'another secret': { secret: 'other' },
    'another body': { signedBody: JSON.stringify({ alerts: [] }) },
    'the same JSON in other bytes': { signedBody: JSON.stringify(body, null, 1) },
    'another method': { method: 'PUT' },
    'another path': { path: '/api/v1/device/heartbeat' },
    'the path with its query': { path: '/api/v1/device/alerts?x=1', query: '?x=1' },
    'another request id': { headers: { 'X-Service-Request-Id': unknownId } },
    'another timestamp': { headers: { 'X-Service-Timestamp': String(seconds() + 1) } },
    'another device': { headers: { 'X-Service-Device': demo.device.id } },
    'an unknown device': { device: unknownId },
    'no device at all': { device: 'junk' },
    'no hex': { signature: 'v1=junk' },
    'another version': { signature: `v2=${'0'.repeat(64)}` },
    'no version': { signature: '0'.repeat(64) },
  }
  const distinctHeaders = new Set<string>()
  for (const [change, wrongly] of Object.entries(cases)) {
    const answer = await paired.send('/alerts', body, wrongly)
    assertRefused(answer, incorrect, change)
    const { date: _date, 'x-request-id': _id, ...rest } = answer.headers
    distinctHeaders.add(JSON.stringify(rest))
  }
  assert.equal(distinctHeaders.size, 1)
  assert.deepEqual(await alertsOf(paired.id), [])
  assert.equal((await paired.send('/alerts', body, { query: '?x=1' })).status, 200, 'a query is not signed')
})

test('a request without one of the four headers is not authenticated, before its body is read', async () => {
  const paired = await pairedPhone()
  for (const name of [
    'X-Service-Device',
    'X-Service-Request-Id',
    'X-Service-Timestamp',
    'X-Service-Device-Signature',
  ]) {
    assertRefused(await paired.send('/alerts', '{', { headers: { [name]: '(none)' } }), missing, name)
    assertRefused(await paired.send('/heartbeat', '{', { headers: { [name]: '' } }), missing, name)
  }
})

test("a clock more than 300 seconds off gets the server's time, and nothing is recorded", async () => {
  const paired = await pairedPhone()
  for (const off of [-301, 301, -86_400]) {
    const answer = await paired.alerts([alert()], { timestamp: String(seconds() + off) })
    assert.equal(answer.status, 401)
    assert.deepEqual(errorsOf(answer), ['clock_skew@null'])
    assert.equal(answer.body.server_time, seconds())
  }
  assert.deepEqual(await alertsOf(paired.id), [])
  clock.set(Math.ceil(clock.now() / 1000) * 1000)
  for (const off of [-300, 300])
    assert.equal((await paired.alerts([alert()], { timestamp: String(seconds() + off) })).status, 200)
  assertRefused(await paired.alerts([alert()], { timestamp: String(seconds() - 301), secret: 'other' }), incorrect)
})

test('the error names signed headers that cannot be read', async () => {
  const paired = await pairedPhone()
  const answer = await paired.alerts([alert()], { requestId: 'seven', timestamp: 'noon' })
  assert.equal(answer.status, 400)
  assert.deepEqual(errorsOf(answer), ['invalid@X-Service-Request-Id', 'invalid@X-Service-Timestamp'])
})

test('a request that is sent again gets the same answer, byte for byte, and is recorded once', async () => {
  const paired = await pairedPhone()
  const requestId = randomUUID()
  const sent = [alert(), alert({ text: 5 }), alert()]
  const first = await paired.alerts(sent, { requestId })
  assert.deepEqual(statuses(first), ['accepted', 'invalid', 'accepted'])
  clock.advance(60_000)
  const again = await paired.alerts(sent, { requestId })
  assert.equal(again.status, 200)
  assert.equal(again.text, first.text)
  const elsewhere = await paired.alerts([alert()], { requestId: requestId.toUpperCase(), origin: other.origin })
  assert.equal(elsewhere.text, first.text, 'with another body and on another node too')
  assert.equal((await alertsOf(paired.id)).length, 2)
  const stranger = await pairedPhone()
  assert.notEqual((await stranger.alerts(sent, { requestId })).text, first.text, 'request ids belong to their phone')
})

test('the same request many times at once, on two nodes, is recorded once with one answer', async () => {
  const paired = await pairedPhone()
  const requestId = randomUUID()
  const sent = [alert(), alert()]
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) =>
      paired.alerts(sent, { requestId, origin: n % 2 ? service.origin : other.origin }),
    ),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await alertsOf(paired.id)).length, 2)
})

test('after a crash between storing the alerts and storing the answer, the request can be sent again', async () => {
  const paired = await pairedPhone()
  const requestId = randomUUID()
  const sent = [alert()]
  assert.deepEqual(statuses(await paired.alerts(sent, { requestId })), ['accepted'])
  await service.sql('delete from device_requests where request_id = $1', [requestId])
  assert.deepEqual(statuses(await paired.alerts(sent, { requestId })), ['duplicate'])
  assert.equal((await alertsOf(paired.id)).length, 1)
})

test('a refused request leaves its id free', async () => {
  const paired = await pairedPhone()
  const requestId = randomUUID()
  assert.equal((await paired.send('/alerts', '{"alerts": 5}', { requestId })).status, 400)
  assert.deepEqual(statuses(await paired.alerts([alert()], { requestId })), ['accepted'])
})

test('stored answers are deleted when a repeated request would no longer be accepted', async () => {
  const paired = await pairedPhone()
  await paired.alerts([alert()])
  const storedAnswers = async () =>
    Number((await service.sql('select count(*) from device_requests where device_id = $1', [paired.id]))[0]![0])
  await prunePhoneRequests(db, clock.now() - answerLife_ms, 1000)
  assert.equal(await storedAnswers(), 1)
  await prunePhoneRequests(db, clock.now(), 1000)
  assert.equal(await storedAnswers(), 0)
})

test('a phone that is paired again keeps its id; the old secret is valid until the new one is used, then on no node', async () => {
  const paired = await pairedPhone()
  assert.equal((await paired.alerts([alert()])).status, 200)
  const created = await regenerateCode(db, secrets, wholeAccount(account), paired.id as PhoneId, clock.now())
  assert.equal((await paired.alerts([alert()])).status, 200, 'a code alone changes nothing')
  const { body } = await pair(created!.code)
  assert.equal(body.device_id, paired.id)
  assert.equal(body.secret_version, 2)
  for (const origin of [service.origin, other.origin])
    assert.equal((await paired.alerts([alert()], { origin })).status, 200, 'the old one, while the new one is not used')
  const renewed = phone(service.origin, now, { id: paired.id, secret: body.secret })
  assertRefused(
    await renewed.alerts([alert()], { signature: 'v1=00' }),
    incorrect,
    'a refused request does not count as a use',
  )
  assert.equal((await paired.alerts([alert()])).status, 200)
  assert.equal((await renewed.alerts([alert()], { origin: other.origin })).status, 200)
  clock.advance(2_000)
  for (const origin of [service.origin, other.origin]) {
    assertRefused(await paired.alerts([alert()], { origin }), incorrect)
    assert.equal((await renewed.alerts([alert()], { origin })).status, 200)
  }
  assert.equal((await rowOf(paired.id)).previous_secret_sealed, null)
  assert.equal((await alertsOf(paired.id)).length, 8, 'all alerts belong to one phone')
})

test('a new pairing whose answer was lost can be repeated: the secret in use stays valid', async () => {
  const paired = await pairedPhone()
  await paired.heartbeat()
  for (let n = 0; n < 2; n++) {
    const created = await regenerateCode(db, secrets, wholeAccount(account), paired.id as PhoneId, clock.now())
    assert.equal((await pair(created!.code)).body.secret_version, 2 + n)
    assert.equal((await paired.heartbeat()).status, 200)
  }
})

test('a new secret is accepted on every node at once', async () => {
  const paired = await pairedPhone()
  assert.equal((await paired.heartbeat({}, { origin: other.origin })).status, 200)
  const created = await regenerateCode(db, secrets, wholeAccount(account), paired.id as PhoneId, clock.now())
  const { body } = await pair(created!.code)
  const renewed = phone(other.origin, now, { id: paired.id, secret: body.secret })
  assert.equal((await renewed.heartbeat()).status, 200)
})

test('reports of a phone that is off are accepted, and held', async () => {
  const paired = await pairedPhone()
  assert.equal(await switchPhone(db, wholeAccount(account), paired.id as PhoneId, false), true)
  clock.advance(2_000)
  const answer = await paired.alerts([alert(), alert()])
  assert.deepEqual(statuses(answer), ['held', 'held'])
  assert.equal(answer.body.switched_on, false)
  assert.deepEqual([...new Set((await alertsOf(paired.id)).map(({ state }) => state))], ['held'])
  await switchPhone(db, wholeAccount(account), paired.id as PhoneId, true)
  clock.advance(2_000)
  assert.deepEqual(statuses(await paired.alerts([alert()])), ['accepted'])
})

test("another account can neither switch a merchant's phone nor create a code for it", async () => {
  const paired = await pairedPhone()
  const [[stranger] = []] = await service.sql('select account_id from api_keys where client_id = $1', [
    demo.other.client_id,
  ])
  assert.equal(await switchPhone(db, wholeAccount(stranger as AccountId), paired.id as PhoneId, false), false)
  assert.equal(
    await regenerateCode(db, secrets, wholeAccount(stranger as AccountId), paired.id as PhoneId, clock.now()),
    undefined,
  )
})

test('an invalid alert does not affect the others, and its text is stored', async () => {
  const paired = await pairedPhone()
  const good = [alert(), alert()]
  const { client_id: _id, ...unnamed } = alert({ text: 'nameless' })
  const bad = [
    null,
    'text',
    [],
    {},
    { client_id: 'a' },
    { client_id: 'b', text: null },
    { client_id: 'c', text: ['x'] },
    { client_id: '', text: 'blank' },
    { client_id: 'x'.repeat(129), text: 'long name' },
    { client_id: 'n\0l', text: 'NUL name' },
    { client_id: { a: 1 }, text: 'an object for a name' },
    unnamed,
  ]
  const answer = await paired.alerts([good[0], ...bad, good[1]])
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(statuses(answer), ['accepted', ...bad.map(() => 'invalid'), 'accepted'])
  assert.deepEqual(
    answer.body.results.map(({ client_id }: { client_id: string | null }) => client_id),
    [
      good[0]!.client_id,
      null,
      null,
      null,
      null,
      'a',
      'b',
      'c',
      '',
      'x'.repeat(129),
      'n\0l',
      null,
      null,
      good[1]!.client_id,
    ],
  )
  const stored = (await alertsOf(paired.id)).map(({ raw_text }) => raw_text)
  for (const text of ['blank', 'long name', 'NUL name', 'an object for a name', 'nameless'])
    assert.ok(stored.includes(text))
  assert.equal(stored.length, 7)
  await paired.alerts([unnamed])
  assert.equal((await alertsOf(paired.id)).length, 7, 'sent again, it is a duplicate')
})

test('unusual fields are read as far as possible', async () => {
  const paired = await pairedPhone()
  const odd = [
    alert({ kind: 'carrier pigeon', sender: 967777, sim_slot: 7, sent_at: 'noon', received_at: -5 }),
    alert({ kind: null, sender: null, package: 'com.bank', title: 5, sim_slot: { a: 1 } }),
    alert({ sender: 'x'.repeat(1000), title: 'y'.repeat(1000), package: 'z'.repeat(1000) }),
    alert({ text: `NUL \0 and half \ud800 of a character` }),
    alert({ text: 'é'.repeat(100_000) }),
    alert({ sent_at: 1e300, received_at: clock.now() }),
    { client_id: 77, text: 'a number for a name' },
  ]
  const answer = await paired.alerts(odd)
  assert.deepEqual(
    statuses(answer),
    odd.map(() => 'accepted'),
  )
  assert.equal(answer.body.results[6].client_id, '77')
  const stored = await alertsOf(paired.id)
  assert.equal(stored[0]!.kind, 'sms')
  // A number as sender is read as its digits. No template has this sender, so it is sealed.
  assert.equal(stored[0]!.sender, hidingBy(service.masterKey).sender(account, '967777'))
  assert.equal(stored[0]!.sim_slot, '')
  assert.equal(stored[0]!.sent_at, null)
  assert.equal(stored[0]!.phone_received_at, null)
  assert.equal(stored[1]!.kind, 'notification')
  assert.equal(stored[3]!.raw_text, 'NUL \ufffd and half \ufffd of a character')
  assert.equal((stored[4]!.raw_text as string).length, 65_536)
  assert.equal(Date.parse(stored[5]!.phone_received_at as string), clock.now())
})

test('an invalid or too long list is refused with the errors of the API', async () => {
  const paired = await pairedPhone()
  assert.deepEqual(errorsOf(await paired.send('/alerts', {})), ['required@alerts'])
  assert.deepEqual(errorsOf(await paired.send('/alerts', { alerts: null })), ['null@alerts'])
  assert.deepEqual(errorsOf(await paired.send('/alerts', { alerts: {} })), ['not_a_list@alerts.non_field_errors'])
  assert.deepEqual(errorsOf(await paired.send('/alerts', [])), ['invalid@non_field_errors'])
  assert.deepEqual(errorsOf(await paired.send('/alerts', '{')), ['parse_error@null'])
  assert.equal((await paired.send('/alerts', '{}', { headers: { 'content-type': 'text/plain' } })).status, 415)
  const many = Array.from({ length: 101 }, () => alert())
  assert.deepEqual(errorsOf(await paired.alerts(many)), ['max_length@alerts.non_field_errors'])
  const most = await paired.alerts(many.slice(1))
  assert.deepEqual(new Set(statuses(most)), new Set(['accepted']))
  assert.deepEqual((await paired.alerts([])).body.results, [])
})

test('a heartbeat stores the state of the phone; three missed ones make it silent', async () => {
  const paired = await pairedPhone()
  const health = {
    battery: 81,
    charging: true,
    network: 'wifi',
    signal: -91,
    app_version: '1.2',
    os_version: 14,
    queue_depth: 0,
    oldest_unsent_at: '2026-01-02T06:00:00+03:00',
    sims: [{ slot: 'SIM1', carrier: 'Yemen Mobile', iccid_tail: '1234' }, { slot: 2 }],
    clock: seconds() + 42,
  }
  const answer = await paired.heartbeat(health)
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(Object.keys(answer.body), [
    'server_time',
    'switched_on',
    'config_version',
    'config',
    'self_test_until',
  ])
  assert.equal(answer.body.config.version, answer.body.config_version)
  const row = await rowOf(paired.id)
  const stored = row.health as Record<string, unknown>
  assert.equal(stored.battery, 81)
  assert.equal(stored.charging, true)
  assert.equal(stored.os_version, '14')
  assert.equal(stored.clock_off_s, Math.round(((seconds() + 42) * 1000 - clock.now()) / 1000))
  assert.equal(stored.oldest_unsent_at, '2026-01-02T03:00:00.000Z')
  assert.deepEqual(stored.sims, [
    { slot: 'SIM1', carrier: 'Yemen Mobile', iccid_tail: '1234' },
    { slot: '2', carrier: '', iccid_tail: '' },
  ])
  assert.equal(Date.parse(row.last_seen_at as string), clock.now())
  clock.advance(180_000)
  assert.equal(await silent(paired.id), false)
  clock.advance(1)
  assert.equal(await silent(paired.id), true)
  await paired.heartbeat()
  assert.equal(await silent(paired.id), false)
  assert.equal(
    ((await rowOf(paired.id)).health as Record<string, unknown>).battery,
    undefined,
    'a value that is not sent is not kept',
  )
})

test('a phone that never reported is silent', async () => {
  const created = await newPhone()
  assert.equal(await silent(created.id), true)
})

test('all errors in a heartbeat are returned at once', async () => {
  const paired = await pairedPhone()
  const answer = await paired.send('/heartbeat', {
    battery: 101,
    charging: 'maybe',
    network: null,
    queue_depth: -1,
    oldest_unsent_at: 'noon',
    sims: [{ carrier: 'x' }],
  })
  assert.equal(answer.status, 400)
  assert.deepEqual(errorsOf(answer), [
    'max_value@battery',
    'invalid@charging',
    'null@network',
    'min_value@queue_depth',
    'invalid@oldest_unsent_at',
    'required@clock',
    'required@sims.0.slot',
  ])
})

test('the phone gets the list of senders to report, and a new version when the list changes', async () => {
  const demoPhone = phone(service.origin, now, demo.device)
  const before = await demoPhone.heartbeat()
  const isSender = (name: string, sim_slot: string) => (sender: object) => isDeepStrictEqual(sender, { name, sim_slot })
  for (const slot of ['SIM1', 'SIM2']) assert.ok(before.body.config.senders.some(isSender('Jawali', slot)), slot)
  assert.equal((await demoPhone.alerts([])).body.config_version, before.body.config_version)
  await service.sql("update wallets set sender_name = 'JAWALI' where id = $1", [demo.wallets.second])
  clock.advance(2_000)
  const after = await demoPhone.heartbeat()
  assert.notEqual(after.body.config_version, before.body.config_version)
  assert.ok(after.body.config.senders.some(isSender('JAWALI', 'SIM2')))
  await service.sql("update wallets set sender_name = 'Jawali' where id = $1", [demo.wallets.second])
})

test('an alert from a phone and a reference verify an intent', async () => {
  const paired = phone(service.origin, now, demo.device)
  clock.advance(2_000)
  const reference = '202601020001'
  const intent = await service.create({ amount: '36000.00' })
  await service.ask('PATCH', `/intents/${intent.body.id}/`, { body: { reference } })
  const text = purchaseText('36000', reference, 'احمد')
  assert.deepEqual(statuses(await paired.alerts([alert({ sender: 'Jawali', text, sim_slot: 'SIM1' })])), ['accepted'])
  assert.equal((await service.ask('GET', `/intents/${intent.body.id}/`)).body.status, 'VERIFIED')
})

test('a phone has its own rate limit; codes and wrong signatures are limited by address', async () => {
  const strict = await openTestService({
    SANAD_LIMITS: JSON.stringify({ device: { burst: 3 }, ingest_failure: { burst: 4 }, pairing: { burst: 2 } }),
  })
  const paired = phone(strict.origin, () => strict.clock.now(), strict.demo.device)
  const status = async (answer: Promise<Answer>) => (await answer).status
  for (const expected of [200, 200, 401, 429, 429])
    assert.equal(await status(paired.heartbeat({}, expected === 401 ? { timestamp: '1' } : {})), expected)
  for (const expected of [401, 401, 401, 401, 429])
    assert.equal(await status(paired.alerts([], { secret: 'x' })), expected)
  assert.equal(await status(paired.alerts([])), 429, 'its own limit, not that of the address')
  strict.clock.advance(60_000)
  for (const expected of [401, 401, 401, 401, 429, 429])
    assert.equal(await status(paired.alerts([], { signature: 'v1=' })), expected)
  assert.equal(
    await status(paired.alerts([])),
    200,
    'a phone that signs correctly is accepted, whatever else fails from its address',
  )

  const account = (await strict.sql('select account_id from devices where id = $1', [paired.id]))[0]![0] as AccountId
  const { code } = await createPhone(strict.db, phoneSecrets(strict.masterKey), account, 'P', strict.clock.now())
  const tryCode = (typed: string) => askAt(`${strict.origin}/api/v1/device/pair`, 'POST', { body: { code: typed } })
  assert.equal((await tryCode('0000000000')).status, 401)
  assert.equal((await tryCode('0000000000')).status, 401)
  const waiting = await tryCode(code)
  assert.equal(waiting.status, 429, 'the right code has to wait as well')
  assert.ok(Number(waiting.headers['retry-after']) > 0)
  strict.clock.advance(60_000)
  assert.equal((await tryCode(code)).status, 200)
})
