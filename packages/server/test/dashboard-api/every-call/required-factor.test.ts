/**
 * Calls every operation of the dashboard API's contract without a second factor where one is required: as a member after the grace, by
 * session and by token, on two nodes; and as an operator in production. A new operation is covered as soon as it is described.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import type { Operation } from '@sanad/contract/operation'
import { type Answer, askAt, openTestService } from '../../support/story.ts'
import { createMember, createMembers, dashboardAt, lastingToken, storyPassword } from '../../support/users.ts'

const origin = 'https://pay.example.com'
const service = await openTestService({
  SANAD_LIMITS: 'off',
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  SANAD_TRUST_PROXY: 'yes',
  PUBLIC_URL: origin,
  NODE_ENV: 'production',
  SANAD_MASTER_KEY: Buffer.alloc(32, 7).fill(8, 16).toString('base64'),
})
const members = await createMembers(service)
const second = await service.startNode()
const days = (count: number): void => service.clock.advance(count * 86_400_000)

/** What stays possible, written by hand: whoever adds a call to it does so twice. */
const allowed = [
  'addPasskey',
  'beginPasskey',
  'beginPasskeyProof',
  'beginSecondFactor',
  'confirmSecondFactor',
  'leaveAccount',
  'listPasskeys',
  'proveSelf',
  'showMe',
  'showProof',
  'showSecondFactor',
  'signOut',
  'switchAccount',
]
const signedIn = dashboardOperations.filter(({ access }) => access !== 'open')
const refused = signedIn.filter(({ id }) => !allowed.includes(id))
const name = ({ method, path }: Operation): string => `${method} ${path}`
const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.errors?.[0]?.code ?? ''}`.trim()
const pathOf = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, () => randomUUID())
const bodyOf = ({ method, example }: Operation): unknown =>
  method === 'GET' || method === 'DELETE'
    ? undefined
    : JSON.parse(JSON.stringify(example ?? {}).replaceAll(/\{\w+\}/g, () => randomUUID()))

type As = { readonly cookie?: string; readonly token?: string }
const ask = (at: string, as: As, method: string, path: string, body?: unknown): Promise<Answer> =>
  askAt(dashboardAt(at, path), method, {
    token: as.token ?? null,
    body,
    headers: { origin, ...(as.cookie === undefined ? {} : { cookie: `__Host-sanad_session=${as.cookie}` }) },
  })
const rowCounts = async () =>
  (
    await service.sql(`select (select count(*) from audit_log), (select count(*) from wallets), (select count(*) from api_keys),
      (select count(*) from members), (select count(*) from user_links), (select count(*) from webhook_endpoints),
      (select count(*) from devices), (select count(*) from intents), (select count(*) from accounts)`)
  )[0]

/** The account of a test of its own, whose rule has held for so many days. */
const accountWithRule = async (since_days: number, graceDays = 7) => {
  const id = randomUUID()
  const at = new Date(service.clock.now() - since_days * 86_400_000).toISOString()
  await service.sql(
    `insert into accounts (id, name, status, created_at, factor_rule_since, factor_grace_days)
     values ($1, 'A strict shop', 'ACTIVE', $2, $2, $3)`,
    [id, at, graceDays],
  )
  return id as typeof members.accountId
}

test('the calls that stay possible are these, and each says so in the document', () => {
  assert.deepEqual(
    dashboardOperations
      .filter(({ withoutFactor }) => withoutFactor)
      .map(({ id }) => id)
      .sort(),
    allowed,
  )
  assert.ok(refused.length > 100, String(refused.length))
})

for (const role of ['owner', 'cashier'] as const) {
  test(`a ${role} without a factor after the grace: every other call is refused on two nodes, by session and token, and changes nothing`, async () => {
    const accountId = await accountWithRule(0)
    const member = await createMember(service, accountId, role)
    const as: As = { cookie: member.session.token }
    const script: As = { token: await lastingToken(service, member, 30 * 86_400) }
    assert.equal((await ask(service.origin, as, 'GET', '/account/')).status, 200)
    // Browser sessions end by themselves when nobody uses them: this one is used in between.
    for (let day = 0; day < 6; day++) {
      days(1)
      assert.equal((await ask(second.origin, as, 'GET', '/account/')).status, 200)
    }
    service.clock.advance(86_400_000 - 1)
    assert.equal((await ask(service.origin, as, 'GET', '/account/')).status, 200)
    service.clock.advance(1)
    const before = await rowCounts()
    for (const operation of refused)
      for (const [at, who] of [
        [service.origin, as],
        [second.origin, as],
        [second.origin, script],
      ] as const) {
        const answer = await ask(at, who, operation.method, pathOf(operation), bodyOf(operation))
        assert.equal(codeOf(answer), '403 second_factor_required', `${name(operation)}: ${answer.text}`)
        assert.match(answer.body.errors[0].detail, /POST \/me\/second_factor\//)
      }
    assert.deepEqual(await rowCounts(), before)
    for (const operation of signedIn.filter(({ id }) => allowed.includes(id) && id !== 'signOut')) {
      const answer = await ask(service.origin, as, operation.method, pathOf(operation), bodyOf(operation))
      assert.ok(!['401', '405'].includes(codeOf(answer).slice(0, 3)) && answer.status < 500, answer.text)
      assert.notEqual(codeOf(answer), '403 second_factor_required', name(operation))
    }
    // Signing in works, and leads to the same.
    const credentials = { email: member.email, password: storyPassword }
    const again = await ask(second.origin, {}, 'POST', '/session/', credentials)
    assert.equal(again.body.second_factor_due.over, true, again.text)
    const issued = await ask(service.origin, {}, 'POST', '/token/', credentials)
    const token: As = { token: issued.body.access_token }
    assert.equal(codeOf(await ask(service.origin, token, 'GET', '/wallets/')), '403 second_factor_required')
    assert.equal((await ask(service.origin, as, 'DELETE', '/session/')).status, 204)
  })
}

test('an operator without a factor in production: every call of operators is refused; the work as a member stays', async () => {
  const operator = members.operator
  const session = await ask(service.origin, {}, 'POST', '/session/', { email: operator.email, password: storyPassword })
  assert.equal(session.body.operator_needs_factor, true, session.text)
  const cookie = /__Host-sanad_session=([^;]+)/.exec([session.headers['set-cookie'] ?? []].flat().join())![1]!
  const forOperators = signedIn.filter(({ access }) => access === 'operator')
  assert.ok(forOperators.length > 10)
  const before = await rowCounts()
  for (const operation of forOperators)
    for (const at of [service.origin, second.origin]) {
      const answer = await ask(at, { cookie }, operation.method, pathOf(operation), bodyOf(operation))
      assert.equal(codeOf(answer), '403 second_factor_required', `${name(operation)}: ${answer.text}`)
      assert.match(
        answer.body.errors[0].detail,
        /^Operators of this service need a second factor\. .*POST \/me\/second_factor\//,
      )
    }
  assert.deepEqual(await rowCounts(), before)
  assert.equal((await ask(service.origin, { cookie }, 'GET', '/wallets/')).status, 200)
  assert.equal((await ask(service.origin, { cookie }, 'GET', '/sessions/')).status, 200)
  // Who is no operator is told nothing else than before.
  const owner = await createMember(service, members.accountId, 'owner')
  const answer = await ask(service.origin, { cookie: owner.session.token }, 'GET', '/operator/accounts/')
  assert.equal(codeOf(answer), '403 permission_denied')
})

test('an operator without an account and without a factor can set one up and sign out, and nothing else', async () => {
  const operator = await createMember(service, members.accountId, 'viewer')
  await service.sql('update users set operator = true where id = $1', [operator.userId])
  await service.sql('delete from members where user_id = $1', [operator.userId])
  const session = await ask(service.origin, {}, 'POST', '/session/', { email: operator.email, password: storyPassword })
  const cookie = /__Host-sanad_session=([^;]+)/.exec([session.headers['set-cookie'] ?? []].flat().join())![1]!
  for (const operation of refused) {
    const answer = await ask(service.origin, { cookie }, operation.method, pathOf(operation), bodyOf(operation))
    assert.equal(codeOf(answer), '403 second_factor_required', `${name(operation)}: ${answer.text}`)
  }
  assert.equal((await ask(service.origin, { cookie }, 'GET', '/me/second_factor/')).status, 200)
  // With a passkey or an app the same session may do its work, on every node at once.
  await service.sql('update users set totp_since = created_at where id = $1', [operator.userId])
  assert.equal((await ask(second.origin, { cookie }, 'GET', '/operator/accounts/')).status, 200)
  assert.equal((await ask(service.origin, { cookie }, 'GET', '/operator/accounts/')).status, 200)
  assert.equal((await ask(service.origin, { cookie }, 'DELETE', '/session/')).status, 204)
})
