/** 0131: users of an account that has moved are told where it is, scripts are forwarded, and who has an account here goes on. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import { insertMember } from '../../src/accounts/tenants/account-sql.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { type Answer, askAt, errorsOf } from '../support/story.ts'
import { askWith, createMember, createMembers, dashboardAt, storyPassword } from '../support/users.ts'
import { lineOf, openTwoCells } from './forwarding-story.ts'

const cells = await openTwoCells()
const { old, other, accountId, switchOver } = cells
const { demo } = old
const { owner, otherId, operator, stranger } = await createMembers(old)
const both = await createMember(old, accountId, 'manager')
await insertMember(old.db, wholeAccount(otherId), both.userId, 'viewer', old.clock.now() + 1)
const invited = await owner.ask('POST', '/invitations/', {
  body: { email: 'nobody-yet@sanad.example', role: 'viewer' },
})
const invitation = new URL(invited.body.link).hash.slice(1)
await switchOver()

const ask = askWith(old, owner.session.token)
const signIn = (email: string, password: string) =>
  askAt(dashboardAt(old.origin, '/session/'), 'POST', { body: { email, password }, headers: { origin: old.origin } })
const isMoved = (answer: Answer): void => {
  assert.deepEqual([answer.status, errorsOf(answer)], [403, ['account_moved@null']], answer.text)
  assert.deepEqual(answer.body.facts, { origin: other.origin })
}

test('every call of the account by a browser is answered with the new address, whatever its role', async () => {
  let calls = 0
  for (const { method, path, access, id, answerTypes } of dashboardOperations) {
    if (access === 'open' || id === 'signOut') continue
    const url = path.replaceAll(/\{\w+\}/g, randomUUID())
    const answer = await askAt(dashboardAt(old.origin, url), method, {
      undescribed: answerTypes !== undefined,
      headers: { cookie: `sanad_session=${owner.session.token}`, origin: old.origin, 'x-sanad-account': accountId },
    })
    assert.equal((await lineOf(old, answer)).forwarded, undefined)
    isMoved(answer)
    calls++
  }
  assert.ok(calls > 150)
  isMoved(await ask('GET', '/session/'))
})

test('every call of the account by a script is forwarded', async () => {
  const token = demo.dashboard.user_token
  for (const { method, path, access } of dashboardOperations) {
    if (access === 'open') continue
    const url = path.replaceAll(/\{\w+\}/g, randomUUID())
    if (url === '/session/' && method === 'DELETE') continue
    if (url === '/stream/') continue
    const answer = await askAt(dashboardAt(old.origin, url), method, { token, undescribed: true })
    assert.equal((await lineOf(old, answer)).forwarded, other.origin, `${method} ${url}`)
  }
  const { email, password } = demo.dashboard
  await other.sql('update users set password_hash = null where email = $1', [email])
  const body = { email, password }
  const refused = await askAt(dashboardAt(old.origin, '/token/'), 'POST', { body })
  assert.deepEqual(
    [refused.status, (await lineOf(old, refused)).forwarded],
    [401, other.origin],
    'the new cell decides',
  )
})

test('signing in with a browser: the new address after the right password, and nothing after a wrong one', async () => {
  isMoved(await signIn(owner.email, storyPassword))
  const wrong = await signIn(owner.email, 'not the password')
  assert.deepEqual([wrong.status, wrong.body.facts], [401, undefined])
  assert.equal((await signIn('nobody-at-all@sanad.example', 'any')).status, 401)
  const opened = await old.sql('select count(*) from sessions where user_id = $1', [owner.userId])
  assert.equal(Number(opened[0]![0]), 1, 'no session was opened')
})

test('who also has an account here works in it, and gets the new address for the other one', async () => {
  const signedIn = await signIn(both.email, storyPassword)
  assert.deepEqual([signedIn.status, signedIn.body.account?.id], [200, otherId], signedIn.text)
  assert.deepEqual(new Set(signedIn.body.accounts.map(({ id }: { id: string }) => id)), new Set([accountId, otherId]))
  // The session was of the account that moved.
  const before = askWith(old, both.session.token)
  assert.equal((await before('GET', '/session/')).body.account.id, otherId)
  assert.equal((await before('GET', '/intents/')).status, 200)
  isMoved(await before('GET', '/intents/', { headers: { 'x-sanad-account': accountId } }))
  isMoved(await before('POST', '/session/account/', { body: { account: accountId } }))
})

test('an operator of the old cell goes on, and members of other accounts notice nothing', async () => {
  assert.equal((await operator.ask('GET', '/operator/accounts/')).status, 200)
  assert.equal((await operator.ask('GET', '/session/')).body.account, null)
  assert.equal((await signIn(operator.email, storyPassword)).status, 200)
  assert.equal((await stranger.ask('GET', '/intents/')).status, 200)
})

test('links of mails lead to the new address; a session can be ended', async () => {
  const shown = await askAt(dashboardAt(old.origin, '/invitation/show/'), 'POST', {
    body: { token: invitation },
    headers: { origin: old.origin },
  })
  isMoved(shown)
  assert.equal((await ask('DELETE', '/session/')).status, 204)
  assert.equal((await ask('GET', '/session/')).status, 401)
})
