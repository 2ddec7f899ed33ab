/** The operator's calls in the dashboard: accounts, quotas, shared providers and templates, and the state of the service. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { forgetNodeClock, storeNodeClock } from '../../src/postgres/clock/node-clocks-sql.ts'
import { newDeliveryId } from '../../src/webhooks/delivery-id.ts'
import { askAt, errorsOf, openTestService } from '../support/story.ts'
import { askWith, createMember, createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const members = await createMembers(service)
const { ask } = members.operator
const second = await service.startNode()

const lastEntry = async (accountId: string | null) => {
  const [row] = await service.sql(
    `select json_build_object('action', action, 'actor', user_id, 'before', before, 'after', after) from audit_log
      where account_id is not distinct from $1 order by id desc limit 1`,
    [accountId],
  )
  return JSON.parse(row![0]!)
}

test('an account is created, shown, and audited; only operators can see it', async () => {
  const created = await ask('POST', '/operator/accounts/', {
    body: { name: 'A new shop', monthly_intent_quota: 100, time_zone: 'Asia/Riyadh' },
  })
  assert.equal(created.status, 201, created.text)
  assert.equal(created.body.status, 'ACTIVE')
  assert.equal(created.body.monthly_intent_quota, 100)
  assert.equal(created.body.time_zone, 'Asia/Riyadh')
  assert.deepEqual((await ask('GET', `/operator/accounts/${created.body.id}/`)).body, created.body)
  assert.equal((await lastEntry(created.body.id)).action, 'account.create')
  assert.equal((await lastEntry(created.body.id)).actor, members.operator.userId)
  for (const member of [members.owner, members.manager, members.viewer, members.stranger]) {
    assert.equal((await member.ask('GET', '/operator/accounts/')).status, 403)
    assert.equal((await member.ask('GET', `/operator/accounts/${created.body.id}/`)).status, 403)
  }
  const refused = await ask('POST', '/operator/accounts/', { body: { monthly_intent_quota: -1, time_zone: 'Nowhere' } })
  assert.deepEqual(errorsOf(refused), ['required@name', 'min_value@monthly_intent_quota', 'invalid@time_zone'])
})

test('accounts are found by part of their name, by id and by status, paged, newest first', async () => {
  for (const name of ['Bakery 100%', 'Bakery_two', 'مخبز الركن', 'bakery three']) {
    service.clock.advance(1)
    await ask('POST', '/operator/accounts/', { body: { name } })
  }
  const names = async (query: string) =>
    (await ask('GET', `/operator/accounts/${query}`)).body.results.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names('?search=bakery'), ['bakery three', 'Bakery_two', 'Bakery 100%'])
  assert.deepEqual(await names('?search=100%25'), ['Bakery 100%'])
  assert.deepEqual(await names('?search=y_t'), ['Bakery_two'])
  assert.deepEqual(await names(`?search=${encodeURIComponent('مخبز')}`), ['مخبز الركن'])
  assert.equal((await names(`?search=${members.otherId}`)).length, 1)
  assert.deepEqual(await names(`?search=${randomUUID()}`), [])
  assert.deepEqual(await names('?search=bakery&status=SUSPENDED'), [])
  const seen: string[] = []
  for (let after = ''; ; ) {
    const { body } = await ask('GET', `/operator/accounts/?page_size=2${after}`)
    seen.push(...body.results.map(({ id }: { id: string }) => id))
    if (body.next === null) break
    after = `&after=${encodeURIComponent(body.next)}`
  }
  const [[count]] = (await service.sql('select count(*) from accounts')) as [[string]]
  assert.equal(seen.length, Number(count))
  assert.equal(new Set(seen).size, seen.length)
  const refused = await ask('GET', '/operator/accounts/?status=GONE&after=x.y&search=%00')
  assert.deepEqual(errorsOf(refused).sort(), [
    'invalid@after',
    'invalid_choice@status',
    'null_characters_not_allowed@search',
  ])
})

test('keys, tokens and sessions of a suspended account stop within two seconds on every node, and work again later', async () => {
  const { client_id, client_secret } = service.demo.other
  const token = await service.tokenFor(client_id, client_secret)
  const member = await createMember(service, members.otherId, 'manager')
  const elsewhere = askWith(second, member.session.token)
  const wallets = (origin: string) => askAt(`${origin}/api/v1/merchant/wallets/`, 'GET', { token })
  const statuses = async () => [
    (await wallets(service.origin)).status,
    (await wallets(second.origin)).status,
    (await member.ask('GET', '/account/')).status,
    (await elsewhere('GET', '/account/')).status,
  ]
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  const suspended = await ask('POST', `/operator/accounts/${members.otherId}/suspend/`)
  assert.equal(suspended.body.status, 'SUSPENDED', suspended.text)
  service.clock.advance(2_000)
  assert.deepEqual(await statuses(), [401, 401, 403, 403])
  const refused = await askAt(`${service.base}/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': client_id, 'SERVICE-CLIENT-SECRET': client_secret },
  })
  assert.equal(refused.status, 401)
  const entry = await lastEntry(members.otherId)
  assert.equal(entry.action, 'account.suspend')
  assert.deepEqual([entry.before.status, entry.after.status], ['ACTIVE', 'SUSPENDED'])
  assert.equal((await ask('POST', `/operator/accounts/${members.otherId}/resume/`)).body.status, 'ACTIVE')
  service.clock.advance(2_000)
  assert.deepEqual(await statuses(), [200, 200, 200, 200])
  assert.equal((await ask('POST', `/operator/accounts/${randomUUID()}/suspend/`)).status, 404)
})

test('a quota is set, enforced and removed', async () => {
  const quota = (body: unknown, id: string = members.accountId) =>
    ask('PUT', `/operator/accounts/${id}/quota/`, { body })
  assert.equal((await service.create()).status, 201)
  const set = await quota({ monthly_intent_quota: 2 })
  assert.equal(set.body.monthly_intent_quota, 2, set.text)
  service.clock.advance(2_000)
  assert.equal((await service.create()).status, 201)
  const over = await service.create()
  assert.deepEqual(errorsOf(over), ['quota_exceeded@non_field_errors'])
  assert.deepEqual((await lastEntry(members.accountId)).after, { monthly_intent_quota: 2 })
  assert.equal((await quota({ monthly_intent_quota: null })).body.monthly_intent_quota, null)
  service.clock.advance(2_000)
  assert.equal((await service.create()).status, 201)
  assert.deepEqual(errorsOf(await quota({})), ['required@monthly_intent_quota'])
  assert.deepEqual(errorsOf(await quota({ monthly_intent_quota: 'many' })), ['invalid@monthly_intent_quota'])
  assert.equal((await quota({}, randomUUID())).status, 404)
})

test('the state of each account and of all accounts is shown, without secrets', async () => {
  const before = (await ask('GET', '/operator/health/')).body
  const healthOf = async () => (await ask('GET', `/operator/accounts/${members.accountId}/`)).body.health
  const earlier = await healthOf()
  assert.equal((await service.create()).status, 201)
  await service.sql('update devices set last_seen_at = $2, heartbeat_at = $2, heartbeat_s = 60 where id = $1', [
    service.demo.device.id,
    new Date(service.clock.now()).toISOString(),
  ])
  assert.equal((await healthOf()).intents_today, earlier.intents_today + 1)
  const silentBefore = (await healthOf()).silent_phones
  service.clock.advance(4 * 60_000)
  assert.equal((await healthOf()).silent_phones, silentBefore + 1)
  const after = (await ask('GET', '/operator/health/')).body
  assert.equal(after.intents_today, before.intents_today + 1)
  assert.ok(after.accounts >= 2)
  assert.ok(after.silent_phones >= 1)
  assert.equal(after.oldest_waiting_s, null)
  const text = (await ask('GET', '/operator/accounts/?page_size=200')).text
  for (const secret of [
    service.demo.client_id,
    service.demo.client_secret,
    service.demo.device.secret,
    'hash',
    'sealed',
  ])
    assert.ok(!text.includes(secret), secret)
})

test('89: every running node is shown with the error of its clock, the most wrong first', async () => {
  const node = (host: string, offset_ms: number) => ({ nodeId: randomUUID(), host, offset_ms, error_ms: 1 })
  for (const one of [node('right', -3), node('ahead', 7_200_000), node('behind', -2_002), node('almost', 2_001)])
    await storeNodeClock(service.db, one)
  const stopped = node('stopped', 60_000)
  await storeNodeClock(service.db, stopped)
  await forgetNodeClock(service.db, stopped.nodeId)
  const killed = node('killed', 60_000)
  await storeNodeClock(service.db, killed)
  await service.sql(`update node_clocks set seen_at = seen_at - interval '2 minutes' where node_id = $1`, [
    killed.nodeId,
  ])
  const { nodes } = (await ask('GET', '/operator/health/')).body
  assert.deepEqual(
    nodes.map(({ host, offset_ms, state }: Record<string, unknown>) => [host, offset_ms, state]),
    [
      ['ahead', 7_200_000, 'refused'],
      ['behind', -2_002, 'differs'],
      ['almost', 2_001, 'agrees'],
      ['right', -3, 'agrees'],
    ],
  )
})

test('a waiting webhook is shown, with how long it waits', async () => {
  const endpoint = randomUUID()
  const event = randomUUID()
  const at = new Date(service.clock.now() - 90_000).toISOString()
  const [[wallet]] = (await service.sql('select id from wallets where account_id = $1 limit 1', [members.otherId])) as [
    [string],
  ]
  await service.sql(
    `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
     values ($1, $2, 'http://127.0.0.1:9/', '{payment.verified}', '', $3)`,
    [members.otherId, endpoint, at],
  )
  await service.sql(
    `insert into events (account_id, id, kind, wallet_id, alert_id, body, created_at)
     values ($1, $2, 'payment.verified', $3, $2, '{}', $4)`,
    [members.otherId, event, wallet, at],
  )
  await service.sql(
    `insert into deliveries (id, account_id, event_id, endpoint_id, due_at, created_at)
     values (${newDeliveryId('$2::uuid')}, $1, $2, $3, $4, $4) on conflict do nothing`,
    [members.otherId, event, endpoint, at],
  )
  const { health } = (await ask('GET', `/operator/accounts/${members.otherId}/`)).body
  assert.ok(health.oldest_waiting_s >= 90, JSON.stringify(health))
  assert.ok((await ask('GET', '/operator/health/')).body.oldest_waiting_s >= 90)
})

const newProvider = { name: 'new-wallet', display_name: 'New Wallet', theme_color: '#0a7b55' }
const sample = {
  text: 'You received 1500.00 YER, reference 123456789. Thank you',
  expect: { amount: '1500.00', reference: '123456789' },
}

test('a provider is created, its templates are published and retired, and every step is in the audit log', async () => {
  const provider = await ask('POST', '/operator/providers/', { body: newProvider })
  assert.equal(provider.status, 201, provider.text)
  assert.equal(provider.body.theme_color, '#0A7B55')
  assert.equal((await lastEntry(null)).action, 'provider.create')
  assert.deepEqual(errorsOf(await ask('POST', '/operator/providers/', { body: newProvider })), ['unique@name'])
  const changed = await ask('PATCH', `/operator/providers/${provider.body.id}/`, {
    body: { provider_status: 'MAINTENANCE' },
  })
  assert.equal(changed.body.provider_status, 'MAINTENANCE', changed.text)
  assert.deepEqual(changed.body.packages, [])
  const app = await ask('PATCH', `/operator/providers/${provider.body.id}/`, { body: { packages: ['com.new.wallet'] } })
  assert.deepEqual(app.body.packages, ['com.new.wallet'], app.text)
  const unchanged = await ask('PATCH', `/operator/providers/${provider.body.id}/`, { body: { logo_url: '' } })
  assert.deepEqual(unchanged.body.packages, ['com.new.wallet'])
  const bad = await ask('PATCH', `/operator/providers/${provider.body.id}/`, { body: { packages: ['x'] } })
  assert.deepEqual(errorsOf(bad), ['invalid@packages.0'])
  assert.equal((await lastEntry(null)).action, 'provider.update')

  const draft = await ask('POST', '/operator/templates/', {
    body: {
      provider: provider.body.id,
      name: 'Money received',
      sender_names: ['NEWWALLET'],
      sentence: 'You received {amount:money} YER, reference {reference:reference}. Thank you',
    },
  })
  assert.equal(draft.status, 201, draft.text)
  const { id } = draft.body.template
  assert.equal(draft.body.bench.green, false)
  const early = await ask('POST', `/operator/templates/${id}/publish/`)
  assert.equal(early.status, 400)
  assert.ok(errorsOf(early).every((error) => error === 'template_not_green@non_field_errors'))

  const saved = await ask('PUT', `/operator/templates/${id}/samples/`, {
    body: { samples: [sample], counter_samples: [{ text: 'You sent 5.00 YER', why: 'money that left' }] },
  })
  assert.equal(saved.status, 200, saved.text)
  assert.deepEqual(saved.body.bench, { green: true, failures: [] })
  assert.equal((await lastEntry(null)).action, 'template.samples')
  const published = await ask('POST', `/operator/templates/${id}/publish/`)
  assert.equal(published.body.template?.status, 'active', published.text)
  assert.equal((await lastEntry(null)).action, 'template.publish')
  const late = await ask('PUT', `/operator/templates/${id}/samples/`, { body: { samples: [], counter_samples: [] } })
  assert.deepEqual(errorsOf(late), ['template_not_draft@non_field_errors'])

  const next = await ask('POST', '/operator/templates/', {
    body: {
      provider: provider.body.id,
      replaces: id,
      name: 'Money received',
      sender_names: ['NEWWALLET'],
      sentence: 'You received {amount:money} YER, reference {reference:reference}. Thank you',
      samples: [sample],
      counter_samples: [{ text: 'You sent 5.00 YER', why: 'money that left' }],
    },
  })
  assert.equal(next.body.template.version, 2)
  assert.equal(next.body.template.lineage, draft.body.template.lineage)
  assert.equal((await ask('POST', `/operator/templates/${next.body.template.id}/publish/`)).status, 200)
  assert.equal((await ask('GET', `/operator/templates/${id}/`)).body.template.status, 'retired')

  assert.equal(
    (await ask('POST', `/operator/templates/${next.body.template.id}/retire/`)).body.template.status,
    'retired',
  )
  assert.equal((await lastEntry(null)).action, 'template.retire')
  const again = await ask('POST', `/operator/templates/${next.body.template.id}/retire/`)
  assert.deepEqual(errorsOf(again), ['template_retired@non_field_errors'])
  const { body } = await ask('GET', `/operator/templates/?provider=${provider.body.id}&status=retired`)
  assert.equal(body.results.length, 2)
  const log = await ask('GET', '/operator/audit/?kind=template')
  assert.deepEqual(
    log.body.results.slice(0, 3).map(({ action }: { action: string }) => action),
    ['template.retire', 'template.publish', 'template.draft'],
  )
  assert.equal((await members.owner.ask('GET', '/operator/audit/')).status, 403)
})

test('an operator cannot change an account’s own template', async () => {
  const [[provider]] = (await service.sql('select id from providers where account_id is null limit 1')) as [[string]]
  const id = randomUUID()
  await service.sql(
    `insert into alert_templates (id, provider_id, account_id, lineage, sentence, status, created_at)
     values ($1, $2, $3, $1, 'x', 'draft', now())`,
    [id, provider, members.accountId],
  )
  assert.equal((await ask('GET', `/operator/templates/${id}/`)).status, 404)
  assert.equal((await ask('POST', `/operator/templates/${id}/publish/`)).status, 404)
  assert.equal((await ask('POST', `/operator/templates/${id}/retire/`)).status, 404)
  const { body } = await ask('GET', '/operator/templates/?page_size=200')
  assert.ok(!body.results.some((template: { id: string }) => template.id === id))
})

test('invalid input is refused with field errors, never with a 500', async () => {
  const providers = (body: unknown) => ask('POST', '/operator/providers/', { body })
  assert.deepEqual(errorsOf(await providers({})), ['required@name', 'required@display_name', 'required@theme_color'])
  assert.deepEqual(
    errorsOf(await providers({ name: 'A B', display_name: 'x', theme_color: 'red', logo_url: 'javascript:alert(1)' })),
    ['invalid@name', 'invalid@theme_color', 'invalid@logo_url'],
  )
  const template = (more: object) =>
    ask('POST', '/operator/templates/', {
      body: { provider: randomUUID(), name: 'x', sender_names: ['X'], sentence: 'x {amount:money}', ...more },
    })
  assert.deepEqual(errorsOf(await template({})), ['does_not_exist@provider'])
  assert.deepEqual(errorsOf(await template({ sender_names: [] })), ['empty@sender_names.non_field_errors'])
  assert.deepEqual(errorsOf(await template({ samples: [{ text: 'x', expect: { amount: '1' } }] })), [
    'invalid@samples.0.expect.amount',
  ])
  const [[provider]] = (await service.sql('select id from providers where account_id is null limit 1')) as [[string]]
  const replaces = randomUUID()
  assert.deepEqual(errorsOf(await template({ provider, replaces })), ['does_not_exist@replaces'])
  const odd = await template({ provider, sentence: '{{{{' })
  assert.equal(odd.status, 201)
  assert.equal(odd.body.bench.green, false)
  for (const body of ['[]', '"x"', '{', 'null', '[['.repeat(5000)])
    for (const path of ['/operator/accounts/', '/operator/providers/', '/operator/templates/'])
      assert.equal((await ask('POST', path, { body })).status, 400, `${path} ${body.slice(0, 10)}`)
})

test('an operator without an account may call the operations for operators, and no others', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  await service.sql('update users set operator = true where id = $1', [member.userId])
  await service.sql('delete from members where user_id = $1', [member.userId])
  assert.equal((await member.ask('GET', '/operator/accounts/')).status, 200)
  assert.equal((await member.ask('GET', '/account/')).status, 403)
  const created = await member.ask('POST', '/operator/accounts/', { body: { name: 'By somebody of no account' } })
  assert.equal(created.status, 201, created.text)
})

test('a former operator is refused within two seconds', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  await service.sql('update users set operator = true where id = $1', [member.userId])
  assert.equal((await member.ask('GET', '/operator/health/')).status, 200)
  await service.sql('update users set operator = false where id = $1', [member.userId])
  service.clock.advance(2_000)
  assert.equal((await member.ask('GET', '/operator/health/')).status, 403)
})
