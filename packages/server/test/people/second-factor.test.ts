/** The second factor: set-up, when it is required, codes that work once, recovery codes, and switching it off. */
import assert from 'node:assert/strict'
import { createHash, createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { generateSync } from 'otplib'
import { makeResetLink } from '../../src/accounts/members/change-password.ts'
import { secondFactor } from '../../src/accounts/sessions/second-factor.ts'
import { upgradeRecoveryCodes } from '../../src/accounts/sessions/upgrade-recovery-codes.ts'
import { hashKeyFor, type KeyRing, keyRingOf } from '../../src/core/seal.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { askWith, createMember, createMembers, dashboardAt, type TestMember } from '../support/users.ts'

const service = await openTestService({
  SANAD_LIMITS: '{"sign_in": {"burst": 1000, "sustained": 1000}, "sign_in_address": {"burst": 1000}}',
})
const members = await createMembers(service)
const password = 'a password of a story'

const codeAt = (secret: string, steps = 0): string =>
  generateSync({ secret, epoch: Math.floor(service.clock.now() / 1000) + 30 * steps })
const trySignIn = (
  email: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<Answer> =>
  askAt(dashboardAt(service.origin, '/session/'), 'POST', {
    body: { email, password, ...more },
    headers: { origin: service.origin, ...headers },
  })
const cookiesOf = (answer: Answer): string =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
const sessionOf = (answer: Answer): string => /sanad_session=([^;]+)/.exec(cookiesOf(answer))![1]!

/** A new user whose second factor is on, with the session that they got when it was confirmed. */
const memberWithFactor = async (role: Parameters<typeof createMember>[2] = 'cashier') => {
  const member = await createMember(service, members.accountId, role)
  const started = await member.ask('POST', '/me/second_factor/', { body: { password } })
  assert.equal(started.status, 200, started.text)
  const { secret } = started.body
  const confirmed = await member.ask('POST', '/me/second_factor/confirm/', { body: { code: codeAt(secret) } })
  assert.equal(confirmed.status, 200, confirmed.text)
  service.clock.advance(30_000)
  const ask = askWith(service, sessionOf(confirmed))
  return { ...member, ask, secret: secret as string, codes: confirmed.body.recovery_codes as string[] }
}

test('a second factor is set up with the password, shown as a QR code, and required only after a code was confirmed', async () => {
  const member = await createMember(service, members.accountId, 'manager')
  const refused = await member.ask('POST', '/me/second_factor/', { body: { password: 'not the password' } })
  assert.deepEqual(errorsOf(refused), ['password_wrong@password'])
  const early = await member.ask('POST', '/me/second_factor/confirm/', { body: { code: '123456' } })
  assert.deepEqual(errorsOf(early), ['second_factor_not_begun@non_field_errors'])

  const { body } = await member.ask('POST', '/me/second_factor/', { body: { password } })
  assert.match(body.uri, /^otpauth:\/\/totp\/Sanad/)
  assert.ok(body.uri.includes(body.secret))
  assert.match(body.qr_svg, /^<svg/)
  assert.equal((await trySignIn(member.email)).status, 200)
  assert.equal((await member.ask('GET', '/me/second_factor/')).body.on, false)

  const bad = await member.ask('POST', '/me/second_factor/confirm/', { body: { code: '000000' } })
  assert.deepEqual(errorsOf(bad), ['second_factor_wrong@code'])
  const confirmed = await member.ask('POST', '/me/second_factor/confirm/', { body: { code: codeAt(body.secret) } })
  assert.equal(confirmed.body.recovery_codes.length, 10)
  assert.equal(new Set(confirmed.body.recovery_codes).size, 10)
  assert.equal((await trySignIn(member.email)).body.errors[0].code, 'second_factor_required')

  const askAsMember = askWith(service, sessionOf(confirmed))
  const state = await askAsMember('GET', '/me/second_factor/')
  assert.deepEqual([state.body.on, state.body.recovery_codes_left], [true, 10])
  const again = await askAsMember('POST', '/me/second_factor/', { body: { password } })
  assert.deepEqual(errorsOf(again), ['second_factor_on@non_field_errors'])
})

test('switching the second factor on ends every other session and token; this browser gets a new cookie', async () => {
  const member = await createMember(service, members.accountId, 'owner')
  const other = askWith(service, sessionOf(await trySignIn(member.email)))
  const token = (
    await askAt(dashboardAt(service.origin, '/token/'), 'POST', { body: { email: member.email, password } })
  ).body.access_token
  const asToken = () => askAt(dashboardAt(service.origin, '/session/'), 'GET', { token })
  assert.equal((await asToken()).status, 200)
  const { secret } = (await member.ask('POST', '/me/second_factor/', { body: { password } })).body
  const confirmed = await member.ask('POST', '/me/second_factor/confirm/', { body: { code: codeAt(secret) } })
  service.clock.advance(2_000)
  assert.equal((await other('GET', '/session/')).status, 401)
  assert.equal((await member.ask('GET', '/session/')).status, 401)
  assert.equal((await asToken()).status, 401)
  assert.equal((await askWith(service, sessionOf(confirmed))('GET', '/session/')).status, 200)
})

test('a code opens one session, even if it is used again or several times at once', async () => {
  const member = await memberWithFactor()
  const code = codeAt(member.secret)
  const tries = await Promise.all([1, 2, 3, 4].map(() => trySignIn(member.email, { code })))
  assert.deepEqual(tries.map(({ status }) => status).sort(), [200, 401, 401, 401])
  const replay = await trySignIn(member.email, { code })
  assert.deepEqual([replay.status, replay.body.errors[0].code], [401, 'second_factor_wrong'])
  service.clock.advance(30_000)
  assert.equal((await trySignIn(member.email, { code: codeAt(member.secret) })).status, 200)
})

test('the code that confirmed the set-up cannot be used again, and an older code never works', async () => {
  const member = await createMember(service, members.accountId, 'viewer')
  const { secret } = (await member.ask('POST', '/me/second_factor/', { body: { password } })).body
  const code = codeAt(secret)
  assert.equal((await member.ask('POST', '/me/second_factor/confirm/', { body: { code } })).status, 200)
  assert.equal((await trySignIn(member.email, { code })).status, 401)
  assert.equal((await trySignIn(member.email, { code: codeAt(secret, -1) })).status, 401)
  assert.equal((await trySignIn(member.email, { code: codeAt(secret, 1) })).status, 200)
})

test('codes may be typed in Arabic digits and with a space; clocks may differ by one step and not by two', async () => {
  const member = await memberWithFactor()
  const arabic = (text: string) => text.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!)
  const code = codeAt(member.secret)
  assert.equal(
    (await trySignIn(member.email, { code: `${arabic(code.slice(0, 3))} ${arabic(code.slice(3))}` })).status,
    200,
  )
  assert.equal((await trySignIn(member.email, { code: codeAt(member.secret, 2) })).status, 401)
  assert.equal((await trySignIn(member.email, { code: codeAt(member.secret, 1) })).status, 200)
})

test('a recovery code works once in place of a code from the phone, in any spelling', async () => {
  const member = await memberWithFactor()
  const [first, second] = member.codes as [string, string]
  assert.equal((await trySignIn(member.email, { code: first.toUpperCase().replace('-', ' ') })).status, 200)
  assert.equal((await trySignIn(member.email, { code: first })).status, 401)
  const both = await Promise.all([1, 2].map(() => trySignIn(member.email, { code: second })))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
  assert.equal((await member.ask('GET', '/me/second_factor/')).body.recovery_codes_left, 8)
})

test('new recovery codes need password and code, and invalidate the old ones', async () => {
  const member = await memberWithFactor()
  const renew = (body: unknown) => member.ask('POST', '/me/second_factor/recovery_codes/', { body })
  assert.deepEqual(errorsOf(await renew({ password: 'not the password', code: codeAt(member.secret) })), [
    'password_wrong@password',
  ])
  assert.deepEqual(errorsOf(await renew({ password, code: '000000' })), ['second_factor_wrong@code'])
  const renewed = await renew({ password, code: codeAt(member.secret) })
  assert.equal(renewed.body.recovery_codes.length, 10)
  assert.equal((await trySignIn(member.email, { code: member.codes[3] })).status, 401)
  assert.equal((await trySignIn(member.email, { code: renewed.body.recovery_codes[3] })).status, 200)
})

test('switching the second factor off needs password and code, ends other sessions and deletes recovery codes', async () => {
  const member = await memberWithFactor()
  const off = (body: unknown) => member.ask('POST', '/me/second_factor/off/', { body })
  assert.equal((await off({ password: 'not the password', code: codeAt(member.secret) })).status, 400)
  assert.equal((await off({ password, code: '000000' })).status, 400)
  const other = askWith(service, sessionOf(await trySignIn(member.email, { code: member.codes[0] })))
  const switchedOff = await off({ password, code: codeAt(member.secret) })
  assert.equal(switchedOff.status, 204, switchedOff.text)
  service.clock.advance(2_000)
  assert.equal((await other('GET', '/session/')).status, 401)
  const askAsMember = askWith(service, sessionOf(switchedOff))
  assert.deepEqual((await askAsMember('GET', '/me/second_factor/')).body, {
    on: false,
    app: false,
    since: null,
    recovery_codes_left: 0,
  })
  assert.equal((await trySignIn(member.email)).status, 200)
  const twice = await askAsMember('POST', '/me/second_factor/off/', { body: { password, code: '000000' } })
  assert.deepEqual(errorsOf(twice), ['second_factor_off@non_field_errors'])
})

test('a script that requests a token needs the code as well', async () => {
  const member = await memberWithFactor()
  const token = (more: object) =>
    askAt(dashboardAt(service.origin, '/token/'), 'POST', { body: { email: member.email, password, ...more } })
  assert.equal((await token({})).body.errors[0].code, 'second_factor_required')
  assert.equal((await token({ code: codeAt(member.secret) })).status, 200)
})

test('guessing codes with the right password is limited from any address, and is in the audit log', async () => {
  const member = await memberWithFactor()
  const known = cookiesOf(await trySignIn(member.email, { code: member.codes[0] }))
  let limited = 0
  for (let i = 0; i < 12; i++) {
    const answer = await trySignIn(member.email, { code: String(100_000 + i) })
    if (answer.status === 429) limited++
  }
  assert.ok(limited >= 2)
  // The user's known browser has its own count.
  assert.equal((await trySignIn(member.email, { code: member.codes[1] })).status, 429)
  assert.equal((await trySignIn(member.email, { code: member.codes[1] }, { cookie: known })).status, 200)
  const [row] = await service.sql(
    `select count(*) from audit_log where action = 'user.second_factor_wrong' and user_id = $1`,
    [member.userId],
  )
  assert.ok(Number(row![0]) >= 8)
})

test('resetting the password again and again does not allow more guesses of codes', async () => {
  const member = await memberWithFactor()
  const known = cookiesOf(await trySignIn(member.email, { code: member.codes[0] }))
  service.clock.advance(61_000)
  let tried = 0
  for (let round = 0; round < 3; round++) {
    const link = await makeResetLink(service.db, member.email, service.clock.now())
    const new_password = `${password} ${round}`
    const reset = await askAt(dashboardAt(service.origin, '/password/reset/'), 'POST', {
      body: { token: link!.token, new_password },
      headers: { origin: service.origin },
    })
    assert.equal(reset.status, 204, reset.text)
    for (let i = 0; i < 11; i++) {
      const more = { password: new_password, code: String(100_000 + 100 * round + i) }
      if ((await trySignIn(member.email, more, { cookie: cookiesOf(reset) })).status === 401) tried++
    }
  }
  assert.equal(tried, 10)
  // A browser in which the user has signed in completely before is not locked out.
  const own = { password: `${password} 2`, code: member.codes[1] }
  assert.equal((await trySignIn(member.email, own, { cookie: known })).status, 200)
})

test('all known browsers of a user share one limit for codes', async () => {
  const member = await memberWithFactor()
  const browsers = []
  for (let i = 0; i < 3; i++) {
    browsers.push(cookiesOf(await trySignIn(member.email, { code: member.codes[i] })))
    service.clock.advance(61_000)
  }
  let tried = 0
  for (const cookie of browsers)
    for (let i = 0; i < 11; i++)
      if ((await trySignIn(member.email, { code: String(200_000 + i) }, { cookie })).status === 401) tried++
  assert.equal(tried, 10)
})

test('a second factor that is switched off can be set up again within the same half minute', async () => {
  const member = await memberWithFactor()
  service.clock.advance(30_000)
  const off = await member.ask('POST', '/me/second_factor/off/', { body: { password, code: codeAt(member.secret) } })
  assert.equal(off.status, 204, off.text)
  const again = askWith(service, sessionOf(off))
  const { secret } = (await again('POST', '/me/second_factor/', { body: { password } })).body
  const confirmed = await again('POST', '/me/second_factor/confirm/', { body: { code: codeAt(secret) } })
  assert.equal(confirmed.status, 200, confirmed.text)
})

test('codes guessed within a session count for the user as well', async () => {
  const member = await memberWithFactor()
  const tries = []
  for (let i = 0; i < 12; i++)
    tries.push(
      (await member.ask('POST', '/me/second_factor/off/', { body: { password, code: String(300_000 + i) } })).status,
    )
  assert.equal(tries.filter((status) => status === 400).length, 10)
  assert.equal(tries.at(-1), 429)
})

const storedCodes = async (userId: string): Promise<string[]> =>
  (await service.sql(`select encode(h, 'hex') from users, unnest(recovery) as h where id = $1`, [userId])).map(
    ([hash]) => hash as string,
  )
/** The hash that earlier versions stored: without a key, so that anyone can compute it. */
const plainHash = (userId: string, code: string): string =>
  createHash('sha256')
    .update(`${userId} ${code.replace('-', '')}`)
    .digest('hex')
/** Stores the codes as an older node does. */
const storePlain = (userId: string, codes: readonly string[]) =>
  service.sql(`update users set recovery = array(select decode(h, 'hex') from unnest($2::text[]) as h) where id = $1`, [
    userId,
    codes.map((code) => plainHash(userId, code)),
  ])

test('recovery codes are stored as keyed hashes: the table alone is not enough to guess them', async () => {
  const member = await memberWithFactor()
  const key = hashKeyFor(keyRingOf(service.masterKey), 'recovery codes')
  const keyed = member.codes.map((code) => {
    const plain = Buffer.from(plainHash(member.userId, code), 'hex')
    return `01${createHmac('sha256', key).update(plain).digest('hex')}`
  })
  assert.deepEqual(await storedCodes(member.userId), keyed)
  const renewed = await member.ask('POST', '/me/second_factor/recovery_codes/', {
    body: { password, code: codeAt(member.secret) },
  })
  const stored = await storedCodes(member.userId)
  assert.deepEqual([...new Set(stored.map((hash) => [hash.length, hash.slice(0, 2)].join()))], ['66,01'])
  for (const code of renewed.body.recovery_codes)
    assert.ok(!stored.some((hash) => hash.includes(plainHash(member.userId, code))))
})

test('codes stored by an older version are upgraded to keyed hashes, and each works once; so does a code that an older node adds', async () => {
  const member = await memberWithFactor()
  const [a, b, c] = member.codes as [string, string, string]
  await storePlain(member.userId, member.codes)
  // One code is used before the upgrade, one while two nodes upgrade at once, one after it.
  assert.equal((await trySignIn(member.email, { code: a })).status, 200)
  const factor = secondFactor(service.masterKey)
  const [taken] = await Promise.all([
    trySignIn(member.email, { code: b }),
    upgradeRecoveryCodes(service.db, factor),
    upgradeRecoveryCodes(service.db, factor),
  ])
  assert.equal(taken.status, 200)
  assert.deepEqual(
    await storedCodes(member.userId),
    member.codes.slice(2).map((code) => factor.recoveryHash(member.userId, code).toString('hex')),
  )
  assert.equal(await upgradeRecoveryCodes(service.db, factor), 0)
  assert.deepEqual(
    (await Promise.all([a, b, c, c].map((code) => trySignIn(member.email, { code }))))
      .map(({ status }) => status)
      .sort(),
    [200, 401, 401, 401],
  )

  await storePlain(member.userId, [a])
  assert.equal((await trySignIn(member.email, { code: a })).status, 200)
  assert.equal((await trySignIn(member.email, { code: a })).status, 401)
})

test('the upgrade handles more users than one batch, and leaves users without codes unchanged', async () => {
  const users = 450
  await service.sql(
    `insert into users (id, email, created_at, recovery)
     select gen_random_uuid(), 'old-' || n || '@sanad.example', now(),
            array(select sha256((n || ' ' || k)::bytea) from generate_series(1, n % 3) as k)
       from generate_series(1, $1::int) as n`,
    [users],
  )
  assert.equal(await upgradeRecoveryCodes(service.db, secondFactor(service.masterKey)), 300)
  const [[left] = []] = await service.sql(
    `select count(*) from users, unnest(recovery) as h where email like 'old-%' and length(h) = 32`,
  )
  assert.equal(Number(left), 0)
})

test('a rotated master key does not change how codes are stored', () => {
  const before = keyRingOf(service.masterKey)
  const fresh = new Uint8Array(randomBytes(32))
  const rotated: KeyRing = { ...before, version: 1, current: () => fresh, all: [fresh] }
  const id = members.owner.userId
  assert.deepEqual(
    secondFactor(rotated).recoveryHash(id, 'abcde-12345'),
    secondFactor(before).recoveryHash(id, 'ABCDE 12345'),
  )
})

test('neither the secret nor a recovery code is in the logs', async () => {
  const member = await memberWithFactor()
  const audit = await service.sql('select before::text, after::text from audit_log')
  const text = JSON.stringify([audit, service.lines])
  for (const secret of [member.secret, ...member.codes]) assert.ok(!text.includes(secret))
})

const hostile: unknown[] = [
  null,
  [],
  'text',
  {},
  { password: 5, code: {} },
  { password: '\0', code: '\ud800' },
  { code: '9'.repeat(41) },
]
test('invalid input is refused and changes nothing', async () => {
  const member: TestMember = await memberWithFactor()
  for (const path of ['', 'confirm/', 'recovery_codes/', 'off/']) {
    for (const body of hostile) {
      const { status } = await member.ask('POST', `/me/second_factor/${path}`, {
        body: body === 'text' ? '"text"' : body,
      })
      assert.equal(status, 400, `${path} ${JSON.stringify(body)}`)
    }
  }
  assert.equal((await member.ask('GET', '/me/second_factor/')).body.on, true)
})
