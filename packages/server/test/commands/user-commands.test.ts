/** The operator's commands about users, beside a running service that sends no mail: links are printed. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { commandsOf } from '../support/commands.ts'
import { askAt, openTestService } from '../support/story.ts'
import { createMember, createMembers, dashboardAt } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)

const { sanad, process: sanadProcess } = commandsOf(service)
const askPublic = (path: string, body: unknown) =>
  askAt(dashboardAt(service.origin, path), 'POST', { body, headers: { origin: service.origin } })
/** Commands read the real clock, by which links expire; the clock of the test does not move by itself. */
service.clock.advance(Date.now() - service.clock.now())

test('without mail, a link to set a password is printed, and works', async () => {
  const member = await createMember(service, members.accountId, 'cashier')
  assert.equal((await askPublic('/password/forgot/', { email: member.email })).status, 202)
  const printed = await sanadProcess('user', 'link', '--email', member.email.toUpperCase(), '--json')
  assert.equal(printed.code, 0, printed.err)
  const link = new URL(JSON.parse(printed.out).link)
  assert.equal(`${link.origin}${link.pathname}`, `${service.origin}/password`)
  const reset = await askPublic('/password/reset/', { token: link.hash.slice(1), new_password: 'a password of a link' })
  assert.equal(reset.status, 204, reset.text)
  assert.equal((await askPublic('/session/', { email: member.email, password: 'a password of a link' })).status, 200)
  const auditEntries = await service.sql(`select via, actor from audit_log where action = 'user.link'`)
  assert.deepEqual(auditEntries, [['command', 'the operator']])
  const nobody = await sanad('user', 'link', '--email', 'nobody@sanad.example')
  assert.deepEqual([nobody.code, nobody.err.trim()], [1, 'Nobody signs in with nobody@sanad.example.'])
})

test('the operator can print the link for a user who was invited in the dashboard; the role stays the invited one', async () => {
  const email = `invited-${randomUUID().slice(0, 8)}@sanad.example`
  const owner = await createMember(service, members.accountId, 'owner')
  const invited = await owner.ask('POST', '/invitations/', { body: { email, role: 'cashier' } })
  assert.deepEqual([invited.status, invited.body.mailed], [201, false])
  const printed = await sanadProcess('member', 'invite', '--account', members.accountId, '--email', email, '--json')
  assert.equal(printed.code, 0, printed.err)
  const token = new URL(JSON.parse(printed.out).link).hash.slice(1)
  const joined = await askPublic('/invitation/accept/', { token, name: 'Amal', new_password: 'a password of amal' })
  assert.equal(joined.body.account?.role, 'cashier', joined.text)
  const again = await sanad('member', 'invite', '--account', members.accountId, '--email', email, '--role', 'viewer')
  assert.deepEqual([again.code, again.err.trim()], [1, `${email} belongs to the account already.`])
  const bare = await sanad('member', 'invite', '--account', members.accountId, '--email', 'new@sanad.example')
  assert.match(bare.err, /say as what, with --role/)
  const nowhere = await sanad('member', 'invite', '--account', randomUUID(), '--email', email, '--role', 'viewer')
  assert.match(nowhere.err, /There is no account/)
})

test('the operator invites a member to some wallets, which a new link keeps; foreign wallets and owners are refused', async () => {
  const email = `branch-${randomUUID().slice(0, 8)}@sanad.example`
  const { main } = service.demo.wallets
  const invite = (...more: string[]) =>
    sanad('member', 'invite', '--account', members.accountId, '--email', email, ...more)
  const invited = async () =>
    (await service.sql('select wallets::text from user_links where email = $1', [email])).flat()
  assert.match((await invite('--role', 'cashier', '--wallet', service.demo.other.wallet)).err, /has no wallet/)
  assert.match((await invite('--role', 'owner', '--wallet', main)).err, /An owner sees all wallets/)
  assert.deepEqual(await invited(), [])
  assert.equal((await invite('--role', 'cashier', '--wallet', main)).code, 0)
  assert.deepEqual([(await invited()).length, String((await invited())[0]).includes(main)], [1, true])
  assert.equal((await invite()).code, 0)
  assert.ok(String((await invited())[0]).includes(main))
})

test('a command makes a user an operator and ends it within two seconds; unknown addresses are refused', async () => {
  const member = await createMember(service, members.accountId, 'owner')
  const isOperator = async () => {
    service.clock.advance(2_000)
    return (await member.ask('GET', '/session/')).body.user.operator
  }
  assert.equal((await sanad('operator', 'add', '--email', member.email)).code, 0)
  assert.equal(await isOperator(), true)
  assert.equal((await sanad('operator', 'remove', '--email', member.email)).code, 0)
  assert.equal(await isOperator(), false)
  assert.equal((await sanad('operator', 'add', '--email', 'nobody@sanad.example')).code, 1)
  assert.equal((await sanad('operator', 'add', '--email', 'no address')).code, 1)
})

test('the same command removes the passkeys and recovery codes, also without an app, and the user and the owners are told', async () => {
  const member = await createMember(service, members.accountId, 'cashier')
  for (const name of ['laptop', 'phone'])
    await service.sql(
      `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, synced, created_at)
       values (gen_random_uuid(), $1, $2, $2, 0, '{}', $3, false, now())`,
      [member.userId, Buffer.from(`${name} ${member.userId}`), name],
    )
  await service.sql(`update users set recovery = array['\\x00'::bytea] where id = $1`, [member.userId])
  const done = await sanad('user', 'second-factor-off', '--email', member.email)
  assert.match(done.out, /Switched off, and 2 passkeys removed/)
  const [left] = await service.sql(
    `select (select count(*) from passkeys where user_id = $1), cardinality(recovery) from users where id = $1`,
    [member.userId],
  )
  assert.deepEqual(left, ['0', '0'])
  const [told] = await service.sql(`select facts->>'change' from user_notices where user_id = $1`, [member.userId])
  assert.deepEqual(told, ['ended_by_operator'])
  const [owners] = await service.sql(
    `select facts->>'change' from owner_notices where object_id = $1 and kind = 'second_factor_changed'`,
    [member.userId],
  )
  assert.deepEqual(owners, ['ended_by_operator'])
  service.clock.advance(2_000)
  assert.equal((await member.ask('GET', '/session/')).status, 401)
  assert.equal((await askPublic('/session/', { email: member.email, password: 'a password of a story' })).status, 200)
  assert.match((await sanad('user', 'second-factor-off', '--email', member.email)).err, /has no second factor/)
})

test('a command switches off the second factor of a user who has lost it, and ends their sessions', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  assert.match((await sanad('user', 'second-factor-off', '--email', member.email)).err, /has no second factor/)
  await service.sql('update users set totp_sealed = $2, totp_since = now() where id = $1', [
    member.userId,
    Buffer.alloc(40),
  ])
  assert.equal((await sanad('user', 'second-factor-off', '--email', member.email)).code, 0)
  service.clock.advance(2_000)
  assert.equal((await member.ask('GET', '/session/')).status, 401)
  assert.equal((await askPublic('/session/', { email: member.email, password: 'a password of a story' })).status, 200)
})
