/**
 * An address is proved by a link that was mailed to it, or by an operator's command. A user who joined by the link that the inviter
 * saw has proved nothing: they do not become an operator, and the owner of the address takes the user over by a new password.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { ownersMailer } from '../../src/accounts/notices/email-owners.ts'
import { ownersOfAccount } from '../../src/accounts/people/user-sql.ts'
import type { Email } from '../../src/core/email.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { createAccount } from '../../src/wallets/entries/create-account.ts'
import { notifyOwners } from '../../src/work/notify-owners.ts'
import { commandsOf } from '../support/commands.ts'
import { smtpServer, tokenIn } from '../support/servers/smtp-server.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { askWith, createMember, createMembers, dashboardAt, type TestMember } from '../support/users.ts'

const smtp = await smtpServer()
const publicUrl = 'http://sanad.test'
const service = await openTestService({
  SANAD_LIMITS: 'off',
  SANAD_SMTP_URL: smtp.url,
  SANAD_MAIL_FROM: 'sanad@sanad.test',
  PUBLIC_URL: publicUrl,
})
service.atEnd(() => smtp.close())
/** Commands read the real clock, by which links expire; the clock of the test does not move by itself. */
service.clock.advance(Date.now() - service.clock.now())
const members = await createMembers(service)
const { sanad } = commandsOf(service)
const origin = { origin: publicUrl }
const newAddress = () => `person-${randomUUID().slice(0, 8)}@sanad.example`
const attackersPassword = 'a password of the attacker'
const victimsPassword = 'a password of the victim'

const askPublic = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  askAt(dashboardAt(service.origin, path), 'POST', { body, headers: { ...origin, ...headers } })
const sessionIn = (answer: Answer): string => /sanad_session=([^;]+)/.exec(String(answer.headers['set-cookie']))![1]!
const as = (session: string) => {
  const ask = askWith(service, session)
  return (method: string, path: string, body?: unknown) =>
    ask(method, path, { headers: origin, ...(body === undefined ? {} : { body }) })
}
const signIn = (email: string, password: string, code?: string) =>
  askPublic('/session/', { email, password, ...(code === undefined ? {} : { code }) })

/** A new account with one owner, whom an operator's command has created. */
const shop = async (name = 'A shop of its own') => {
  const accountId = await createAccount(service.db, name, null, service.clock.now())
  return { accountId, owner: await createMember(service, accountId, 'owner') }
}
const invite = async (by: TestMember, email: string, role: string) => {
  const answer = await as(by.session.token)('POST', '/invitations/', { email, role })
  assert.equal(answer.status, 201, answer.text)
  const mailed = tokenIn(await smtp.letterTo(email, /invitation/))
  return { id: answer.body.id as string, shown: new URL(answer.body.link).hash.slice(1), mailed }
}
const join = async (token: string, password = attackersPassword) => {
  const joined = await askPublic('/invitation/accept/', { token, name: 'Amal Test', new_password: password })
  assert.equal(joined.status, 200, joined.text)
  return { session: sessionIn(joined), id: joined.body.user.id as string, me: joined.body }
}
/** A user whose address is not proved: the inviter opened the link. */
const unproved = async (by: TestMember, role = 'cashier') => {
  const email = newAddress()
  const { shown } = await invite(by, email, role)
  return { email, ...(await join(shown)) }
}
const setUpFactor = async (session: string, password: string) => {
  const begun = await as(session)('POST', '/me/second_factor/', { password })
  assert.equal(begun.status, 200, begun.text)
  const code = generateSync({ secret: begun.body.secret, epoch: Math.floor(service.clock.now() / 1000) })
  const confirmed = await as(session)('POST', '/me/second_factor/confirm/', { code })
  assert.equal(confirmed.status, 200, confirmed.text)
  return {
    session: sessionIn(confirmed),
    secret: begun.body.secret as string,
    codes: confirmed.body.recovery_codes as string[],
  }
}
const askForLink = async (email: string): Promise<string> => {
  assert.equal((await askPublic('/password/forgot/', { email })).status, 202)
  return tokenIn(await smtp.letterTo(email, /password/))
}
const reset = async (email: string, password = victimsPassword) => {
  const answer = await askPublic('/password/reset/', { token: await askForLink(email), new_password: password })
  assert.equal(answer.status, 204, answer.text)
}
const listed = async (owner: TestMember, id: string) =>
  (await as(owner.session.token)('GET', '/members/')).body.find((member: { id: string }) => member.id === id)

test('the mailed link of an invitation is another one than the inviter sees; only the mailed one proves the address', async () => {
  const { owner } = await shop()
  const email = newAddress()
  const { shown, mailed } = await invite(owner, email, 'cashier')
  assert.notEqual(shown, mailed)
  assert.equal((await askPublic('/invitation/show/', { token: shown })).body.email, email)
  const joined = await join(mailed)
  assert.equal(joined.me.user.address_proved, true)
  assert.equal((await listed(owner, joined.id)).address_proved, true)
  // One invitation is accepted once, by either link.
  assert.deepEqual(errorsOf(await askPublic('/invitation/show/', { token: shown })), ['link_over@token'])
  const other = await unproved(owner)
  assert.equal(other.me.user.address_proved, false)
  assert.equal((await listed(owner, other.id)).address_proved, false)
  // Sent again: both links are new, and still two.
  const again = await invite(owner, newAddress(), 'viewer')
  const resent = await as(owner.session.token)('POST', `/invitations/${again.id}/resend/`)
  for (const old of [again.shown, again.mailed])
    assert.deepEqual(errorsOf(await askPublic('/invitation/show/', { token: old })), ['link_over@token'])
  const newMailed = tokenIn(await smtp.letterTo(resent.body.email, /invitation/))
  assert.notEqual(new URL(resent.body.link).hash.slice(1), newMailed)
  assert.equal((await join(newMailed)).me.user.address_proved, true)
})

test('who registered the address of another does not become an operator: the command names the inviter', async () => {
  const { owner } = await shop('The attacker’s shop')
  const email = newAddress()
  const { shown } = await invite(owner, email, 'owner')
  const attacker = await join(shown)
  const refused = await sanad('operator', 'add', '--email', email)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /is not proved/)
  assert.ok(
    refused.err.includes(`A owner <${owner.email}> invited them to the account "The attacker’s shop"`),
    refused.err,
  )
  service.clock.advance(2_000)
  assert.equal((await as(attacker.session)('GET', '/operator/accounts/')).status, 403)
  assert.equal((await sanad('operator', 'list')).out.includes(email), false)
  assert.deepEqual(
    await service.sql(`select 1 from audit_log where action = 'user.operator' and object_id = $1`, [attacker.id]),
    [],
  )
  // The links of the invitation are pruned some day; the inviter is still known.
  await service.sql('delete from user_links where email = $1', [email])
  assert.ok((await sanad('operator', 'add', '--email', email)).err.includes(owner.email))
  // Nor by the name of a user that an operator wants to create: it says who took the address.
  const taken = await sanad('user', 'create', '--account', members.accountId, '--email', email)
  assert.equal(taken.code, 1)
  assert.match(taken.err, /already signs in/)
  assert.ok(taken.err.includes(owner.email), taken.err)
  // Its twin: the owner of the address proves it, and may become an operator.
  await reset(email)
  assert.equal((await sanad('operator', 'add', '--email', email)).code, 0)
  const session = sessionIn(await signIn(email, victimsPassword))
  assert.equal((await as(session)('GET', '/operator/accounts/')).status, 200)
})

test('the owner of the address takes the user over by mail: factor, codes, sessions, tokens and invitations are gone', async () => {
  const { owner, accountId } = await shop()
  const second = await shop()
  const { email, id, ...joined } = await unproved(owner, 'owner')
  // The attacker accepts an invitation to a second account as well, by the link that its owner saw.
  const further = await invite(second.owner, email, 'manager')
  const accepted = await askPublic(
    '/invitation/accept/',
    { token: further.shown },
    { cookie: `sanad_session=${joined.session}` },
  )
  assert.equal(accepted.status, 200, accepted.text)
  const token = (await askPublic('/token/', { email, password: attackersPassword })).body.access_token
  const oldSession = sessionIn(await signIn(email, attackersPassword))
  const factor = await setUpFactor(joined.session, attackersPassword)
  const later = (seconds: number) => {
    service.clock.advance(seconds * 1000)
    return generateSync({ secret: factor.secret, epoch: Math.floor(service.clock.now() / 1000) })
  }
  const tokenWithCode = await askPublic('/token/', { email, password: attackersPassword, code: later(30) })
  assert.equal(tokenWithCode.status, 200, tokenWithCode.text)
  const attackersInvitation = await askWith(service, factor.session)('POST', '/invitations/', {
    body: { email: newAddress(), role: 'owner' },
    headers: { ...origin, 'x-sanad-account': accountId },
  })
  assert.equal(attackersInvitation.status, 201, attackersInvitation.text)
  const attackersOwnLink = await askForLink(email)

  await reset(email)

  service.clock.advance(2_000)
  for (const session of [joined.session, oldSession, factor.session])
    assert.equal((await as(session)('GET', '/session/')).status, 401)
  for (const bearer of [token, tokenWithCode.body.access_token]) {
    const answer = await askAt(dashboardAt(service.origin, '/session/'), 'GET', { token: bearer })
    assert.equal(answer.status, 401, answer.text)
  }
  assert.equal((await signIn(email, attackersPassword)).status, 401)
  assert.equal((await signIn(email, attackersPassword, later(30))).status, 401)
  assert.equal(
    (await askPublic('/password/reset/', { token: attackersOwnLink, new_password: attackersPassword })).status,
    400,
  )
  const hidden = new URL(attackersInvitation.body.link).hash.slice(1)
  assert.equal((await askPublic('/invitation/show/', { token: hidden })).status, 400)

  // The victim signs in without a second factor, and acts for no account.
  const signedIn = await signIn(email, victimsPassword)
  assert.equal(signedIn.status, 200, signedIn.text)
  const { user, account, accounts, requests, actions } = signedIn.body
  assert.deepEqual([user.second_factor, user.address_proved, user.operator], [false, true, false])
  assert.deepEqual([account, accounts, actions], [null, [], []])
  assert.deepEqual(
    requests.map((request: { id: string; role: string }) => [request.id, request.role]).sort(),
    [
      [accountId, 'owner'],
      [second.accountId, 'manager'],
    ].sort(),
  )
  const [row] = await service.sql('select totp_sealed, totp_since, cardinality(recovery) from users where id = $1', [
    id,
  ])
  assert.deepEqual(
    row?.map((value) => value ?? null),
    [null, null, '0'],
  )
  const session = sessionIn(signedIn)
  const acting = { headers: { ...origin, 'x-sanad-account': accountId } }
  assert.equal((await askWith(service, session)('GET', '/members/', acting)).status, 403)
  assert.equal((await as(session)('POST', '/session/account/', { account: accountId })).status, 404)
  assert.equal((await askPublic('/token/', { email, password: victimsPassword })).status, 401)
  assert.equal((await askPublic('/token/', { email, password: victimsPassword, account: accountId })).status, 401)
  // No recovery code of the attacker is left for a factor of the victim.
  const own = await setUpFactor(session, victimsPassword)
  assert.equal((await signIn(email, victimsPassword, factor.codes[0])).status, 401)
  assert.equal((await signIn(email, victimsPassword, own.codes[0])).status, 200)
})

const sent: Email[] = []

test('owners see a request with a notice and a mail, and confirm or decline it; the log does not say from where it came', async () => {
  const { owner, accountId } = await shop('Request shop')
  const [keeper, leaver] = [await unproved(owner, 'manager'), await unproved(owner)]
  for (const { email } of [keeper, leaver]) await reset(email)
  for (const { id, email } of [keeper, leaver]) {
    const member = await listed(owner, id)
    assert.deepEqual([member.address_proved, typeof member.request_since], [true, 'string'])
    const notices = (await as(owner.session.token)('GET', '/notices/')).body.results
    const notice = notices.find((found: { object: { id: string } }) => found.object.id === id)
    assert.deepEqual([notice.kind, notice.object.kind, notice.facts.name], ['member_request', 'member', email])
  }
  const emailOwners = ownersMailer(service.db, async (email) => {
    sent.push(email)
    return 'accepted'
  })
  const deps = { db: service.db, clock: service.clock, zone: zoneOf('Asia/Aden'), origin: publicUrl, emailOwners }
  while (await notifyOwners(deps));
  const letters = sent.filter(({ to, kind }) => to === owner.email && kind === 'member request')
  assert.equal(letters.length, 2)
  assert.ok(letters.some(({ text }) => text.includes(keeper.email) && text.includes(`${publicUrl}/settings/members\n`)))
  // Nobody who waits for a confirmation gets mail of the account.
  assert.ok(sent.every(({ to }) => to !== keeper.email && to !== leaver.email))
  const entries = await service.sql(
    `select action, address, agent from audit_log where account_id = $1 and object_id = $2 order by id`,
    [accountId, keeper.id],
  )
  assert.deepEqual(entries.at(-1), ['member.request', '', ''])
  // Nothing that the owner of the address does before the confirmation is in the log of the account.
  const session = sessionIn(await signIn(keeper.email, victimsPassword))
  const renewing = { password: victimsPassword, new_password: 'another one of the victim' }
  const renewed = sessionIn(await as(session)('POST', '/me/password/', renewing))
  const [seen] = await service.sql('select count(*) from audit_log where account_id = $1 and object_id = $2', [
    accountId,
    keeper.id,
  ])
  assert.equal(Number(seen![0]), entries.length)

  const manager = await createMember(service, accountId, 'manager')
  assert.equal((await as(manager.session.token)('POST', `/members/${keeper.id}/confirm/`)).status, 403)
  const stranger = await shop()
  assert.equal((await as(stranger.owner.session.token)('POST', `/members/${keeper.id}/confirm/`)).status, 404)
  const confirmed = await as(owner.session.token)('POST', `/members/${keeper.id}/confirm/`)
  assert.deepEqual([confirmed.status, confirmed.body.request_since, confirmed.body.role], [200, null, 'manager'])
  assert.deepEqual(errorsOf(await as(owner.session.token)('POST', `/members/${keeper.id}/confirm/`)), [
    'not_a_request@non_field_errors',
  ])
  // Whoever waits with a page open acts for the account, without signing in again.
  service.clock.advance(2_000)
  const waiting = await as(renewed)('GET', '/session/')
  assert.deepEqual([waiting.body.account?.id, waiting.body.requests], [accountId, []])
  const back = await signIn(keeper.email, 'another one of the victim')
  assert.deepEqual([back.body.account?.id, back.body.requests], [accountId, []])

  assert.equal((await as(owner.session.token)('DELETE', `/members/${leaver.id}/`)).status, 204)
  const gone = await signIn(leaver.email, victimsPassword)
  assert.deepEqual([gone.status, gone.body.account, gone.body.requests], [200, null, []])
  const actions = await service.sql(
    `select action from audit_log where account_id = $1 and action in ('member.confirm', 'member.decline') order by id`,
    [accountId],
  )
  assert.deepEqual(actions, [['member.confirm'], ['member.decline']])
})

test('a user may leave an account that has not confirmed them, and nobody confirms their own request', async () => {
  const { owner, accountId } = await shop()
  const { email, id } = await unproved(owner, 'owner')
  await reset(email)
  const session = sessionIn(await signIn(email, victimsPassword))
  assert.equal((await as(session)('POST', `/members/${id}/confirm/`)).status, 403)
  const left = await as(session)('POST', '/me/leave/', { account: accountId })
  assert.deepEqual([left.status, left.body.requests], [200, []])
  assert.equal(await listed(owner, id), undefined)
})

test('what a user has asked for ends with the user: neither a request nor the owner of the address has asked for it', async () => {
  const { accountId, owner } = await shop()
  const provider = (await as(owner.session.token)('GET', '/providers/')).body.results[0].id
  const body = { name: 'Till', account_number: '770000001', provider, sender_name: '' }
  const wallet = (await as(owner.session.token)('POST', '/wallets/', body)).body.id
  const manager = await unproved(owner, 'manager')
  const ask = (session: string) => as(session)('POST', `/wallets/${wallet}/ask/`, { sender_name: '+967777000001' })
  const asked = (await ask(manager.session)).body
  const other = (await as(manager.session)('POST', `/wallets/${wallet}/ask/`, { low_trust_limit: '9.00' })).body
  assert.equal(asked.state, 'open')
  const second = await service.startNode()
  const elsewhere = (method: string, path: string, sent?: unknown) =>
    askAt(dashboardAt(second.origin, path), method, {
      token: null,
      headers: { ...origin, cookie: `sanad_session=${manager.session}` },
      ...(sent === undefined ? {} : { body: sent }),
    })
  assert.equal((await elsewhere('GET', '/approvals/')).status, 200)
  await reset(manager.email)
  const shown = async (id: string) => (await as(owner.session.token)('GET', `/approvals/${id}/`)).body
  assert.equal((await shown(asked.id)).state, 'stale')
  // A node that still has the session in its cache.
  const late = await elsewhere('POST', `/wallets/${wallet}/ask/`, { sender_name: '+967777000002' })
  assert.ok(late.status === 403 || late.status === 401, late.text)
  await second.close()
  const confirm = (id: string) => as(owner.session.token)('POST', `/approvals/${id}/confirm/`)
  assert.deepEqual(errorsOf(await confirm(asked.id)), ['approval_over@non_field_errors'])
  // From before approvals ended with their user.
  await service.sql(`update approvals set state = 'open', decided_at = null where id = $1`, [other.id])
  assert.deepEqual(errorsOf(await confirm(other.id)), ['approval_stale@non_field_errors'])
  assert.match((await shown(other.id)).state, /stale/)
  // The owner of the address, once confirmed, asks again.
  assert.equal((await as(owner.session.token)('POST', `/members/${manager.id}/confirm/`)).status, 200)
  assert.deepEqual(errorsOf(await confirm(asked.id)), ['approval_over@non_field_errors'])
  const signedIn = sessionIn(await signIn(manager.email, victimsPassword))
  const again = (await ask(signedIn)).body
  assert.notEqual(again.id, asked.id)
  assert.equal((await confirm(again.id)).status, 200)
  assert.deepEqual(
    await service.sql(`select 1 from approvals where account_id = $1 and state = 'open'`, [accountId]),
    [],
  )
})

test('a request counts neither as an owner nor as a receiver of notices, and an owner may decline the request of an owner', async () => {
  const { owner, accountId } = await shop()
  const { email, id } = await unproved(owner, 'owner')
  await reset(email)
  const mailed = (await ownersOfAccount(service.db, wholeAccount(accountId), 0, 10)).map(({ user_id }) => user_id)
  assert.deepEqual(mailed, [owner.userId])
  const leave = await as(owner.session.token)('POST', '/me/leave/', { account: accountId })
  assert.deepEqual(errorsOf(leave), ['last_owner@non_field_errors'])
  const demoted = await as(owner.session.token)('PATCH', `/members/${owner.userId}/`, { role: 'viewer' })
  assert.deepEqual(errorsOf(demoted), ['last_owner@non_field_errors'])
  assert.equal((await sanad('user', 'disable', '--email', owner.email)).code, 1)
  assert.equal((await as(owner.session.token)('DELETE', `/members/${id}/`)).status, 204)
})

test('a real invitation by mail: everything stays as it was, also after a new password', async () => {
  const { owner, accountId } = await shop()
  const email = newAddress()
  const { mailed } = await invite(owner, email, 'manager')
  const { session, id } = await join(mailed, 'a password of huda')
  const factor = await setUpFactor(session, 'a password of huda')
  await reset(email, 'a new password of huda')
  assert.equal((await signIn(email, 'a new password of huda')).body.errors[0].code, 'second_factor_required')
  const back = await signIn(email, 'a new password of huda', factor.codes[0])
  assert.deepEqual([back.status, back.body.account.id, back.body.requests], [200, accountId, []])
  assert.equal((await listed(owner, id)).request_since, null)
  assert.equal((await sanad('operator', 'add', '--email', email)).code, 0)
  assert.match((await sanad('operator', 'list')).out, new RegExp(`^${email}  Amal Test$`, 'm'))
})

test('users of an operator’s command are proved: created, invited or vouched for', async () => {
  const { owner, accountId } = await shop()
  const created = newAddress()
  assert.equal((await sanad('user', 'create', '--account', accountId, '--email', created, '--role', 'viewer')).code, 0)
  assert.equal((await sanad('operator', 'add', '--email', created)).code, 0)

  const invited = newAddress()
  const printed = await sanad(
    'member',
    'invite',
    '--account',
    accountId,
    '--email',
    invited,
    '--role',
    'viewer',
    '--json',
  )
  const joined = await join(new URL(JSON.parse(printed.out).link).hash.slice(1))
  assert.equal(joined.me.user.address_proved, true)
  assert.equal((await sanad('operator', 'add', '--email', invited)).code, 0)

  const { email, session } = await unproved(owner)
  assert.equal((await sanad('operator', 'add', '--email', email)).code, 1)
  assert.match((await sanad('user', 'prove', '--email', email)).out, /counts as proved/)
  assert.match((await sanad('user', 'prove', '--email', email)).out, /proved already/)
  assert.equal((await sanad('user', 'prove', '--email', newAddress())).code, 1)
  // Who was vouched for keeps everything.
  assert.deepEqual((await as(session)('GET', '/session/')).body.account.id, accountId)
  assert.equal((await sanad('operator', 'add', '--email', email)).code, 0)
  const entries = await service.sql(`select via from audit_log where action = 'user.prove' and account_id = $1`, [
    accountId,
  ])
  assert.deepEqual(entries, [['command']])
})

test('a link of `sanad user link` proves an unproved address as a mailed one does, and the command says so', async () => {
  const { owner, accountId } = await shop()
  const { email, id, session } = await unproved(owner, 'viewer')
  await setUpFactor(session, attackersPassword)
  const printed = await sanad('user', 'link', '--email', email)
  assert.match(printed.out, /not proved/)
  const token = /#(\S+)/.exec(printed.out)![1]!
  const set = await askPublic('/password/reset/', { token, new_password: victimsPassword })
  assert.equal(set.status, 204, set.text)
  assert.equal((await signIn(email, victimsPassword)).status, 200)
  assert.match((await sanad('member', 'requests')).out, new RegExp(`${accountId}  ${email}  viewer`))
  assert.equal((await sanad('member', 'confirm', '--account', accountId, '--email', email)).code, 0)
  assert.equal((await sanad('member', 'confirm', '--account', accountId, '--email', email)).code, 1)
  assert.equal((await listed(owner, id)).request_since, null)
  assert.doesNotMatch((await sanad('user', 'link', '--email', email)).out, /not proved/)
})

test('the refusal says also that the inviter has not proved their address', async () => {
  const { owner } = await shop()
  const inviter = await unproved(owner, 'owner')
  const email = newAddress()
  const invited = await as(inviter.session)('POST', '/invitations/', { email, role: 'viewer' })
  await join(new URL(invited.body.link).hash.slice(1))
  const { code, err } = await sanad('operator', 'add', '--email', email)
  assert.equal(code, 1)
  assert.ok(err.includes(`Amal Test <${inviter.email}> (whose address is not proved either) invited them`), err)
})

test('an operator from before who has not proved the address stays one, is listed as such, and loses it with the user', async () => {
  const { owner } = await shop()
  const { email, id } = await unproved(owner)
  await service.sql('update users set operator = true where id = $1', [id])
  const { out } = await sanad('operator', 'list')
  assert.match(out, new RegExp(`${email}.*address not proved: .*${owner.email}`))
  await reset(email)
  const signedIn = await signIn(email, victimsPassword)
  assert.equal(signedIn.body.user.operator, false)
  assert.ok(!(await sanad('operator', 'list')).out.includes(email))
})

test('a signed-in user proves the address by a mailed link and keeps everything but other sessions and tokens', async () => {
  const { owner, accountId } = await shop()
  const { email, id, session } = await unproved(owner, 'manager')
  const { session: kept } = await setUpFactor(session, attackersPassword)
  const sent = await as(owner.session.token)('POST', `/members/${id}/prove/`)
  assert.equal(sent.status, 204, sent.text)
  const letter = await smtp.letterTo(email, /address/)
  assert.ok(letter.text.includes(`${publicUrl}/address#`))
  const token = tokenIn(letter)
  // Without a session, or as another user, the link does nothing.
  assert.equal((await askPublic('/me/address/', { token })).status, 401)
  const other = await as(owner.session.token)('POST', '/me/address/', { token })
  assert.deepEqual([other.status, other.body.errors[0].code], [403, 'other_person'])
  assert.equal((await askPublic('/password/reset/', { token, new_password: victimsPassword })).status, 400)
  assert.equal((await askPublic('/invitation/show/', { token })).status, 400)
  const proved = await as(kept)('POST', '/me/address/', { token })
  assert.deepEqual([proved.status, proved.body.user.address_proved, proved.body.account.id], [200, true, accountId])
  assert.equal(proved.body.user.second_factor, true)
  assert.deepEqual(errorsOf(await as(kept)('POST', '/me/address/', { token })), ['link_over@token'])
  assert.deepEqual(errorsOf(await as(owner.session.token)('POST', `/members/${id}/prove/`)), [
    'address_proved@non_field_errors',
  ])
  assert.deepEqual(errorsOf(await as(kept)('POST', '/me/address/mail/')), ['address_proved@non_field_errors'])
  const [own] = await service.sql(`select actor from audit_log where action = 'user.prove' and object_id = $1`, [id])
  assert.ok(String(own![0]).includes(email))
})

test('another session of the user ends when the address is proved; three links are open at most', async () => {
  const { owner } = await shop()
  const { email, session } = await unproved(owner)
  const other = sessionIn(await signIn(email, attackersPassword))
  for (let i = 0; i < 3; i++) assert.equal((await as(session)('POST', '/me/address/mail/')).status, 204)
  assert.deepEqual(errorsOf(await as(session)('POST', '/me/address/mail/')), ['proof_limit@non_field_errors'])
  const token = tokenIn(await smtp.letterTo(email, /address/))
  assert.equal((await as(session)('POST', '/me/address/', { token })).status, 200)
  service.clock.advance(2_000)
  assert.equal((await as(other)('GET', '/session/')).status, 401)
  assert.equal((await as(session)('GET', '/session/')).status, 200)
})

test('an existing user who accepts a mailed invitation has proved the address, by the link of the inviter not', async () => {
  const { owner } = await shop()
  const { email, session, id } = await unproved(owner)
  const [second, third] = [await shop(), await shop()]
  const cookie = { cookie: `sanad_session=${session}` }
  const shown = (await invite(second.owner, email, 'viewer')).shown
  const byHand = await askPublic('/invitation/accept/', { token: shown }, cookie)
  assert.deepEqual([byHand.status, byHand.body.user.address_proved], [200, false])
  const { mailed } = await invite(third.owner, email, 'viewer')
  const byMail = await askPublic('/invitation/accept/', { token: mailed }, cookie)
  assert.deepEqual([byMail.status, byMail.body.user.address_proved], [200, true], byMail.text)
  assert.equal(byMail.body.accounts.length, 3)
  assert.equal((await listed(second.owner, id)).address_proved, true)
})

test('an account keeps an owner whose address is proved', async () => {
  const { owner, accountId } = await shop()
  const { id, session, email } = await unproved(owner, 'owner')
  const refused = ['last_proved_owner@non_field_errors']
  assert.deepEqual(errorsOf(await as(owner.session.token)('POST', '/me/leave/', { account: accountId })), refused)
  assert.deepEqual(errorsOf(await as(session)('DELETE', `/members/${owner.userId}/`)), refused)
  assert.deepEqual(errorsOf(await as(session)('PATCH', `/members/${owner.userId}/`, { role: 'viewer' })), refused)
  // The unproved owner may go, and after a proof either may.
  assert.equal((await as(owner.session.token)('PATCH', `/members/${id}/`, { role: 'manager' })).status, 200)
  assert.equal((await as(owner.session.token)('PATCH', `/members/${id}/`, { role: 'owner' })).status, 200)
  assert.equal((await sanad('user', 'prove', '--email', email)).code, 0)
  assert.equal((await as(owner.session.token)('POST', '/me/leave/', { account: accountId })).status, 200)
})

test('a new password that arrives while the attacker acts: whoever is first, nothing of the attacker stays', async () => {
  for (let round = 0; round < 6; round++) {
    const { owner } = await shop()
    const further = await shop()
    const { email, id, session } = await unproved(owner)
    const { shown } = await invite(further.owner, email, 'owner')
    const link = await askForLink(email)
    const begun = await as(session)('POST', '/me/second_factor/', { password: attackersPassword })
    const code = generateSync({ secret: begun.body.secret, epoch: Math.floor(service.clock.now() / 1000) })
    const [taken] = await Promise.all([
      askPublic('/password/reset/', { token: link, new_password: victimsPassword }),
      signIn(email, attackersPassword),
      askPublic('/token/', { email, password: attackersPassword }),
      as(session)('POST', '/me/second_factor/confirm/', { code }),
      askPublic('/invitation/accept/', { token: shown }, { cookie: `sanad_session=${session}` }),
    ])
    assert.equal(taken!.status, 204, taken!.text)
    const open = await service.sql(
      `select 1 from sessions s join users u on u.id = s.user_id
        where s.user_id = $1 and s.ended_at is null and s.created_at >= u.valid_from`,
      [id],
    )
    assert.deepEqual(open, [])
    const [user] = await service.sql('select totp_since is null, proved_at is not null from users where id = $1', [id])
    assert.deepEqual(user, ['t', 't'])
    assert.deepEqual(await service.sql('select 1 from members where user_id = $1 and request_since is null', [id]), [])
    assert.equal((await signIn(email, victimsPassword)).status, 200)
  }
})

test('a session that a node still has in its cache cannot set up a second factor after the new password', async () => {
  const { owner } = await shop()
  const { email, id, session } = await unproved(owner)
  const second = await service.startNode()
  const there = (method: string, path: string, body?: unknown) =>
    askAt(dashboardAt(second.origin, path), method, {
      token: null,
      headers: { ...origin, cookie: `sanad_session=${session}` },
      ...(body === undefined ? {} : { body }),
    })
  const begun = await there('POST', '/me/second_factor/', { password: attackersPassword })
  assert.equal(begun.status, 200, begun.text)
  const sealed = await service.sql(`select encode(totp_sealed, 'hex') from users where id = $1`, [id])
  await reset(email)
  // The worst case: the secret was stored after the new password.
  await service.sql(`update users set totp_sealed = decode($2, 'hex') where id = $1`, [id, sealed[0]![0]])
  const code = generateSync({ secret: begun.body.secret, epoch: Math.floor(service.clock.now() / 1000) })
  const confirmed = await there('POST', '/me/second_factor/confirm/', { code })
  assert.notEqual(confirmed.status, 200)
  assert.equal((await signIn(email, victimsPassword)).status, 200)
  await second.close()
})
