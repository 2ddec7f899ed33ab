/** The set-up page of a phone: its code opens a session once, and the session can only create the access of an app. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { mostAccesses } from '../../src/wallets/phones/phone-setup.ts'
import { phone as nativePhone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, type Ask, askAt, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { clock, demo, origin, sql } = service
const { owner, manager } = await createMembers(service)

type Added = { readonly id: string; readonly code: string; readonly uri: string }

const addPhone = async (name = 'Shop phone'): Promise<Added> => {
  const { body } = await owner.ask('POST', '/phones/', { body: { name } })
  return { id: body.phone.id, code: body.pairing.code, uri: body.pairing.uri }
}
const show = async (id: string) => (await manager.ask('GET', `/phones/${id}/`)).body
const pagePost = (path: string, body: unknown, headers: Ask['headers'] = {}) =>
  askAt(`${origin}/pair/${path}`, 'POST', { body, headers })
const cookieOf = (answer: Answer): string => String(answer.headers['set-cookie']).split(';')[0]!
const open = (code: string) => pagePost('session', { code, model: 'SM-A145' })

/** Opens the set-up page of a phone with its code. */
const openPage = async (existing?: Added) => {
  const added = existing ?? (await addPhone())
  const answer = await open(added.code)
  assert.equal(answer.status, 200, answer.text)
  const cookie = cookieOf(answer)
  return {
    ...added,
    cookie,
    first: answer,
    look: () => askAt(`${origin}/pair/session`, 'GET', { headers: { cookie } }),
    choose: (app: string) => pagePost('app', { app }, { cookie }),
    access: (app: string) => pagePost('access', { app }, { cookie }),
  }
}
type Fields = { fields: { key: string; value: string }[] }
const fieldOf = ({ fields }: Fields, key: string): string => fields.find((field) => field.key === key)!.value
const nativePair = (code: string) => askAt(`${origin}/api/v1/device/pair`, 'POST', { body: { code, agent: 'x' } })
const noticesOf = async (id: string) =>
  (await sql('select kind, by_whom, facts from owner_notices where object_id = $1 order by id', [id])).map(
    ([kind, by, facts]) => [kind, by, JSON.parse(facts!)] as const,
  )
const byOwner = `A owner <${owner.email}>`

test('the page has no secret, loads nothing, and is neither cached nor indexed nor framed', async () => {
  const { code } = await addPhone()
  const page = await askAt(`${origin}/pair`, 'GET', { headers: { 'accept-language': 'en-GB' } })
  assert.equal(page.status, 200)
  const { headers, text } = page
  assert.match(String(headers['content-type']), /^text\/html/)
  assert.deepEqual(
    [headers['cache-control'], headers['referrer-policy'], headers['x-robots-tag'], headers['x-frame-options']],
    ['no-store', 'no-referrer', 'noindex, nofollow', 'DENY'],
  )
  const policy = String(headers['content-security-policy'])
  const nonce = /'nonce-([^']+)'/.exec(policy)![1]!
  assert.match(policy, /default-src 'none'.*frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|\*/)
  const scripts = [...text.matchAll(/<(?:script|style)(?![^>]*application\/json)[^>]*>/g)].map(([tag]) => tag)
  assert.ok(scripts.length >= 2 && scripts.every((tag) => tag.includes(`nonce="${nonce}"`)), scripts.join())
  assert.doesNotMatch(text, /\son\w+=|style="|src="/)
  assert.ok(!text.includes(code.replace('-', '')))
  assert.notEqual(/nonce="([^"]+)"/.exec((await askAt(`${origin}/pair`, 'GET', {})).text)![1], nonce)
})

test('the page is in Arabic unless the browser prefers English, and can be switched', async () => {
  const languageOf = async (accepts: string, query = '') => {
    const { text } = await askAt(`${origin}/pair${query}`, 'GET', { headers: { 'accept-language': accepts } })
    return /<html lang="(\w+)" dir="(\w+)"/.exec(text)!.slice(1).join(' ')
  }
  assert.equal(await languageOf('ar-YE,ar;q=0.9,en;q=0.8'), 'ar rtl')
  assert.equal(await languageOf('en-GB,en;q=0.9'), 'en ltr')
  assert.equal(await languageOf('fr'), 'ar rtl')
  assert.equal(await languageOf('fr,en;q=0.5'), 'en ltr')
  assert.equal(await languageOf('ar', '?l=en'), 'en ltr')
})

test('a code opens the page once; a reload continues, and the owner sees that it was opened', async () => {
  const added = await addPhone('Counter phone')
  assert.deepEqual([(await show(added.id)).state, (await show(added.id)).setup], ['waiting', null])
  clock.advance(60_000)
  const page = await openPage(added)
  assert.equal(page.first.headers['cache-control'], 'no-store')
  const flags = String(page.first.headers['set-cookie'])
  for (const flag of ['HttpOnly', 'SameSite=Strict', 'Path=/pair', 'Max-Age=3600'])
    assert.ok(flags.includes(flag), flags)
  assert.equal(page.first.body.phone, 'Counter phone')
  assert.equal((await page.look()).body.opened_at, new Date(clock.now()).toISOString())
  const shown = await show(added.id)
  assert.deepEqual(
    [shown.setup.app, shown.setup.contact_at, shown.setup.message_at, shown.pairing_until, shown.paired],
    ['', null, null, null, false],
  )
  assert.deepEqual(await noticesOf(added.id), [
    ['phone_paired', byOwner, { name: 'Counter phone', again: false, model: 'SM-A145' }],
  ])
  assert.equal((await open(added.code)).status, 401, 'used')
  assert.equal((await nativePair(added.code)).status, 401, 'used by the page')

  const native = await addPhone()
  assert.equal((await nativePair(native.code)).status, 200)
  assert.equal((await open(native.code)).status, 401, 'used by an agent')
})

test('an expired, a replaced or a malformed code opens nothing', async () => {
  const late = await addPhone()
  clock.advance(600_001)
  assert.equal((await open(late.code)).status, 401)
  const replaced = await addPhone()
  await owner.ask('POST', `/phones/${replaced.id}/pairing/`)
  assert.equal((await open(replaced.code)).status, 401)
  assert.equal((await open('no code')).status, 401)
  assert.deepEqual(errorsOf(await pagePost('session', {})), ['required@code'])
  assert.deepEqual(errorsOf(await pagePost('session', { code: 'x'.repeat(101) })), ['max_length@code'])
})

test('five wrong attempts invalidate a code, on the page and by the native protocol', async () => {
  const { code } = await addPhone()
  const plain = code.replace('-', '')
  for (let i = 0; i < 5; i++) {
    const wrong = `${plain.slice(0, 4)}${'0000000000'.slice(0, 5)}${i}`
    assert.equal((i % 2 === 0 ? await open(wrong) : await nativePair(wrong)).status, 401)
  }
  assert.equal((await open(code)).status, 401)
})

test('guesses of codes on the page and by the native protocol share one limit per address', async () => {
  const strict = await openTestService({ SANAD_LIMITS: '{"pairing": {"burst": 2}, "ingest_failure": {"burst": 2}}' })
  const guess = (path: string) => askAt(`${strict.origin}${path}`, 'POST', { body: { code: '0000000000' } })
  assert.equal((await guess('/pair/session')).status, 401)
  assert.equal((await guess('/api/v1/device/pair')).status, 401)
  const third = await guess('/pair/session')
  assert.equal(third.status, 429)
  assert.ok(Number(third.headers['retry-after']) > 0)
  const look = (cookie: string) => askAt(`${strict.origin}/pair/session`, 'GET', { headers: { cookie } })
  for (const expected of [401, 401, 429])
    assert.equal((await look(`sanad_setup=${'A'.repeat(43)}`)).status, expected, 'guessing tokens is limited as well')
})

test('a forwarding app gets its address and its senders; creating the access again invalidates the previous address', async () => {
  const page = await openPage()
  await owner.ask('PATCH', `/wallets/${demo.wallets.unmonitored}/`, {
    body: { phone: page.id, sender_name: 'Jaib' },
  })
  assert.deepEqual((await page.look()).body.senders, ['Jaib'])
  clock.advance(1_000)
  assert.equal((await page.choose('sms-to-url')).body.app, 'sms-to-url')
  const chosenAt = (await show(page.id)).setup.app_at
  clock.advance(1_000)
  const created = await page.access('sms-to-url')
  assert.equal(created.status, 200, created.text)
  const [rule] = JSON.parse(created.body.file.content)
  assert.deepEqual([rule.key, rule.sender, rule.is_sender_regex], [page.id, 'Jaib', false])
  assert.equal(rule.url, fieldOf(created.body, 'url'))
  const send = (url: string, key: string) => {
    const body = JSON.stringify({ from: '123456789', text: 'test message', sim: 'sim1', receivedStamp: clock.now() })
    const headers = { 'x-signature': createHmac('sha256', key).update(body).digest('hex') }
    return askAt(url, 'POST', { body, headers })
  }
  assert.equal((await page.look()).body.message_at, null)
  // The message of the app's test button has no sender of a wallet, and is accepted anyway.
  assert.equal((await send(rule.url, rule.sign_hmac_sha256_secret)).status, 200)
  const after = (await page.look()).body
  assert.deepEqual([after.contact_at !== null, after.message_at !== null], [true, true])
  const shown = await show(page.id)
  assert.deepEqual(
    [shown.app, shown.forwards, shown.state, shown.setup.app, shown.setup.app_at, shown.setup.message_at !== null],
    ['sms-to-url', 'signed', 'healthy', 'sms-to-url', chosenAt, true],
  )

  const again = await page.access('sms-to-url')
  assert.notEqual(fieldOf(again.body, 'url'), rule.url)
  assert.equal((await send(rule.url, rule.sign_hmac_sha256_secret)).status, 401, 'the previous address is invalid')
  const notices = await noticesOf(page.id)
  assert.deepEqual(notices.slice(1), [
    ['app_let_in', byOwner, { name: 'Shop phone', app: 'sms-to-url', signs: true }],
    ['app_let_in', byOwner, { name: 'Shop phone', app: 'sms-to-url', signs: true }],
  ])
  const log = await sql(`select actor, after from audit_log where object_id = $1 and action = 'phone.let_app_in'`, [
    page.id,
  ])
  assert.deepEqual(
    log.map(([actor, after]) => [actor, JSON.parse(after!)]),
    [1, 2].map(() => [byOwner, { app: 'sms-to-url', signs: true, on_phone: true }]),
  )
  const secrets = [page.cookie.split('=')[1]!, rule.url.split('/').at(-1), rule.sign_hmac_sha256_secret]
  const rows = await sql('select * from phone_setups')
  const allTexts = JSON.stringify([rows, service.lines, await sql('select * from audit_log'), await show(page.id)])
  for (const secret of secrets) assert.ok(!allTexts.includes(secret))
  await owner.ask('PATCH', `/wallets/${demo.wallets.unmonitored}/`, { body: { phone: null, sender_name: '' } })
})

test('a session creates ten accesses at most, also with simultaneous requests', async () => {
  const page = await openPage()
  const answers = await Promise.all(Array.from({ length: mostAccesses + 5 }, () => page.access('sms-forwarder')))
  const statuses = answers.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [...Array(mostAccesses).fill(200), ...Array(5).fill(429)])
  const last = await page.access('agent')
  assert.equal(last.status, 429, 'codes count as well')
  assert.equal((await noticesOf(page.id)).length, 1 + mostAccesses)
})

test('SmsForwarder gets its fields in order and no key; the message of its test button is accepted', async () => {
  const page = await openPage()
  const { body } = await page.access('sms-forwarder')
  assert.deepEqual(
    body.fields.map(({ label }: { label: string }) => label),
    ['Channel Name', 'Method', 'Webhook Server', 'Params', 'Rule: Field', 'Rule: Type', 'Rule: Value'],
  )
  assert.equal((await show(page.id)).forwards, 'unsigned')
  const template = fieldOf(body, 'template')
  const text = purchaseText('36000', '220700000901', 'علي صالح')
  // The message of its test button has a sender that no rule has.
  const sent = template
    .replace('[from]', '19999999999')
    .replace('[org_content]', JSON.stringify(text).slice(1, -1))
    .replace(/\[\w+\]/g, '')
  assert.equal((await askAt(fieldOf(body, 'url'), 'POST', { body: sent })).status, 200)
  assert.notEqual((await page.look()).body.message_at, null)
})

test('the agent gets a line with a fresh code, which pairs once; its heartbeat counts as contact', async () => {
  const page = await openPage()
  await page.choose('agent')
  const { body } = await page.access('agent')
  const line = fieldOf(body, 'setup')
  assert.ok(line.startsWith(`curl -fsS '${origin}/agent/install' | sh -s -- '`), line)
  const link = /'([^']*)'$/.exec(line)![1]!
  const code = link.split('#c=')[1]!
  assert.ok(link.startsWith(`${origin}/pair#c=`))
  assert.equal(Date.parse(body.until), clock.now() + 600_000)
  const paired = await nativePair(code)
  assert.equal(paired.body.device_id, page.id)
  clock.advance(11_000)
  const agent = nativePhone(origin, clock.now, { id: page.id, secret: paired.body.secret })
  assert.equal((await agent.heartbeat()).status, 200)
  assert.notEqual((await page.look()).body.contact_at, null)
  assert.equal((await show(page.id)).app, 'agent')
  assert.equal((await nativePair(code)).status, 401)
})

test('a session can only set up its own phone, and gives no access to the dashboard', async () => {
  const [own, other] = [await openPage(), await openPage()]
  await own.access('sms-to-url')
  assert.equal((await show(other.id)).forwards, 'no')
  assert.equal((await other.look()).body.phone, 'Shop phone')
  const token = own.cookie.split('=')[1]!
  for (const headers of [
    { cookie: `sanad_session=${token}` },
    { authorization: `Bearer ${token}` },
    { cookie: own.cookie },
  ])
    assert.equal((await askAt(`${origin}/api/v1/dashboard/phones/`, 'GET', { headers })).status, 401)
  assert.equal((await askAt(`${origin}/ingest/text/${token}`, 'POST', { body: 'x' })).status, 401)
})

test('a session ends when a newer code is used, after an hour, and when the phone is removed', async () => {
  const first = await openPage()
  const { body } = await owner.ask('POST', `/phones/${first.id}/pairing/`)
  assert.equal((await first.look()).status, 200, 'a code that was not used yet changes nothing')
  const second = await openPage({ ...first, code: body.pairing.code })
  assert.equal((await first.look()).status, 401)
  assert.equal((await first.access('sms-to-url')).status, 401)
  clock.advance(3_599_000)
  assert.equal((await second.look()).status, 200)
  clock.advance(1_000)
  for (const call of [second.look(), second.choose('smsgate'), second.access('sms-to-url')])
    assert.equal((await call).status, 401)
  assert.equal((await show(second.id)).forwards, 'no')

  const third = await openPage()
  assert.equal((await manager.ask('DELETE', `/phones/${third.id}/`)).status, 204)
  assert.equal((await third.look()).status, 401)
  assert.equal((await third.access('sms-to-url')).status, 401)
})

test('calls from other sites, of other content types, or for other apps are refused and change nothing', async () => {
  const page = await openPage()
  const { cookie } = page
  const foreign = { cookie, origin: 'https://evil.example' }
  assert.equal((await pagePost('access', { app: 'sms-to-url' }, foreign)).status, 403)
  const { code } = await addPhone()
  assert.equal((await pagePost('session', { code }, { origin: 'null' })).status, 403)
  const plain = { cookie, 'content-type': 'text/plain' }
  assert.equal((await pagePost('access', { app: 'sms-to-url' }, plain)).status, 415)
  assert.deepEqual(errorsOf(await page.access('text')), ['invalid_choice@app'])
  assert.deepEqual(errorsOf(await page.choose('x')), ['invalid_choice@app'])
  assert.equal((await pagePost('access', { app: 'sms-to-url' })).status, 401)
  assert.deepEqual([(await show(page.id)).forwards, (await show(page.id)).setup.app], ['no', ''])
})

test('only an owner can start the set-up: a manager gets no code', async () => {
  assert.equal((await manager.ask('POST', '/phones/', { body: { name: 'x' } })).status, 403)
  const { id } = await addPhone()
  assert.equal((await manager.ask('POST', `/phones/${id}/pairing/`)).status, 403)
})

/** The calls that SMS Gateway makes with the address that the user pastes. */
const gateway = (base: string, version = '1.68.0') => {
  const headers = { 'user-agent': `me.capcom.smsgateway/${version}` }
  const call = (method: string, path: string, body?: unknown) =>
    askAt(`${base}${path}`, method, { headers, ...(body === undefined ? {} : { body }) })
  return {
    register: () => call('POST', '/device', { name: 'samsung/a14', pushToken: null, simCards: [] }),
    webhooks: () => call('GET', '/webhooks'),
    settings: () => call('GET', '/settings'),
    messages: () => call('GET', '/message?order=fifo'),
    update: () => call('PATCH', '/device', { id: 'x', pushToken: null, simCards: [] }),
    async event(url: string, key: string, event: string, payload: unknown) {
      const body = JSON.stringify({ id: `${event}-${clock.now()}`, webhookId: 'w', event, deviceId: 'd', payload })
      const stamp = String(Math.floor(clock.now() / 1000))
      const signature = createHmac('sha256', key).update(body).update(stamp).digest('hex')
      return askAt(url, 'POST', { body, headers: { ...headers, 'x-timestamp': stamp, 'x-signature': signature } })
    },
  }
}

test('SMS Gateway sets itself up from one address: it gets its webhooks and its key, then sends pings and messages', async () => {
  const page = await openPage()
  await page.choose('smsgate')
  const { body } = await page.access('smsgate')
  const base = fieldOf(body, 'url')
  const app = gateway(base)
  const registered = await app.register()
  assert.equal(registered.status, 201)
  for (const field of ['id', 'token', 'login']) assert.equal(typeof registered.body[field], 'string')
  const step = (await page.look()).body
  assert.deepEqual([step.registered_at !== null, step.configured_at], [true, null])
  assert.deepEqual([(await show(page.id)).state, (await show(page.id)).switched_on], ['healthy', true])

  const webhooks = (await app.webhooks()).body
  assert.deepEqual(
    webhooks.map(({ event, url }: { event: string; url: string }) => [event, url]),
    ['sms:received', 'system:ping', 'app:started'].map((event) => [event, base]),
  )
  assert.deepEqual(
    (await gateway(base, '1.65.0').webhooks()).body.map(({ event }: { event: string }) => event),
    ['sms:received', 'system:ping'],
    'an older app knows no app:started',
  )
  const settings = (await app.settings()).body
  assert.equal(settings.ping.interval_seconds, 60)
  const key = settings.webhooks.signing_key
  assert.equal(key, fieldOf(body, 'key'))
  assert.notEqual((await page.look()).body.configured_at, null)
  assert.deepEqual((await app.messages()).body, [])
  assert.equal((await app.update()).status, 200)

  clock.advance(60_000)
  assert.equal((await app.event(base, key, 'system:ping', { health: { checks: {} } })).status, 200)
  assert.equal((await page.look()).body.contact_at, new Date(clock.now()).toISOString())
  assert.equal((await app.event(base, 'another key', 'system:ping', {})).status, 401)
  const payload = { message: 'hello', sender: '777000111', receivedAt: new Date(clock.now()).toISOString() }
  assert.equal((await app.event(base, key, 'sms:received', payload)).status, 200)
  assert.notEqual((await page.look()).body.message_at, null)
  assert.deepEqual([(await show(page.id)).app, (await show(page.id)).forwards], ['smsgate', 'signed'])

  clock.advance(3_600_000)
  const later = (await app.settings()).body
  assert.deepEqual(later, { ping: { interval_seconds: 60 } }, 'an address that leaks later does not reveal the key')
  assert.equal((await app.webhooks()).status, 200)
})

test('SMS Gateway at a wrong or invalidated address is refused', async () => {
  const page = await openPage()
  const { body } = await page.access('smsgate')
  const old = gateway(fieldOf(body, 'url'))
  await page.access('smsgate')
  const wrong = gateway(`${origin}/ingest/smsgate/${'A'.repeat(43)}`)
  for (const app of [old, wrong])
    for (const call of [app.register(), app.webhooks(), app.settings(), app.messages(), app.update()])
      assert.equal((await call).status, 401)
  assert.equal((await page.look()).body.registered_at, null)
})

test('SMS Gateway gets no settings under the address of another app', async () => {
  const page = await openPage()
  const { body } = await page.access('sms-to-url')
  const token = fieldOf(body, 'url').split('/').at(-1)!
  const other = gateway(`${origin}/ingest/smsgate/${token}`)
  for (const call of [other.register(), other.webhooks(), other.settings(), other.messages(), other.update()])
    assert.equal((await call).status, 401)
})
