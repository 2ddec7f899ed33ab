/** API keys in the dashboard: they are created, rotated with an overlap, revoked, and show their last use. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const { owner } = members
const { clock, demo } = service

const createKey = async (name = 'Web shop'): Promise<{ client_id: string; client_secret: string }> => {
  const answer = await owner.ask('POST', '/keys/', { body: { name } })
  assert.equal(answer.status, 201, answer.text)
  return { client_id: answer.body.key.client_id, client_secret: answer.body.client_secret }
}
const requestToken = (client_id: string, secret: string): Promise<Answer> =>
  askAt(`${service.base}/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': client_id, 'SERVICE-CLIENT-SECRET': secret },
  })
const call = (token: string): Promise<Answer> => askAt(`${service.base}/wallets/`, 'GET', { token })
const rotate = (id: string, body: unknown): Promise<Answer> => owner.ask('POST', `/keys/${id}/rotate/`, { body })
const keyDetail = async (id: string) => {
  const { body } = await owner.ask('GET', '/keys/?page_size=200')
  return body.results.find(({ client_id }: { client_id: string }) => client_id === id)
}

test('a key works at once, and its secret is shown once', async () => {
  const { client_id, client_secret } = await createKey()
  assert.match(client_id, /^[0-9a-f]{32}$/)
  assert.equal((await requestToken(client_id, client_secret)).status, 200)
  const list = await owner.ask('GET', '/keys/')
  assert.ok(!list.text.includes(client_secret))
  assert.deepEqual(Object.keys(await keyDetail(client_id)), [
    'client_id',
    'name',
    'created_at',
    'last_used_at',
    'overlap_until',
    'revoked_at',
    'test',
    'read_only',
    'wallets',
    'addresses',
    'last_address',
    'calls_today',
  ])
  const log = await service.sql(`select before, after from audit_log where kind = 'key'`)
  assert.ok(!JSON.stringify([log, service.lines]).includes(client_secret))
})

test('with an overlap both secrets work until it ends; without one the old secret and its tokens end at once', async () => {
  const { client_id, client_secret: first } = await createKey()
  const token = (await requestToken(client_id, first)).body.access_token
  const rotated = await rotate(client_id, { overlap_s: 3600 })
  assert.equal(rotated.status, 200, rotated.text)
  const second = rotated.body.client_secret
  assert.notEqual(rotated.body.key.overlap_until, null)
  for (const secret of [first, second]) assert.equal((await requestToken(client_id, secret)).status, 200)
  assert.equal((await call(token)).status, 200)
  clock.advance(3_600_001)
  assert.equal((await requestToken(client_id, first)).status, 401)
  assert.equal((await call(token)).status, 401)
  assert.equal((await keyDetail(client_id)).overlap_until, null)

  const newer = (await requestToken(client_id, second)).body.access_token
  assert.equal((await call(newer)).status, 200)
  assert.equal((await rotate(client_id, { overlap_s: 0 })).status, 200)
  assert.equal((await requestToken(client_id, second)).status, 401)
  assert.equal((await call(newer)).status, 401)
})

test('the overlap of a rotation is required, in whole seconds, a day at most', async () => {
  const { client_id } = await createKey()
  assert.deepEqual(errorsOf(await rotate(client_id, {})), ['required@overlap_s'])
  for (const overlap_s of [-1, 86_401, 1.5, 'x', null, [], 1e300])
    assert.equal((await rotate(client_id, { overlap_s })).status, 400, String(overlap_s))
  assert.equal((await rotate(client_id, { overlap_s: 86_400 })).status, 200)
})

test('concurrent rotations each return a secret, of which the last two are valid during the overlap', async () => {
  const { client_id } = await createKey()
  const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(client_id, { overlap_s: 60 })))
  const secrets = answers.map(({ body }) => body.client_secret)
  assert.equal(new Set(secrets).size, 5)
  const answered = await Promise.all(secrets.map((secret) => requestToken(client_id, secret)))
  assert.equal(answered.filter(({ status }) => status === 200).length, 2)
})

test('a revoked key stays revoked: it gets no tokens, makes no calls and cannot be rotated', async () => {
  const { client_id, client_secret } = await createKey()
  const token = (await requestToken(client_id, client_secret)).body.access_token
  const revoked = await owner.ask('POST', `/keys/${client_id}/revoke/`)
  assert.notEqual(revoked.body.revoked_at, null)
  assert.equal((await requestToken(client_id, client_secret)).status, 401)
  assert.equal((await call(token)).status, 401)
  assert.deepEqual(errorsOf(await rotate(client_id, { overlap_s: 0 })), ['key_revoked@non_field_errors'])
  clock.advance(5_000)
  const again = await owner.ask('POST', `/keys/${client_id}/revoke/`)
  assert.equal(again.body.revoked_at, revoked.body.revoked_at)
  const log = await service.sql(`select action from audit_log where object_id = $1 order by id`, [client_id])
  assert.deepEqual(log.flat(), ['key.create', 'key.revoke'])
})

test('a key is renamed, by its id in either case; an account has at most fifty active keys', async () => {
  const { client_id } = await createKey()
  const renamed = await owner.ask('PATCH', `/keys/${client_id.toUpperCase()}/`, { body: { name: 'Till' } })
  assert.equal(renamed.body.name, 'Till')
  assert.deepEqual(errorsOf(await owner.ask('PATCH', `/keys/${client_id}/`, { body: { name: '' } })), ['blank@name'])
  await service.sql(
    `insert into api_keys (client_id, account_id, name, secret_hash, created_at)
     select md5(n::text), $1, 'many', '', $2 from generate_series(1, 50) n`,
    [members.accountId, new Date(clock.now())],
  )
  assert.deepEqual(errorsOf(await owner.ask('POST', '/keys/', { body: { name: 'one more' } })), [
    'key_limit@non_field_errors',
  ])
  await service.sql(`delete from api_keys where name = 'many'`)
})

test('a token request and calls update the last use, which is stored once a minute and whenever the list is read', async () => {
  const { client_id, client_secret } = await createKey()
  assert.equal((await keyDetail(client_id)).last_used_at, null)
  const token = (await requestToken(client_id, client_secret)).body.access_token
  const tokenUse = (await keyDetail(client_id)).last_used_at
  assert.notEqual(tokenUse, null)
  clock.advance(30_000)
  await call(token)
  const stored = async () =>
    (await service.sql('select used_count from api_keys where client_id = $1', [client_id]))[0]![0]
  assert.equal(await stored(), '1', 'a call within a minute of the last time that the use was stored')
  const called = (await keyDetail(client_id)).last_used_at
  assert.equal(await stored(), '2')
  assert.ok(called > tokenUse)
  clock.advance(10_000)
  assert.equal((await requestToken(client_id, client_secret)).status, 200)
  assert.ok((await keyDetail(client_id)).last_used_at > called)
})

test('a refused token request does not count as a use of the key', async () => {
  const { client_id, client_secret } = await createKey()
  assert.equal((await requestToken(client_id, `${client_secret}x`)).status, 401)
  assert.equal((await keyDetail(client_id)).last_used_at, null)
})

test('the last use of a key is stored at the latest when the service closes', async () => {
  const { client_id, client_secret } = await createKey()
  const node = await service.startNode()
  const headers = { 'SERVICE-CLIENT-ID': client_id, 'SERVICE-CLIENT-SECRET': client_secret }
  assert.equal((await askAt(`${node.origin}/api/v1/merchant/token`, 'POST', { headers })).status, 200)
  await node.service.close()
  const [[used]] = (await service.sql('select last_used_at from api_keys where client_id = $1', [client_id])) as [
    [string],
  ]
  assert.notEqual(used, null)
})

test('managers, cashiers and viewers see no keys', async () => {
  for (const role of ['manager', 'cashier', 'viewer'] as const)
    assert.equal((await members[role].ask('GET', '/keys/')).status, 403)
  assert.equal((await members.stranger.ask('PATCH', `/keys/${demo.client_id}/`, { body: { name: 'x' } })).status, 404)
})
