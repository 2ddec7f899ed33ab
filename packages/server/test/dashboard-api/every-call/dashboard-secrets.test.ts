/**
 * A secret is returned only by the call that creates it. This test creates every kind of secret, then searches for it in
 * the answers of all reads, the stream, the metrics, the log and every table: unchanged, escaped in JSON, and encoded in a URL.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import type { Operation } from '@sanad/contract/operation'
import { generateSync } from 'otplib'
import { makeResetLink } from '../../../src/accounts/members/change-password.ts'
import { createInvitation } from '../../../src/accounts/members/invitations.ts'
import { wholeAccount } from '../../../src/core/scope.ts'
import { phone as phoneOf } from '../../support/phone.ts'
import { softAuthenticator } from '../../support/pure/soft-authenticator.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { type Answer, askAt, openTestService } from '../../support/story.ts'
import { openStream } from '../../support/stream-client.ts'
import { type AskAs, askWith, createMember, createMembers, dashboardAt } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const members = await createMembers(service)
const { owner } = members

/** The names of fields that contain secrets. */
const secretFields = new Set([
  'client_secret',
  'secret',
  'code',
  'signing_key',
  'access_token',
  'recovery_codes',
  'uri',
])
const secrets = new Map<string, string>()
const addSecret = (kind: string, value: unknown): void => {
  if (typeof value === 'string' && value.length >= 6) secrets.set(value, kind)
  if (Array.isArray(value)) for (const one of value) addSecret(kind, one)
}
const collectSecrets = (kind: string, value: unknown, name = ''): void => {
  if (secretFields.has(name)) addSecret(`${kind} ${name}`, value)
  else if (Array.isArray(value)) for (const one of value) collectSecrets(kind, one)
  else if (typeof value === 'object' && value !== null)
    for (const [field, inside] of Object.entries(value)) collectSecrets(kind, inside, field)
}
const create = async (method: string, path: string, body?: unknown, member: AskAs = owner.ask): Promise<Answer> => {
  const answer = await member(method, path, body === undefined ? {} : { body })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  collectSecrets(path, answer.body)
  return answer
}

/** Returns the headers of the request in its answer, as a debugging page does. Sanad stores and shows that answer. */
const receiver = createServer((request, response) => {
  request.resume()
  const { 'x-shop': shop, authorization } = request.headers
  response.setHeader('location', `/heard?shop=${shop}`)
  const [, bare] = String(authorization).split(' ')
  request.on('end', () => response.end(JSON.stringify({ thanks: 'for this', heard: request.headers, bare })))
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
service.atEnd(async () => {
  receiver.closeAllConnections()
  receiver.close()
})
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
const key = (await create('POST', '/keys/', { name: 'A key' })).body.key.client_id
await create('POST', `/keys/${key}/rotate/`, { overlap_s: 3600 })
const headers = { 'x-shop': 'a-value "that" is nobody elses', Authorization: 'Bearer a-token-of-the-receiver' }
const hook = (await create('POST', '/webhooks/', { url, headers })).body.webhook.id
addSecret('a merchant’s own header', headers['x-shop'])
addSecret('a merchant’s own header', 'a-token-of-the-receiver')
await create('POST', `/webhooks/${hook}/rotate/`, {})
const phone = (await create('POST', '/phones/', { name: 'A phone' })).body.phone.id
await create('POST', `/phones/${phone}/pairing/`)
const access = (await create('POST', `/phones/${phone}/ingest/`, { app: 'sms-to-url' })).body
addSecret('the token of a forwarding app', new URL(access.url).pathname.split('/').at(-1))
await create('POST', '/me/second_factor/', { password: 'a password of a story' })
const invitation = (await create('POST', '/invitations/', { email: 'somebody@sanad.example', role: 'cashier' })).body
addSecret('a link to an invitation', new URL(invitation.link).hash.slice(1))
const again = (await create('POST', `/invitations/${invitation.id}/resend/`)).body
addSecret('a link to an invitation', new URL(again.link).hash.slice(1))
const other = await createMember(service, members.accountId, 'owner')
await create('POST', '/token/', { email: other.email, password: 'a password of a story' })
const { secret } = (await create('POST', '/me/second_factor/', { password: 'a password of a story' }, other.ask)).body
const code = generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) })
const confirmed = await create('POST', '/me/second_factor/confirm/', { code }, other.ask)
const newSession = /sanad_session=([^;]+)/.exec(String(confirmed.headers['set-cookie']))![1]!
addSecret('the token of a session', newSession)
service.clock.advance(30_000)
const next = generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) })
const renewing = { password: 'a password of a story', code: next }
await create('POST', '/me/second_factor/recovery_codes/', renewing, askWith(service, newSession))
addSecret('the token of a session', other.session.token)
// Browsers have no passkeys for an address without a name.
const named = service.origin.replace('127.0.0.1', 'localhost')
const withPasskey = await createMember(service, members.accountId, 'owner')
const askNamed: AskAs = (method, path, options) =>
  askAt(dashboardAt(named, path), method, {
    token: null,
    ...options,
    headers: { cookie: `sanad_session=${withPasskey.session.token}`, origin: named },
  })
const { challenge } = (await askNamed('POST', '/me/passkeys/options/')).body
const passkey = softAuthenticator().create({ challenge, origin: named, rpId: 'localhost' })
const added = await create('POST', '/me/passkeys/', { name: 'Phone', passkey }, askNamed)
addSecret('the token of a session', /sanad_session=([^;]+)/.exec(String(added.headers['set-cookie']))![1]!)
addSecret('a link to a password', (await makeResetLink(service.db, other.email, service.clock.now()))?.token)
const inviting = {
  scope: wholeAccount(members.accountId),
  email: 'one-more@sanad.example',
  role: 'viewer',
  wallets: null,
  by: null,
  mailed: true,
} as const
const invited = await service.db.transaction((tx) => createInvitation(tx, inviting, service.clock.now()))
addSecret('a link to an invitation', 'token' in invited ? invited.token : undefined)
addSecret('the link of its mail', 'token' in invited ? (invited.mailToken ?? undefined) : undefined)
for (const [kind, value] of Object.entries({
  'a merchant’s secret': service.demo.client_secret,
  'a merchant’s token': service.token,
  'a phone’s secret': service.demo.device.secret,
  'the token of a forwarding app': service.demo.device.ingest_token,
}))
  addSecret(kind, value)
addSecret('the token of a session', owner.session.token)
addSecret('a password', 'a password of a story')

/** From here: a payment that is verified and whose event is delivered, and an unmatched alert. */
const handset = phoneOf(service.origin, () => service.clock.now(), service.demo.device)
const report = (client_id: string, reference: string) => {
  const text = purchaseText('1,500.00', reference)
  const received_at = String(Math.floor(service.clock.now() / 1000))
  return handset.alerts([{ client_id, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }])
}
const intent = (await service.create()).body.id
await service.ask('PATCH', `/intents/${intent}/`, { body: { reference: '610000000001' } })
const stream = await openStream(service.origin, { cookie: `sanad_session=${owner.session.token}` })
const worker = await service.startNode()
worker.service.work()
assert.equal((await report('matched', '610000000001')).status, 200)
assert.equal((await report('unmatched', '610000000002')).status, 200)
const [[alert]] = (await service.sql(`select id from alerts where client_id = 'unmatched'`)) as [[string]]
/** Waits until the delivery has arrived; returns its id. */
const deliveredId = async (): Promise<string> => {
  for (;;) {
    const seen = stream.events.length
    const { results } = (await owner.ask('GET', `/webhooks/${hook}/deliveries/`)).body
    const delivered = results.find(({ state }: { state: string }) => state === 'delivered')
    if (delivered !== undefined) return delivered.id
    // On a very busy machine an attempt may time out: move the clock to the next attempt.
    if (results.some(({ state }: { state: string }) => state === 'retrying')) service.clock.advance(60_000)
    await stream.until((events) => events.length > seen)
  }
}
const delivery = await deliveredId()
const events = JSON.stringify(stream.events)
stream.hangUp()
await worker.service.close()
const replay = (
  await create('POST', `/webhooks/${hook}/replays/`, { from: new Date(service.clock.now() - 3_600_000).toISOString() })
).body.id
const provider = (await create('POST', '/providers/', { name: 'own-provider' })).body.id
const template = (
  await create('POST', '/templates/', {
    provider,
    name: 'A draft',
    sender_names: ['Own'],
    sentence: 'You received {amount:money} YER, reference {reference:reference}. Thank you',
  })
).body.id
const checkout = (await create('POST', '/checkouts/', { amount: '1500', external_order_id: 'A-1042' })).body.id
const link = (await create('POST', '/payment-links/', { amount: '1500' })).body.id
const approval = (
  await members.manager.ask('POST', `/wallets/${service.demo.wallets.main}/ask/`, {
    body: { sender_name: '777000111' },
  })
).body.id
await owner.ask('PATCH', '/limits/', { body: { cashier: { cancel: false } } })
const request = (await members.cashier.ask('POST', `/checkouts/${checkout}/cancel/ask/`)).body.id
const [[shared]] = (await service.sql('select id from alert_templates where account_id is null limit 1')) as [[string]]

/** The secret unchanged, escaped in JSON, and encoded in a URL. */
const forms = (secret: string): string[] => [
  ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
]
const secretsIn = (text: string): string[] =>
  [...secrets].filter(([secret]) => forms(secret).some((form) => text.includes(form))).map(([, kind]) => kind)

const shift: string = (await owner.ask('POST', '/shifts/')).body.id
// The browser of another owner becomes a counter: its cookie is a secret.
const till = await (await createMember(service, members.accountId, 'owner')).ask('POST', '/counters/', {
  body: { name: 'Front till' },
})
const tillToken = /sanad_counter=([\w-]{43})/.exec([till.headers['set-cookie']].flat().join())![1]!
addSecret('/counters/ cookie', tillToken)
const pathIds: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/approvals/': { id: approval },
  '/requests/': { id: request },
  '/shifts/': { id: shift },
  '/keys/': { id: key },
  '/webhooks/': { id: hook, delivery, replay },
  '/phones/': { id: phone },
  '/wallets/': { id: service.demo.wallets.main },
  '/providers/': { id: provider },
  '/templates/': { id: template },
  '/intents/': { id: intent },
  '/checkouts/': { id: checkout },
  '/payment-links/': { id: link },
  '/unmatched/': { id: alert },
  '/operator/accounts/': { id: members.accountId },
  '/operator/templates/': { id: shared },
}
const pathOf = ({ path }: Operation): string => {
  const [, named = {}] = Object.entries(pathIds).find(([beginning]) => path.startsWith(beginning)) ?? []
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => named[name] ?? assert.fail(`add an object for ${path} to pathIds`))
}

test('this test has called every operation that shows a secret', () => {
  const kinds = [...new Set(secrets.values())].map((kind) => kind.replace(/[0-9a-f-]{32,36}/, '{id}'))
  const showing = dashboardOperations.filter(({ showsSecret }) => showsSecret)
  assert.ok(showing.length >= 11)
  for (const { path } of showing)
    assert.ok(
      kinds.some((kind) => kind.startsWith(`${path} `)),
      path,
    )
})

/** All reads except the stream, which never ends. */
const reads = dashboardOperations.filter(({ method, id }) => method === 'GET' && id !== 'openStream')
const queries: Readonly<Record<string, string>> = {
  '/day-close/': `?wallet=${service.demo.wallets.main}`,
  '/search/': '?q=shop',
}
const queryOf = (path: string): string =>
  Object.entries(queries).find(([beginning]) => path.startsWith(beginning))?.[1] ?? ''

test('no answer of a read contains a secret', async () => {
  for (const operation of reads) {
    const member = operation.access === 'operator' ? members.operator : owner
    const path = pathOf(operation)
    const headers: Record<string, string> =
      operation.id === 'showCounterHere' ? { cookie: `sanad_counter=${tillToken}` } : {}
    const answer = await member.ask('GET', path + queryOf(path), { headers })
    assert.equal(answer.status, 200, `${operation.id}: ${answer.text}`)
    assert.deepEqual(secretsIn(answer.text), [], `${operation.id}: ${answer.text}`)
  }
})

test("neither the stream, the merchant API nor the operators' port contains a secret", async () => {
  assert.deepEqual(secretsIn(events), [])
  for (const path of ['/wallets/?include_test=1', '/intents/', `/intents/${intent}/`]) {
    const answer = await service.ask('GET', path)
    assert.equal(answer.status, 200, path)
    assert.deepEqual(secretsIn(answer.text), [], path)
  }
  for (const path of ['/healthz', '/readyz']) {
    const answer = await askAt(`${service.origin}${path}`, 'GET', {})
    assert.equal(answer.status, 200, path)
    assert.deepEqual(secretsIn(answer.text), [], path)
  }
  const figures = await service.figures()
  assert.match(figures, /sanad_http_duration_seconds/)
  assert.deepEqual(secretsIn(figures), [])
})

test('a sent webhook is shown without the values of custom headers', async () => {
  const { body, text } = await owner.ask('GET', `/webhooks/${hook}/deliveries/${delivery}/`)
  const [attempt] = body.log
  assert.ok(attempt.request.headers['x-service-event-id'], text)
  assert.ok(Object.hasOwn(attempt.request.headers, 'x-shop'), text)
  assert.match(attempt.response.body, /"thanks":"for this"/)
  assert.match(attempt.response.body, /"x-shop":"\(hidden\)"/)
  assert.deepEqual(secretsIn(text), [])
})

test('no answer of a change contains a secret that it did not create', async () => {
  const changes: [string, string, unknown][] = [
    ['PATCH', `/keys/${key}/`, { name: 'Another name' }],
    ['POST', `/webhooks/${hook}/test/`, {}],
    ['POST', `/webhooks/${hook}/deliveries/${delivery}/redeliver/`, undefined],
    ['PATCH', `/webhooks/${hook}/`, { enabled: false }],
    ['PATCH', `/phones/${phone}/`, { name: 'Another name' }],
    ['POST', `/keys/${key}/revoke/`, undefined],
    ['DELETE', `/webhooks/${hook}/`, undefined],
  ]
  for (const [method, path, body] of changes) {
    const answer = await owner.ask(method, path, body === undefined ? {} : { body })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    assert.deepEqual(secretsIn(answer.text), [], `${method} ${path}: ${answer.text}`)
  }
})

test('no secret is in the log, in the audit log, or in plain text in any table', async () => {
  assert.ok(service.lines.length > 20)
  assert.deepEqual(secretsIn(service.lines.join('\n')), [])
  const audit = await service.sql('select coalesce(json_agg(a)::text, $1) from audit_log a', [''])
  assert.ok(audit[0]![0]!.length > 500)
  assert.deepEqual(secretsIn(audit[0]![0]!), [])
  const tables = await service.sql(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  for (const [table] of tables) {
    const [row] = await service.sql(`select coalesce(json_agg(t)::text, '') from ${table} t`)
    assert.deepEqual(secretsIn(row![0]!), [], `table ${table}`)
  }
})
