/** Signing in and out: over HTTP, as a browser and as a script do it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, askAt, errorsOf, openHouse } from '../support/story.ts'
import { accountOfWallet, dashboardAt, handWith, people, somebody } from '../support/users.ts'

const house = await openHouse()
const all = await people(house)
const { email, password } = house.demo.dashboard

const knock = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  askAt(dashboardAt(house.origin, '/session/'), 'POST', { body, headers: { origin: house.origin, ...headers } })
const cookieOf = (answer: Answer): string => /sanad_session=([^;]+)/.exec(String(answer.headers['set-cookie']))![1]!

test('the right password opens a session, in an HttpOnly cookie', async () => {
  const answer = await knock({ email: ` ${email.toUpperCase()} `, password })
  assert.equal(answer.status, 200, answer.text)
  assert.match(String(answer.headers['set-cookie']), /HttpOnly/)
  assert.match(String(answer.headers['set-cookie']), /SameSite=Lax/)
  assert.equal(answer.body.account.role, 'owner')
  const me = await handWith(house, cookieOf(answer))('GET', '/session/')
  assert.deepEqual(me.body, answer.body)
  assert.ok(!JSON.stringify(house.lines).includes(cookieOf(answer)))
})

test('a wrong password, an unknown address and a page of another site get answers that do not help guessing', async () => {
  const wrong = await knock({ email, password: 'not the password' })
  const unknown = await knock({ email: 'nobody@sanad.example', password })
  assert.equal(wrong.status, 401)
  assert.equal(wrong.text, unknown.text)
  const foreign = await knock({ email, password }, { origin: 'https://elsewhere.example' })
  assert.equal(foreign.status, 403)
  assert.deepEqual(errorsOf(await knock({})), ['required@email', 'required@password'])
})

test('guessing is limited, and the user is not locked out elsewhere', async () => {
  const victim = await somebody(house, all.accountId, 'cashier')
  let refused = 0
  for (let i = 0; i < 8; i++) {
    const answer = await knock({ email: victim.email, password: `guess number ${i}` })
    if (answer.status === 429) refused++
  }
  assert.ok(refused >= 3)
  assert.equal((await victim.ask('GET', '/session/')).status, 200)
  house.clock.advance(61_000)
  assert.equal((await knock({ email: victim.email, password: 'a password of a story' })).status, 200)
})

test('signing out ends the session at once', async () => {
  const hand = handWith(house, cookieOf(await knock({ email, password })))
  assert.equal((await hand('DELETE', '/session/')).status, 204)
  assert.equal((await hand('GET', '/session/')).status, 401)
})

test('a session ends after a week unused, and after thirty days in any case', async () => {
  const idle = await somebody(house, all.accountId, 'viewer')
  const busy = await somebody(house, all.accountId, 'viewer')
  const day = 86_400_000
  for (let i = 0; i < 6; i++) {
    house.clock.advance(day)
    assert.equal((await busy.ask('GET', '/session/')).status, 200)
  }
  house.clock.advance(day)
  assert.equal((await idle.ask('GET', '/session/')).status, 401)
  for (let i = 0; i < 22; i++) {
    house.clock.advance(day)
    assert.equal((await busy.ask('GET', '/session/')).status, 200)
  }
  house.clock.advance(2 * day)
  assert.equal((await busy.ask('GET', '/session/')).status, 401)
})

test('a user of two accounts chooses which to act for, and no third', async () => {
  const person = await somebody(house, all.accountId, 'manager')
  const otherId = await accountOfWallet(house, house.demo.other.wallet)
  assert.equal((await person.ask('POST', '/session/account/', { body: { account: otherId } })).status, 404)
  await house.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'viewer', $3)`, [
    otherId,
    person.userId,
    new Date(house.clock.now()).toISOString(),
  ])
  const chosen = await person.ask('POST', '/session/account/', { body: { account: otherId } })
  assert.equal(chosen.body.account.id, otherId)
  assert.equal(chosen.body.account.role, 'viewer')
  assert.equal((await person.ask('GET', '/session/')).body.account.id, otherId)
})

test('a session and its audit entry are stored together, or neither', async () => {
  const person = await somebody(house, all.accountId, 'viewer')
  const given = { email: person.email, password: 'a password of a story' }
  const counts = async () => {
    const [[sessions]] = (await house.sql('select count(*) from sessions where user_id = $1', [person.userId])) as [
      [string],
    ]
    const [[entries]] = (await house.sql(
      `select count(*) from audit_log where user_id = $1 and action = 'user.sign_in'`,
      [person.userId],
    )) as [[string]]
    return [Number(sessions), Number(entries)]
  }
  // One is the story's own hand.
  assert.deepEqual(await counts(), [1, 0])
  await house.sql(`create function no_room() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`)
  for (const table of ['sessions', 'audit_log']) {
    await house.sql(`create trigger no_room before insert on ${table} for each row execute function no_room()`)
    const failed = await askAt(dashboardAt(house.origin, '/session/'), 'POST', {
      body: given,
      headers: { origin: house.origin },
      undescribed: true,
    })
    assert.equal(failed.status, 500)
    assert.equal(failed.headers['set-cookie'], undefined)
    await house.sql(`drop trigger no_room on ${table}`)
    assert.deepEqual(await counts(), [1, 0], table)
  }
  assert.equal((await knock(given)).status, 200)
  assert.deepEqual(await counts(), [2, 1])
})

test('issuing a token is audited; a user without an account gets no token', async () => {
  const person = await somebody(house, all.accountId, 'viewer')
  const buy = () =>
    askAt(dashboardAt(house.origin, '/token'), 'POST', {
      body: { email: person.email, password: 'a password of a story' },
    })
  const noted = () => house.sql('select action, via from audit_log where user_id = $1', [person.userId])
  assert.equal((await buy()).status, 200)
  assert.deepEqual(await noted(), [['user.sign_in', 'token']])
  await house.sql('delete from members where user_id = $1', [person.userId])
  assert.equal((await buy()).status, 401)
  assert.deepEqual(await noted(), [['user.sign_in', 'token']])
})

test('a token for scripts acts as the user, needs no origin, and is 403 on the merchant API', async () => {
  const answer = await askAt(dashboardAt(house.origin, '/token'), 'POST', { body: { email, password } })
  assert.equal(answer.status, 200, answer.text)
  const token = answer.body.access_token
  const me = await askAt(dashboardAt(house.origin, '/session/'), 'GET', { token })
  assert.equal(me.body.user.email, email)
  assert.equal((await askAt(`${house.base}/wallets/`, 'GET', { token })).status, 403)
})

test('a removed user is refused within two seconds', async () => {
  const person = await somebody(house, all.accountId, 'manager')
  assert.equal((await person.ask('GET', '/webhooks/')).status, 200)
  await house.sql('delete from members where user_id = $1', [person.userId])
  house.clock.advance(2000)
  assert.equal((await person.ask('GET', '/webhooks/')).status, 403)
})
