/** Members and invitations: joining with a role, leaving, removal; and an account always has an owner. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ownersMailer } from '../../src/accounts/notices/email-owners.ts'
import type { Email } from '../../src/core/email.ts'
import { createAccount } from '../../src/wallets/entries/create-account.ts'
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
const members = await createMembers(service)
const headers = { origin: publicUrl }
const newcomer = () => `newcomer-${randomUUID().slice(0, 8)}@sanad.example`

const as = (member: Pick<TestMember, 'ask'>, method: string, path: string, body?: unknown): Promise<Answer> =>
  member.ask(method, path, { headers, ...(body === undefined ? {} : { body }) })
const askPublic = (path: string, body: unknown, more: Record<string, string> = {}): Promise<Answer> =>
  askAt(dashboardAt(service.origin, path), 'POST', { body, headers: { ...headers, ...more } })
const sessionOf = (answer: Answer): string => /sanad_session=([^;]+)/.exec(String(answer.headers['set-cookie']))![1]!
const cookieOf = (member: TestMember) => ({ cookie: `sanad_session=${member.session.token}` })

/** A new account with this many owners. */
const shop = async (owners: number) => {
  const accountId = await createAccount(service.db, 'A shop of its own', null, service.clock.now())
  const created: TestMember[] = []
  for (let i = 0; i < owners; i++) created.push(await createMember(service, accountId, 'owner'))
  return { accountId, owners: created as [TestMember, TestMember] }
}

const invite = async (by: TestMember, email: string, role = 'cashier') => {
  const answer = await as(by, 'POST', '/invitations/', { email, role })
  assert.equal(answer.status, 201, answer.text)
  return { ...answer.body, token: tokenIn(await smtp.letterTo(email, /invitation/)) }
}
const audited = async (id: string): Promise<unknown[]> =>
  (await service.sql('select action from audit_log where object_id = $1 order by id', [id])).map(([action]) => action)

test('a new user is invited by mail, sees the account and role, sets a name and a password, and is signed in', async () => {
  const email = newcomer()
  const invited = await as(members.owner, 'POST', '/invitations/', {
    email: ` ${email.toUpperCase()} `,
    role: 'cashier',
  })
  assert.deepEqual(
    [invited.status, invited.body.email, invited.body.state, invited.body.mailed],
    [201, email, 'open', true],
  )
  const letter = await smtp.letterTo(email, /invitation/)
  const token = tokenIn(letter)
  assert.ok(letter.text.includes(`${publicUrl}/invitation#`))
  // The owner gets another link in the answer, to pass it on. No list shows either.
  const shown = invited.body.link.split('#')[1]
  assert.equal(invited.body.link, `${publicUrl}/invitation#${shown}`)
  assert.notEqual(shown, token)
  assert.match(invited.body.qr_svg, /^<svg/)
  const inList = (await as(members.owner, 'GET', '/invitations/')).text
  assert.ok(!inList.includes(token) && !inList.includes(shown))

  const invitation = await askPublic('/invitation/show/', { token })
  assert.deepEqual(
    [invitation.body.account, invitation.body.email, invitation.body.role, invitation.body.known],
    ['Demo shop', email, 'cashier', false],
  )
  assert.deepEqual(errorsOf(await askPublic('/invitation/accept/', { token })), [
    'required@name',
    'required@new_password',
  ])
  for (const name of ['a\nb', 'See https://bad.example'])
    assert.deepEqual(
      errorsOf(await askPublic('/invitation/accept/', { token, name, new_password: 'a password of amal' })),
      ['invalid@name'],
    )
  const weak = await askPublic('/invitation/accept/', { token, name: 'Amal', new_password: 'password123' })
  assert.deepEqual(errorsOf(weak), ['password_common@new_password'])
  const joined = await askPublic('/invitation/accept/', { token, name: 'Amal', new_password: 'a password of amal' })
  assert.equal(joined.status, 200, joined.text)
  assert.deepEqual([joined.body.account.role, joined.body.user.name], ['cashier', 'Amal'])
  assert.equal((await askWith(service, sessionOf(joined))('GET', '/session/')).body.user.email, email)
  assert.equal((await askPublic('/invitation/show/', { token })).status, 400)
  const listed = (await as(members.owner, 'GET', '/members/')).body
  assert.equal(listed.find((member: { email: string }) => member.email === email).role, 'cashier')
  assert.deepEqual(await audited(invited.body.id), ['invitation.create', 'invitation.accept'])
  assert.deepEqual(await audited(joined.body.user.id), ['member.join'])
  assert.ok(!JSON.stringify(service.lines).includes(token) && !JSON.stringify(service.lines).includes(shown))
})

test('an existing user can accept an invitation only when signed in with the invited address', async () => {
  const invited = await invite(members.owner, members.stranger.email, 'manager')
  const { token } = invited
  assert.equal((await askPublic('/invitation/show/', { token })).body.known, true)
  const bare = await askPublic('/invitation/accept/', { token, name: 'Me', new_password: 'a password of mine' })
  assert.deepEqual([bare.status, bare.body.errors[0].code], [401, 'sign_in_first'])
  const other = await askPublic('/invitation/accept/', { token }, cookieOf(members.cashier))
  assert.deepEqual([other.status, other.body.errors[0].code], [403, 'other_person'])
  const joined = await askPublic('/invitation/accept/', { token }, cookieOf(members.stranger))
  assert.equal(joined.status, 200, joined.text)
  assert.deepEqual([joined.body.account.id, joined.body.account.role], [members.accountId, 'manager'])
  assert.equal(joined.body.accounts.length, 2)
  assert.equal((await askPublic('/invitation/accept/', { token }, cookieOf(members.stranger))).status, 400)
})

test('a disabled user cannot join, even on a node that still has them in its cache', async () => {
  const { accountId } = await shop(1)
  const late = await createMember(service, accountId, 'manager')
  const { token } = await invite(members.owner, late.email, 'manager')
  assert.equal((await late.ask('GET', '/session/')).status, 200)
  await service.sql('update users set disabled_at = now() where id = $1', [late.userId])
  const refused = await askPublic('/invitation/accept/', { token }, cookieOf(late))
  assert.deepEqual([refused.status, refused.body.errors[0].code], [401, 'sign_in_first'])
  assert.deepEqual(
    await service.sql('select 1 from members where user_id = $1 and account_id = $2', [late.userId, members.accountId]),
    [],
  )
})

test('one link that is used several times at once creates one user', async () => {
  const email = newcomer()
  const { token } = await invite(members.owner, email)
  const answers = await Promise.all(
    [1, 2, 3].map((i) =>
      askPublic('/invitation/accept/', { token, name: `Amal ${i}`, new_password: 'a password of amal' }),
    ),
  )
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  const [row] = await service.sql('select count(*) from users where email = $1', [email])
  assert.equal(Number(row![0]), 1)
})

test('an invitation is valid for a week; when it is sent again, it has a new link and another week', async () => {
  const email = newcomer()
  const { owners } = await shop(1)
  const { id, token } = await invite(owners[0], email)
  assert.deepEqual(errorsOf(await as(owners[0], 'POST', '/invitations/', { email, role: 'viewer' })), [
    'already_invited@email',
  ])
  const again = await as(owners[0], 'POST', `/invitations/${id}/resend/`)
  assert.equal(again.status, 200, again.text)
  const newer = tokenIn(await smtp.letterTo(email, /invitation/))
  assert.deepEqual(errorsOf(await askPublic('/invitation/show/', { token })), ['link_over@token'])
  assert.equal((await askPublic('/invitation/show/', { token: newer })).status, 200)
  service.clock.advance(7 * 86_400_000 - 60_000)
  assert.equal((await askPublic('/invitation/show/', { token: newer })).status, 200)
  service.clock.advance(60_000)
  assert.equal((await askPublic('/invitation/show/', { token: newer })).status, 400)
  const by = await createMember(service, (await shop(1)).accountId, 'owner')
  assert.equal((await as(by, 'POST', `/invitations/${id}/resend/`)).status, 404)
  // After it has expired, the user may be invited again with another role.
  const fresh = await createMember(service, owners[0].accountId, 'owner')
  assert.equal((await as(fresh, 'GET', '/invitations/')).body[0].state, 'expired')
  const anew = await invite(fresh, email, 'viewer')
  assert.equal((await askPublic('/invitation/show/', { token: anew.token })).body.role, 'viewer')
  assert.equal((await as(fresh, 'GET', '/invitations/')).body.length, 1)
})

test('two concurrent invitations of one address: one succeeds', async () => {
  const { owners } = await shop(2)
  const email = newcomer()
  const both = await Promise.all(owners.map((owner) => as(owner, 'POST', '/invitations/', { email, role: 'viewer' })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 400])
})

test('a withdrawn invitation is invalid, and a member cannot be invited again', async () => {
  const { owners } = await shop(1)
  const { id, token } = await invite(owners[0], newcomer())
  assert.equal((await as(owners[0], 'DELETE', `/invitations/${id}/`)).status, 204)
  assert.equal((await as(owners[0], 'DELETE', `/invitations/${id}/`)).status, 404)
  assert.equal((await askPublic('/invitation/show/', { token })).status, 400)
  const member = await as(owners[0], 'POST', '/invitations/', { email: owners[0].email, role: 'viewer' })
  assert.deepEqual(errorsOf(member), ['already_member@email'])
  assert.deepEqual(await audited(id), ['invitation.create', 'invitation.withdraw'])
})

test('an account has at most 200 members and open invitations together', async () => {
  const { accountId, owners } = await shop(1)
  await service.sql(
    `insert into user_links (token_hash, purpose, email, account_id, role, id, created_at, expires_at)
     select sha256(i::text::bytea), 'invite', i || '@sanad.example', $1, 'viewer', gen_random_uuid(), $2, $3
       from generate_series(1, 199) as i`,
    [accountId, new Date(service.clock.now()).toISOString(), new Date(service.clock.now() + 1_000_000).toISOString()],
  )
  const full = await as(owners[0], 'POST', '/invitations/', { email: newcomer(), role: 'viewer' })
  assert.deepEqual(errorsOf(full), ['members_limit@non_field_errors'])
})

test('a changed role takes effect within two seconds, and the audit log has both roles', async () => {
  const { accountId, owners } = await shop(1)
  const member = await createMember(service, accountId, 'viewer')
  const changed = await as(owners[0], 'PATCH', `/members/${member.userId}/`, { role: 'manager' })
  assert.deepEqual([changed.status, changed.body.role, changed.body.you], [200, 'manager', false])
  service.clock.advance(2_000)
  assert.equal((await as(member, 'GET', '/session/')).body.account.role, 'manager')
  const [row] = await service.sql(`select before ->> 'role', after ->> 'role' from audit_log where object_id = $1`, [
    member.userId,
  ])
  assert.deepEqual(row, ['viewer', 'manager'])
  for (const role of ['king', '', null, {}])
    assert.equal((await as(owners[0], 'PATCH', `/members/${member.userId}/`, { role })).status, 400)
})

test('a removed member keeps their other accounts, and the invitations that they sent are withdrawn', async () => {
  const { accountId, owners } = await shop(2)
  const [stays, goes] = owners
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`, [
    members.accountId,
    goes.userId,
  ])
  const { id, token } = await invite(goes, newcomer(), 'owner')
  const elsewhere = (await askPublic('/session/account/', { account: members.accountId }, cookieOf(goes))).status
  assert.equal(elsewhere, 200)
  await askPublic('/session/account/', { account: accountId }, cookieOf(goes))
  assert.equal((await as(stays, 'DELETE', `/members/${goes.userId}/`)).status, 204)
  assert.equal((await as(stays, 'DELETE', `/members/${goes.userId}/`)).status, 404)
  service.clock.advance(2_000)
  assert.equal((await as(goes, 'GET', '/session/')).status, 401)
  assert.equal((await askPublic('/invitation/show/', { token })).status, 400)
  assert.deepEqual(await audited(id), ['invitation.create', 'invitation.withdraw'])
  const again = await askPublic('/session/', { email: goes.email, password: 'a password of a story' })
  assert.deepEqual(
    again.body.accounts.map(({ id }: { id: string }) => id),
    [members.accountId],
  )
})

test('the last owner can be neither demoted nor removed, nor leave', async () => {
  const { accountId, owners } = await shop(1)
  const [last] = owners
  await createMember(service, accountId, 'manager')
  const tries = [
    await as(last, 'PATCH', `/members/${last.userId}/`, { role: 'manager' }),
    await as(last, 'DELETE', `/members/${last.userId}/`),
    await as(last, 'POST', '/me/leave/', { account: accountId }),
  ]
  for (const answer of tries) assert.deepEqual(errorsOf(answer), ['last_owner@non_field_errors'])
  // An owner who can no longer sign in does not count.
  const disabled = await createMember(service, accountId, 'owner')
  await service.sql('update users set disabled_at = now() where id = $1', [disabled.userId])
  assert.equal((await as(last, 'POST', '/me/leave/', { account: accountId })).status, 400)
})

test('two owners remove or demote each other, or both step down, at once: one stays owner', async () => {
  const ways = [
    (me: TestMember, other: TestMember) => as(me, 'DELETE', `/members/${other.userId}/`),
    (me: TestMember, other: TestMember) => as(me, 'PATCH', `/members/${other.userId}/`, { role: 'viewer' }),
    (me: TestMember, _: TestMember) => as(me, 'POST', '/me/leave/', { account: me.accountId }),
    (me: TestMember, _: TestMember) => as(me, 'PATCH', `/members/${me.userId}/`, { role: 'viewer' }),
  ]
  for (const way of ways) {
    for (let i = 0; i < 3; i++) {
      const { accountId, owners } = await shop(2)
      const [a, b] = owners
      const answers = await Promise.all([way(a, b), way(b, a)])
      assert.equal(answers.filter(({ status }) => status < 300).length, 1, answers.map(({ text }) => text).join())
      const [row] = await service.sql(`select count(*) from members where account_id = $1 and role = 'owner'`, [
        accountId,
      ])
      assert.equal(Number(row![0]), 1)
    }
  }
})

test('an owner who was removed a moment ago cannot remove others', async () => {
  const { accountId, owners } = await shop(3)
  const [a, b, c] = owners as unknown as [TestMember, TestMember, TestMember]
  assert.equal((await as(b, 'GET', '/members/')).status, 200)
  await service.sql('delete from members where account_id = $1 and user_id = $2', [accountId, b.userId])
  // In the cache of the node the user is still an owner: it got no notification, and the clock has not moved.
  assert.equal((await as(b, 'DELETE', `/members/${c.userId}/`)).status, 403)
  assert.equal((await as(b, 'POST', '/invitations/', { email: newcomer(), role: 'owner' })).status, 403)
  assert.equal((await as(a, 'DELETE', `/members/${c.userId}/`)).status, 204)
})

test('a viewer may leave their only account: the session continues without an account', async () => {
  const { accountId } = await shop(1)
  const member = await createMember(service, accountId, 'viewer')
  const left = await as(member, 'POST', '/me/leave/', { account: accountId })
  assert.equal(left.status, 200, left.text)
  assert.deepEqual([left.body.account, left.body.accounts], [null, []])
  assert.equal((await as(member, 'GET', '/session/')).status, 200)
  assert.equal((await as(member, 'GET', '/webhooks/')).status, 403)
  assert.equal((await as(member, 'POST', '/me/leave/', { account: accountId })).status, 404)
  assert.deepEqual(await audited(member.userId), ['member.leave'])
})

test('mail about an account goes to its owners, and to no other member', async () => {
  const { accountId, owners } = await shop(2)
  await createMember(service, accountId, 'manager')
  const letters: Email[] = []
  const write = ownersMailer(service.db, async (letter) => {
    letters.push(letter)
    return 'accepted'
  })
  const letter = (account: string) => ({ kind: 'test', subject: `About ${account}`, text: '' })
  await write({ accountId, id: 'test', at: service.clock.now(), write: letter, except: [], onSent: async () => {} })
  assert.deepEqual(letters.map(({ to }) => to).sort(), owners.map(({ email }) => email).sort())
  assert.equal(letters[0]!.subject, 'About A shop of its own')
})

test('only owners see the members, and which of them have a second factor', async () => {
  const { owner, ...others } = await createMembers(service)
  const list = await as(owner, 'GET', '/members/')
  assert.ok(list.body.every((member: { second_factor: unknown }) => typeof member.second_factor === 'boolean'))
  assert.equal(list.body.filter(({ you }: { you: boolean }) => you).length, 1)
  for (const role of ['manager', 'cashier', 'viewer'] as const)
    assert.equal((await as(others[role], 'GET', '/members/')).status, 403)
})

test('invalid invitations, tokens and ids are refused, and so is a call from a foreign origin', async () => {
  const owner = await createMember(service, members.accountId, 'owner')
  const bodies = [
    null,
    [],
    {},
    { email: 'no address', role: 'viewer' },
    { email: 'a@b, c@d', role: 'viewer' },
    { email: 'أ@b.example', role: 'x' },
  ]
  for (const body of bodies)
    assert.equal((await as(owner, 'POST', '/invitations/', body)).status, 400, JSON.stringify(body))
  for (const body of [null, [], {}, { token: {} }, { token: 'x'.repeat(201) }, { token: 'a\0' }, { token: '🎫' }]) {
    assert.equal((await askPublic('/invitation/show/', body)).status, 400, JSON.stringify(body))
    assert.equal((await askPublic('/invitation/accept/', body)).status, 400, JSON.stringify(body))
  }
  assert.equal((await askPublic('/invitation/accept/', {}, { origin: 'https://elsewhere.example' })).status, 403)
  for (const path of ['/members/nonsense/', '/invitations/1/'])
    assert.equal((await as(owner, 'DELETE', path)).status, 404)
})
