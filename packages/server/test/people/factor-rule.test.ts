/**
 * A second factor that an owner requires: who may switch the rule, the grace, what ends it, and that the last factor stays. Which calls
 * are refused is walked in dashboard-api/every-call/required-factor.test.ts.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { openTokens } from '../../src/accounts/sessions/token.ts'
import { day_ms } from '../../src/core/duration.ts'
import { type Answer, askAt, errorsOf, ok, openTestService } from '../support/story.ts'
import {
  type AskAs,
  askWith,
  createMember,
  createMembers,
  dashboardAt,
  lastingToken,
  storyPassword as password,
} from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const members = await createMembers(service)
const second = await service.startNode()
const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.errors?.[0]?.code ?? ''}`.trim()
const refused = '403 second_factor_required'
const path = '/account/second_factor/'

const newAccount = async (name = 'A strict shop') => {
  const id = randomUUID()
  await service.sql(`insert into accounts (id, name, status, created_at) values ($1, $2, 'ACTIVE', $3)`, [
    id,
    name,
    new Date(service.clock.now()).toISOString(),
  ])
  return id as typeof members.accountId
}
const codeFor = (secret: string): string => generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) })
const sessionOf = (answer: Answer): string =>
  /sanad_session=([^;]+)/.exec([answer.headers['set-cookie'] ?? []].flat().join())![1]!

/** Sets up an app for codes, with the session that goes on. A code works once, so the clock moves to the next. */
const setUpApp = async (ask: AskAs) => {
  const { secret } = ok(await ask('POST', '/me/second_factor/', { body: { password } })).body
  const confirmed = ok(await ask('POST', '/me/second_factor/confirm/', { body: { code: codeFor(secret) } }))
  service.clock.advance(30_000)
  return { secret: secret as string, token: sessionOf(confirmed), ask: askWith(service, sessionOf(confirmed)) }
}
const ownerWithApp = async (accountId: typeof members.accountId) => {
  const owner = await createMember(service, accountId, 'owner')
  const app = await setUpApp(owner.ask)
  return { ...owner, ...app }
}
const lastEntry = async (accountId: string) =>
  JSON.parse(
    (
      await service.sql(
        `select json_build_object('action', action, 'before', before, 'after', after) from audit_log
          where account_id = $1 order by id desc limit 1`,
        [accountId],
      )
    )[0]![0]!,
  )
const noticesOf = async (accountId: string) =>
  (
    await service.sql(
      `select facts->>'on' from owner_notices where account_id = $1 and kind = 'factor_rule_changed' order by id`,
      [accountId],
    )
  ).map(([on]) => on)

test('only an owner with a factor of their own switches the rule on; it is audited and owners are told', async () => {
  const accountId = await newAccount()
  const owner = await createMember(service, accountId, 'owner')
  assert.deepEqual(ok(await owner.ask('GET', path)).body, { required: false, grace_days: 7, since: null })
  for (const role of ['manager', 'cashier', 'viewer'] as const) {
    const member = await createMember(service, accountId, role)
    assert.equal(codeOf(await member.ask('PUT', path, { body: { required: true } })), '403 permission_denied')
    assert.equal(codeOf(await member.ask('GET', path)), '403 permission_denied')
  }
  const early = await owner.ask('PUT', path, { body: { required: true } })
  assert.deepEqual(errorsOf(early), ['own_factor_first@non_field_errors'])
  for (const grace_days of [0, 31, 1.5, '7 days', -1]) {
    const answer = await owner.ask('PUT', path, { body: { required: true, grace_days } })
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.body.errors[0].attr, 'grace_days')
  }
  assert.deepEqual(errorsOf(await owner.ask('PUT', path, { body: {} })), ['required@required'])
  assert.deepEqual(ok(await owner.ask('GET', path)).body, { required: false, grace_days: 7, since: null })
  const { ask } = await setUpApp(owner.ask)
  const on = ok(await ask('PUT', path, { body: { required: true } })).body
  assert.deepEqual([on.required, on.grace_days, Date.parse(on.since)], [true, 7, service.clock.now()])
  assert.deepEqual(await lastEntry(accountId), {
    action: 'account.factor_rule',
    before: { required: false, grace_days: 7 },
    after: { required: true, grace_days: 7 },
  })
  assert.deepEqual(await noticesOf(accountId), ['true'])
  // The same again changes nothing, and tells nobody.
  service.clock.advance(1000)
  assert.deepEqual(ok(await ask('PUT', path, { body: { required: true, grace_days: 7 } })).body, on)
  assert.deepEqual(await noticesOf(accountId), ['true'])
})

test('switching off and giving more days need a proof; switching off is audited and told', async () => {
  const accountId = await newAccount()
  const { ask, secret } = await ownerWithApp(accountId)
  ok(await ask('PUT', path, { body: { required: true, grace_days: 5 } }))
  service.clock.advance(11 * 60_000)
  for (const body of [{ required: false }, { required: true, grace_days: 6 }, { required: false, grace_days: 1 }])
    assert.equal(codeOf(await ask('PUT', path, { body })), '403 confirmation_required')
  const shorter = ok(await ask('PUT', path, { body: { required: true, grace_days: 3 } })).body
  assert.equal(shorter.grace_days, 3)
  ok(await ask('POST', '/session/proof/', { body: { code: codeFor(secret) } }))
  const off = ok(await ask('PUT', path, { body: { required: false } })).body
  assert.deepEqual(off, { required: false, grace_days: 3, since: null })
  assert.deepEqual((await lastEntry(accountId)).after, { required: false, grace_days: 3 })
  assert.deepEqual(await noticesOf(accountId), ['true', 'false'])
  const [mine] = ok(await ask('GET', '/notices/')).body.results.filter(
    ({ kind }: { kind: string }) => kind === 'factor_rule_changed',
  )
  assert.equal(mine.facts.on, false)
})

test('the grace begins at the later of rule and joining, and the session says when it ends', async () => {
  const accountId = await newAccount()
  const old = await createMember(service, accountId, 'cashier')
  const owner = await ownerWithApp(accountId)
  assert.equal(ok(await old.ask('GET', '/session/')).body.second_factor_due, null)
  ok(await owner.ask('PUT', path, { body: { required: true, grace_days: 2 } }))
  const begun = service.clock.now()
  service.clock.advance(2_000)
  const due = ok(await old.ask('GET', '/session/')).body.second_factor_due
  assert.deepEqual([Date.parse(due.at), due.over], [begun + 2 * day_ms, false])
  assert.equal(ok(await owner.ask('GET', '/session/')).body.second_factor_due, null)
  service.clock.advance(day_ms)
  const joined = service.clock.now()
  const late = await createMember(service, accountId, 'cashier')
  const own = ok(await late.ask('GET', '/session/')).body.second_factor_due
  assert.deepEqual([Date.parse(own.at), own.over], [joined + 2 * day_ms, false])
  ok(await old.ask('GET', '/account/'))
  service.clock.advance(begun + 2 * day_ms - service.clock.now())
  assert.equal(codeOf(await old.ask('GET', '/account/')), refused)
  assert.equal(ok(await old.ask('GET', '/session/')).body.second_factor_due.over, true)
  ok(await late.ask('GET', '/account/'))
  service.clock.advance(joined + 2 * day_ms - service.clock.now())
  assert.equal(codeOf(await late.ask('GET', '/account/')), refused)
})

/** An account whose rule's grace is over, with an owner who has an app, and a member who has none. */
const overdue = async (role: Parameters<typeof createMember>[2] = 'cashier') => {
  const accountId = await newAccount()
  const owner = await ownerWithApp(accountId)
  ok(await owner.ask('PUT', path, { body: { required: true, grace_days: 1 } }))
  const member = await createMember(service, accountId, role)
  service.clock.advance(day_ms)
  assert.equal(codeOf(await member.ask('GET', '/account/')), refused)
  return { accountId, owner, member }
}

test('a member who sets up an app after the grace works again at once, on every node', async () => {
  const { member } = await overdue()
  assert.equal(codeOf(await askWith(second, member.session.token)('GET', '/account/')), refused)
  const app = await setUpApp(member.askUnproved)
  ok(await app.ask('GET', '/account/'))
  ok(await askWith(second, app.token)('GET', '/account/'))
  assert.equal(ok(await app.ask('GET', '/session/')).body.second_factor_due, null)
})

test('a rule that is switched off frees its members within two seconds, and its grace begins anew when it is switched on', async () => {
  const { owner, member } = await overdue()
  const proof = { code: codeFor(owner.secret) }
  ok(await owner.ask('POST', '/session/proof/', { body: proof }))
  ok(await owner.ask('PUT', path, { body: { required: false } }))
  service.clock.advance(2_000)
  ok(await member.ask('GET', '/account/'))
  ok(await askWith(second, member.session.token)('GET', '/account/'))
  ok(await owner.ask('PUT', path, { body: { required: true } }))
  service.clock.advance(2_000)
  ok(await member.ask('GET', '/account/'))
})

test('the last factor stays while a rule of any of the accounts holds; another factor may go', async () => {
  const { accountId, owner } = await overdue()
  const off = (ask: AskAs, code: string) => ask('POST', '/me/second_factor/off/', { body: { password, code } })
  const code = codeFor(owner.secret)
  const kept = await off(owner.ask, code)
  assert.deepEqual(errorsOf(kept), ['last_factor@non_field_errors'])
  assert.match(kept.body.errors[0].detail, /A strict shop/)
  assert.equal(ok(await owner.ask('GET', '/me/second_factor/')).body.on, true)
  // In another account without a rule it is refused too.
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`, [
    members.otherId,
    owner.userId,
  ])
  const elsewhere = (method: string, to: string, options = {}) =>
    owner.ask(method, to, { ...options, headers: { 'x-sanad-account': members.otherId } })
  ok(await elsewhere('GET', '/account/'))
  assert.deepEqual(errorsOf(await off(elsewhere, code)), ['last_factor@non_field_errors'])
  // With a passkey beside it the app may go; then the passkey is the last.
  const passkey = randomUUID()
  await service.sql(
    `insert into passkeys (id, user_id, credential_id, public_key, name, synced, created_at)
     values ($1, $2, $3, '\\x00', 'Phone', false, now())`,
    [passkey, owner.userId, Buffer.from(passkey)],
  )
  const gone = ok(await off(owner.ask, code))
  const ask = askWith(service, sessionOf(gone))
  const last = await ask('DELETE', `/me/passkeys/${passkey}/`)
  assert.deepEqual(errorsOf(last), ['last_factor@non_field_errors'])
  assert.equal(ok(await ask('GET', '/me/passkeys/')).body.length, 1)
  await service.sql('update accounts set factor_rule_since = null where id = $1', [accountId])
  ok(await ask('DELETE', `/me/passkeys/${passkey}/`))
})

test('switching the rule on and removing the own last factor at once: one of them is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const owner = await ownerWithApp(await newAccount())
    const [on, off] = await Promise.all([
      owner.ask('PUT', path, { body: { required: true } }),
      askWith(second, owner.token)('POST', '/me/second_factor/off/', {
        body: { password, code: codeFor(owner.secret) },
      }),
    ])
    assert.ok(!(on.status < 300 && off.status < 300), `${on.text} ${off.text}`)
    assert.ok(on.status < 500 && off.status < 500, `${on.text} ${off.text}`)
  }
})

test('the rule is judged for the account of the call: in another account the same user works', async () => {
  const { member } = await overdue('manager')
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`, [
    members.otherId,
    member.userId,
  ])
  const inAccount = (id: string) => member.ask('GET', '/account/', { headers: { 'x-sanad-account': id } })
  assert.equal(codeOf(await inAccount(member.accountId)), refused)
  ok(await inAccount(members.otherId))
  // The other way round: a session in an account without a rule does not open the one that has it.
  const switched = ok(await member.ask('POST', '/session/account/', { body: { account: members.otherId } }))
  assert.equal(switched.body.second_factor_due, null)
  ok(await member.ask('GET', '/account/'))
  assert.equal(codeOf(await inAccount(member.accountId)), refused)
  const left = ok(await member.ask('POST', '/me/leave/', { body: { account: member.accountId } }))
  assert.deepEqual(
    left.body.accounts.map(({ id }: { id: string }) => id),
    [members.otherId],
  )
})

test('a token from before tokens had sessions, and an open token, are refused too; API keys are not concerned', async () => {
  const { accountId, member, owner } = await overdue('manager')
  const token = await lastingToken(service, member, 86_400)
  assert.equal(codeOf(await askAt(dashboardAt(second.origin, '/wallets/'), 'GET', { token })), refused)
  const old = await openTokens(service.masterKey).issue(
    { typ: 'user', sub: member.userId, acc: accountId, validFrom: 0 },
    3600,
    service.clock.now(),
  )
  assert.equal(codeOf(await askAt(dashboardAt(service.origin, '/wallets/'), 'GET', { token: old })), refused)
  const { client_id, secret } = await newKey(owner.ask, owner.secret)
  const key = await service.tokenFor(client_id, secret)
  const wallets = await askAt(`${service.base}/wallets/`, 'GET', { token: key })
  assert.equal(wallets.status, 200, wallets.text)
})
const newKey = async (ask: AskAs, appSecret: string) => {
  service.clock.advance(30_000)
  ok(await ask('POST', '/session/proof/', { body: { code: codeFor(appSecret) } }))
  const { key, client_secret } = ok(await ask('POST', '/keys/', { body: { name: 'Server' } })).body
  return { client_id: key.client_id as string, secret: client_secret as string }
}

test('an open stream ends when the grace is over', async () => {
  const accountId = await newAccount()
  const owner = await ownerWithApp(accountId)
  ok(await owner.ask('PUT', path, { body: { required: true, grace_days: 1 } }))
  const member = await createMember(service, accountId, 'cashier')
  const stream = await fetch(dashboardAt(service.origin, '/stream/'), {
    headers: { cookie: `sanad_session=${member.session.token}` },
  })
  assert.equal(stream.status, 200)
  service.clock.advance(day_ms)
  let text = ''
  for await (const part of stream.body!) text += Buffer.from(part).toString()
  assert.ok(text.length > 0)
  const again = await askAt(dashboardAt(service.origin, '/stream/'), 'GET', {
    headers: { cookie: `sanad_session=${member.session.token}` },
  })
  assert.equal(codeOf(again), refused)
})

test('outside production an operator needs no second factor', async () => {
  const operator = await createMember(service, members.accountId, 'viewer')
  await service.sql('update users set operator = true where id = $1', [operator.userId])
  assert.equal(ok(await operator.ask('GET', '/session/')).body.operator_needs_factor, false)
  ok(await operator.ask('GET', '/operator/accounts/'))
})
