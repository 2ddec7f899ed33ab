/** A change by a command is once in the audit log of its account, and on the live stream. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { commandsOf } from '../support/commands.ts'
import { askAt, openTestService } from '../support/story.ts'
import { openStream } from '../support/stream-client.ts'
import { createMember, createMembers, dashboardAt, type TestMember } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const folder = mkdtempSync(join(tmpdir(), 'sanad-command-audit-'))
after(() => rmSync(folder, { recursive: true, force: true }))
/** Commands read the real clock, by which links expire. */
service.clock.advance(Date.now() - service.clock.now())
const owner = await createMember(service, members.accountId, 'owner')

const { sanad, process: sanadProcess } = commandsOf(service, { SANAD_DATA_DIR: folder })
const auditActions = async (where: string, values: unknown[]): Promise<string[]> =>
  (await service.sql(`select action from audit_log where ${where} order by id`, values)).map(([action]) => action!)
/** An owner of both accounts. */
const ownerOfTwo = async (): Promise<TestMember> => {
  const member = await createMember(service, members.accountId, 'owner')
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'owner', now())`, [
    members.otherId,
    member.userId,
  ])
  return member
}

test("removing an owner's second factor, or printing their password link, is in the log of each of their accounts", async () => {
  const member = await ownerOfTwo()
  await service.sql('update users set totp_sealed = $2, totp_since = now() where id = $1', [
    member.userId,
    Buffer.alloc(40),
  ])
  assert.equal((await sanad('user', 'second-factor-off', '--email', member.email)).code, 0)
  assert.equal((await sanad('user', 'link', '--email', member.email)).code, 0)
  for (const accountId of [members.accountId, members.otherId])
    assert.deepEqual(await auditActions('object_id = $1 and account_id = $2', [member.userId, accountId]), [
      'user.second_factor_off',
      'user.link',
    ])
})

test('a change of a user without an account is in the log of the service', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  await service.sql('delete from members where user_id = $1', [member.userId])
  assert.equal((await sanad('user', 'link', '--email', member.email)).code, 0)
  assert.deepEqual(await auditActions('object_id = $1 and account_id is null', [member.userId]), ['user.link'])
})

test('an invitation that is replaced is logged as withdrawn', async () => {
  const email = 'replaced@sanad.example'
  const invited = await owner.ask('POST', '/invitations/', { body: { email, role: 'cashier' } })
  const line = ['member', 'invite', '--account', members.accountId, '--email', email]
  assert.equal((await sanad(...line, '--role', 'viewer')).code, 0)
  const before = await auditActions('object_id = $1', [invited.body.id])
  assert.deepEqual(before, ['invitation.create', 'invitation.withdraw'])
})

test('a refused invitation leaves the open one as it was', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  await service.sql('delete from members where user_id = $1', [member.userId])
  const invited = await owner.ask('POST', '/invitations/', { body: { email: member.email, role: 'cashier' } })
  assert.equal(invited.status, 201, invited.text)
  // Meanwhile the user has become a member in another way.
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`, [
    members.accountId,
    member.userId,
  ])
  const refused = await sanad('member', 'invite', '--account', members.accountId, '--email', member.email)
  assert.deepEqual([refused.code, refused.err.trim()], [1, `${member.email} belongs to the account already.`])
  const open = await service.sql(`select role from user_links where id = $1 and used_at is null`, [invited.body.id])
  assert.deepEqual(open, [['cashier']])
  assert.deepEqual(await auditActions('object_id = $1', [invited.body.id]), ['invitation.create'])
})

test('a key that is revoked twice is logged once', async () => {
  const key = JSON.parse((await sanad('key', 'create', '--account', members.accountId, '--json')).out)
  const line = ['key', 'revoke', '--account', members.accountId, '--client-id', key.client_id]
  assert.equal((await sanad(...line)).code, 0)
  assert.equal((await sanad(...line)).code, 0)
  assert.deepEqual(await auditActions('object_id = $1', [key.client_id]), ['key.create', 'key.revoke'])
})

test('owners get a notice of a key that the operator creates or rotates, but not of the keys of the demo', async () => {
  const noticesOf = (kind: string) =>
    service.sql('select by_whom, facts from owner_notices where account_id = $1 and kind = $2', [
      members.accountId,
      kind,
    ])
  await service.sql('delete from owner_notices')
  const key = JSON.parse((await sanad('key', 'create', '--account', members.accountId, '--name', 'Till', '--json')).out)
  assert.deepEqual(await noticesOf('key_created'), [['the operator', '{"name":"Till"}']])
  const renewed = await sanad('key', 'rotate', '--account', members.accountId, '--client-id', key.client_id, '--json')
  assert.equal(renewed.code, 0)
  assert.deepEqual(await noticesOf('key_rotated'), [['the operator', '{"name":"Till"}']])
  assert.equal((await sanad('demo', '--json')).code, 0)
  assert.deepEqual(await service.sql('select count(*) from owner_notices'), [['2']])
})

test('what the demo creates is in the logs of its two accounts, without secrets', async () => {
  const demo = JSON.parse((await sanad('demo', '--json')).out)
  const accountOf = async (wallet: string) =>
    (await service.sql('select account_id from wallets where id = $1', [wallet]))[0]![0]!
  const entries = await auditActions('account_id = $1', [await accountOf(demo.wallets.main)])
  const times = (action: string) => entries.filter((entry) => entry === action).length
  assert.deepEqual(
    ['account.create', 'member.create', 'phone.create', 'wallet.create', 'key.create'].map((action) => [
      action,
      times(action),
    ]),
    [
      ['account.create', 1],
      ['member.create', 1],
      ['phone.create', 2],
      ['wallet.create', 5],
      ['key.create', 2],
    ],
  )
  assert.equal(entries[0], 'account.create')
  assert.deepEqual(await auditActions('account_id = $1', [await accountOf(demo.other.wallet)]), [
    'account.create',
    'phone.create',
    'key.create',
    'wallet.create',
  ])
  const [[log]] = (await service.sql('select json_agg(a)::text from audit_log a')) as [[string]]
  for (const secret of [demo.client_secret, demo.dashboard.password, demo.device.secret, demo.device.ingest_token])
    assert.ok(!log.includes(secret))
})

test('a disabled user is refused everywhere, and can sign in again when enabled; earlier sessions stay ended', async () => {
  const member = await ownerOfTwo()
  const { email } = member
  const disable = (email: string) => sanad('user', 'disable', '--email', email)
  const trySignIn = (path: string) =>
    askAt(dashboardAt(service.origin, path), 'POST', {
      body: { email, password: 'a password of a story' },
      headers: { origin: service.origin },
    })
  const token: string = (await trySignIn('/token/')).body.access_token
  const byToken = async () => (await askAt(dashboardAt(service.origin, '/session/'), 'GET', { token })).status
  assert.equal(await byToken(), 200)
  const link = JSON.parse((await sanad('user', 'link', '--email', email, '--json')).out).link
  const invited = await member.ask('POST', '/invitations/', { body: { email: 'again@sanad.example', role: 'owner' } })
  assert.equal(invited.status, 201, invited.text)
  const stream = await openStream(service.origin, { cookie: `sanad_session=${member.session.token}` })

  assert.match((await disable(email)).out, /is shut out\./)
  assert.match((await disable(email)).out, /is shut out already/)
  service.clock.advance(2_000)
  await stream.ended
  assert.equal((await member.ask('GET', '/session/')).status, 401)
  assert.equal(await byToken(), 401)
  assert.equal((await trySignIn('/session/')).status, 401)
  assert.equal((await trySignIn('/token/')).status, 401)
  assert.match((await sanad('user', 'link', '--email', email)).err, /Nobody signs in/)

  assert.match((await sanad('user', 'enable', '--email', email)).out, /can sign in again/)
  assert.match((await sanad('user', 'enable', '--email', email)).out, /was not shut out/)
  service.clock.advance(2_000)
  assert.equal((await trySignIn('/session/')).status, 200)
  // The session, the token, the link and the invitation from before stay invalid.
  assert.equal((await member.ask('GET', '/session/')).status, 401)
  assert.equal(await byToken(), 401)
  const reset = await askAt(dashboardAt(service.origin, '/password/reset/'), 'POST', {
    body: { token: new URL(link).hash.slice(1), new_password: 'another password of a story' },
    headers: { origin: service.origin },
  })
  assert.equal(reset.body.errors[0].code, 'link_over', reset.text)
  assert.deepEqual(await auditActions('object_id = $1', [invited.body.id]), [
    'invitation.create',
    'invitation.withdraw',
  ])
  for (const accountId of [members.accountId, members.otherId])
    assert.deepEqual(
      await auditActions(`object_id = $1 and account_id = $2 and action like 'user.%able'`, [member.userId, accountId]),
      ['user.disable', 'user.enable'],
    )
})

test('the only owner of an account cannot be disabled; of two owners disabled at the same time one stays', async () => {
  const alone = JSON.parse((await sanad('account', 'create', '--name', 'One owner', '--json')).out).account
  const [first, second] = [await createMember(service, alone, 'owner'), await createMember(service, alone, 'owner')]
  const disable = (email: string) => sanad('user', 'disable', '--email', email)
  const both = await Promise.all([disable(first.email), disable(second.email)])
  assert.deepEqual(both.map(({ code }) => code).sort(), [0, 1])
  assert.match(both.map(({ err }) => err).join(''), /is the only owner of "One owner"/)
  assert.match((await disable('nobody@sanad.example')).err, /Nobody signs in/)
})

test('a disabled user cannot invite, even on a node that still has them in its cache', async () => {
  const member = await createMember(service, members.accountId, 'owner')
  assert.equal((await member.ask('GET', '/invitations/')).status, 200)
  assert.equal((await sanad('user', 'disable', '--email', member.email)).code, 0)
  // The clock does not move: the node's cache still has the user as an owner.
  const late = await member.ask('POST', '/invitations/', { body: { email: 'late@sanad.example', role: 'owner' } })
  assert.equal(late.status, 403, late.text)
})

test('a change by a command is on the live stream', async () => {
  const stream = await openStream(service.origin, { cookie: `sanad_session=${owner.session.token}` })
  service.atEnd(async () => stream.hangUp())
  const key = JSON.parse((await sanadProcess('key', 'create', '--account', members.accountId, '--json')).out)
  await stream.untilHint('key', key.client_id)
})
