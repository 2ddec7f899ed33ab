/** Endpoints of webhooks, as people manage them: over HTTP, with a receiver on loopback. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { createUser } from '../src/accounts/create-account.ts'
import { openTokens } from '../src/accounts/token.ts'
import { type AccountId, type EventId, growingId, type UserId } from '../src/ground/ids.ts'
import { endDisabled } from '../src/webhooks/delivery-sql.ts'
import { insertEvents } from '../src/webhooks/event-sql.ts'
import { judgeUrl } from '../src/webhooks/manage-endpoints.ts'
import { webhookDefaults } from '../src/webhooks/settings.ts'
import { type Answer, type Ask, askAt, errorsOf, openHouse } from './story.ts'

const house = await openHouse({
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  SANAD_LIMITS: '{"webhook_test": {"burst": 8}}',
})
const { clock, demo, db, sql } = house
const tokens = openTokens(house.masterKey)
const accountOf = async (wallet: string) =>
  (await sql('select account_id from wallets where id = $1', [wallet]))[0]![0] as AccountId
const accountId = await accountOf(demo.wallets.main)
const otherId = await accountOf(demo.other.wallet)
const token = demo.dashboard.user_token
const person = async (account: AccountId, role: 'owner' | 'manager' | 'viewer' = 'owner') => {
  const about = { email: `${randomUUID()}@sanad.example`, name: '', password: randomUUID(), role }
  const id = (await createUser(db, account, about, clock.now()))!
  return { id, token: await tokens.issue({ typ: 'user', sub: id, acc: account }, 86_400, clock.now()) }
}
const stranger = await person(otherId)

/** What must never be seen but where it is made; and every answer that was given otherwise. */
const secrets = new Set<string>()
const seen: string[] = []

const ask = async (method: string, path: string, options: Ask = {}): Promise<Answer> => {
  const answer = await askAt(`${house.origin}/api/v1/dashboard${path}`, method, { token, ...options })
  const makes = method === 'POST' && (path === '/webhooks/' || path.endsWith('/rotate/')) && answer.status < 300
  if (makes) {
    secrets.add(answer.body.secret)
    seen.push(answer.text.replace(/"secret":"[^"]*"/g, '"secret":"?"'))
  } else seen.push(answer.text)
  return answer
}

type Heard = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string }
const heard: Heard[] = []
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    heard.push({ headers: request.headers, body, path: request.url ?? '' })
    if (request.url?.startsWith('/fails')) response.writeHead(500)
    if (request.url?.startsWith('/moved')) response.writeHead(302, { location: 'http://169.254.169.254/' })
    response.end('thank you')
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
after(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const at = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`
const lastAt = (path: string): Heard => heard.findLast((one) => one.path === path)!

const create = (body: Record<string, unknown> = {}): Promise<Answer> =>
  ask('POST', '/webhooks/', { body: { url: at('/ok'), ...body } })
const made = async (body: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> => {
  const answer = await create(body)
  assert.equal(answer.status, 201, answer.text)
  return { id: answer.body.webhook.id, secret: answer.body.secret }
}
const value = async (text: string, values: unknown[] = []) => (await sql(text, values))[0]![0]

const happen = async (count: number, kind: 'payment.verified' | 'payment.unmatched' = 'payment.verified') => {
  const events = Array.from({ length: count }, () => ({
    accountId,
    id: growingId<EventId>(clock.now()),
    kind,
    walletId: demo.wallets.main,
    intentId: null,
    alertId: randomUUID() as never,
    body: JSON.stringify({ event: kind }),
    createdAt: clock.now(),
  }))
  await insertEvents(db, events)
  return events.map((one) => one.id)
}

beforeEach(async () => {
  clock.advance(61_000)
  await sql(`update webhook_endpoints set deleted_at = now(), enabled = false where deleted_at is null`)
})

test('an endpoint is created with its secret, once; unmatched money is told only to those who ask', async () => {
  const answer = await create()
  assert.equal(answer.status, 201)
  assert.equal(answer.headers['cache-control'], 'no-store')
  const { webhook, secret } = answer.body
  const { id, ...rest } = webhook
  assert.match(secret, /^whsec_[\w-]{43}$/)
  assert.deepEqual(rest, {
    url: at('/ok'),
    wallet: null,
    kinds: ['payment.verified', 'payment.received'],
    header_names: [],
    enabled: true,
    disabled: null,
    created_at: rest.created_at,
    previous_secret_until: null,
    health: {
      last_success_at: null,
      failing_since: null,
      failures: 0,
      misconfigured: false,
      breaker: { state: 'closed', until: null },
      warning: null,
      waiting: { count: 0, more: false, oldest_at: null },
    },
  })
  assert.deepEqual((await ask('GET', `/webhooks/${id}/`)).body, { id, ...rest })
  assert.deepEqual((await ask('GET', '/webhooks/')).body, { results: [{ id, ...rest }] })
  assert.equal((await ask('GET', `/webhooks/${id}/secret/`)).status, 404)

  const unmatched = await create({ kinds: ['payment.unmatched', 'payment.unmatched'], wallet: demo.wallets.main })
  assert.deepEqual(unmatched.body.webhook.kinds, ['payment.unmatched'])
  assert.equal(unmatched.body.webhook.wallet, demo.wallets.main)
  await happen(1, 'payment.unmatched')
  assert.deepEqual(await sql('select endpoint_id from deliveries'), [[unmatched.body.webhook.id]])
  await endDisabled(db, clock.now(), 100)
  await sql('delete from deliveries')
})

test('secrets and the values of headers are sealed, and each opens for its own endpoint alone', async () => {
  const { id, secret } = await made({ headers: { Authorization: 'Bearer sesame-4711' } })
  secrets.add('sesame-4711')
  const row = (await value('select row_to_json(w)::text from webhook_endpoints w where id = $1', [id]))!
  assert.ok(!row.includes('sesame-4711'))
  assert.ok(!row.includes(Buffer.from(secret).toString('hex')))
  const other = await made()
  await sql(
    'update webhook_endpoints w set secret_sealed = o.secret_sealed from webhook_endpoints o where w.id = $1 and o.id = $2',
    [other.id, id],
  )
  assert.equal((await ask('POST', `/webhooks/${other.id}/test/`, { undescribed: true })).status, 500)
})

test('who asks: nobody is 401, a merchant server 403, a person who was disabled or left 401 within two seconds', async () => {
  const { id } = await made()
  for (const path of ['/webhooks/', `/webhooks/${id}/`, `/webhooks/${id}/deliveries/`, `/webhooks/${id}/replays/`]) {
    const nobody = await ask('GET', path, { token: null })
    assert.equal(nobody.status, 401)
    assert.deepEqual(errorsOf(nobody), ['not_authenticated@null'])
    assert.equal((await ask('GET', path, { token: 'rubbish' })).status, 401)
    const server = await ask('GET', path, { token: house.token })
    assert.equal(server.status, 403)
    assert.deepEqual(errorsOf(server), ['permission_denied@null'])
  }
  assert.equal((await house.ask('GET', '/wallets/', { token })).status, 403)
  assert.equal((await ask('GET', '/nothing/', { token: null })).status, 404)
  const put = await ask('PUT', `/webhooks/${id}/`)
  assert.equal(put.status, 405)
  assert.equal(put.headers.allow, 'GET, PATCH, DELETE, HEAD, OPTIONS')

  const leaving = await person(accountId)
  assert.equal((await ask('GET', '/webhooks/', leaving)).status, 200)
  await sql('update users set disabled_at = now() where id = $1', [leaving.id])
  clock.advance(1500)
  assert.equal((await ask('GET', '/webhooks/', leaving)).status, 401)
  const removed = await person(accountId)
  assert.equal((await ask('GET', '/webhooks/', removed)).status, 200)
  await sql('delete from members where user_id = $1', [removed.id])
  clock.advance(1500)
  assert.equal((await ask('GET', '/webhooks/', removed)).status, 401)
  const unknown = await tokens.issue({ typ: 'user', sub: randomUUID() as UserId, acc: accountId }, 60, clock.now())
  assert.equal((await ask('GET', '/webhooks/', { token: unknown })).status, 401)
  const elsewhere = await tokens.issue({ typ: 'user', sub: stranger.id, acc: accountId }, 60, clock.now())
  assert.equal((await ask('GET', '/webhooks/', { token: elsewhere })).status, 401)
})

test('what makes a signing secret is for owners', async () => {
  const { id } = await made()
  const manager = await person(accountId, 'manager')
  assert.equal((await ask('GET', `/webhooks/${id}/`, manager)).status, 200)
  assert.equal((await ask('PATCH', `/webhooks/${id}/`, { ...manager, body: { enabled: false } })).status, 200)
  assert.equal((await ask('POST', '/webhooks/', { ...manager, body: { url: at('/ok') } })).status, 403)
  assert.equal((await ask('POST', `/webhooks/${id}/rotate/`, manager)).status, 403)
})

test('what belongs to another account is not there, whatever is asked of it', async () => {
  const { id } = await made()
  const [event] = await happen(1)
  const delivery = (await value('select id from deliveries where event_id = $1', [event]))!
  const from = new Date(clock.now() - 1000).toISOString()
  const replay = (await ask('POST', `/webhooks/${id}/replays/`, { body: { from } })).body.id
  const calls: [string, string, unknown?][] = [
    ['GET', ''],
    ['PATCH', '', { enabled: false }],
    ['PATCH', '', 'not even JSON'],
    ['DELETE', ''],
    ['POST', 'rotate/', {}],
    ['POST', 'test/', {}],
    ['GET', 'deliveries/'],
    ['GET', `deliveries/${delivery}/`],
    ['POST', `deliveries/${delivery}/redeliver/`],
    ['POST', 'replays/', { from }],
    ['POST', 'replays/count/', { from }],
    ['GET', 'replays/'],
    ['GET', `replays/${replay}/`],
    ['POST', `replays/${replay}/stop/`],
    ['POST', `replays/${replay}/resume/`],
  ]
  const before = await sql('select row_to_json(w)::text from webhook_endpoints w where id = $1', [id])
  const visits = heard.length
  for (const [method, path, body] of calls) {
    for (const wrong of [id, randomUUID(), 'no-id']) {
      const whose = wrong === id ? { token: stranger.token } : { token }
      const answer = await ask(method, `/webhooks/${wrong}/${path}`, { ...whose, body })
      assert.equal(answer.status, 404, `${method} ${path} ${wrong}: ${answer.text}`)
      assert.deepEqual(errorsOf(answer), ['not_found@null'])
    }
  }
  assert.deepEqual(await sql('select row_to_json(w)::text from webhook_endpoints w where id = $1', [id]), before)
  assert.equal(heard.length, visits)
  assert.deepEqual((await ask('GET', '/webhooks/', { token: stranger.token })).body, { results: [] })
  // Nor through an endpoint of one's own.
  const own = await ask('POST', '/webhooks/', { token: stranger.token, body: { url: at('/theirs') } })
  const through = `/webhooks/${own.body.webhook.id}`
  for (const path of [`/deliveries/${delivery}/`, `/replays/${replay}/`])
    assert.equal((await ask('GET', `${through}${path}`, { token: stranger.token })).status, 404)
  const taken = await ask('POST', `${through}/deliveries/${delivery}/redeliver/`, { token: stranger.token })
  assert.equal(taken.status, 404)
  assert.equal(await value('select count(*) from deliveries'), '1')
  await sql('delete from deliveries')
  await sql('delete from webhook_replays')
})

test('an address that must not be called is refused when it is saved', async () => {
  const { id } = await made()
  const refused: [string, string][] = [
    ['ftp://shop.example.com/', 'url_not_https'],
    ['shop.example.com', 'url_malformed'],
    ['https://user:pass@shop.example.com/', 'url_user_info'],
    ['https://shop.example.com/#here', 'url_fragment'],
    ['https://10.0.0.1/', 'url_not_public'],
    ['https://169.254.169.254/latest/meta-data/', 'url_not_public'],
    ['https://2852039166/', 'url_not_public'],
    ['https://0xa9fea9fe/', 'url_not_public'],
    ['https://[::1]/', 'url_not_public'],
    ['https://[fd00:ec2::254]/', 'url_not_public'],
    ['https://[::ffff:10.0.0.1]/', 'url_not_public'],
    ['https://[64:ff9b::a9fe:a9fe]/', 'url_not_public'],
    ['https://metadata.google.internal/', 'url_not_public'],
    ['https://shop.example.com:0/', 'url_port'],
    [`https://shop.example.com/${'a'.repeat(2048)}`, 'max_length'],
  ]
  for (const [url, code] of refused) {
    for (const answer of [await create({ url }), await ask('PATCH', `/webhooks/${id}/`, { body: { url } })]) {
      assert.equal(answer.status, 400, `${url}: ${answer.text}`)
      assert.deepEqual(errorsOf(answer), [`${code}@url`], url)
    }
  }
  assert.equal((await ask('GET', `/webhooks/${id}/`)).body.url, at('/ok'))
  assert.equal((await ask('GET', '/webhooks/')).body.results.length, 1)
})

test('a name that leads inside is refused when it is saved; one that leads nowhere yet is kept', async () => {
  const rooms = {
    guard: { development: false, allow: [] },
    settings: webhookDefaults,
    resolve: async (name: string) => {
      if (name.startsWith('later')) throw Object.assign(new Error('none'), { code: 'ENOTFOUND' })
      return name.startsWith('inside')
        ? [{ address: '93.184.216.34' }, { address: '10.1.2.3' }]
        : [{ address: '93.184.216.34' }]
    },
  }
  const inside = await judgeUrl(rooms, 'https://inside.example.com/')
  assert.ok(typeof inside !== 'string')
  assert.deepEqual([inside.refused, inside.facts?.code], ['url_refused', 'url_not_public'])
  assert.equal(await judgeUrl(rooms, 'https://later.example.com'), 'https://later.example.com/')
  assert.equal(await judgeUrl(rooms, 'https://out.example.com/a'), 'https://out.example.com/a')
  const plain = await judgeUrl(rooms, 'http://out.example.com/')
  assert.equal(typeof plain !== 'string' && plain.facts?.code, 'url_not_https')
})

test('an address that was saved and is no longer allowed is refused by the test as by the sender', async () => {
  const { id } = await made()
  for (const url of [
    'http://169.254.169.254/latest/',
    'http://[::1]:80/',
    'http://0xa9fea9fe/',
    'http://localhost.localdomain./',
  ]) {
    await sql('update webhook_endpoints set url = $2 where id = $1', [id, url])
    const answer = await ask('POST', `/webhooks/${id}/test/`)
    assert.equal(answer.status, 200)
    assert.notEqual(answer.body.outcome, 'ok', url)
    assert.equal(answer.body.response, null)
    assert.ok(answer.body.error.length > 10)
  }
  await sql('update webhook_endpoints set url = $2 where id = $1', [id, at('/moved')])
  const moved = await ask('POST', `/webhooks/${id}/test/`)
  assert.equal(moved.body.outcome, 'redirect')
  assert.equal(moved.body.response.headers.location, 'http://169.254.169.254/')
})

test('all that is wrong with an endpoint is said at once', async () => {
  const answer = await create({ url: null, wallet: 'x', kinds: ['payment.lost'], headers: [], enabled: 'perhaps' })
  assert.equal(answer.status, 400)
  assert.deepEqual(errorsOf(answer).sort(), [
    'invalid@enabled',
    'invalid@headers.non_field_errors',
    'invalid@wallet',
    'invalid_choice@kinds.0',
    'null@url',
  ])
  assert.deepEqual(errorsOf(await ask('POST', '/webhooks/', { body: {} })), ['required@url'])
  assert.deepEqual(errorsOf(await create({ kinds: [] })), ['empty@kinds.non_field_errors'])
  for (const wallet of [randomUUID(), demo.other.wallet])
    assert.deepEqual(errorsOf(await create({ wallet })), ['does_not_exist@wallet'])
  const reserved = [
    'Host',
    'content-length',
    'Content-Type',
    'Connection',
    'Transfer-Encoding',
    'Proxy-Authorization',
    'TE',
  ]
  for (const name of [...reserved, 'X-Service-Signature', 'x-service-test', 'User-Agent', 'Expect', 'Upgrade'])
    assert.deepEqual(errorsOf(await create({ headers: { [name]: 'x' } })), [`header_reserved@headers.${name}`])
  for (const [name, said] of [
    ['X Y', 'x'],
    ['', 'x'],
    ['X-A:', 'x'],
    ['X-A', 'a\r\nHost: b'],
    ['X-A', 'é'],
    ['X-A', ' a'],
    ['X-A', 7],
  ] as const)
    assert.deepEqual(errorsOf(await create({ headers: { [name]: said } })), [`invalid@headers.${name}`], name)
  assert.deepEqual(errorsOf(await create({ headers: { 'X-A': '1', 'x-a': '2' } })), ['invalid@headers.x-a'])
  assert.deepEqual(errorsOf(await create({ headers: { 'X-A': 'a'.repeat(1025) } })), ['max_length@headers.X-A'])
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`X-${i}`, 'x']))
  assert.deepEqual(errorsOf(await create({ headers: many })), ['max_length@headers'])
  assert.equal((await ask('POST', '/webhooks/', { body: '{' })).status, 400)
  assert.deepEqual((await ask('GET', '/webhooks/')).body, { results: [] })
})

test('an endpoint is changed field by field; a header that is not named stays, though nobody can read it', async () => {
  const { id } = await made({ wallet: demo.wallets.main, headers: { 'X-One': 'first-value', 'X-Two': 'second-value' } })
  for (const secret of ['first-value', 'second-value', 'third-value']) secrets.add(secret)
  const patch = (body: unknown) => ask('PATCH', `/webhooks/${id}/`, { body })
  const before = (await ask('GET', `/webhooks/${id}/`)).body
  assert.deepEqual((await patch({})).body, { webhook: before, missed: null })
  const changed = await patch({
    url: at('/changed'),
    wallet: null,
    kinds: ['payment.verified'],
    headers: { 'x-one': null, 'X-Three': 'third-value' },
  })
  assert.equal(changed.status, 200)
  assert.equal(changed.body.webhook.url, at('/changed'))
  assert.equal(changed.body.webhook.wallet, null)
  assert.deepEqual(changed.body.webhook.kinds, ['payment.verified'])
  assert.deepEqual(changed.body.webhook.header_names, ['X-Two', 'X-Three'])
  const sent = await ask('POST', `/webhooks/${id}/test/`)
  assert.equal(sent.body.request.headers['X-Two'], '(hidden)')
  const { headers } = lastAt('/changed')
  assert.equal(headers['x-one'], undefined)
  assert.equal(headers['x-two'], 'second-value')
  assert.equal(headers['x-three'], 'third-value')
  assert.deepEqual(errorsOf(await patch({ wallet: demo.other.wallet })), ['does_not_exist@wallet'])
  assert.deepEqual(errorsOf(await patch({ url: null, kinds: null })).sort(), ['null@kinds', 'null@url'])
  const nine = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`X-More-${i}`, 'x']))
  assert.deepEqual(errorsOf(await patch({ headers: nine })), ['max_length@headers'])
})

test('an account has at most twenty endpoints, also when the last two are created at once', async () => {
  await Promise.all(Array.from({ length: 18 }, () => made()))
  const last = await Promise.all(Array.from({ length: 6 }, () => create()))
  assert.deepEqual(last.map((answer) => answer.status).sort(), [201, 201, 400, 400, 400, 400])
  const refused = last.find((answer) => answer.status === 400)!
  assert.deepEqual(errorsOf(refused), ['endpoint_limit@non_field_errors'])
  const { id } = last.find((answer) => answer.status === 201)!.body.webhook
  assert.equal((await ask('DELETE', `/webhooks/${id}/`)).status, 204)
  assert.equal((await create()).status, 201)
})

test('enabling again tells how many events happened meanwhile, with those that were given up', async () => {
  const { id } = await made()
  await happen(2)
  clock.advance(1000)
  const off = await ask('PATCH', `/webhooks/${id}/`, { body: { enabled: false } })
  assert.equal(off.body.webhook.enabled, false)
  assert.equal(off.body.webhook.disabled.why, 'person')
  assert.equal((await endDisabled(db, clock.now(), 100)).length, 2)
  clock.advance(1000)
  await happen(3)
  await happen(4, 'payment.unmatched')
  assert.equal(await value('select count(*) from deliveries'), '0')
  clock.advance(1000)
  await sql(
    `update webhook_endpoints set failing_since = created_at, failures = 30, open_until = created_at, open_step = 3,
            misconfigured = true where id = $1`,
    [id],
  )
  const on = await ask('PATCH', `/webhooks/${id}/`, { body: { enabled: true } })
  assert.equal(on.body.webhook.enabled, true)
  assert.equal(on.body.webhook.disabled, null)
  assert.equal(on.body.missed.count, 5)
  assert.equal(on.body.missed.more, false)
  assert.equal(on.body.webhook.health.failures, 0)
  assert.equal(on.body.webhook.health.misconfigured, false)
  assert.equal(on.body.webhook.health.breaker.state, 'recovering')
  const { from, until } = on.body.missed
  const count = await ask('POST', `/webhooks/${id}/replays/count/`, { body: { from, until, only_undelivered: true } })
  assert.deepEqual(count.body, { count: 5, more: false })
  assert.equal((await ask('PATCH', `/webhooks/${id}/`, { body: { enabled: true } })).body.missed, null)
})

test('a deleted endpoint is gone, keeps no secret, and what waited for it ends visibly', async () => {
  const { id } = await made({ headers: { 'X-One': 'x' } })
  const [event] = await happen(1)
  assert.equal((await ask('DELETE', `/webhooks/${id}/`)).status, 204)
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', 'rotate/'],
    ['POST', 'test/'],
  ] as const)
    assert.equal((await ask(method, `/webhooks/${id}/${path}`)).status, 404)
  assert.deepEqual((await ask('GET', '/webhooks/')).body, { results: [] })
  assert.deepEqual(await sql('select secret_sealed, headers::text from webhook_endpoints where id = $1', [id]), [
    ['\\x', '{}'],
  ])
  await happen(1)
  await endDisabled(db, clock.now(), 100)
  assert.deepEqual(await sql('select ending, event_id from delivery_ends where endpoint_id = $1', [id]), [
    ['disabled', event],
  ])
  assert.equal(await value('select count(*) from deliveries'), '0')
})

const signaturesOf = ({ headers, body }: Heard) => {
  const [t = '', ...signed] = String(headers['x-service-signature']).split(',')
  const by = (secret: string) =>
    signed.includes(
      `v1=${createHmac('sha256', secret)
        .update(`${t.slice(2)}.${body}`)
        .digest('hex')}`,
    )
  return { count: signed.length, by }
}

test('71: while a rotation overlaps both secrets sign, and afterwards the new one alone', async () => {
  const { id, secret: first } = await made({ url: at('/rotated') })
  const sign = async () => {
    assert.equal((await ask('POST', `/webhooks/${id}/test/`)).body.outcome, 'ok')
    return signaturesOf(lastAt('/rotated'))
  }
  const rotated = await ask('POST', `/webhooks/${id}/rotate/`)
  assert.equal(rotated.status, 200)
  const { secret: second, webhook } = rotated.body
  assert.match(second, /^whsec_[\w-]{43}$/)
  assert.notEqual(second, first)
  assert.equal(Date.parse(webhook.previous_secret_until), clock.now() + 86_400_000)
  const both = await sign()
  assert.equal(both.count, 2)
  assert.ok(both.by(first) && both.by(second))

  clock.advance(86_400_000 - 120_000)
  const long = await tokens.issue({ typ: 'user', sub: (await person(accountId)).id, acc: accountId }, 9e6, clock.now())
  const late = (method: string, path: string, body?: unknown) =>
    ask(method, `/webhooks/${id}/${path}`, { token: long, body })
  clock.advance(120_000)
  const signLate = async () => {
    assert.equal((await late('POST', 'test/')).body.outcome, 'ok')
    return signaturesOf(lastAt('/rotated'))
  }
  const alone = await signLate()
  assert.equal(alone.count, 1)
  assert.ok(alone.by(second))
  assert.equal((await late('GET', '')).body.previous_secret_until, null)

  const at0 = (await late('POST', 'rotate/', { overlap_s: 0 })).body
  assert.equal(at0.webhook.previous_secret_until, null)
  const now = await signLate()
  assert.equal(now.count, 1)
  assert.ok(now.by(at0.secret))
  assert.equal((await late('POST', 'rotate/', { overlap_s: 604_800 })).status, 200)
  for (const overlap_s of [-1, 604_801, 'soon'])
    assert.equal((await late('POST', 'rotate/', { overlap_s })).status, 400)
})

test('a test goes the way of the real ones, marked as a test, and leaves no trace', async () => {
  const owner = await person(accountId)
  const askNow = (path: string, body?: unknown) => ask('POST', path, { token: owner.token, body })
  const { webhook, secret } = (await askNow('/webhooks/', { url: at('/tested') })).body
  const { id } = webhook
  const health = () => sql(`select to_jsonb(w) - 'url' from webhook_endpoints w where id = $1`, [id])
  const before = await health()
  for (const kind of ['payment.verified', 'payment.unmatched', 'payment.received']) {
    const answer = await askNow(`/webhooks/${id}/test/`, { kind })
    assert.equal(answer.status, 200)
    const { headers, body } = lastAt('/tested')
    assert.equal(JSON.parse(body).event, kind)
    assert.equal(headers['x-service-test'], 'true')
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['x-service-attempt'], '1')
    assert.match(String(headers['x-service-event-id']), /^[0-9a-f-]{36}$/)
    assert.ok(signaturesOf(lastAt('/tested')).by(secret))
    assert.equal(answer.body.outcome, 'ok')
    assert.equal(answer.body.request.body, body)
    assert.equal(answer.body.request.headers['x-service-test'], 'true')
    assert.deepEqual(answer.body.response, { status: 200, headers: {}, body: 'thank you', whole: true })
    assert.equal(typeof answer.body.took.total_ms, 'number')
    assert.equal('address' in answer.body, false)
  }
  assert.deepEqual(errorsOf(await askNow(`/webhooks/${id}/test/`, { kind: 'payment.lost' })), ['invalid_choice@kind'])
  await sql('update webhook_endpoints set url = $2 where id = $1', [id, at('/fails')])
  for (let i = 0; i < 5; i++) {
    const answer = await askNow(`/webhooks/${id}/test/`)
    assert.equal(answer.body.outcome, 'status')
    assert.equal(answer.body.response.status, 500)
  }
  assert.deepEqual(await health(), before)
  assert.equal(await value('select count(*) from delivery_attempts'), '0')
  assert.equal(await value('select count(*) from deliveries'), '0')
  // Eight a minute were allowed here, and made.
  const tooMany = await askNow(`/webhooks/${id}/test/`)
  assert.equal(tooMany.status, 429)
  assert.ok(Number(tooMany.headers['retry-after']) > 0)
})

test('an endpoint that fails says since when, and on which day it will be disabled', async () => {
  const owner = await person(accountId)
  const { id } = (await ask('POST', '/webhooks/', { token: owner.token, body: { url: at('/fails') } })).body.webhook
  const days = 86_400_000
  const set = (since: number, failures: number, warned: number | null) =>
    sql('update webhook_endpoints set failing_since = $2, failures = $3, warned_at = $4 where id = $1', [
      id,
      new Date(since).toISOString(),
      failures,
      warned === null ? null : new Date(warned).toISOString(),
    ])
  const health = async () => (await ask('GET', `/webhooks/${id}/`, { token: owner.token })).body.health
  const now = clock.now()
  await set(now - 1 * days, 30, null)
  assert.equal((await health()).warning, null)
  await set(now - 4 * days, 12, now - 1000)
  const { warning } = await health()
  assert.equal(Date.parse(warning.disables_at), now - 4 * days + 5 * days)
  assert.match(
    warning.text,
    /^Nothing has arrived here since \d{4}-.* this endpoint is disabled on \d{4}-\d\d-\d\d \d\d:\d\d\.$/,
  )
  await sql('update webhook_endpoints set open_until = $2, slow_start = 1 where id = $1', [
    id,
    new Date(now + 1000).toISOString(),
  ])
  assert.equal((await health()).breaker.state, 'open')
  clock.advance(1000)
  assert.equal((await health()).breaker.state, 'probing')
})

test('every change of an endpoint is in the log of changes, with who made it, and no value of a header', async () => {
  const owner = await person(accountId)
  const since = (await value('select coalesce(max(id::text), $1) from audit_log', ['']))!
  const by = (method: string, path: string, body?: unknown) => ask(method, path, { token: owner.token, body })
  const entries = () =>
    sql(
      `select action, kind, object_id, before::text, after::text from audit_log
        where user_id = $1 and id::text > $2 order by id`,
      [owner.id, since],
    )
  const { id } = (await by('POST', '/webhooks/', { url: at('/noted'), headers: { 'X-Key': 'value-8888' } })).body
    .webhook
  secrets.add('value-8888').add('value-9999')
  const path = `/webhooks/${id}/`
  await by('PATCH', path, {})
  await by('PATCH', path, { kinds: ['payment.verified'], wallet: demo.wallets.main })
  await by('PATCH', path, { headers: { 'X-Key': 'value-9999' } })
  await by('POST', `${path}rotate/`, { overlap_s: 60 })
  await by('POST', `${path}test/`, {})
  await happen(1)
  const [delivery] = (await by('GET', `${path}deliveries/`)).body.results
  await sql('delete from deliveries')
  await sql(
    `insert into delivery_ends (at, account_id, delivery_id, event_id, endpoint_id, replay, attempts, ending)
     values ($1, $2, $3, $4, $5, 0, 1, 'delivered')`,
    [new Date(clock.now()).toISOString(), accountId, delivery.id, delivery.event_id, id],
  )
  const [first, second] = [
    await by('POST', `${path}deliveries/${delivery.id}/redeliver/`),
    await by('POST', `${path}deliveries/${delivery.id}/redeliver/`),
  ]
  assert.equal(first.body.id, second.body.id)
  const from = new Date(clock.now() - 1000).toISOString()
  await by('POST', `${path}replays/count/`, { from })
  const replay = (await by('POST', `${path}replays/`, { from })).body.id
  for (const turn of ['stop', 'stop', 'resume', 'resume']) await by('POST', `${path}replays/${replay}/${turn}/`)
  await by('DELETE', path)
  // What was refused, or changed nothing, is no change.
  assert.equal((await by('PATCH', path, { enabled: false })).status, 404)
  assert.equal((await by('POST', '/webhooks/', { url: 'https://10.0.0.1/' })).status, 400)

  const found = await entries()
  assert.deepEqual(
    found.map(([action, kind, object]) => [action, kind, object === id ? 'it' : object]),
    [
      ['webhook.create', 'webhook', 'it'],
      ['webhook.update', 'webhook', 'it'],
      ['webhook.update', 'webhook', 'it'],
      ['webhook.rotate', 'webhook', 'it'],
      ['delivery.redeliver', 'delivery', first.body.id],
      ['webhook.replay', 'webhook', 'it'],
      ['webhook.replay_stop', 'webhook', 'it'],
      ['webhook.replay_resume', 'webhook', 'it'],
      ['webhook.delete', 'webhook', 'it'],
    ],
  )
  const created = JSON.parse(found[0]![4]!)
  assert.deepEqual(created, {
    url: at('/noted'),
    wallet: null,
    kinds: ['payment.verified', 'payment.received'],
    header_names: ['X-Key'],
    enabled: true,
  })
  const narrowed = { ...created, kinds: ['payment.verified'], wallet: demo.wallets.main }
  assert.deepEqual([JSON.parse(found[1]![3]!), JSON.parse(found[1]![4]!)], [created, narrowed])
  assert.deepEqual(JSON.parse(found[2]![4]!), { ...narrowed, header_values_set: ['X-Key'] })
  assert.deepEqual(JSON.parse(found[3]![4]!), { overlap_s: 60 })
  assert.deepEqual(JSON.parse(found.at(-1)![3]!), narrowed)
  await sql('delete from deliveries')
})

test('no answer but the one that makes it holds a secret, nor does the log, nor the log of changes', async () => {
  assert.ok(secrets.size > 20 && seen.length > 150, `${secrets.size} secrets, ${seen.length} answers`)
  const all = seen.join('\n')
  const log = house.lines.join('\n')
  const changes = (await sql('select row_to_json(a)::text from audit_log a')).flat().join('\n')
  for (const secret of secrets) {
    assert.ok(!all.includes(secret), `an answer holds ${secret}`)
    assert.ok(!log.includes(secret), `the log holds ${secret}`)
    assert.ok(!changes.includes(secret), `the log of changes holds ${secret}`)
  }
})
