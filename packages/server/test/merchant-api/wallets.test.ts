/** `GET /wallets/`: which wallets it lists, in which order, with which fields. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId, ProviderId, WalletId } from '../../src/core/ids.ts'
import { randomId } from '../../src/core/ids.ts'
import { plantWallet } from '../support/rows/plant-wallet.ts'
import { askAt, errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { ask, create, demo, clock, db } = service
const { main, second, off, unmonitored, inactive, test: testing } = demo.wallets
const [account, provider] = ((
  await service.sql('select account_id, provider_id from wallets where id = $1', [main])
)[0] ?? []) as [AccountId, ProviderId]

type Listed = { id: string; name: string; is_test: boolean }
const list = async (query = ''): Promise<Listed[]> => {
  const answer = await ask('GET', `/wallets/${query}`)
  assert.equal(answer.status, 200)
  assert.ok(Array.isArray(answer.body), 'a plain array')
  return answer.body
}
const ids = async (query = ''): Promise<string[]> => (await list(query)).map(({ id }) => id)

/** Changes rows directly in the database, and moves the clock so that every cache has expired. */
const change = async (sql: string, ...values: unknown[]): Promise<void> => {
  await service.sql(sql, values)
  clock.advance(2_000)
}

test('wallets are a plain array of whole wallets', async () => {
  const answer = await ask('GET', '/wallets/')
  assert.equal(answer.headers['content-type'], 'application/json')
  const [providerId] = (await service.sql('select id from providers where id = $1', [provider]))[0]!
  const jawali = {
    id: providerId,
    name: 'jawali',
    display_name: 'Jawali',
    theme_color: '#0F5C63',
    logo_url: '',
    provider_status: 'ACTIVE',
  }
  const common = {
    sender_name: 'Jawali',
    currency: 'YER',
    provider: jawali,
    is_test: false,
  }
  assert.deepEqual(Object.keys(answer.body[0]), [
    'id',
    'name',
    'account_number',
    'sender_name',
    'currency',
    'provider',
    'is_test',
  ])
  assert.deepEqual(answer.body, [
    { id: main, name: 'Main wallet', account_number: '771000001', ...common },
    { id: second, name: 'Second wallet', account_number: '771000002', ...common },
  ])
})

test('the order is by name, then by id', async () => {
  const [[device] = []] = await service.sql('select device_id from wallets where id = $1', [main])
  const created: { id: WalletId; name: string }[] = []
  for (const name of ['Twin', 'Alpha', 'Twin', 'Twin', 'محفظة', 'Twin']) {
    const id = randomId<WalletId>()
    created.push({ id, name })
    const settings = { name, accountNumber: '1', senderName: 'Jawali' }
    const phoneId = device as never
    await plantWallet(db, { id, accountId: account, providerId: provider, phoneId, ...settings }, clock.now())
  }
  clock.advance(2_000)
  const listed = (await list()).map(({ id, name }) => ({ id, name }))
  const all = [...created, { id: main, name: 'Main wallet' }, { id: second, name: 'Second wallet' }]
  const sorted = all.sort((a, b) => (a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1))
  assert.deepEqual(listed, sorted)
  await change(
    'delete from wallets where id = any($1)',
    created.map(({ id }) => id),
  )
})

test('include_test counts only as the literal 1, and the last value wins', async () => {
  for (const query of ['?include_test=1', '?include_test=0&include_test=1', '?x=y&include_test=%31']) {
    const wallets = await list(query)
    assert.deepEqual(
      wallets.map(({ id, is_test }) => [id, is_test]),
      [
        [main, false],
        [second, false],
        [testing, true],
      ],
      query,
    )
  }
  const others = ['', '0', 'true', 'True', 'yes', 'on', '01', '1.0', '+1', '%2B1', '1%20', '%201', '1,1', '11', '-1']
  for (const value of [...others, '%D9%A1', '1%00', '%EF%BC%91'])
    assert.deepEqual(await ids(`?include_test=${value}`), [main, second], value)
  for (const query of ['?include_test', '?include_test=1&include_test=0', '?include_test=1&include_test='])
    assert.deepEqual(await ids(query), [main, second], query)
  for (const name of ['INCLUDE_TEST', 'include_test[]', 'include_test[0]', 'includeTest', '%20include_test'])
    assert.deepEqual(await ids(`?${name}=1`), [main, second], name)
})

test('HEAD has the length of what GET would answer; other methods are refused', async () => {
  const get = await ask('GET', '/wallets/')
  const head = await ask('HEAD', '/wallets/')
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  assert.equal(head.headers['content-length'], get.headers['content-length'])
  const post = await ask('POST', '/wallets/', { body: {} })
  assert.equal(post.status, 405)
  assert.equal(post.headers.allow, 'GET, HEAD, OPTIONS')
  assert.equal((await ask('GET', `/wallets/${main}/`)).status, 404)
})

test('the provider is the same whole object in a wallet and in an intent, in every state', async () => {
  for (const status of ['MAINTENANCE', 'INACTIVE', 'ACTIVE']) {
    await change(
      `update providers set status = $2, theme_color = '#A1B2C3', logo_url = 'https://cdn.example/j.svg',
              version = version + 1 where id = $1`,
      provider,
      status,
    )
    const [wallet] = (await ask('GET', '/wallets/')).body
    assert.deepEqual(wallet.provider, {
      id: provider,
      name: 'jawali',
      display_name: 'Jawali',
      theme_color: '#A1B2C3',
      logo_url: 'https://cdn.example/j.svg',
      provider_status: status,
    })
    const { body: intent } = await create()
    assert.deepEqual(intent.provider, wallet.provider)
    assert.deepEqual((await ask('GET', `/intents/${intent.id}/`)).body.provider, wallet.provider)
  }
  await assert.rejects(service.sql(`update providers set theme_color = 'teal'`), /check constraint/)
  await assert.rejects(service.sql(`update providers set status = 'GONE'`), /check constraint/)
})

test('sim_slot is SIM1, SIM2 or empty', async () => {
  for (const [wallet, slot] of [
    [main, 'SIM1'],
    [second, 'SIM2'],
    [testing, ''],
  ])
    assert.equal((await create({ wallet })).body.wallet.sim_slot, slot)
  await assert.rejects(service.sql(`update wallets set sim_slot = '1' where id = $1`, [main]), /check constraint/)
})

test('wallets that cannot receive now are not listed: phone off, unmonitored, closed, for tests', async () => {
  assert.deepEqual(await ids(), [main, second])
  const withTest = await ids('?include_test=1')
  for (const wallet of [off, unmonitored, inactive, demo.other.wallet]) assert.ok(!withTest.includes(wallet))
})

test('a wallet that lacks any requirement is not offered, and no intent can be created on it', async () => {
  const [[device] = []] = await service.sql('select device_id from wallets where id = $1', [main])
  const cases: [requirement: string, undo: string, redo: string, code: string][] = [
    [
      'active',
      'update wallets set active = false where id = $1',
      'update wallets set active = true where id = $1',
      'does_not_exist',
    ],
    [
      'a phone',
      'update wallets set device_id = null where id = $1',
      `update wallets set device_id = '${device}' where id = $1`,
      'wallet_not_monitored',
    ],
    [
      'a sender name',
      `update wallets set sender_name = '' where id = $1`,
      `update wallets set sender_name = 'Jawali' where id = $1`,
      'wallet_not_monitored',
    ],
    [
      'a phone that is on',
      'update devices set switched_on = false where id = (select device_id from wallets where id = $1)',
      'update devices set switched_on = true where id = (select device_id from wallets where id = $1)',
      'wallet_not_monitored',
    ],
    [
      'an active template',
      `update alert_templates set status = 'retired' where provider_id = (select provider_id from wallets where id = $1)`,
      `update alert_templates set status = 'active' where provider_id = (select provider_id from wallets where id = $1)`,
      'wallet_not_monitored',
    ],
  ]
  for (const [requirement, undo, redo, code] of cases) {
    await change(undo, main)
    assert.ok(!(await ids('?include_test=1')).includes(main), requirement)
    const refused = await create()
    assert.equal(refused.status, 400, requirement)
    assert.deepEqual(errorsOf(refused), [`${code}@wallet`], requirement)
    await change(redo, main)
    assert.ok((await ids()).includes(main), `${requirement}, again`)
    assert.equal((await create()).status, 201, `${requirement}, again`)
  }
})

test('one active template of the provider is enough; a draft is not', async () => {
  const own = `provider_id = (select provider_id from wallets where id = '${main}')`
  await change(`
    update alert_templates set status = 'retired'
     where ${own} and id <> (select id from alert_templates where ${own} limit 1)`)
  assert.deepEqual(await ids(), [main, second])
  await change(`update alert_templates set status = 'draft' where ${own}`)
  assert.deepEqual(await ids('?include_test=1'), [testing], 'the test wallet needs none')
  await change(`update alert_templates set status = 'active' where ${own}`)
  assert.deepEqual(await ids(), [main, second])
})

test('switching a phone off removes all its wallets from the list; switching it on brings them back', async () => {
  await change('update devices set switched_on = false where id = $1', demo.device.id)
  assert.deepEqual(await ids(), [])
  assert.equal((await ask('GET', '/wallets/')).text, '[]')
  await change('update devices set switched_on = true')
  assert.deepEqual(await ids(), [main, second, off], 'the old phone as well')
  await change('update devices set switched_on = false where id <> $1', demo.device.id)
  assert.deepEqual(await ids(), [main, second])
})

test('the test wallet is offered only while it is active', async () => {
  await change('update wallets set active = false where id = $1', testing)
  assert.deepEqual(await ids('?include_test=1'), [main, second])
  await change('update wallets set active = true where id = $1', testing)
  assert.deepEqual(await ids('?include_test=1'), [main, second, testing])
})

test("an account sees only its own wallets, and cannot collect into another's", async () => {
  await change('update devices set switched_on = true')
  const token = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
  const theirs = await askAt(`${service.base}/wallets/?include_test=1`, 'GET', { token })
  // Each account has its own test wallet.
  assert.deepEqual(
    theirs.body.map(({ name }: Listed) => name),
    ['Test wallet', 'Their wallet'],
  )
  assert.equal(theirs.body[1].id, demo.other.wallet)
  assert.notEqual(theirs.body[0].id, testing)
  const across = await askAt(`${service.base}/intents/`, 'POST', { token, body: { wallet: main, amount: '5' } })
  assert.equal(across.status, 400)
  assert.deepEqual(across.body, {
    type: 'validation_error',
    errors: [{ code: 'does_not_exist', detail: `Invalid pk "${main}" - object does not exist.`, attr: 'wallet' }],
  })
})
