/**
 * Sign-in limits against guessing of passwords: which attempts count against which address and which user. The limits are
 * small here, so that a few attempts reach them.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeResetLink } from '../../src/accounts/members/change-password.ts'
import { createInvitation } from '../../src/accounts/members/invitations.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { type Answer, askAt, openTestService } from '../support/story.ts'
import { createMember, createMembers, dashboardAt } from '../support/users.ts'

const service = await openTestService({
  SANAD_LIMITS: '{"sign_in": {"burst": 2, "sustained": 4}, "sign_in_address": {"burst": 3}}',
})
const members = await createMembers(service)
const password = 'a password of a story'

const ask = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
  askAt(dashboardAt(service.origin, path), 'POST', { body, headers: { origin: service.origin, ...headers } })
const trySignIn = (email: string, typed = password, headers: Record<string, string> = {}) =>
  ask('/session/', { email, password: typed }, headers)
const cookiesOf = (answer: Answer): string =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
const nextMinute = () => service.clock.advance(61_000)
let guesses = 0
/** Wrong passwords for unknown users, until the limit of the address is reached. */
const fillAddress = async () => {
  while ((await trySignIn(`nobody-${++guesses}@sanad.example`, 'a guess')).status !== 429);
}
const newMember = () => createMember(service, members.accountId, 'cashier')

test('successful sign-ins do not use up the limit of an address: many users behind one address can sign in', async () => {
  nextMinute()
  for (let i = 0; i < 5; i++) assert.equal((await trySignIn((await newMember()).email)).status, 200)
})

test('guesses at one user, refused for that user, do not lock out other users of the same address', async () => {
  nextMinute()
  const [victim, colleague] = [await newMember(), await newMember()]
  const statuses = []
  for (let i = 0; i < 10; i++) statuses.push((await trySignIn(victim.email, 'a guess')).status)
  assert.deepEqual(statuses.slice(0, 3), [401, 401, 429])
  assert.equal((await trySignIn(colleague.email)).status, 200)
})

test('an attempt refused for its address does not use up the limit of the user', async () => {
  nextMinute()
  const member = await newMember()
  for (let minute = 0; minute < 2; minute++) {
    await fillAddress()
    for (let i = 0; i < 6; i++) assert.equal((await trySignIn(member.email)).status, 429)
    nextMinute()
  }
  assert.equal((await trySignIn(member.email)).status, 200)
})

test('a valid reset link works however many guesses come from the address, and then this browser may sign in', async () => {
  nextMinute()
  const member = await newMember()
  const link = await makeResetLink(service.db, member.email, service.clock.now())
  await fillAddress()
  assert.equal((await ask('/password/reset/', { token: 'no link', new_password: 'x'.repeat(12) })).status, 429)
  const reset = await ask('/password/reset/', { token: link!.token, new_password: 'a new password of theirs' })
  assert.equal(reset.status, 204, reset.text)
  assert.equal((await trySignIn(member.email, 'a new password of theirs')).status, 429)
  const back = await trySignIn(member.email, 'a new password of theirs', { cookie: cookiesOf(reset) })
  assert.equal(back.status, 200, back.text)
})

test('a valid invitation link works however many guesses come from the address', async () => {
  nextMinute()
  const invitation = {
    scope: wholeAccount(members.accountId),
    email: 'invited@sanad.example',
    role: 'viewer',
    wallets: null,
    by: null,
    mailed: false,
  } as const
  const invited = await service.db.transaction((tx) => createInvitation(tx, invitation, service.clock.now()))
  assert.ok(!('refused' in invited))
  await fillAddress()
  assert.equal((await ask('/invitation/show/', { token: invited.token })).status, 200)
  const joining = { token: invited.token, name: 'Amal', new_password: 'a password of amal' }
  assert.equal((await ask('/invitation/accept/', joining)).status, 200)
  assert.equal((await ask('/invitation/show/', { token: 'no link' })).status, 429)
})

test('a known browser may request a reset link even if unknown browsers of its address are refused', async () => {
  nextMinute()
  const member = await newMember()
  const cookie = cookiesOf(await trySignIn(member.email))
  await fillAddress()
  assert.equal((await ask('/password/forgot/', { email: member.email })).status, 429)
  assert.equal((await ask('/password/forgot/', { email: member.email }, { cookie })).status, 202)
})

test('guesses sent at the same time are counted before any password is checked', async () => {
  nextMinute()
  const victim = await newMember()
  const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => trySignIn(victim.email, `guess ${i}`)))
  assert.equal(answers.filter(({ status }) => status === 401).length, 2)
})
