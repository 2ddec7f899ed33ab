/** Signing in and out over HTTP, as a browser and as a script do it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms } from '../../src/core/duration.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { accountOfWallet, askWith, createMember, createMembers, dashboardAt } from '../support/users.ts'

const service = await openTestService()
const members = await createMembers(service)
const { email, password } = service.demo.dashboard

const trySignIn = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  askAt(dashboardAt(service.origin, '/session/'), 'POST', { body, headers: { origin: service.origin, ...headers } })
const cookieOf = (answer: Answer): string => /sanad_session=([^;]+)/.exec(String(answer.headers['set-cookie']))![1]!

test('the right password opens a session, in an HttpOnly cookie', async () => {
  const answer = await trySignIn({ email: ` ${email.toUpperCase()} `, password })
  assert.equal(answer.status, 200, answer.text)
  assert.match(String(answer.headers['set-cookie']), /HttpOnly/)
  assert.match(String(answer.headers['set-cookie']), /SameSite=Lax/)
  assert.equal(answer.body.account.role, 'owner')
  const me = await askWith(service, cookieOf(answer))('GET', '/session/')
  assert.deepEqual(me.body, answer.body)
  assert.ok(!JSON.stringify(service.lines).includes(cookieOf(answer)))
})

test('a wrong password, an unknown address and a page of another site get answers that do not help guessing', async () => {
  const refused = await trySignIn({ email, password: 'not the password' })
  const unknown = await trySignIn({ email: 'nobody@sanad.example', password })
  assert.equal(refused.status, 401)
  assert.equal(refused.text, unknown.text)
  const foreign = await trySignIn({ email, password }, { origin: 'https://elsewhere.example' })
  assert.equal(foreign.status, 403)
  assert.deepEqual(errorsOf(await trySignIn({})), ['required@email', 'required@password'])
})

test('guessing passwords is limited, and the user is not locked out of open sessions', async () => {
  const victim = await createMember(service, members.accountId, 'cashier')
  let refused = 0
  for (let i = 0; i < 8; i++) {
    const answer = await trySignIn({ email: victim.email, password: `guess number ${i}` })
    if (answer.status === 429) refused++
  }
  assert.ok(refused >= 3)
  assert.equal((await victim.ask('GET', '/session/')).status, 200)
  service.clock.advance(61_000)
  assert.equal((await trySignIn({ email: victim.email, password: 'a password of a story' })).status, 200)
})

test('signing out ends the session at once', async () => {
  const askAsUser = askWith(service, cookieOf(await trySignIn({ email, password })))
  assert.equal((await askAsUser('DELETE', '/session/')).status, 204)
  assert.equal((await askAsUser('GET', '/session/')).status, 401)
})

test('a session ends after a week unused, and after thirty days in any case', async () => {
  const idle = await createMember(service, members.accountId, 'viewer')
  const busy = await createMember(service, members.accountId, 'viewer')
  for (let i = 0; i < 6; i++) {
    service.clock.advance(day_ms)
    assert.equal((await busy.ask('GET', '/session/')).status, 200)
  }
  service.clock.advance(day_ms)
  assert.equal((await idle.ask('GET', '/session/')).status, 401)
  for (let i = 0; i < 22; i++) {
    service.clock.advance(day_ms)
    assert.equal((await busy.ask('GET', '/session/')).status, 200)
  }
  service.clock.advance(2 * day_ms)
  assert.equal((await busy.ask('GET', '/session/')).status, 401)
})

test('a user of two accounts can switch between them, and not to a third', async () => {
  const member = await createMember(service, members.accountId, 'manager')
  const otherId = await accountOfWallet(service, service.demo.other.wallet)
  assert.equal((await member.ask('POST', '/session/account/', { body: { account: otherId } })).status, 404)
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'viewer', $3)`, [
    otherId,
    member.userId,
    new Date(service.clock.now()).toISOString(),
  ])
  const chosen = await member.ask('POST', '/session/account/', { body: { account: otherId } })
  assert.equal(chosen.body.account.id, otherId)
  assert.equal(chosen.body.account.role, 'viewer')
  assert.equal((await member.ask('GET', '/session/')).body.account.id, otherId)
})

test('a session and its audit entry are stored together, or neither', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  const credentials = { email: member.email, password: 'a password of a story' }
  const counts = async () => {
    const [[sessions]] = (await service.sql('select count(*) from sessions where user_id = $1', [member.userId])) as [
      [string],
    ]
    const [[entries]] = (await service.sql(
      `select count(*) from audit_log where user_id = $1 and action = 'user.sign_in'`,
      [member.userId],
    )) as [[string]]
    return [Number(sessions), Number(entries)]
  }
  // `createMember` has opened one session.
  assert.deepEqual(await counts(), [1, 0])
  await service.sql(
    `create function refuse_insert() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`,
  )
  for (const table of ['sessions', 'audit_log']) {
    await service.sql(
      `create trigger refuse_insert before insert on ${table} for each row execute function refuse_insert()`,
    )
    const failed = await askAt(dashboardAt(service.origin, '/session/'), 'POST', {
      body: credentials,
      headers: { origin: service.origin },
      undescribed: true,
    })
    assert.equal(failed.status, 500)
    assert.equal(failed.headers['set-cookie'], undefined)
    await service.sql(`drop trigger refuse_insert on ${table}`)
    assert.deepEqual(await counts(), [1, 0], table)
  }
  assert.equal((await trySignIn(credentials)).status, 200)
  assert.deepEqual(await counts(), [2, 1])
})

test('issuing a token is audited; a user without an account gets no token', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  const requestToken = () =>
    askAt(dashboardAt(service.origin, '/token'), 'POST', {
      body: { email: member.email, password: 'a password of a story' },
    })
  const logged = () => service.sql('select action, via from audit_log where user_id = $1', [member.userId])
  assert.equal((await requestToken()).status, 200)
  assert.deepEqual(await logged(), [['user.sign_in', 'token']])
  await service.sql('delete from members where user_id = $1', [member.userId])
  assert.equal((await requestToken()).status, 401)
  assert.deepEqual(await logged(), [['user.sign_in', 'token']])
})

test('a token for scripts acts as the user, needs no origin, and is refused by the merchant API', async () => {
  const answer = await askAt(dashboardAt(service.origin, '/token'), 'POST', { body: { email, password } })
  assert.equal(answer.status, 200, answer.text)
  const token = answer.body.access_token
  const me = await askAt(dashboardAt(service.origin, '/session/'), 'GET', { token })
  assert.equal(me.body.user.email, email)
  assert.equal((await askAt(`${service.base}/wallets/`, 'GET', { token })).status, 403)
})

test('a removed member is refused within two seconds', async () => {
  const member = await createMember(service, members.accountId, 'manager')
  assert.equal((await member.ask('GET', '/webhooks/')).status, 200)
  await service.sql('delete from members where user_id = $1', [member.userId])
  service.clock.advance(2000)
  assert.equal((await member.ask('GET', '/webhooks/')).status, 403)
})
