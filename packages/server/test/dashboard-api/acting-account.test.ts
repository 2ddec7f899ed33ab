/**
 * Whom a call acts for: the account that it names, as the screen does that made it, whatever the session was switched to
 * elsewhere meanwhile; without a name, the session's.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listenAt } from '../support/listener.ts'
import { dashboardAt, handWith, people, type Somebody, somebody } from '../support/people.ts'
import { type Answer, askAt, openHouse } from '../support/story.ts'

const house = await openHouse({ SANAD_LIMITS: 'off' })
const all = await people(house)
const second = await house.startNode()

const joins = (person: Somebody, accountId: string, role: string) =>
  house.sql('insert into members (account_id, user_id, role, created_at) values ($1, $2, $3, $4)', [
    accountId,
    person.userId,
    role,
    new Date(house.clock.now()).toISOString(),
  ])
/** Of two accounts, in the first of them by session. */
const ofTwo = async (): Promise<Somebody> => {
  const person = await somebody(house, all.accountId, 'manager')
  await joins(person, all.otherId, 'manager')
  return person
}
const naming = (account: string) => ({ 'x-sanad-account': account })
const switchTo = (person: Somebody, account: string): Promise<Answer> =>
  person.ask('POST', '/session/account/', { body: { account } })
const newProvider = (name: string) => ({ name, display_name: name, theme_color: '#000000' })
const accountOfProvider = async (name: string): Promise<string | undefined> =>
  (await house.sql('select account_id from providers where name = $1', [name]))[0]?.[0] ?? undefined
const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.errors?.[0]?.code ?? ''}`

test('a screen goes on in the account that it shows, though another tab switched the session', async () => {
  const person = await ofTwo()
  assert.equal((await switchTo(person, all.otherId)).status, 200)
  const made = await person.ask('POST', '/providers/', { body: newProvider('tab-one'), headers: naming(all.accountId) })
  assert.equal(made.status, 201, made.text)
  assert.equal(await accountOfProvider('tab-one'), all.accountId)
  const me = await person.ask('GET', '/session/', { headers: naming(all.accountId) })
  assert.deepEqual([me.status, me.body.account.id], [200, all.accountId])
  assert.equal((await person.ask('GET', '/session/')).body.account.id, all.otherId)
})

test('a change lands in the account that was just switched to, on a node that has not heard of it', async () => {
  const person = await ofTwo()
  const there = handWith(second, person.session.token)
  assert.equal((await there('GET', '/session/')).body.account.id, all.accountId)
  assert.equal((await switchTo(person, all.otherId)).status, 200)
  const made = await there('POST', '/providers/', { body: newProvider('node-two'), headers: naming(all.otherId) })
  assert.equal(made.status, 201, made.text)
  assert.equal(await accountOfProvider('node-two'), all.otherId)
})

test('who has just joined acts for the account at once, on a node that knew them as a stranger', async () => {
  const person = await somebody(house, all.accountId, 'manager')
  const there = handWith(second, person.session.token)
  assert.equal(codeOf(await there('GET', '/wallets/', { headers: naming(all.otherId) })), '403 account_not_allowed')
  await joins(person, all.otherId, 'viewer')
  assert.equal((await there('GET', '/wallets/', { headers: naming(all.otherId) })).status, 200)
})

test('the role is that of the account which is named', async () => {
  const person = await somebody(house, all.accountId, 'owner')
  await joins(person, all.otherId, 'viewer')
  const body = newProvider('as-viewer')
  const refused = await person.ask('POST', '/providers/', { body, headers: naming(all.otherId) })
  assert.equal(codeOf(refused), '403 permission_denied')
  assert.equal((await person.ask('GET', '/session/', { headers: naming(all.otherId) })).body.account.role, 'viewer')
})

test('an account that one does not belong to, or no account at all, is refused and nothing is done', async () => {
  for (const account of [all.otherId, '00000000-0000-4000-8000-000000000000', 'no id', "' or 1=1", '']) {
    const made = await all.owner.ask('POST', '/providers/', { body: newProvider('nowhere'), headers: naming(account) })
    assert.equal(codeOf(made), '403 account_not_allowed', JSON.stringify(account))
  }
  assert.equal(await accountOfProvider('nowhere'), undefined)
})

test('who was removed from the account they look at is told so within two seconds, and is still somebody', async () => {
  const person = await ofTwo()
  const look = () => person.ask('GET', '/wallets/', { headers: naming(all.otherId) })
  assert.equal((await look()).status, 200)
  await house.sql('delete from members where user_id = $1 and account_id = $2', [person.userId, all.otherId])
  house.clock.advance(2_000)
  assert.equal(codeOf(await look()), '403 account_not_allowed')
  assert.equal((await person.ask('GET', '/wallets/')).status, 200)
})

test('what a person changes of themselves is noted in the account that the screen shows, and answered for it', async () => {
  const person = await ofTwo()
  const changed = await person.ask('PATCH', '/me/', { body: { name: 'Renamed' }, headers: naming(all.otherId) })
  assert.equal(changed.body.account.id, all.otherId)
  const noted = await house.sql(`select account_id from audit_log where action = 'user.update' and user_id = $1`, [
    person.userId,
  ])
  assert.deepEqual(noted, [[all.otherId]])
})

test('leaving the account that is shown goes on in the session’s', async () => {
  const person = await ofTwo()
  const left = await person.ask('POST', '/me/leave/', { body: { account: all.otherId }, headers: naming(all.otherId) })
  assert.deepEqual([left.status, left.body.account.id], [200, all.accountId])
})

test('a token acts for its own account and for no other, though its person belongs to both', async () => {
  const person = await ofTwo()
  const asked = { email: person.email, password: 'a password of a story', account: all.accountId }
  const { access_token: token } = (await askAt(dashboardAt(house.origin, '/token/'), 'POST', { body: asked })).body
  const look = (account: string) =>
    askAt(dashboardAt(house.origin, '/wallets/'), 'GET', { token, headers: naming(account) })
  assert.equal((await look(all.accountId)).status, 200)
  assert.equal(codeOf(await look(all.otherId)), '403 account_not_allowed')
})

test('a link that carries no header names the account in its address; a change cannot', async () => {
  const person = await ofTwo()
  const table = await person.ask('GET', `/intents/csv/?acting_for=${all.otherId}`)
  assert.equal(table.status, 200)
  assert.equal(codeOf(await all.owner.ask('GET', `/intents/csv/?acting_for=${all.otherId}`)), '403 account_not_allowed')
  const path = `/providers/?acting_for=${all.otherId}`
  assert.equal((await person.ask('POST', path, { body: newProvider('by-address') })).status, 201)
  assert.equal(await accountOfProvider('by-address'), all.accountId)
})

test('a stream tells of the account it was opened for, also after the session was switched', async () => {
  const person = await ofTwo()
  const headers = { cookie: `sanad_session=${person.session.token}` }
  const stream = await listenAt(house.origin, headers, { query: `?acting_for=${all.otherId}` })
  house.atEnd(async () => stream.hangUp())
  assert.equal(stream.status, 200)
  const renamed = await all.stranger.ask('PATCH', '/account/', { body: { name: 'A shop that is looked at' } })
  assert.equal(renamed.status, 200, renamed.text)
  await stream.untilHint('account', all.otherId)
  await house.sql('delete from members where user_id = $1 and account_id = $2', [person.userId, all.otherId])
  house.clock.advance(2_000)
  await stream.ended
})
