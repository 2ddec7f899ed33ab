/** Passkeys: added, used to sign in and to prove the person, removed; and every answer that must be refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import type { MemberRole } from '../../src/accounts/people/permission.ts'
import { type Signing, softAuthenticator } from '../support/pure/soft-authenticator.ts'
import { type Answer, askAt, errorsOf, ok, openTestService } from '../support/story.ts'
import { createMember, createMembers, dashboardAt, storyPassword as password } from '../support/users.ts'

const service = await openTestService({
  SANAD_LIMITS: '{"sign_in": {"burst": 1000, "sustained": 1000}, "second_factor": {"burst": 1000, "sustained": 1000}}',
})
const members = await createMembers(service)
// Browsers have no passkeys for an address without a name.
const origin = service.origin.replace('127.0.0.1', 'localhost')
const rpId = 'localhost'
const minutes = (count: number): void => service.clock.advance(count * 60_000)
const codeOf = (answer: Answer): string => `${answer.status} ${answer.body?.errors?.[0]?.code ?? ''}`.trim()
const sessionIn = (answer: Answer): string | undefined =>
  /sanad_session=([^;]+)/.exec([answer.headers['set-cookie'] ?? []].flat().join())?.[1]

type Asked = (method: string, path: string, body?: unknown, at?: string) => Promise<Answer>
const asker =
  (session: string): Asked =>
  (method, path, body, at = origin) =>
    askAt(dashboardAt(at, path), method, {
      token: null,
      body,
      headers: { cookie: `sanad_session=${session}`, origin: at },
    })
const open: Asked = (method, path, body, at = origin) =>
  askAt(dashboardAt(at, path), method, { token: null, body, headers: { origin: at } })

const challengeFor = async (ask: Asked, path: string): Promise<string> => ok(await ask('POST', path)).body.challenge

/** A member with a passkey, and the session after it was added. */
const memberWithPasskey = async (role: MemberRole = 'owner') => {
  const member = await createMember(service, members.accountId, role)
  const before = asker(member.session.token)
  const device = softAuthenticator()
  const challenge = await challengeFor(before, '/me/passkeys/options/')
  const added = ok(
    await before('POST', '/me/passkeys/', { name: 'Phone', passkey: device.create({ challenge, origin, rpId }) }),
  )
  return { ...member, device, added: added.body, before, ask: asker(sessionIn(added)!) }
}
const signInWith = async (
  device: ReturnType<typeof softAuthenticator>,
  more: Partial<Signing> = {},
): Promise<Answer> => {
  const challenge = await challengeFor(open, '/session/passkey/options/')
  return open('POST', '/session/passkey/', { passkey: device.sign({ challenge, origin, rpId, ...more }) })
}

test('the first passkey is a second factor: recovery codes, other sessions end, the password alone no longer signs in', async () => {
  const { added, ask, before, email, device } = await memberWithPasskey()
  assert.equal(added.passkey.name, 'Phone')
  assert.equal(added.recovery_codes.length, 10)
  service.clock.advance(2_000)
  assert.equal((await before('GET', '/session/')).status, 401)
  assert.equal(ok(await ask('GET', '/session/')).body.user.second_factor, true)
  const state = ok(await ask('GET', '/me/second_factor/')).body
  assert.deepEqual([state.on, state.app, state.recovery_codes_left], [true, false, 10])

  const body = { email, password }
  assert.equal(codeOf(await open('POST', '/session/', body)), '401 second_factor_required')
  const challenge = await challengeFor(open, '/session/passkey/options/')
  const passkey = device.sign({ challenge, origin, rpId })
  ok(await open('POST', '/session/', { ...body, passkey }))
  assert.equal(codeOf(await open('POST', '/session/', { ...body, passkey })), '401 second_factor_wrong')
  ok(await open('POST', '/session/', { ...body, code: added.recovery_codes[0] }))
  assert.equal(
    codeOf(await open('POST', '/session/', { ...body, code: added.recovery_codes[0] })),
    '401 second_factor_wrong',
  )
})

test('a passkey signs in without a password, its use is shown, and it is a proof of the person', async () => {
  const { device, ask, email } = await memberWithPasskey()
  const answer = ok(await signInWith(device))
  assert.equal(answer.body.user.email, email)
  const session = asker(sessionIn(answer)!)
  ok(await session('POST', '/keys/', { name: 'By passkey' }))
  const [shown] = ok(await ask('GET', '/me/passkeys/')).body
  assert.ok(shown.last_used_at !== null)
  minutes(11)
  assert.equal(codeOf(await session('POST', '/keys/', { name: 'Later' })), '403 confirmation_required')
  assert.deepEqual(ok(await session('GET', '/session/proof/')).body.ways, ['code', 'passkey'])
  assert.deepEqual(errorsOf(await session('POST', '/session/proof/', { password })), ['required@code'])
  const challenge = await challengeFor(session, '/session/proof/options/')
  ok(await session('POST', '/session/proof/', { passkey: device.sign({ challenge, origin, rpId }) }))
  ok(await session('POST', '/keys/', { name: 'Later' }))
})

test('answers of a passkey that do not fit count as wrong sign-ins: its owner is told of ten', async () => {
  const { device, ask } = await memberWithPasskey()
  const wrong = () => signInWith(device, { isVerified: false })
  const counted = async () =>
    ok(await ask('GET', '/notices/'))
      .body.results.filter(({ kind }: { kind: string }) => kind === 'sign_in_wrong')
      .map(({ facts }: { facts: { count: number } }) => facts.count)
  for (let n = 0; n < 9; n++) assert.equal(codeOf(await wrong()), '400 passkey_wrong')
  assert.deepEqual(await counted(), [], 'nine are not told')
  assert.equal(codeOf(await wrong()), '400 passkey_wrong')
  assert.deepEqual(await counted(), [10])
})

test('a challenge works once, on all nodes, also for answers at the same moment', async () => {
  const second = await service.startNode()
  const there = second.origin.replace('127.0.0.1', 'localhost')
  const { device } = await memberWithPasskey()
  const challenge = await challengeFor(open, '/session/passkey/options/')
  const passkeys = [1, 2, 3, 4].map(() => device.sign({ challenge, origin, rpId }))
  const answers = await Promise.all(passkeys.map((passkey) => open('POST', '/session/passkey/', { passkey })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400])
  const elsewhere = device.sign({ challenge, origin: there, rpId })
  assert.equal(codeOf(await open('POST', '/session/passkey/', { passkey: elsewhere }, there)), '400 passkey_wrong')
  await second.close()
})

test('an answer for another origin, host, purpose, session or time, or without the user being recognised, is refused', async () => {
  const { device, ask } = await memberWithPasskey()
  const refused = async (answer: Promise<Answer>, what: string): Promise<void> =>
    assert.equal(codeOf(await answer), '400 passkey_wrong', what)
  await refused(signInWith(device, { origin: 'https://elsewhere.example' }), 'another origin')
  await refused(signInWith(device, { rpId: 'elsewhere.example' }), 'another host')
  await refused(signInWith(device, { isVerified: false }), 'the user was not recognised')
  await refused(signInWith(device, { challenge: 'AAAA' }), 'a made-up challenge')
  await refused(
    signInWith(device, { challenge: await challengeFor(ask, '/session/proof/options/') }),
    'another purpose',
  )
  await refused(signInWith(device, { userHandle: Buffer.alloc(16).toString('base64url') }), 'another user')
  await refused(signInWith(softAuthenticator()), 'an unknown passkey')
  const old = await challengeFor(open, '/session/passkey/options/')
  minutes(5)
  await refused(signInWith(device, { challenge: old }), 'too old')
  ok(await signInWith(device))

  // A challenge for a proof belongs to its session, and the passkey to its user.
  const other = await memberWithPasskey()
  const mine = await challengeFor(ask, '/session/proof/options/')
  const prove = (as: Asked, by: typeof device, challenge: string) =>
    as('POST', '/session/proof/', { passkey: by.sign({ challenge, origin, rpId }) })
  await refused(prove(other.ask, other.device, mine), 'the challenge of another session')
  await refused(prove(ask, other.device, mine), 'the passkey of another user')
  ok(await prove(ask, device, mine))
})

test('a counter that does not grow is refused; an authenticator without a counter works', async () => {
  const { device } = await memberWithPasskey()
  ok(await signInWith(device, { counter: 10 }))
  for (const counter of [10, 9, 0])
    assert.equal(codeOf(await signInWith(device, { counter })), '400 passkey_wrong', `${counter}`)
  ok(await signInWith(device, { counter: 11 }))
})

test('adding a passkey needs a proof, and a stored one is not stored again for anybody', async () => {
  const first = await memberWithPasskey()
  const another = await createMember(service, members.accountId, 'cashier')
  const ask = asker(another.session.token)
  const again = async (signing: Partial<Signing> = {}) => {
    const challenge = await challengeFor(ask, '/me/passkeys/options/')
    return ask('POST', '/me/passkeys/', {
      name: 'Mine',
      passkey: first.device.create({ challenge, origin, rpId, ...signing }),
    })
  }
  assert.equal(codeOf(await again()), '400 passkey_known')
  assert.equal(codeOf(await again({ origin: 'https://elsewhere.example' })), '400 passkey_wrong')
  assert.equal(codeOf(await again({ isVerified: false })), '400 passkey_wrong')
  minutes(11)
  assert.equal(codeOf(await ask('POST', '/me/passkeys/options/')), '403 confirmation_required')
  // The refusals stored nothing.
  assert.deepEqual(ok(await ask('GET', '/me/passkeys/')).body, [])
})

test('with a passkey the password alone sets up no app and changes no password', async () => {
  const { ask, device } = await memberWithPasskey()
  const begun = ok(await ask('POST', '/me/second_factor/', { password })).body
  minutes(11)
  const code = generateSync({ secret: begun.secret, epoch: Math.floor(service.clock.now() / 1000) })
  for (const [path, body] of [
    ['/me/second_factor/', { password }],
    ['/me/second_factor/confirm/', { code }],
    ['/me/password/', { password, new_password: 'another long sentence' }],
  ] as const)
    assert.equal(codeOf(await ask('POST', path, body)), '403 confirmation_required', path)
  const challenge = await challengeFor(ask, '/session/proof/options/')
  ok(await ask('POST', '/session/proof/', { passkey: device.sign({ challenge, origin, rpId }) }))
  ok(await ask('POST', '/me/second_factor/confirm/', { code }))
})

test('a second passkey keeps the codes; a removed one no longer signs in; the last one switches the second factor off', async () => {
  const { device, ask, email } = await memberWithPasskey()
  const second = softAuthenticator()
  const challenge = await challengeFor(ask, '/me/passkeys/options/')
  const added = ok(
    await ask('POST', '/me/passkeys/', { name: 'Key', passkey: second.create({ challenge, origin, rpId }) }),
  ).body
  assert.equal(added.recovery_codes, null)
  const all: { id: string; name: string }[] = ok(await ask('GET', '/me/passkeys/')).body
  const named = (name: string) => all.find((passkey) => passkey.name === name)!
  const [one, two] = [named('Phone'), named('Key')]
  assert.equal(ok(await ask('PATCH', `/me/passkeys/${two.id}/`, { name: 'Blue key' })).body.name, 'Blue key')
  const stranger = await memberWithPasskey()
  assert.equal((await stranger.ask('DELETE', `/me/passkeys/${one.id}/`)).status, 404)
  assert.equal((await stranger.ask('PATCH', `/me/passkeys/${one.id}/`, { name: 'x' })).status, 404)

  ok(await ask('DELETE', `/me/passkeys/${one.id}/`))
  assert.equal(codeOf(await signInWith(device)), '400 passkey_wrong')
  ok(await signInWith(second))
  assert.equal(codeOf(await open('POST', '/session/', { email, password })), '401 second_factor_required')
  const removed = ok(await ask('DELETE', `/me/passkeys/${two.id}/`))
  assert.ok(sessionIn(removed))
  assert.equal(codeOf(await signInWith(second)), '400 passkey_wrong')
  ok(await open('POST', '/session/', { email, password }))
})

test('a member who is removed from the last account loses the passkeys; one who has another account keeps them', async () => {
  const gone = await memberWithPasskey('cashier')
  ok(await members.owner.ask('DELETE', `/members/${gone.userId}/`))
  assert.equal(codeOf(await signInWith(gone.device)), '400 passkey_wrong')
  assert.deepEqual(await service.sql('select 1 from passkeys where user_id = $1', [gone.userId]), [])
  const stays = await memberWithPasskey('cashier')
  await service.sql(`insert into members (account_id, user_id, role, created_at) values ($1, $2, 'viewer', now())`, [
    members.otherId,
    stays.userId,
  ])
  ok(await members.owner.ask('DELETE', `/members/${stays.userId}/`))
  assert.equal(ok(await signInWith(stays.device)).body.account.id, members.otherId)
})

test('a disabled user signs in with no passkey; an address without a name has none', async () => {
  const { device, userId } = await memberWithPasskey()
  await service.sql('update users set disabled_at = now() where id = $1', [userId])
  assert.equal(codeOf(await signInWith(device)), '400 passkey_wrong')
  assert.equal(
    codeOf(await open('POST', '/session/passkey/options/', undefined, service.origin)),
    '400 passkey_no_host',
  )
})
