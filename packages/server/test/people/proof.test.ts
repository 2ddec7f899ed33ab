/**
 * The proof of the person: what cannot be taken back needs a password or a code of the last ten minutes. Which calls those are is
 * walked over all operations of the contract.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { dashboardOperations } from '@sanad/contract/dashboard/operations'
import type { Operation } from '@sanad/contract/operation'
import { generateSync } from 'otplib'
import { openTokens } from '../../src/accounts/sessions/token.ts'
import { type Answer, askAt, errorsOf, ok, openTestService } from '../support/story.ts'
import {
  type AskAs,
  askWith,
  createMember,
  createMembers,
  dashboardAt,
  storyPassword as password,
} from '../support/users.ts'

const service = await openTestService({
  SANAD_LIMITS: '{"dashboard": {"burst": 10000}, "sign_in": {"burst": 5, "sustained": 50}, "token": {"burst": 100}}',
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
})
const members = await createMembers(service)
const minutes = (count: number): void => service.clock.advance(count * 60_000)
const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.errors?.[0]?.code ?? ''}`.trim()
const refused = '403 confirmation_required'

const risky = dashboardOperations.filter(({ proof }) => proof === 'always')
// A right body would make the browser a counter, and so end the session of the test.
const bodyOf = ({ id, method, example }: Operation): unknown =>
  method === 'GET' || method === 'DELETE' ? undefined : id === 'openCounter' ? {} : (example ?? {})
const pathOf = ({ path }: Operation): string => path.replaceAll(/\{\w+\}/g, () => randomUUID())

/** Why a call that looks risky by its effect or its permission needs no proof. */
const needNone: Readonly<Record<string, string>> = {
  issueToken: 'it takes the password itself',
  revokeKey: 'it takes power away',
  revealCode: 'it shows one message, and the log has it',
  mailMemberProof: 'it sends a mail to the member',
  removeMember: 'it takes power away',
  changeCounter: 'a name and a time',
  endCounter: 'it takes power away',
  liftCounterPause: 'guesses are counted again at once',
  liftPinPause: 'guesses are counted again at once',
  removePin: 'it takes power away',
  renameCashier: 'a name, and the log has both',
  withdrawInvitation: 'it takes power away',
  declineApproval: 'nothing is changed',
  downloadDayClose: 'one day of one wallet',
  downloadDaySums: 'sums of one day',
  downloadShift: 'one shift',
  downloadLinkQr: 'a picture',
  openStream: 'hints without content',
  setUniqueAmounts: 'no limit, and it is switched off again',
}

test('every call that shows a secret, or has a permission for secrets, keys, members or exports, needs a proof or says why not', () => {
  const permissions = [
    'keys.write',
    'webhooks.secrets',
    'phones.secrets',
    'members.write',
    'approvals.decide',
    'wallets.amounts',
  ]
  const looksRisky = ({ showsSecret, access, answerTypes }: Operation): boolean =>
    showsSecret === true || answerTypes !== undefined || permissions.includes(access)
  const without = dashboardOperations.filter((operation) => looksRisky(operation) && operation.proof === undefined)
  assert.deepEqual(without.map(({ id }) => id).sort(), Object.keys(needNone).sort())
})

test('these calls need a proof', () => {
  const of = (kind: Operation['proof']) =>
    dashboardOperations
      .filter(({ proof }) => proof === kind)
      .map(({ id }) => id)
      .sort()
  assert.deepEqual(of('always'), [
    'addCashier',
    'addPasskey',
    'auditCsv',
    'auditLines',
    'beginPasskey',
    'changeRetention',
    'createKey',
    'createPhone',
    'createWebhook',
    'eraseBuyer',
    'intentsCsv',
    'letAppIn',
    'openCounter',
    'pairPhone',
    'removePasskey',
    'rotateKey',
    'rotateWebhookSecret',
    'setAccountQuota',
    'setPin',
    'setSigningKey',
  ])
  assert.deepEqual(of('depends'), [...Object.keys(dependingCases), ...ownCredentials].sort())
})

test('a call that takes its proof in the body has a field for it', () => {
  for (const { id, proof, body } of dashboardOperations) {
    if (proof !== 'in_body') continue
    const fields = Object.keys((body as { properties?: object } | undefined)?.properties ?? {})
    assert.ok(fields.includes('password') || fields.includes('code'), id)
  }
})

test('signing in is a proof for ten minutes, exactly; then every call that needs one is refused and changes nothing', async () => {
  for (const operation of risky) {
    const member = await createMember(service, members.accountId, 'owner')
    if (operation.access === 'operator')
      await service.sql('update users set operator = true where id = $1', [member.userId])
    const ask = () => member.askUnproved(operation.method, pathOf(operation), { body: bodyOf(operation) })
    const name = `${operation.method} ${operation.path}`
    service.clock.advance(10 * 60_000 - 1)
    assert.notEqual(codeOf(await ask()), refused, name)
    const before = await counts()
    service.clock.advance(1)
    const answer = await ask()
    assert.equal(codeOf(answer), refused, name)
    assert.match(answer.body.errors[0].detail, /POST \/session\/proof\//)
    assert.deepEqual(await counts(), before, name)
    // With a proof of another session nothing is gained; with one of this session the same call goes through.
    const other = await createMember(service, members.accountId, 'owner')
    assert.equal((await other.askUnproved('POST', '/session/proof/', { body: { password } })).status, 200)
    assert.equal(codeOf(await ask()), refused, name)
    assert.equal((await member.askUnproved('POST', '/session/proof/', { body: { password } })).status, 200)
    assert.notEqual(codeOf(await ask()), refused, name)
  }
})

const counts = async () =>
  (
    await service.sql(`select (select count(*) from api_keys), (select count(*) from devices), (select count(*) from webhook_endpoints),
      (select count(*) from audit_log), (select count(*) from members), (select count(*) from user_links),
      (select string_agg(url, ' ' order by id) from webhook_endpoints), (select string_agg(role, ' ' order by user_id) from members)`)
  )[0]

/** Where it depends on whether the user has a second factor: tested below, and with passkeys in passkeys.test.ts. */
const ownCredentials = ['beginSecondFactor', 'changePassword', 'confirmSecondFactor']

/** For calls where it depends: one that needs a proof, and one that does not. */
const dependingCases: Readonly<Record<string, (owner: AskAs) => Promise<{ risky: Try; harmless: Try }>>> = {
  changeWebhook: async (owner) => {
    const { webhook } = ok(await owner('POST', '/webhooks/', { body: { url: 'http://127.0.0.1:9/a' } })).body
    const path = `/webhooks/${webhook.id}/`
    return {
      risky: ['PATCH', path, { url: 'http://127.0.0.1:9/b' }],
      harmless: ['PATCH', path, { url: 'http://127.0.0.1:9/a', enabled: false }],
    }
  },
  changeKey: async (owner) => {
    const made = ok(await owner('POST', '/keys/', { body: { name: 'Till', read_only: true } })).body
    const path = `/keys/${made.key.client_id}/`
    return { risky: ['PATCH', path, { read_only: false }], harmless: ['PATCH', path, { addresses: ['203.0.113.7'] }] }
  },
  changeMember: async () => {
    const cashier = await createMember(service, members.accountId, 'cashier')
    const path = `/members/${cashier.userId}/`
    return { risky: ['PATCH', path, { role: 'manager' }], harmless: ['PATCH', path, { role: 'viewer' }] }
  },
  confirmMember: async () => {
    const asking = async (role: 'owner' | 'cashier') => {
      const member = await createMember(service, members.accountId, role)
      await service.sql('update members set request_since = now() where user_id = $1', [member.userId])
      return `/members/${member.userId}/confirm/`
    }
    return { risky: ['POST', await asking('owner')], harmless: ['POST', await asking('cashier')] }
  },
  createInvitation: async () => ({
    risky: ['POST', '/invitations/', { email: 'an-owner@sanad.example', role: 'owner' }],
    harmless: ['POST', '/invitations/', { email: 'a-manager@sanad.example', role: 'manager' }],
  }),
  setFactorRule: async () => {
    await service.sql('update accounts set factor_rule_since = $2, factor_grace_days = 20 where id = $1', [
      members.accountId,
      new Date(service.clock.now()).toISOString(),
    ])
    const path = '/account/second_factor/'
    return {
      risky: ['PUT', path, { required: false }],
      harmless: ['PUT', path, { required: true, grace_days: 10 }],
    }
  },
  resendInvitation: async (owner) => {
    const invited = async (role: string) => {
      const body = { email: `${randomUUID()}@sanad.example`, role }
      return `/invitations/${ok(await owner('POST', '/invitations/', { body })).body.id}/resend/`
    }
    return { risky: ['POST', await invited('owner')], harmless: ['POST', await invited('viewer')] }
  },
  createWallet: async (owner) => {
    const [wallet] = ok(await owner('GET', '/wallets/')).body.results
    const body = { name: 'Another', account_number: '770000123', provider: wallet.provider.id }
    return {
      risky: ['POST', '/wallets/', { ...body, low_trust_limit: '500' }],
      harmless: ['POST', '/wallets/', { ...body, account_number: '770000124' }],
    }
  },
  changeWallet: async (owner) => {
    const path = `/wallets/${service.demo.wallets.main}/`
    ok(await owner('PATCH', path, { body: { review_above: '5000' } }))
    return { risky: ['PATCH', path, { review_above: null }], harmless: ['PATCH', path, { review_above: '4000' }] }
  },
  changeLimits: async (owner) => {
    ok(await owner('PATCH', '/limits/', { body: { cashier: { short_amount: '0', take_sales: true } } }))
    return {
      risky: ['PATCH', '/limits/', { cashier: { short_amount: '0.01', take_sales: false } }],
      harmless: ['PATCH', '/limits/', { cashier: { take_sales: false } }],
    }
  },
  confirmApproval: async (owner) => {
    const path = `/wallets/${service.demo.wallets.main}/`
    ok(await owner('PATCH', path, { body: { review_above: '3000' } }))
    const asked = async (body: object) =>
      `/approvals/${ok(await members.manager.ask('POST', `${path}ask/`, { body })).body.id}/confirm/`
    return {
      risky: ['POST', await asked({ review_above: null })],
      harmless: ['POST', await asked({ sender_name: 'AnotherName' })],
    }
  },
}
type Try = readonly [method: string, path: string, body?: unknown]

for (const [id, prepare] of Object.entries(dependingCases)) {
  test(`${id}: what gives power or loosens a limit needs a proof, the rest does not`, async () => {
    const owner = await createMember(service, members.accountId, 'owner')
    const { risky, harmless } = await prepare(owner.ask)
    minutes(11)
    const ask = ([method, path, body]: Try) => owner.askUnproved(method, path, { body })
    const before = await counts()
    assert.equal(codeOf(await ask(risky)), refused)
    assert.deepEqual(await counts(), before)
    ok(await ask(harmless))
    assert.equal((await owner.askUnproved('POST', '/session/proof/', { body: { password } })).status, 200)
    const again = await ask(risky)
    // The harmless change may have been made to the same approval's wallet: then the approval is stale, and no longer refused here.
    if (id === 'confirmApproval') assert.notEqual(codeOf(again), refused)
    else ok(again)
  })
}

test('a proof given on one node counts on every node at once, and ends with its session', async () => {
  const second = await service.startNode()
  const owner = await createMember(service, members.accountId, 'owner')
  const there = (method: string, path: string, body?: unknown) =>
    askAt(dashboardAt(second.origin, path), method, {
      token: null,
      body,
      headers: { cookie: `sanad_session=${owner.session.token}`, origin: second.origin },
    })
  minutes(11)
  assert.equal(codeOf(await there('POST', '/keys/', { name: 'One' })), refused)
  const proved = ok(await owner.askUnproved('POST', '/session/proof/', { body: { password } }))
  assert.ok(Date.parse(proved.body.proved_until) - service.clock.now() === 10 * 60_000, proved.text)
  ok(await there('POST', '/keys/', { name: 'One' }))
  assert.equal((await there('GET', '/session/proof/')).body.proved_until, proved.body.proved_until)
  // Ended on the other node: this node's cache may still know the session, and the proof is gone at once.
  ok(await owner.askUnproved('GET', '/session/'))
  ok(await there('DELETE', '/session/'))
  assert.ok(
    [refused, '401 not_authenticated'].includes(
      codeOf(await owner.askUnproved('POST', '/keys/', { body: { name: 'Two' } })),
    ),
  )
  await second.close()
})

test('a token of a script: the same refusal, and the same call with the password gives the proof', async () => {
  const owner = await createMember(service, members.accountId, 'owner')
  const issued = ok(
    await askAt(dashboardAt(service.origin, '/token/'), 'POST', { body: { email: owner.email, password } }),
  )
  const ask = (method: string, path: string, body?: unknown) =>
    askAt(dashboardAt(service.origin, path), method, { token: issued.body.access_token, body })
  ok(await ask('POST', '/keys/', { name: 'At once' }))
  minutes(10)
  const answer = await ask('POST', '/keys/', { name: 'Later' })
  assert.equal(codeOf(answer), refused)
  assert.match(answer.body.errors[0].detail, /with the same session or token/)
  ok(await ask('POST', '/session/proof/', { password }))
  ok(await ask('POST', '/keys/', { name: 'Later' }))
  // A token from before tokens had sessions can hold no proof.
  const old = await openTokens(service.masterKey).issue(
    { typ: 'user', sub: owner.userId, acc: owner.accountId, validFrom: 0 },
    3600,
    service.clock.now(),
  )
  const asOld = (path: string, body: unknown) => askAt(dashboardAt(service.origin, path), 'POST', { token: old, body })
  assert.equal(codeOf(await asOld('/keys/', { name: 'Old' })), refused)
  assert.equal(codeOf(await asOld('/session/proof/', { password })), refused)
})

test('a session from before proofs were stored has none', async () => {
  const owner = await createMember(service, members.accountId, 'owner')
  await service.sql('update sessions set proved_at = null where user_id = $1', [owner.userId])
  assert.equal(codeOf(await owner.askUnproved('POST', '/keys/', { body: { name: 'A key' } })), refused)
  assert.deepEqual((await owner.askUnproved('GET', '/session/proof/')).body, { proved_until: null, ways: ['password'] })
})

test('wrong passwords are counted by session: the sixth of a minute is refused, and signing in is not', async () => {
  const owner = await createMember(service, members.accountId, 'owner')
  minutes(11)
  const prove = (body: unknown) => owner.askUnproved('POST', '/session/proof/', { body })
  assert.deepEqual(errorsOf(await prove({})), ['required@password'])
  assert.deepEqual(errorsOf(await prove({ code: '123456' })), ['required@password'])
  for (let i = 0; i < 5; i++)
    assert.deepEqual(errorsOf(await prove({ password: 'wrong' })), ['password_wrong@password'])
  assert.equal((await prove({ password })).status, 429)
  assert.equal(codeOf(await owner.askUnproved('POST', '/keys/', { body: { name: 'A key' } })), refused)
  const body = { email: owner.email, password }
  ok(await askAt(dashboardAt(service.origin, '/session/'), 'POST', { body, headers: { origin: service.origin } }))
  minutes(1)
  // Right ones do not count.
  for (let i = 0; i < 7; i++) ok(await prove({ password }))
})

test('a user with a second factor proves it with a code, once for a code, and not with the password', async () => {
  const member = await createMember(service, members.accountId, 'owner')
  const { secret } = ok(await member.ask('POST', '/me/second_factor/', { body: { password } })).body
  const codeAt = () => generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) })
  const confirmed = ok(await member.ask('POST', '/me/second_factor/confirm/', { body: { code: codeAt() } }))
  const session = /sanad_session=([^;]+)/.exec([confirmed.headers['set-cookie'] ?? []].flat().join())![1]!
  const ask = askWith(service, session)
  minutes(11)
  assert.equal(codeOf(await ask('POST', '/keys/', { body: { name: 'A key' } })), refused)
  const prove = (body: unknown) => ask('POST', '/session/proof/', { body })
  assert.deepEqual((await ask('GET', '/session/proof/')).body.ways, ['code'])
  assert.deepEqual(errorsOf(await prove({ password })), ['required@code'])
  assert.deepEqual(errorsOf(await prove({ password, code: '000000' })), ['second_factor_wrong@code'])
  const code = codeAt()
  const tries = await Promise.all([1, 2, 3].map(() => prove({ code })))
  assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 400, 400])
  ok(await ask('POST', '/keys/', { body: { name: 'A key' } }))
  minutes(11)
  const [recovery] = confirmed.body.recovery_codes
  ok(await prove({ code: recovery }))
  assert.deepEqual(errorsOf(await prove({ code: recovery })), ['second_factor_wrong@code'])
})

test('with a second factor the password alone changes no password, and a changed one renews no proof', async () => {
  const member = await createMember(service, members.accountId, 'owner')
  const { secret } = ok(await member.ask('POST', '/me/second_factor/', { body: { password } })).body
  const codeAt = () => generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) })
  const cookieOf = (answer: Answer) =>
    /sanad_session=([^;]+)/.exec([answer.headers['set-cookie'] ?? []].flat().join())![1]!
  const ask = askWith(
    service,
    cookieOf(ok(await member.ask('POST', '/me/second_factor/confirm/', { body: { code: codeAt() } }))),
  )
  minutes(11)
  const body = { password, new_password: 'another long sentence' }
  assert.equal(codeOf(await ask('POST', '/me/password/', { body })), refused)
  const signIn = { body: { email: member.email, password, code: codeAt() }, headers: { origin: service.origin } }
  ok(await askAt(dashboardAt(service.origin, '/session/'), 'POST', { token: null, ...signIn }))
  minutes(1)
  ok(await ask('POST', '/session/proof/', { body: { code: codeAt() } }))
  minutes(9)
  const changed = askWith(service, cookieOf(ok(await ask('POST', '/me/password/', { body }))))
  ok(await changed('POST', '/keys/', { body: { name: 'A key' } }))
  minutes(1)
  assert.equal(codeOf(await changed('POST', '/keys/', { body: { name: 'A key' } })), refused)
})

test('a changed password ends a proof with its session', async () => {
  const owner = await createMember(service, members.accountId, 'owner')
  const body = { password, new_password: 'another long sentence' }
  ok(await owner.askUnproved('POST', '/me/password/', { body }))
  assert.ok(
    [refused, '401 not_authenticated'].includes(
      codeOf(await owner.askUnproved('POST', '/keys/', { body: { name: 'A key' } })),
    ),
  )
})
