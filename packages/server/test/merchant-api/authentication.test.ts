/** API keys and tokens of the merchant API: how a token is obtained, what it contains, when it stops being valid. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose'
import { createKey, revokeKey, rotateKey } from '../../src/accounts/keys/key-secrets.ts'
import type { AccountId, ClientId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { deriveKey } from '../../src/core/seal.ts'
import { type Answer, askAt, openTestService } from '../support/story.ts'

// An empty setting counts as not set: tokens have their default lifetime here.
const service = await openTestService({ SANAD_TOKEN_TTL_S: '', SANAD_LIMITS: 'off' })
const { demo, clock, db } = service
const other = await service.startNode()
const [[accountId] = []] = (await service.sql('select account_id from api_keys where client_id = $1', [
  demo.client_id,
])) as [AccountId][]
const account = accountId as AccountId

const credentials = (id: string, secret: string) => ({ 'SERVICE-CLIENT-ID': id, 'SERVICE-CLIENT-SECRET': secret })
const requestToken = (headers: Record<string, string>, at = service.origin, body?: unknown) =>
  askAt(`${at}/api/v1/merchant/token`, 'POST', { headers, body })
const requestTokenAs = (key: { client_id: string; client_secret: string }, at?: string) =>
  requestToken(credentials(key.client_id, key.client_secret), at)
const freshToken = async (key: { client_id: string; client_secret: string } = demo): Promise<string> =>
  (await requestTokenAs(key)).body.access_token
const call = (token: string | null, at = service.origin) => askAt(`${at}/api/v1/merchant/wallets/`, 'GET', { token })

/** A key that a test may rotate and revoke without affecting other tests. */
const newKey = async () => {
  const { clientId, clientSecret } = await createKey(db, account, 'For one test', clock.now())
  return { client_id: clientId as string, client_secret: clientSecret }
}

const missing = {
  type: 'client_error',
  errors: [{ code: 'not_authenticated', detail: 'Authentication credentials were not provided.', attr: null }],
}
const incorrect = {
  type: 'client_error',
  errors: [{ code: 'authentication_failed', detail: 'Incorrect authentication credentials.', attr: null }],
}
const bare = 'Bearer realm="api"'
const invalidToken = 'Bearer realm="api", error="invalid_token"'

const assertRefused = (answer: Answer, body: object, challenge: string, about?: string): void => {
  assert.equal(answer.status, 401, about)
  assert.deepEqual(answer.body, body, about)
  assert.equal(answer.headers['www-authenticate'], challenge, about)
  assert.equal(answer.headers['content-type'], 'application/json', about)
}

test('credentials in two headers give a token with no-store, and the token is accepted', async () => {
  const answer = await requestTokenAs(demo)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers['content-type'], 'application/json')
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers.pragma, 'no-cache')
  const { access_token, ...rest } = answer.body
  assert.deepEqual(Object.keys(answer.body), ['access_token', 'token_type', 'expires_in'])
  assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600 })
  assert.equal((await call(access_token)).status, 200)
})

test('the body is ignored, of any type or missing', async () => {
  const sent: [type: string, body: string | Uint8Array | undefined][] = [
    ['application/json', '{"client_id": "somebody else"}'],
    ['application/json', '{"cut of'],
    ['application/x-www-form-urlencoded', 'grant_type=client_credentials'],
    ['multipart/form-data; boundary=x', '--x--'],
    ['text/plain', 'hello'],
    ['no type at all', new Uint8Array([0xff, 0x00, 0xfe])],
    ['(none)', 'a body without a type'],
    ['application/json', undefined],
    ['application/json', ''],
  ]
  for (const [type, body] of sent) {
    const headers = { ...credentials(demo.client_id, demo.client_secret), 'content-type': type }
    const answer = await requestToken(headers, service.origin, body)
    assert.equal(answer.status, 200, `${type}: ${answer.text}`)
  }
})

test('the client id is accepted in upper and lower case, the secret only as issued', async () => {
  const upper = await requestToken(credentials(demo.client_id.toUpperCase(), demo.client_secret))
  assert.equal(upper.status, 200)
  assert.equal(decodeJwt(upper.body.access_token).sub, demo.client_id)
  assertRefused(await requestToken(credentials(demo.client_id, demo.client_secret.toUpperCase())), incorrect, bare)
  assertRefused(await requestToken(credentials(demo.client_id, demo.client_secret.toLowerCase())), incorrect, bare)
  assertRefused(await requestToken(credentials(demo.client_secret, demo.client_id)), incorrect, bare, 'the two swapped')
  assertRefused(
    await requestToken(credentials(demo.client_id, demo.other.client_secret)),
    incorrect,
    bare,
    "another's secret",
  )
})

test('a token is valid for one hour and not a millisecond longer, also on a node that never saw it', async () => {
  const token = await freshToken()
  const ends = decodeJwt(token).exp! * 1000
  assert.equal(ends, Math.floor(clock.now() / 1000) * 1000 + 3_600_000)
  clock.set(ends - 1)
  assert.equal((await call(token)).status, 200)
  clock.set(ends)
  assertRefused(await call(token), incorrect, invalidToken, 'on the node that has seen it')
  assertRefused(await call(token, other.origin), incorrect, invalidToken, 'on the other node')
})

test('the operator may set another lifetime', async () => {
  const brief = await openTestService({ SANAD_TOKEN_TTL_S: '60', SANAD_LIMITS: 'off' })
  const answer = await askAt(`${brief.base}/token`, 'POST', {
    headers: credentials(brief.demo.client_id, brief.demo.client_secret),
  })
  assert.equal(answer.body.expires_in, 60)
  const { iat, exp } = decodeJwt(answer.body.access_token)
  assert.equal(exp! - iat!, 60)
  brief.clock.set(exp! * 1000 - 1)
  assert.equal((await brief.ask('GET', '/wallets/')).status, 200)
  brief.clock.set(exp! * 1000)
  assert.equal((await brief.ask('GET', '/wallets/')).status, 401)
})

test('the claims are those of the contract, and token ids are unique', async () => {
  const token = await freshToken()
  const { jti, ...claims } = decodeJwt(token)
  const iat = Math.floor(clock.now() / 1000)
  assert.deepEqual(claims, { iss: 'sanad', sub: demo.client_id, acc: account, typ: 'client', iat, exp: iat + 3600 })
  assert.deepEqual(decodeProtectedHeader(token), { alg: 'HS256', typ: 'JWT' })
  assert.equal(typeof jti, 'string')
  assert.notEqual(decodeJwt(await freshToken()).jti, jti)
  const user = decodeJwt(demo.dashboard.user_token)
  assert.deepEqual(Object.keys(user).sort(), ['acc', 'exp', 'iat', 'iss', 'jti', 'sub', 'typ'])
  assert.equal(user.typ, 'user')
})

test('a forged or changed token is refused', async () => {
  const good = await freshToken()
  const [header, payload, signature] = good.split('.') as [string, string, string]
  const claims = decodeJwt(good)
  const coded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const ours = deriveKey(service.masterKey, 'access tokens')
  const signed = (changed: Record<string, unknown>, key: Uint8Array = ours, alg = 'HS256') =>
    new SignJWT({ ...claims, ...changed } as JWTPayload).setProtectedHeader({ alg, typ: 'JWT' }).sign(key)
  const flip = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
  const now_s = Math.floor(clock.now() / 1000)

  assert.equal(
    (await call(await signed({ jti: `1.${randomUUID()}` }))).status,
    200,
    'a token that this test signs correctly is accepted',
  )
  const forged: [forgery: string, token: string][] = [
    ['alg none, no signature', `${coded({ alg: 'none', typ: 'JWT' })}.${payload}.`],
    ['alg None, old signature', `${coded({ alg: 'None', typ: 'JWT' })}.${payload}.${signature}`],
    ['another algorithm with our key', await signed({}, ours, 'HS512')],
    ['another algorithm in the header', `${coded({ alg: 'RS256', typ: 'JWT' })}.${payload}.${signature}`],
    ['another key', await signed({}, new Uint8Array(32).fill(8))],
    ['the master key itself', await signed({}, service.masterKey)],
    ['another purpose of our key', await signed({}, deriveKey(service.masterKey, 'device secrets'))],
    ['a touched signature', `${header}.${payload}.${flip(signature)}`],
    ['no signature', `${header}.${payload}.`],
    ['a cut signature', good.slice(0, -4)],
    ['a touched payload', `${header}.${coded({ ...claims, acc: randomUUID() })}.${signature}`],
    ['two parts', `${header}.${payload}`],
    ['four parts', `${good}.${signature}`],
    ['five parts', `${good}.${signature}.${signature}`],
    ['not base64', `${header}.${payload}.???`],
    ['not JSON', `${header}.${Buffer.from('{').toString('base64url')}.${signature}`],
    ['a critical extension', `${coded({ alg: 'HS256', crit: ['b64'], b64: false })}.${payload}.${signature}`],
    ['another issuer', await signed({ iss: 'somebody' })],
    ['not valid yet', await signed({ nbf: now_s + 60 })],
    ['expired long ago', await signed({ iat: now_s - 7200, exp: now_s - 3600 })],
    ['another kind', await signed({ typ: 'admin' })],
    ['a client id that does not exist', await signed({ sub: '0'.repeat(32) })],
    ['no generation', await signed({ jti: randomUUID() })],
    ['a later generation', await signed({ jti: `2.${randomUUID()}` })],
    ['generation 0', await signed({ jti: `0.${randomUUID()}` })],
    ['a word', 'token'],
    ['dots', '..'],
  ]
  for (const claim of ['sub', 'acc', 'typ', 'iat', 'exp', 'jti', 'iss'])
    forged.push([`without ${claim}`, await signed({ [claim]: undefined })])
  for (const [forgery, token] of forged) assertRefused(await call(token), incorrect, invalidToken, forgery)
  assert.equal((await call(good)).status, 200, 'the genuine token still works')
})

test('an oversized token is refused, whatever it holds', async () => {
  const good = await freshToken()
  for (const length of [2_049, 8_000, 15_000])
    assertRefused(await call(good.padEnd(length, 'A')), incorrect, invalidToken, `${length} characters`)
})

test('a rotation is known on every node within two seconds: old secret and tokens refused, new ones accepted', async () => {
  const key = await newKey()
  const [token, unseen] = [await freshToken(key), await freshToken(key)]
  for (const at of [service.origin, other.origin]) assert.equal((await call(token, at)).status, 200)

  const rotated = await rotateKey(db, wholeAccount(account), key.client_id as ClientId, 0, clock.now())
  const renewed = { client_id: key.client_id, client_secret: rotated!.clientSecret }
  assert.notEqual(renewed.client_secret, key.client_secret)
  for (const at of [service.origin, other.origin]) {
    // Secrets are read from the database without a cache: no delay.
    assertRefused(await requestTokenAs(key, at), incorrect, bare)
    assert.equal((await requestTokenAs(renewed, at)).status, 200)
  }
  clock.advance(2_000)
  for (const at of [service.origin, other.origin]) {
    assertRefused(await call(token, at), incorrect, invalidToken)
    assertRefused(await call(unseen, at), incorrect, invalidToken)
    assert.equal((await call(await freshToken(renewed), at)).status, 200)
  }
})

test('a rotation with an overlap accepts the old secret and its tokens until the overlap ends', async () => {
  const key = await newKey()
  const before = await freshToken(key)
  const rotated = await rotateKey(db, wholeAccount(account), key.client_id as ClientId, 600_000, clock.now())
  const renewed = { client_id: key.client_id, client_secret: rotated!.clientSecret }
  const ends = clock.now() + 600_000
  clock.set(ends - 1)
  const [old, fresh] = [await freshToken(key), await freshToken(renewed)]
  for (const at of [service.origin, other.origin])
    for (const token of [before, old, fresh]) assert.equal((await call(token, at)).status, 200)
  clock.set(ends)
  assertRefused(await requestTokenAs(key), incorrect, bare)
  for (const at of [service.origin, other.origin]) {
    assertRefused(await call(before, at), incorrect, invalidToken)
    assertRefused(await call(old, at), incorrect, invalidToken)
    assert.equal((await call(fresh, at)).status, 200)
  }
})

test('after a second rotation the first secret is refused, even within its overlap', async () => {
  const key = await newKey()
  const id = key.client_id as ClientId
  const first = await freshToken(key)
  const second = {
    ...key,
    client_secret: (await rotateKey(db, wholeAccount(account), id, 600_000, clock.now()))!.clientSecret,
  }
  const middle = await freshToken(second)
  await rotateKey(db, wholeAccount(account), id, 600_000, clock.now())
  clock.advance(2_000)
  assertRefused(await requestTokenAs(key), incorrect, bare)
  assertRefused(await call(first), incorrect, invalidToken)
  assert.equal((await requestTokenAs(second)).status, 200)
  assert.equal((await call(middle)).status, 200)
})

test('a revoked key is refused on every node within two seconds, even within an overlap, and cannot be rotated', async () => {
  const key = await newKey()
  const id = key.client_id as ClientId
  const token = await freshToken(key)
  const renewed = {
    ...key,
    client_secret: (await rotateKey(db, wholeAccount(account), id, 600_000, clock.now()))!.clientSecret,
  }
  for (const at of [service.origin, other.origin]) assert.equal((await call(token, at)).status, 200)
  assert.equal(await revokeKey(db, wholeAccount(account), id, clock.now()), true)
  for (const secret of [key, renewed]) assertRefused(await requestTokenAs(secret), incorrect, bare)
  clock.advance(2_000)
  for (const at of [service.origin, other.origin]) assertRefused(await call(token, at), incorrect, invalidToken)
  assert.equal(await rotateKey(db, wholeAccount(account), id, 0, clock.now()), undefined)
  assert.equal((await call(await freshToken())).status, 200, 'the other keys of the account still work')
})

test("another account can neither rotate nor revoke a merchant's key", async () => {
  const key = await newKey()
  const [[stranger] = []] = await service.sql('select account_id from api_keys where client_id = $1', [
    demo.other.client_id,
  ])
  const id = key.client_id as ClientId
  assert.equal(await rotateKey(db, wholeAccount(stranger as AccountId), id, 0, clock.now()), undefined)
  assert.equal(await revokeKey(db, wholeAccount(stranger as AccountId), id, clock.now()), false)
  assert.equal((await requestTokenAs(key)).status, 200)
})

test('no key of a suspended account works', async () => {
  const token = await freshToken(demo.other)
  const suspend = (status: string) =>
    service.sql('update accounts set status = $2 where id = (select account_id from api_keys where client_id = $1)', [
      demo.other.client_id,
      status,
    ])
  await suspend('SUSPENDED')
  clock.advance(2_000)
  assertRefused(await requestTokenAs(demo.other), incorrect, bare)
  assertRefused(await call(token), incorrect, invalidToken)
  await suspend('ACTIVE')
  clock.advance(2_000)
  assert.equal((await call(token)).status, 200)
})

test('a missing or empty credential header is 401 not_authenticated', async () => {
  const { client_id, client_secret } = demo
  const sent: Record<string, string>[] = [
    {},
    { 'SERVICE-CLIENT-ID': client_id },
    { 'SERVICE-CLIENT-SECRET': client_secret },
    credentials('', client_secret),
    credentials(client_id, ''),
    { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
  ]
  for (const headers of sent) assertRefused(await requestToken(headers), missing, bare, JSON.stringify(headers))
  const inTheBody = await requestToken({}, service.origin, { client_id, client_secret })
  assertRefused(inTheBody, missing, bare, 'credentials in the body')
})

test('unknown, wrong, rotated and revoked credentials get the same answer', async () => {
  const [rotated, revoked] = [await newKey(), await newKey()]
  await rotateKey(db, wholeAccount(account), rotated.client_id as ClientId, 0, clock.now())
  await revokeKey(db, wholeAccount(account), revoked.client_id as ClientId, clock.now())
  const { client_id, client_secret } = demo
  const sent = {
    'unknown id': credentials('0123456789abcdef0123456789abcdef', client_secret),
    'wrong secret': credentials(client_id, 'wrong'),
    'a secret one character off': credentials(client_id, client_secret.slice(0, -1)),
    rotated: credentials(rotated.client_id, rotated.client_secret),
    revoked: credentials(revoked.client_id, revoked.client_secret),
    'an id too short': credentials(client_id.slice(1), client_secret),
    'an id too long': credentials(`${client_id}0`, client_secret),
    'an id that is no hex': credentials('z'.repeat(32), client_secret),
    'an id of 4,000 characters': credentials('a'.repeat(4_000), client_secret),
    'SQL for an id': credentials("' or '1'='1", client_secret),
    'SQL for a secret': credentials(client_id, "' or '1'='1"),
  }
  const distinctAnswers = new Set<string>()
  for (const [name, headers] of Object.entries(sent)) {
    const answer = await requestToken(headers)
    assertRefused(answer, incorrect, bare, name)
    // Date and request id always differ; everything else must be equal in all cases.
    const { date: _date, 'x-request-id': _id, ...rest } = answer.headers
    distinctAnswers.add(JSON.stringify([answer.status, rest, answer.text]))
  }
  assert.equal(distinctAnswers.size, 1)
})

test('no header or another scheme is not_authenticated; a bad, empty or double token authentication_failed', async () => {
  const token = await freshToken()
  const ask = (authorization?: string) =>
    askAt(`${service.base}/wallets/`, 'GET', authorization === undefined ? {} : { headers: { authorization } })
  for (const header of [undefined, '', `Basic ${token}`, `Token ${token}`, token, `Bearer${token}`, `JWT ${token}`])
    assertRefused(await ask(header), missing, bare, header)
  for (const header of ['Bearer', 'Bearer '])
    assertRefused(await ask(header), incorrect, bare, `${header} with no value: no token was sent`)
  for (const header of [`Bearer ${token} ${token}`, 'Bearer a b', 'Bearer x, Basic y', `Bearer ${token},`])
    assertRefused(await ask(header), incorrect, invalidToken, header)
  for (const header of [`Bearer ${token}`, `bearer ${token}`, `BEARER  ${token}`, `Bearer\t${token} `])
    assert.equal((await ask(header)).status, 200, header)
})

test('every path but /token requires a token, for every method', async () => {
  const paths = ['/wallets/', '/intents/', `/intents/${randomUUID()}/`, '/intents/junk/']
  for (const path of paths)
    for (const method of ['GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await askAt(`${service.base}${path}`, method, {})
      assertRefused(answer, missing, bare, `${method} ${path}`)
    }
  const head = await askAt(`${service.base}/wallets/`, 'HEAD', {})
  assert.equal(head.status, 401)
  assert.equal(head.headers['www-authenticate'], bare)
})

test('a token in the query or in a cookie is not accepted, nor are the credentials instead of a token', async () => {
  const token = await freshToken()
  assertRefused(await askAt(`${service.base}/wallets/?access_token=${token}`, 'GET', {}), missing, bare)
  const cookie = await askAt(`${service.base}/wallets/`, 'GET', { headers: { cookie: `access_token=${token}` } })
  assertRefused(cookie, missing, bare)
  const headers = credentials(demo.client_id, demo.client_secret)
  assertRefused(await askAt(`${service.base}/wallets/`, 'GET', { headers }), missing, bare)
})

test('a dashboard token is 403 on every merchant path', async () => {
  const denied = {
    type: 'client_error',
    errors: [{ code: 'permission_denied', detail: 'You do not have permission to perform this action.', attr: null }],
  }
  const user = demo.dashboard.user_token
  for (const [method, path] of [
    ['GET', '/wallets/'],
    ['GET', '/intents/'],
    ['POST', '/intents/'],
    ['GET', `/intents/${randomUUID()}/`],
    ['PATCH', `/intents/${randomUUID()}/`],
    ['OPTIONS', '/wallets/'],
    ['DELETE', '/wallets/'],
  ] as const) {
    const answer = await askAt(`${service.base}${path}`, method, { token: user, body: {} })
    assert.equal(answer.status, 403, `${method} ${path}`)
    assert.deepEqual(answer.body, denied)
    assert.equal(answer.headers['www-authenticate'], undefined)
  }
})

test('only a valid dashboard token is 403: a forged or expired one is 401', async () => {
  const user = demo.dashboard.user_token
  const forged = await new SignJWT(decodeJwt(user))
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new Uint8Array(32).fill(1))
  assertRefused(await call(forged), incorrect, invalidToken)
  clock.set(decodeJwt(user).exp! * 1000 - 1)
  assert.equal((await call(user)).status, 403)
  clock.advance(1)
  assertRefused(await call(user), incorrect, invalidToken, 'on the node that has seen it')
  assertRefused(await call(user, other.origin), incorrect, invalidToken, 'on the other node')
})

test('secrets and tokens are neither logged nor stored in plain text', async () => {
  const token = await freshToken()
  await call(token)
  const log = service.lines.join('')
  assert.ok(log.length > 0)
  const stored = JSON.stringify(await service.sql('select row_to_json(k) from api_keys k'))
  for (const secret of [demo.client_secret, demo.other.client_secret, token, demo.dashboard.user_token]) {
    assert.ok(!log.includes(secret))
    assert.ok(!stored.includes(secret))
    assert.ok(!stored.includes(Buffer.from(secret).toString('hex')))
  }
})
