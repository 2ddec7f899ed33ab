/**
 * A secret is in the answer that creates it and nowhere else: every kind of secret is created, then every readable
 * answer, the log and the audit log are searched for it, as it is and as encoded in a URL or in JSON.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Operation } from '@sanad/contract/dashboard/operation'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import { generateSync } from 'otplib'
import { makeResetLink } from '../../../src/accounts/people/change-password.ts'
import { createInvitation } from '../../../src/accounts/people/invitations.ts'
import { phone as phoneOf } from '../../support/phone.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { type Answer, askAt, openTestService } from '../../support/story.ts'
import { openStream } from '../../support/stream-client.ts'
import { type AskAs, askWith, createMember, createMembers } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const all = await createMembers(service)
const { owner } = all

/** By the name of the field that shows it. */
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
const keep = (of: string, value: unknown): void => {
  if (typeof value === 'string' && value.length >= 6) secrets.set(value, of)
  if (Array.isArray(value)) for (const one of value) keep(of, one)
}
const note = (of: string, value: unknown, name = ''): void => {
  if (secretFields.has(name)) keep(`${of} ${name}`, value)
  else if (Array.isArray(value)) for (const one of value) note(of, one)
  else if (typeof value === 'object' && value !== null)
    for (const [field, inside] of Object.entries(value)) note(of, inside, field)
}
const make = async (method: string, path: string, body?: unknown, hand: AskAs = owner.ask): Promise<Answer> => {
  const answer = await hand(method, path, body === undefined ? {} : { body })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  note(path, answer.body)
  return answer
}

/** Repeats the request, as a debugging page does: the answer of a receiver is stored and shown as well. */
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
const key = (await make('POST', '/keys/', { name: 'A key' })).body.key.client_id
await make('POST', `/keys/${key}/rotate/`, { overlap_s: 3600 })
const headers = { 'x-shop': 'a-value "that" is nobody elses', Authorization: 'Bearer a-token-of-the-receiver' }
const hook = (await make('POST', '/webhooks/', { url, headers })).body.webhook.id
keep('a header of their own', headers['x-shop'])
keep('a header of their own', 'a-token-of-the-receiver')
await make('POST', `/webhooks/${hook}/rotate/`, {})
const phone = (await make('POST', '/phones/', { name: 'A phone' })).body.phone.id
await make('POST', `/phones/${phone}/pairing/`)
const access = (await make('POST', `/phones/${phone}/ingest/`, { app: 'sms-to-url' })).body
keep('the token of a forwarding app', new URL(access.url).pathname.split('/').at(-1))
await make('POST', '/me/second_factor/', { password: 'a password of a story' })
const invitation = (await make('POST', '/invitations/', { email: 'somebody@sanad.example', role: 'cashier' })).body
keep('a link to an invitation', new URL(invitation.link).hash.slice(1))
const again = (await make('POST', `/invitations/${invitation.id}/resend/`)).body
keep('a link to an invitation', new URL(again.link).hash.slice(1))
const other = await createMember(service, all.accountId, 'owner')
await make('POST', '/token/', { email: other.email, password: 'a password of a story' })
const { secret } = (await make('POST', '/me/second_factor/', { password: 'a password of a story' }, other.ask)).body
const code = generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) })
const confirmed = await make('POST', '/me/second_factor/confirm/', { code }, other.ask)
const goesOn = /sanad_session=([^;]+)/.exec(String(confirmed.headers['set-cookie']))![1]!
keep('the token of a session', goesOn)
service.clock.advance(30_000)
const next = generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) })
const renewing = { password: 'a password of a story', code: next }
await make('POST', '/me/second_factor/recovery_codes/', renewing, askWith(service, goesOn))
keep('the token of a session', other.session.token)
keep('a link to a password', (await makeResetLink(service.db, other.email, service.clock.now()))?.token)
const inviting = { accountId: all.accountId, email: 'one-more@sanad.example', role: 'viewer', by: null } as const
const invited = await service.db.transaction((tx) => createInvitation(tx, inviting, service.clock.now()))
keep('a link to an invitation', 'token' in invited ? invited.token : undefined)
for (const [of, value] of Object.entries({
  'a merchant’s secret': service.demo.client_secret,
  'a merchant’s token': service.token,
  'a phone’s secret': service.demo.device.secret,
  'the token of a forwarding app': service.demo.device.ingest_token,
}))
  keep(of, value)
keep('the token of a session', owner.session.token)
keep('a password', 'a password of a story')

/** A payment that is verified and sent, and money that is unmatched. */
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
assert.equal((await report('told', '610000000001')).status, 200)
assert.equal((await report('unclaimed', '610000000002')).status, 200)
const [[alert]] = (await service.sql(`select id from alerts where client_id = 'unclaimed'`)) as [[string]]
/** The delivery, once it has arrived. */
const arrived = async (): Promise<string> => {
  for (;;) {
    const seen = stream.told.length
    const { results } = (await owner.ask('GET', `/webhooks/${hook}/deliveries/`)).body
    const done = results.find((one: { state: string }) => one.state === 'delivered')
    if (done !== undefined) return done.id
    // A machine that is very busy may miss the time limit of an attempt; the next one is later.
    if (results.some((one: { state: string }) => one.state === 'retrying')) service.clock.advance(60_000)
    await stream.until((told) => told.length > seen)
  }
}
const delivery = await arrived()
const told = JSON.stringify(stream.told)
stream.hangUp()
await worker.service.close()
const replay = (
  await make('POST', `/webhooks/${hook}/replays/`, { from: new Date(service.clock.now() - 3_600_000).toISOString() })
).body.id
const provider = (await make('POST', '/providers/', { name: 'own-provider' })).body.id
const template = (
  await make('POST', '/templates/', {
    provider,
    name: 'A draft',
    sender_names: ['Own'],
    sentence: 'You received {amount:money} YER, reference {reference:reference}. Thank you',
  })
).body.id
const checkout = (await make('POST', '/checkouts/', { amount: '1500', external_order_id: 'A-1042' })).body.id
const link = (await make('POST', '/payment-links/', { amount: '1500' })).body.id
const [[shared]] = (await service.sql('select id from alert_templates where account_id is null limit 1')) as [[string]]

/** As it is, escaped in JSON, and in a URL. */
const forms = (secret: string): string[] => [
  ...new Set([secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]),
]
const found = (text: string): string[] =>
  [...secrets].filter(([secret]) => forms(secret).some((form) => text.includes(form))).map(([, of]) => of)

const places: Readonly<Record<string, Readonly<Record<string, string>>>> = {
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
  '/operator/accounts/': { id: all.accountId },
  '/operator/templates/': { id: shared },
}
const pathOf = ({ path }: Operation): string => {
  const [, named = {}] = Object.entries(places).find(([beginning]) => path.startsWith(beginning)) ?? []
  return path.replaceAll(
    /\{(\w+)\}/g,
    (_, name) => named[name] ?? assert.fail(`nothing of the story stands for ${path}`),
  )
}

test('the test has secrets of every kind: every call that shows one was made', () => {
  const kinds = [...new Set(secrets.values())].map((of) => of.replace(/[0-9a-f-]{32,36}/, '{id}'))
  const showing = dashboardOperations.filter(({ showsSecret }) => showsSecret)
  assert.ok(showing.length >= 11)
  for (const { path } of showing)
    assert.ok(
      kinds.some((kind) => kind.startsWith(`${path} `)),
      path,
    )
})

/** A stream never ends; a day close names its wallet in the query. */
const reads = dashboardOperations.filter(({ method, id }) => method === 'GET' && id !== 'openStream')
const queries: Readonly<Record<string, string>> = {
  '/day-close/': `?wallet=${service.demo.wallets.main}`,
  '/search/': '?q=shop',
}
const queryOf = (path: string): string =>
  Object.entries(queries).find(([beginning]) => path.startsWith(beginning))?.[1] ?? ''

test('no answer of a read contains a secret', async () => {
  for (const operation of reads) {
    const hand = operation.access === 'operator' ? all.operator : owner
    const path = pathOf(operation)
    const answer = await hand.ask('GET', path + queryOf(path))
    assert.equal(answer.status, 200, `${operation.id}: ${answer.text}`)
    assert.deepEqual(found(answer.text), [], `${operation.id}: ${answer.text}`)
  }
})

test("nor does the stream, the merchant API, or the operators' port", async () => {
  assert.deepEqual(found(told), [])
  for (const path of ['/wallets/?include_test=1', '/intents/', `/intents/${intent}/`]) {
    const answer = await service.ask('GET', path)
    assert.equal(answer.status, 200, path)
    assert.deepEqual(found(answer.text), [], path)
  }
  for (const path of ['/healthz', '/readyz']) {
    const answer = await askAt(`${service.origin}${path}`, 'GET', {})
    assert.equal(answer.status, 200, path)
    assert.deepEqual(found(answer.text), [], path)
  }
  const figures = await service.figures()
  assert.match(figures, /sanad_http_duration_seconds/)
  assert.deepEqual(found(figures), [])
})

test('a sent webhook is shown without the values of custom headers', async () => {
  const { body, text } = await owner.ask('GET', `/webhooks/${hook}/deliveries/${delivery}/`)
  const [attempt] = body.log
  assert.ok(attempt.request.headers['x-service-event-id'], text)
  assert.ok(Object.hasOwn(attempt.request.headers, 'x-shop'), text)
  assert.match(attempt.response.body, /"thanks":"for this"/)
  assert.match(attempt.response.body, /"x-shop":"\(hidden\)"/)
  assert.deepEqual(found(text), [])
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
    assert.deepEqual(found(answer.text), [], `${method} ${path}: ${answer.text}`)
  }
})

test('no secret is in the log, in the audit log, or in plain text in any table', async () => {
  assert.ok(service.lines.length > 20)
  assert.deepEqual(found(service.lines.join('\n')), [])
  const audit = await service.sql('select coalesce(json_agg(a)::text, $1) from audit_log a', [''])
  assert.ok(audit[0]![0]!.length > 500)
  assert.deepEqual(found(audit[0]![0]!), [])
  const tables = await service.sql(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' order by 1`,
  )
  for (const [table] of tables) {
    const [row] = await service.sql(`select coalesce(json_agg(t)::text, '') from ${table} t`)
    assert.deepEqual(found(row![0]!), [], `table ${table}`)
  }
})
