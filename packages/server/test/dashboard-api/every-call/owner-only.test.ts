/**
 * What only an owner may do, because it allows a user to sign as a phone or to receive secrets of the owner: pairing,
 * forwarding apps, the address of an endpoint and its headers. Each is tried as every role.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MemberRole, roles } from '../../../src/accounts/people/permission.ts'
import { openMerchantServer } from '../../support/merchant-server.ts'
import { phone as phoneOf } from '../../support/phone.ts'
import { purchaseText } from '../../support/sms-texts.ts'
import { type Answer, askAt, openTestService } from '../../support/story.ts'
import { createMembers } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const members = await createMembers(service)
const { demo, clock } = service
const ownersServer = await openMerchantServer((_, response) => response.end('thank you'))
const thiefsServer = await openMerchantServer((_, response) => response.end('thank you'))

const codeOf = (answer: Answer): string => answer.body?.errors?.[0]?.code ?? ''
const assertRefused = (answer: Answer, code = 'permission_denied'): void =>
  assert.equal(`${answer.status} ${codeOf(answer)}`, `403 ${code}`, answer.text)
const notOwners = roles.filter((role): role is Exclude<MemberRole, 'owner'> => role !== 'owner')

test('a manager cannot pair the phone again, and so cannot sign an alert that verifies', async () => {
  const intent = await service.create()
  await service.ask('PATCH', `/intents/${intent.body.id}/`, { body: { reference: '880000000001' } })
  const created = await members.manager.ask('POST', `/phones/${demo.device.id}/pairing/`)
  if (created.status === 200) {
    const paired = await askAt(`${service.origin}/api/v1/device/pair`, 'POST', {
      body: { code: created.body.pairing.code },
    })
    const forged = phoneOf(service.origin, clock.now, { id: demo.device.id, secret: paired.body.secret })
    const text = purchaseText('1,500.00', '880000000001')
    const received_at = String(Math.floor(clock.now() / 1000))
    await forged.alerts([{ client_id: 'f', kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }])
  }
  const { status } = (await service.ask('GET', `/intents/${intent.body.id}/`)).body
  assert.equal(status, 'PENDING', 'the manager could sign as the phone')
  assertRefused(created)
})

test('only owners get a code, an address or a key of a phone, and change them', async () => {
  const before = await service.sql('select row_to_json(d)::text from devices d order by id')
  for (const role of notOwners) {
    const { ask } = members[role]
    assertRefused(await ask('POST', '/phones/', { body: { name: 'Mine' } }))
    assertRefused(await ask('POST', `/phones/${demo.device.id}/pairing/`))
    assertRefused(await ask('POST', `/phones/${demo.device.id}/ingest/`, { body: { app: 'sms-to-url' } }))
    assertRefused(await ask('PUT', `/phones/${demo.device.id}/signing-key/`, { body: { signing_key: 'mine' } }))
  }
  assert.deepEqual(await service.sql('select row_to_json(d)::text from devices d order by id'), before)
})

test('a manager renames a phone, and switches it off and on; lower roles may not', async () => {
  const path = `/phones/${demo.device.id}/`
  for (const body of [{ name: 'Counter' }, { switched_on: false }, { switched_on: true }]) {
    assert.equal((await members.manager.ask('PATCH', path, { body })).status, 200)
    for (const role of ['cashier', 'viewer'] as const) assertRefused(await members[role].ask('PATCH', path, { body }))
  }
})

/** Creates an endpoint of the owner with a header that only the owner knows; returns its id. */
const createEndpoint = async (): Promise<string> => {
  const body = {
    url: ownersServer.at('/hook'),
    kinds: ['payment.verified'],
    headers: { Authorization: 'Bearer of-the-owner' },
  }
  const created = await members.owner.ask('POST', '/webhooks/', { body })
  assert.equal(created.status, 201, created.text)
  return created.body.webhook.id
}

test('a manager cannot send the owner’s header values to another server', async () => {
  const id = await createEndpoint()
  const moved = await members.manager.ask('PATCH', `/webhooks/${id}/`, { body: { url: thiefsServer.at('/mine') } })
  await members.manager.ask('POST', `/webhooks/${id}/test/`)
  assert.deepEqual(
    thiefsServer.calls.map(({ headers }) => headers.authorization),
    [],
    'the other server received the owner’s header',
  )
  assertRefused(moved, 'owner_only')
  assert.match(moved.body.errors[0].detail, /Only an owner may change the address/)
  assert.equal(
    ownersServer.calls.at(-1)?.headers.authorization,
    'Bearer of-the-owner',
    'the test went where the owner said',
  )
})

test('a manager cannot change path, query, port, scheme or headers of an endpoint either', async () => {
  const id = await createEndpoint()
  const row = () => service.sql('select url, headers::text from webhook_endpoints where id = $1', [id])
  const before = await row()
  const { url } = (await members.manager.ask('GET', `/webhooks/${id}/`)).body
  const elsewhere = [
    `${url}/other`,
    `${url}?to=me`,
    url.replace('http:', 'https:'),
    url.replace(/:\d+/, ':9'),
    'nonsense',
  ]
  for (const body of [
    ...elsewhere.map((address) => ({ url: address })),
    { headers: { 'X-Forwarded-Host': 'thief.example' } },
    { headers: { Authorization: null } },
    { enabled: true, url, headers: { Authorization: 'Bearer mine' } },
  ])
    assertRefused(await members.manager.ask('PATCH', `/webhooks/${id}/`, { body }), 'owner_only')
  assert.deepEqual(await row(), before)
})

test('a manager’s form does not undo an address that an owner changed meanwhile', async () => {
  const id = await createEndpoint()
  const { url } = (await members.manager.ask('GET', `/webhooks/${id}/`)).body
  const moved = await members.owner.ask('PATCH', `/webhooks/${id}/`, { body: { url: ownersServer.at('/moved') } })
  assert.equal(moved.status, 200)
  assertRefused(await members.manager.ask('PATCH', `/webhooks/${id}/`, { body: { url, enabled: true } }), 'owner_only')
  assert.equal((await members.owner.ask('GET', `/webhooks/${id}/`)).body.url, ownersServer.at('/moved'))
})

test("a manager may change an endpoint's kinds, wallet and whether it is enabled; and send its address unchanged", async () => {
  const id = await createEndpoint()
  const { url } = (await members.manager.ask('GET', `/webhooks/${id}/`)).body
  for (const body of [
    { kinds: ['payment.verified', 'payment.unmatched'] },
    { wallet: demo.wallets.main },
    { enabled: false },
    { enabled: true, url, headers: {} },
  ]) {
    const answer = await members.manager.ask('PATCH', `/webhooks/${id}/`, { body })
    assert.equal(answer.status, 200, answer.text)
    for (const role of ['cashier', 'viewer'] as const)
      assertRefused(await members[role].ask('PATCH', `/webhooks/${id}/`, { body }))
  }
  const { webhook } = (await members.manager.ask('PATCH', `/webhooks/${id}/`, { body: {} })).body
  assert.deepEqual(webhook.header_names, ['Authorization'])
  for (const role of notOwners) {
    assertRefused(await members[role].ask('POST', '/webhooks/', { body: { url: thiefsServer.at('/mine') } }))
    assertRefused(await members[role].ask('POST', `/webhooks/${id}/rotate/`))
    for (const [method, path] of [
      ['GET', '/keys/'],
      ['POST', '/keys/'],
      ['GET', '/members/'],
    ] as const)
      assertRefused(await members[role].ask(method, path, method === 'POST' ? { body: { name: 'Mine' } } : {}))
  }
})

test('an owner changes the address and headers; no user, not even an owner, can read header values', async () => {
  const id = await createEndpoint()
  const body = { url: ownersServer.at('/moved'), headers: { 'X-Shop': 'of-the-owner-too' } }
  const moved = await members.owner.ask('PATCH', `/webhooks/${id}/`, { body })
  assert.equal(moved.status, 200, moved.text)
  await members.owner.ask('POST', `/webhooks/${id}/test/`)
  const { headers, path } = ownersServer.calls.at(-1)!
  assert.deepEqual(
    [path, headers.authorization, headers['x-shop']],
    ['/moved', 'Bearer of-the-owner', 'of-the-owner-too'],
  )
  const answers = await Promise.all([
    members.owner.ask('GET', `/webhooks/${id}/`),
    members.owner.ask('GET', '/webhooks/'),
    members.owner.ask('GET', '/audit/'),
    members.owner.ask('GET', '/notices/'),
    members.manager.ask('GET', `/webhooks/${id}/`),
    members.manager.ask('POST', `/webhooks/${id}/test/`),
  ])
  for (const answer of [moved, ...answers]) assert.ok(!answer.text.includes('of-the-owner'), answer.text)
})

test('a manager may bind a wallet to a paired phone; the phone that a test payment creates has no secret', async () => {
  const path = `/wallets/${demo.wallets.second}/`
  const { phone } = (await members.manager.ask('GET', path)).body
  assert.equal((await members.manager.ask('PATCH', path, { body: { phone: phone.id } })).status, 200)
  const phones = (await members.manager.ask('GET', '/phones/')).body.results.map(({ id }: { id: string }) => id)
  // No client can report as the phone of test payments, because it has no secret.
  await members.manager.ask('POST', '/test-payment/', {
    body: { wallet: demo.wallets.test, amount: '5.00', reference: 'T-100' },
  })
  const after = (await members.owner.ask('GET', '/phones/')).body.results
  const created = after.filter(({ id }: { id: string }) => !phones.includes(id))
  for (const { paired, paired_at, forwards } of created)
    assert.deepEqual([paired, paired_at, forwards], [false, null, 'no'])
})
