/** Behind a trusted proxy, the service uses the client address that the proxy adds, not the address that the client sends. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAt, openTestService } from '../support/story.ts'
import { dashboardAt } from '../support/users.ts'

const origin = 'https://pay.example.com'
const service = await openTestService({
  SANAD_TRUST_PROXY: 'yes',
  PUBLIC_URL: origin,
  NODE_ENV: 'production',
  SANAD_MASTER_KEY: Buffer.alloc(32, 7).fill(8, 16).toString('base64'),
})

const guess = (forwarded: string, email: string) =>
  askAt(dashboardAt(service.origin, '/session/'), 'POST', {
    body: { email, password: 'a guess at it' },
    headers: { origin, 'x-forwarded-for': forwarded },
  }).then(({ status }) => status)

test('with a public https address, cookies are Secure and only requests from our own origin are accepted', async () => {
  const { email, password } = service.demo.dashboard
  const trySignIn = (from: string) =>
    askAt(dashboardAt(service.origin, '/session/'), 'POST', { body: { email, password }, headers: { origin: from } })
  assert.equal((await trySignIn(service.origin)).status, 403)
  const cookies = [(await trySignIn(origin)).headers['set-cookie'] ?? []].flat()
  assert.equal(cookies.length, 2)
  for (const cookie of cookies)
    assert.match(cookie, /^__Host-sanad_\w+=[^;]+; .*Path=\/; HttpOnly; Secure; SameSite=Lax/)
  const token = /__Host-sanad_session=([^;]+)/.exec(cookies.join())![1]!
  const look = (cookie: string) => askAt(dashboardAt(service.origin, '/session/'), 'GET', { headers: { cookie } })
  assert.equal((await look(`__Host-sanad_session=${token}`)).status, 200)
  // Another site under the same domain can set this cookie, but not one with the __Host- prefix.
  assert.equal((await look(`sanad_session=${token}`)).status, 401)
  const out = await askAt(dashboardAt(service.origin, '/session/'), 'DELETE', {
    headers: { cookie: `__Host-sanad_session=${token}`, origin },
  })
  assert.match(String(out.headers['set-cookie']), /^__Host-sanad_session=;.*Path=\/;.*Secure/)
})

test('made-up addresses in front of the proxy’s own entry count as one address', async () => {
  const statuses = []
  for (let i = 0; i < 7; i++) statuses.push(await guess(`198.51.100.${i}, 203.0.113.7`, 'amal@sanad.example'))
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
  assert.equal(await guess('203.0.113.8', 'amal@sanad.example'), 401)
})

test('guesses from one /64 of IPv6 count as one address', async () => {
  const statuses = []
  for (let i = 0; i < 7; i++) statuses.push(await guess(`2001:db8:1:2::${i}`, 'badr@sanad.example'))
  assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429, 429])
  assert.equal(await guess('2001:db8:1:3::1', 'badr@sanad.example'), 401)
})
