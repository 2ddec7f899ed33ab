/** Webhook endpoints in the dashboard: create, change, disable, delete, health and audit entries. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { day_ms } from '../../src/core/duration.ts'
import { endDisabledDeliveries } from '../../src/webhooks/sending/delivery-sql.ts'
import { errorsOf } from '../support/story.ts'
import { endpointStory } from './endpoint-story.ts'

const {
  service,
  accountId,
  newMember,
  secrets,
  ask,
  at,
  lastAt,
  create,
  newEndpoint,
  value,
  storeEvents,
  story,
  noSecretLeaks,
} = await endpointStory()
const { clock, demo, db, sql } = service

story(
  'an endpoint is created with its secret, shown once; payment.unmatched is sent only to endpoints that subscribe',
  async () => {
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
        waiting: { count: 0, more: false, failed: 0, oldest_at: null },
      },
      last_day: { arrived: 0, failed: 0, p50_ms: null, p95_ms: null },
    })
    assert.deepEqual((await ask('GET', `/webhooks/${id}/`)).body, { id, ...rest })
    assert.deepEqual((await ask('GET', '/webhooks/')).body, { results: [{ id, ...rest }] })
    assert.equal((await ask('GET', `/webhooks/${id}/secret/`)).status, 404)

    const unmatched = await create({ kinds: ['payment.unmatched', 'payment.unmatched'], wallet: demo.wallets.main })
    assert.deepEqual(unmatched.body.webhook.kinds, ['payment.unmatched'])
    assert.equal(unmatched.body.webhook.wallet, demo.wallets.main)
    await storeEvents(1, 'payment.unmatched')
    assert.deepEqual(await sql('select endpoint_id from deliveries'), [[unmatched.body.webhook.id]])
    await endDisabledDeliveries(db, clock.now(), 100)
    await sql('delete from deliveries')
  },
)

story('all errors of an endpoint are returned at once', async () => {
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
  for (const [name, headerValue] of [
    ['X Y', 'x'],
    ['', 'x'],
    ['X-A:', 'x'],
    ['X-A', 'a\r\nHost: b'],
    ['X-A', 'é'],
    ['X-A', ' a'],
    ['X-A', 7],
  ] as const)
    assert.deepEqual(errorsOf(await create({ headers: { [name]: headerValue } })), [`invalid@headers.${name}`], name)
  assert.deepEqual(errorsOf(await create({ headers: { 'X-A': '1', 'x-a': '2' } })), ['invalid@headers.x-a'])
  assert.deepEqual(errorsOf(await create({ headers: { 'X-A': 'a'.repeat(1025) } })), ['max_length@headers.X-A'])
  const many = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`X-${i}`, 'x']))
  assert.deepEqual(errorsOf(await create({ headers: many })), ['max_length@headers'])
  assert.equal((await ask('POST', '/webhooks/', { body: '{' })).status, 400)
  assert.deepEqual((await ask('GET', '/webhooks/')).body, { results: [] })
})

story('an endpoint is changed field by field; a header that is not named keeps its value', async () => {
  const { id } = await newEndpoint({
    wallet: demo.wallets.main,
    headers: { 'X-One': 'first-value', 'X-Two': 'second-value' },
  })
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

story('an account has at most twenty endpoints, also when the last two are created at once', async () => {
  await Promise.all(Array.from({ length: 18 }, () => newEndpoint()))
  const last = await Promise.all(Array.from({ length: 6 }, () => create()))
  assert.deepEqual(last.map((answer) => answer.status).sort(), [201, 201, 400, 400, 400, 400])
  const refused = last.find((answer) => answer.status === 400)!
  assert.deepEqual(errorsOf(refused), ['endpoint_limit@non_field_errors'])
  const { id } = last.find((answer) => answer.status === 201)!.body.webhook
  assert.equal((await ask('DELETE', `/webhooks/${id}/`)).status, 204)
  assert.equal((await create()).status, 201)
})

story('enabling an endpoint again returns how many events it missed, ended deliveries included', async () => {
  const { id } = await newEndpoint()
  await storeEvents(2)
  clock.advance(1000)
  const off = await ask('PATCH', `/webhooks/${id}/`, { body: { enabled: false } })
  assert.equal(off.body.webhook.enabled, false)
  assert.equal(off.body.webhook.disabled.why, 'person')
  assert.equal((await endDisabledDeliveries(db, clock.now(), 100)).length, 2)
  clock.advance(1000)
  await storeEvents(3)
  await storeEvents(4, 'payment.unmatched')
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

story('a deleted endpoint has no secret any more, and its waiting deliveries are recorded as ended', async () => {
  const { id } = await newEndpoint({ headers: { 'X-One': 'x' } })
  const [event] = await storeEvents(1)
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
  await storeEvents(1)
  await endDisabledDeliveries(db, clock.now(), 100)
  assert.deepEqual(await sql('select ending, event_id from delivery_ends where endpoint_id = $1', [id]), [
    ['disabled', event],
  ])
  assert.equal(await value('select count(*) from deliveries'), '0')
})

story('an endpoint shows since when it fails, when it will be disabled, and the state of its breaker', async () => {
  const owner = await newMember(accountId)
  const { id } = (await ask('POST', '/webhooks/', { token: owner.token, body: { url: at('/fails') } })).body.webhook
  const set = (since: number, failures: number, warned: number | null) =>
    sql('update webhook_endpoints set failing_since = $2, failures = $3, warned_at = $4 where id = $1', [
      id,
      new Date(since).toISOString(),
      failures,
      warned === null ? null : new Date(warned).toISOString(),
    ])
  const health = async () => (await ask('GET', `/webhooks/${id}/`, { token: owner.token })).body.health
  const now = clock.now()
  await set(now - 1 * day_ms, 30, null)
  assert.equal((await health()).warning, null)
  await set(now - 4 * day_ms, 12, now - 1000)
  const { warning } = await health()
  assert.equal(Date.parse(warning.disables_at), now - 4 * day_ms + 5 * day_ms)
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

story('every change of an endpoint is in the audit log, with the user, and without header values', async () => {
  const owner = await newMember(accountId)
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
  await storeEvents(1)
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
  for (const action of ['stop', 'stop', 'resume', 'resume']) await by('POST', `${path}replays/${replay}/${action}/`)
  await by('DELETE', path)
  // Refused changes, and those without effect, are not logged.
  assert.equal((await by('PATCH', path, { enabled: false })).status, 404)
  assert.equal((await by('POST', '/webhooks/', { url: 'https://10.0.0.1/' })).status, 400)

  const entryRows = await entries()
  assert.deepEqual(
    entryRows.map(([action, kind, object]) => [action, kind, object === id ? 'it' : object]),
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
  const created = JSON.parse(entryRows[0]![4]!)
  assert.deepEqual(created, {
    url: at('/noted'),
    wallet: null,
    kinds: ['payment.verified', 'payment.received'],
    header_names: ['X-Key'],
    enabled: true,
  })
  const narrowed = { ...created, kinds: ['payment.verified'], wallet: demo.wallets.main }
  assert.deepEqual([JSON.parse(entryRows[1]![3]!), JSON.parse(entryRows[1]![4]!)], [created, narrowed])
  assert.deepEqual(JSON.parse(entryRows[2]![4]!), { ...narrowed, header_values_set: ['X-Key'] })
  assert.deepEqual(JSON.parse(entryRows[3]![4]!), { overlap_s: 60 })
  assert.deepEqual(JSON.parse(entryRows.at(-1)![3]!), narrowed)
  await sql('delete from deliveries')
})

noSecretLeaks({ secrets: 20, answers: 70 })
