/** Passwords: changed with the old password, reset by a link; and no answer reveals which addresses have a user. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword } from '../../src/accounts/people/password.ts'
import { smtpServer, tokenIn } from '../support/servers/smtp-server.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { askWith, createMember, createMembers, dashboardAt } from '../support/users.ts'

const smtp = await smtpServer()
const publicUrl = 'http://sanad.test'
const service = await openTestService({
  SANAD_SMTP_URL: smtp.url,
  SANAD_MAIL_FROM: 'Sanad <sanad@sanad.test>',
  PUBLIC_URL: publicUrl,
})
service.atEnd(() => smtp.close())
const members = await createMembers(service)
const password = 'a password of a story'
const better = 'a better password of a story'
const headers = { origin: publicUrl }

const trySignIn = (email: string, password: string, more: Record<string, string> = {}): Promise<Answer> =>
  askAt(dashboardAt(service.origin, '/session/'), 'POST', {
    body: { email, password },
    headers: { ...headers, ...more },
  })
const ask = (path: string, body: unknown, more: Record<string, string> = {}): Promise<Answer> =>
  askAt(dashboardAt(service.origin, path), 'POST', { body, headers: { ...headers, ...more } })
const cookiesOf = (answer: Answer): string =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
const sessionOf = (answer: Answer): string => /sanad_session=([^;]+)/.exec(cookiesOf(answer))![1]!
/** Moves the clock by a minute, so that limits and the cached user have expired. */
const later = () => service.clock.advance(61_000)

test('changing the password needs the old one, ends other sessions and tokens, and keeps this browser signed in', async () => {
  later()
  const member = await createMember(service, members.accountId, 'manager')
  const other = askWith(service, sessionOf(await trySignIn(member.email, password)))
  const { access_token: token } = (await ask('/token/', { email: member.email, password })).body
  const set = (body: unknown) => member.ask('POST', '/me/password/', { body, headers })
  assert.deepEqual(errorsOf(await set({ password: 'not the password', new_password: better })), [
    'password_wrong@password',
  ])
  const changed = await set({ password, new_password: better })
  assert.equal(changed.status, 204, changed.text)
  service.clock.advance(2_000)
  assert.equal((await other('GET', '/session/')).status, 401)
  assert.equal((await member.ask('GET', '/session/')).status, 401)
  assert.equal((await askAt(dashboardAt(service.origin, '/session/'), 'GET', { token })).status, 401)
  assert.equal((await askWith(service, sessionOf(changed))('GET', '/session/')).status, 200)
  later()
  assert.equal((await trySignIn(member.email, password)).status, 401)
  assert.equal((await trySignIn(member.email, better)).status, 200)
  const again = await ask('/token/', { email: member.email, password: better })
  assert.equal(
    (await askAt(dashboardAt(service.origin, '/session/'), 'GET', { token: again.body.access_token })).status,
    200,
  )
  const told = (
    await service.sql('select kind from user_notices where user_id = $1 order by id', [member.userId])
  ).flat()
  assert.deepEqual(told, ['sign_in_new', 'sign_in_new', 'password_changed', 'sign_in_new'], 'the user is told')
})

test('a token issued in the millisecond of the change ends with the old password', async () => {
  later()
  const member = await createMember(service, members.accountId, 'viewer')
  const { access_token: token } = (await ask('/token/', { email: member.email, password })).body
  assert.equal(
    (await member.ask('POST', '/me/password/', { body: { password, new_password: better }, headers })).status,
    204,
  )
  const after = (await ask('/token/', { email: member.email, password: better })).body.access_token
  service.clock.advance(2_000)
  assert.equal((await askAt(dashboardAt(service.origin, '/session/'), 'GET', { token })).status, 401)
  assert.equal((await askAt(dashboardAt(service.origin, '/session/'), 'GET', { token: after })).status, 200)
})

test('a sign-in with the old password during the change leaves no session', async () => {
  // A hash with the real cost: the sign-in must still be running when the password changes.
  const slowHash = await hashPassword(password)
  for (let i = 0; i < 5; i++) {
    later()
    const member = await createMember(service, members.accountId, 'viewer')
    await service.sql('update users set password_hash = $1 where id = $2', [slowHash, member.userId])
    const [opened, changed] = await Promise.all([
      trySignIn(member.email, password),
      member.ask('POST', '/me/password/', { body: { password, new_password: better }, headers }),
    ])
    assert.equal(changed.status, 204)
    service.clock.advance(2_000)
    if (opened.status === 200) assert.equal((await askWith(service, sessionOf(opened))('GET', '/session/')).status, 401)
    const [row] = await service.sql('select count(*) from sessions where user_id = $1 and ended_at is null', [
      member.userId,
    ])
    assert.equal(Number(row![0]), 1)
  }
})

test('of two concurrent changes of a password, one succeeds', async () => {
  later()
  const member = await createMember(service, members.accountId, 'viewer')
  const answers = await Promise.all(
    ['one new password', 'two new password'].map((new_password) =>
      member.ask('POST', '/me/password/', { body: { password, new_password }, headers }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 400])
})

test('a password that is easy to guess is refused, with the reason', async () => {
  later()
  const member = await createMember(service, members.accountId, 'viewer')
  const set = async (new_password: unknown) => {
    service.clock.advance(61_000)
    return errorsOf(await member.ask('POST', '/me/password/', { body: { password, new_password }, headers }))
  }
  assert.deepEqual(await set('too short'), ['min_length@new_password'])
  assert.deepEqual(await set('x'.repeat(201)), ['max_length@new_password'])
  assert.deepEqual(await set(member.email), ['password_is_email@new_password'])
  assert.deepEqual(await set('password123'), ['password_common@new_password'])
  assert.deepEqual(await set(null), ['null@new_password'])
  assert.deepEqual(await set('with a \0 in it'), ['null_characters_not_allowed@new_password'])
  assert.equal((await member.ask('GET', '/session/')).status, 200)
})

test("guessing the old password in a stolen session is limited, and does not limit the user's other browsers", async () => {
  later()
  const member = await createMember(service, members.accountId, 'viewer')
  const own = askWith(service, sessionOf(await trySignIn(member.email, password)))
  const tries = []
  for (let i = 0; i < 7; i++)
    tries.push(
      await member.ask('POST', '/me/password/', { body: { password: `guess ${i}`, new_password: better }, headers }),
    )
  assert.deepEqual(
    tries.map(({ status }) => status),
    [400, 400, 400, 400, 400, 429, 429],
  )
  assert.equal((await own('POST', '/me/password/', { body: { password, new_password: better }, headers })).status, 204)
})

test('a reset link sets a new password, once; all sessions end, and the link itself does not sign the user in', async () => {
  later()
  const member = await createMember(service, members.accountId, 'owner')
  const requested = await ask('/password/forgot/', { email: ` ${member.email.toUpperCase()} ` })
  assert.deepEqual([requested.status, requested.text], [202, ''])
  const letter = await smtp.letterTo(member.email, /A new password/)
  assert.ok(letter.text.includes(`${publicUrl}/password#`))
  const token = tokenIn(letter)
  const weak = await ask('/password/reset/', { token, new_password: 'password123' })
  assert.deepEqual(errorsOf(weak), ['password_common@new_password'])
  const reset = await ask('/password/reset/', { token, new_password: better })
  assert.equal(reset.status, 204, reset.text)
  assert.ok(!cookiesOf(reset).includes('sanad_session'))
  service.clock.advance(2_000)
  assert.equal((await member.ask('GET', '/session/')).status, 401)
  assert.deepEqual(errorsOf(await ask('/password/reset/', { token, new_password: 'yet another one' })), [
    'link_over@token',
  ])
  later()
  assert.equal((await trySignIn(member.email, better)).status, 200)
  const logged = await service.sql(`select actor from audit_log where action = 'user.password_reset'`)
  assert.deepEqual(logged, [[member.email]])
})

test('a reset link is valid for an hour; used twice at once, it sets one password', async () => {
  later()
  const member = await createMember(service, members.accountId, 'owner')
  const link = async () => {
    await ask('/password/forgot/', { email: member.email })
    return tokenIn(await smtp.letterTo(member.email, /A new password/))
  }
  const old = await link()
  service.clock.advance(3_600_000)
  assert.deepEqual(errorsOf(await ask('/password/reset/', { token: old, new_password: better })), ['link_over@token'])
  const [first, second] = [await link(), await link()]
  const both = await Promise.all(
    ['one new password', 'two new password'].map((new_password) =>
      ask('/password/reset/', { token: first, new_password }),
    ),
  )
  assert.deepEqual(both.map(({ status }) => status).sort(), [204, 400])
  // The other link of the same user is invalid then, too.
  assert.equal((await ask('/password/reset/', { token: second, new_password: better })).status, 400)
})

test('the reset form does not reveal which addresses have a user, and does not flood a mailbox', async () => {
  later()
  const member = await createMember(service, members.accountId, 'viewer')
  const known = await ask('/password/forgot/', { email: member.email })
  const unknown = await ask('/password/forgot/', { email: 'nobody-here@sanad.example' })
  const strange = await ask('/password/forgot/', { email: 'no address, at all' })
  for (const answer of [unknown, strange]) assert.deepEqual([answer.status, answer.text], [known.status, known.text])
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await ask('/password/forgot/', { email: member.email })).status)
  assert.ok(statuses.includes(429))
  service.clock.advance(61_000)
  for (let i = 0; i < 4; i++) await ask('/password/forgot/', { email: member.email })
  // Another user's link is requested afterwards: when its mail is here, all earlier mails are as well.
  await ask('/password/forgot/', { email: members.owner.email })
  await smtp.letterTo(members.owner.email, /A new password/)
  const [row] = await service.sql('select count(*) from user_links where user_id = $1', [member.userId])
  assert.equal(Number(row![0]), 3)
})

test('a reset link has the public URL of the service, whatever Host the request had', async () => {
  later()
  const member = await createMember(service, members.accountId, 'viewer')
  await ask('/password/forgot/', { email: member.email }, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
  const { text } = await smtp.letterTo(member.email, /A new password/)
  assert.ok(text.includes(publicUrl) && !text.includes('evil'))
})

test('CSRF: a page of another site can neither request nor use a reset link', async () => {
  for (const path of ['/password/forgot/', '/password/reset/'])
    assert.equal((await ask(path, {}, { origin: 'https://elsewhere.example' })).status, 403)
})

test('a known browser of a user is not limited by guesses from the same network', async () => {
  later()
  const member = await createMember(service, members.accountId, 'cashier')
  const known = cookiesOf(await trySignIn(member.email, password)).replace(/sanad_session=[^;]+;? ?/, '')
  assert.match(known, /^sanad_device=/)
  for (let i = 0; i < 45; i++) await trySignIn(i % 3 ? `nobody-${i}@sanad.example` : member.email, 'a guess at it')
  assert.equal((await trySignIn(member.email, password)).status, 429)
  assert.equal((await trySignIn(member.email, password, { cookie: known })).status, 200)
  // Another user on that network is not limited either, even in an unknown browser.
  assert.equal((await trySignIn(members.owner.email, password)).status, 200)
  // The cookie of one user’s known browser does not help for another user.
  const another = await createMember(service, members.accountId, 'cashier')
  for (let i = 0; i < 5; i++) await trySignIn(another.email, 'a guess at it')
  assert.equal((await trySignIn(another.email, password, { cookie: known })).status, 429)
})

test("without a trusted proxy, a client's forwarded address is ignored", async () => {
  later()
  const statuses = []
  for (let i = 0; i < 7; i++)
    statuses.push(
      (await trySignIn('somebody@sanad.example', 'a guess at it', { 'x-forwarded-for': `198.51.100.${i}` })).status,
    )
  assert.ok(statuses.includes(429))
})

test('no password and no reset link is in the logs', async () => {
  const audit = await service.sql('select before::text, after::text, actor from audit_log')
  const text = JSON.stringify([audit, service.lines])
  for (const secret of [password, better, 'password#']) assert.ok(!text.includes(secret), secret)
})

test('invalid input is refused', async () => {
  later()
  const hostile = [
    null,
    [],
    {},
    { email: {} },
    { email: 'a\0b' },
    { token: 5, new_password: [] },
    { email: 'x'.repeat(255) },
  ]
  for (const path of ['/password/forgot/', '/password/reset/']) {
    for (const body of hostile) assert.equal((await ask(path, body)).status, 400, `${path} ${JSON.stringify(body)}`)
  }
})
