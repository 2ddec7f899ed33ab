/**
 * The account for which a call acts: the account that the request names, even if another tab has switched the session. If
 * the request names none, the account of the session.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, askAt, openTestService } from '../../support/story.ts'
import { openStream } from '../../support/stream-client.ts'
import { askWith, createMember, createMembers, dashboardAt, type TestMember } from '../../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const second = await service.startNode()

const addMember = (member: TestMember, accountId: string, role: string) =>
  service.sql('insert into members (account_id, user_id, role, created_at) values ($1, $2, $3, $4)', [
    accountId,
    member.userId,
    role,
    new Date(service.clock.now()).toISOString(),
  ])
/** A member of two accounts, with a session in the first. */
const memberOfTwo = async (): Promise<TestMember> => {
  const member = await createMember(service, members.accountId, 'manager')
  await addMember(member, members.otherId, 'manager')
  return member
}
const accountHeader = (account: string) => ({ 'x-sanad-account': account })
const switchTo = (member: TestMember, account: string): Promise<Answer> =>
  member.ask('POST', '/session/account/', { body: { account } })
const newProvider = (name: string) => ({ name, display_name: name, theme_color: '#000000' })
const accountOfProvider = async (name: string): Promise<string | undefined> =>
  (await service.sql('select account_id from providers where name = $1', [name]))[0]?.[0] ?? undefined
const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.errors?.[0]?.code ?? ''}`

test('a screen keeps acting for its account after another tab switched the session', async () => {
  const member = await memberOfTwo()
  assert.equal((await switchTo(member, members.otherId)).status, 200)
  const created = await member.ask('POST', '/providers/', {
    body: newProvider('tab-one'),
    headers: accountHeader(members.accountId),
  })
  assert.equal(created.status, 201, created.text)
  assert.equal(await accountOfProvider('tab-one'), members.accountId)
  const me = await member.ask('GET', '/session/', { headers: accountHeader(members.accountId) })
  assert.deepEqual([me.status, me.body.account.id], [200, members.accountId])
  assert.equal((await member.ask('GET', '/session/')).body.account.id, members.otherId)
})

test('a change goes to the account just switched to, also on a node that has cached the old one', async () => {
  const member = await memberOfTwo()
  const askSecond = askWith(second, member.session.token)
  assert.equal((await askSecond('GET', '/session/')).body.account.id, members.accountId)
  assert.equal((await switchTo(member, members.otherId)).status, 200)
  const created = await askSecond('POST', '/providers/', {
    body: newProvider('node-two'),
    headers: accountHeader(members.otherId),
  })
  assert.equal(created.status, 201, created.text)
  assert.equal(await accountOfProvider('node-two'), members.otherId)
})

test('a new member acts for the account at once, also on a node that has cached that they are not a member', async () => {
  const member = await createMember(service, members.accountId, 'manager')
  const askSecond = askWith(second, member.session.token)
  assert.equal(
    codeOf(await askSecond('GET', '/wallets/', { headers: accountHeader(members.otherId) })),
    '403 account_not_allowed',
  )
  await addMember(member, members.otherId, 'viewer')
  assert.equal((await askSecond('GET', '/wallets/', { headers: accountHeader(members.otherId) })).status, 200)
})

test('the role of the user in the named account decides', async () => {
  const member = await createMember(service, members.accountId, 'owner')
  await addMember(member, members.otherId, 'viewer')
  const body = newProvider('as-viewer')
  const refused = await member.ask('POST', '/providers/', { body, headers: accountHeader(members.otherId) })
  assert.equal(codeOf(refused), '403 permission_denied')
  assert.equal(
    (await member.ask('GET', '/session/', { headers: accountHeader(members.otherId) })).body.account.role,
    'viewer',
  )
})

test('a foreign or unknown account is refused and nothing is changed', async () => {
  for (const account of [members.otherId, '00000000-0000-4000-8000-000000000000', 'no id', "' or 1=1", '']) {
    const created = await members.owner.ask('POST', '/providers/', {
      body: newProvider('nowhere'),
      headers: accountHeader(account),
    })
    assert.equal(codeOf(created), '403 account_not_allowed', JSON.stringify(account))
  }
  assert.equal(await accountOfProvider('nowhere'), undefined)
})

test('a member who is removed from the account is refused within two seconds, and stays signed in', async () => {
  const member = await memberOfTwo()
  const look = () => member.ask('GET', '/wallets/', { headers: accountHeader(members.otherId) })
  assert.equal((await look()).status, 200)
  await service.sql('delete from members where user_id = $1 and account_id = $2', [member.userId, members.otherId])
  service.clock.advance(2_000)
  assert.equal(codeOf(await look()), '403 account_not_allowed')
  assert.equal((await member.ask('GET', '/wallets/')).status, 200)
})

test("a change of one's own user is audited in the account that the screen shows", async () => {
  const member = await memberOfTwo()
  const changed = await member.ask('PATCH', '/me/', {
    body: { name: 'Renamed' },
    headers: accountHeader(members.otherId),
  })
  assert.equal(changed.body.account.id, members.otherId)
  const logged = await service.sql(`select account_id from audit_log where action = 'user.update' and user_id = $1`, [
    member.userId,
  ])
  assert.deepEqual(logged, [[members.otherId]])
})

test('after leaving the shown account, calls act for the account of the session', async () => {
  const member = await memberOfTwo()
  const left = await member.ask('POST', '/me/leave/', {
    body: { account: members.otherId },
    headers: accountHeader(members.otherId),
  })
  assert.deepEqual([left.status, left.body.account.id], [200, members.accountId])
})

test('a token acts for its own account only, even if its user belongs to two', async () => {
  const member = await memberOfTwo()
  const credentials = { email: member.email, password: 'a password of a story', account: members.accountId }
  const { access_token: token } = (await askAt(dashboardAt(service.origin, '/token/'), 'POST', { body: credentials }))
    .body
  const look = (account: string) =>
    askAt(dashboardAt(service.origin, '/wallets/'), 'GET', { token, headers: accountHeader(account) })
  assert.equal((await look(members.accountId)).status, 200)
  assert.equal(codeOf(await look(members.otherId)), '403 account_not_allowed')
})

test('a GET can name the account in its URL, for links without headers; a change cannot', async () => {
  const member = await memberOfTwo()
  const table = await member.ask('GET', `/intents/csv/?acting_for=${members.otherId}`)
  assert.equal(table.status, 200)
  assert.equal(
    codeOf(await members.owner.ask('GET', `/intents/csv/?acting_for=${members.otherId}`)),
    '403 account_not_allowed',
  )
  const path = `/providers/?acting_for=${members.otherId}`
  assert.equal((await member.ask('POST', path, { body: newProvider('by-address') })).status, 201)
  assert.equal(await accountOfProvider('by-address'), members.accountId)
})

test('a stream is on the account that its URL names, and ends when its user is removed from that account', async () => {
  const member = await memberOfTwo()
  const headers = { cookie: `sanad_session=${member.session.token}` }
  const stream = await openStream(service.origin, headers, { query: `?acting_for=${members.otherId}` })
  service.atEnd(async () => stream.hangUp())
  assert.equal(stream.status, 200)
  const renamed = await members.stranger.ask('PATCH', '/account/', { body: { name: 'A shop that is looked at' } })
  assert.equal(renamed.status, 200, renamed.text)
  await stream.untilHint('account', members.otherId)
  await service.sql('delete from members where user_id = $1 and account_id = $2', [member.userId, members.otherId])
  service.clock.advance(2_000)
  await stream.ended
})
