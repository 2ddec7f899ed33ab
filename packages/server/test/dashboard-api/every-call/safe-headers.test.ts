/** Security headers of every answer, and requests that are refused because a proxy may read them differently. */
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { builtDashboard } from '../../../src/built-dashboard.ts'
import { dashboardPages } from '../../../src/http/app/dashboard-pages.ts'
import { askAt, openTestService } from '../../support/story.ts'
import { createMembers } from '../../support/users.ts'

// A copy of the built dashboard, because a test removes a file.
const pages = await mkdtemp(join(tmpdir(), 'sanad-pages-'))
after(() => rm(pages, { recursive: true }))
await cp(await builtDashboard(() => {}), pages, { recursive: true })
const service = await openTestService(
  { PUBLIC_URL: 'https://pay.example.com', SANAD_LIMITS: 'off' },
  { more: async (app) => void (await app.register(dashboardPages(pages))) },
)
const plain = await openTestService()
const { owner } = await createMembers(plain)

/** Sends these bytes unchanged and returns everything that comes back. */
const raw = (text: string, origin = service.origin): Promise<string> =>
  new Promise((done, fail) => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1', () => socket.write(text))
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('end', () => done(received))
    socket.on('error', fail)
  })

test('a missing file is 404 and not cached, an existing one is cached for a year', async () => {
  const missing = await askAt(`${service.origin}/assets/index-00000000.js`, 'GET', {})
  assert.equal(missing.status, 404)
  assert.equal(missing.headers['cache-control'], 'no-store', 'a shared cache may keep a 404 without this')
  const page = await askAt(`${service.origin}/`, 'GET', { headers: { accept: 'text/html' } })
  const [file] = /\/assets\/[\w.-]+\.js/.exec(page.text)!
  const existing = await askAt(`${service.origin}${file}`, 'GET', {})
  assert.equal(existing.status, 200)
  assert.equal(existing.headers['cache-control'], 'public, max-age=31536000, immutable')
  const icon = await askAt(`${service.origin}/sanad.svg`, 'GET', {})
  assert.deepEqual([icon.status, icon.headers['cache-control']], [200, 'no-cache'])
  // An update replaces the files of a running node.
  for (const ending of ['', '.br', '.gz']) await rm(join(pages, `${file}${ending}`), { force: true })
  const gone = await askAt(`${service.origin}${file}`, 'GET', {})
  assert.deepEqual([gone.status, gone.headers['cache-control']], [404, 'no-store'])
})

test('a path that ends like a file is 404 for everybody; the paths of screens are answered with the page', async () => {
  const status = async (path: string, method = 'GET') =>
    (await askAt(`${service.origin}${path}`, method, { headers: { accept: 'text/html,*/*' } })).status
  for (const path of [
    '/favicon.ico',
    '/wp-login.php',
    '/.env',
    '/.git/config',
    '/assets/none.css',
    '/intents/x.js',
    '/a.map',
  ])
    assert.equal(await status(path), 404, path)
  for (const path of ['/', '/intents', '/intents/0190b7a1-0000-7000-8000-000000000000', '/webhooks'])
    assert.deepEqual([await status(path), await status(path, 'HEAD')], [200, 200], path)
  assert.equal(await status('/favicon.ico', 'HEAD'), 404)
  const head = await askAt(`${service.origin}/`, 'HEAD', {})
  assert.deepEqual([head.status, head.text, head.headers['cache-control']], [200, '', 'no-store'])
})

test('robots.txt keeps pages of buyers and shops out of search engines; security.txt names a contact and ends', async () => {
  const robots = await askAt(`${service.origin}/robots.txt`, 'GET', {})
  assert.match(String(robots.headers['content-type']), /^text\/plain/)
  assert.equal(robots.text, 'User-agent: *\nAllow: /docs\nDisallow: /\n')
  const security = await askAt(`${service.origin}/.well-known/security.txt`, 'GET', {})
  assert.equal(security.status, 200)
  assert.match(
    security.text,
    /^Contact: https:\/\/pay\.example\.com\/docs\/guide\/en\/going-live#report-a-security-problem$/m,
  )
  assert.match(security.text, /^Canonical: https:\/\/pay\.example\.com\/\.well-known\/security\.txt$/m)
  const expires = Date.parse(/^Expires: (\S+)$/m.exec(security.text)![1]!)
  const ahead_days = (expires - service.clock.now()) / 86_400_000
  assert.ok(ahead_days > 80 && ahead_days < 365, String(ahead_days))
  assert.equal((await askAt(`${service.origin}/robots.txt`, 'HEAD', {})).status, 200)
})

test('a request with two Host headers is refused', async () => {
  for (const hosts of ['Host: a\r\nHost: b', 'Host: a\r\nhost: a', 'host: a\r\nX: y\r\nHOST: b']) {
    const answer = await raw(`GET /healthz HTTP/1.1\r\n${hosts}\r\nConnection: close\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 400 /)
    assert.match(answer, /"detail":"The request has more than one Host header\."/)
  }
  assert.match(await raw('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 200 /)
  assert.match(await raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'), /^HTTP\/1\.1 400 /)
})

test('no answer of an API may be kept in a cache, whatever its status', async () => {
  const own = (path: string) => `${service.origin}/api/v1/${path}`
  const answers = await Promise.all([
    askAt(own('merchant/wallets/'), 'GET', { token: service.token }),
    askAt(own('merchant/wallets/'), 'OPTIONS', { token: service.token }),
    askAt(own('merchant/wallets/'), 'PUT', { token: service.token }),
    askAt(own('merchant/intents/'), 'GET', {}),
    askAt(own('merchant/intents/none/'), 'GET', { token: service.token }),
    askAt(own('merchant/nowhere/'), 'GET', { token: service.token }),
    askAt(own('merchant/%'), 'GET', { token: service.token }),
    askAt(own('merchant/intents/'), 'POST', { token: service.token, body: 'x'.repeat(1_100_000) }),
    askAt(own('token'), 'GET', {}),
    askAt(own('checkout/sessions/'), 'GET', { token: service.token }),
    askAt(own('checkout/links/'), 'GET', {}),
    askAt(own('developer/events/'), 'GET', { token: service.token }),
    askAt(own('device/alerts/'), 'POST', {}),
    askAt(own('dashboard/session/'), 'GET', {}),
    owner.ask('GET', '/intents/csv/'),
  ])
  for (const { status, headers, text } of answers)
    assert.match(String(headers['cache-control']), /no-store/, `${status} ${text.slice(0, 100)}`)
  assert.ok(new Set(answers.map(({ status }) => status)).size >= 5, 'the answers cover several statuses')
  const asked = (target: string) =>
    raw(`GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.token}\r\nConnection: close\r\n\r\n`)
  for (const [target, status] of [
    ['http://a/api/v1/merchant/wallets/', 200],
    ['/%61pi/v1/merchant/wallets/', 200],
    ['//api/v1/merchant/wallets/', 404],
    [`/api/v1/merchant/${'x'.repeat(20_000)}`, 431],
  ] as const) {
    const answer = await asked(target)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), target)
    assert.match(answer, /^cache-control: no-store\r$/im, target)
  }
  assert.match(await raw('this is not HTTP\r\n\r\n'), /^cache-control: no-store\r$/im)
})

test('every answer has nosniff', async () => {
  const csv = await owner.ask('GET', '/intents/csv/')
  assert.match(String(csv.headers['content-type']), /text\/csv/)
  const answers = [
    csv,
    await service.ask('GET', '/wallets/'),
    await service.ask('GET', '/intents/', { token: null }),
    await service.ask('GET', '/nowhere/'),
    await owner.ask('GET', '/session/'),
    await askAt(`${service.origin}/healthz`, 'GET', {}),
    await askAt(`${service.origin}/`, 'GET', { headers: { accept: 'text/html' } }),
  ]
  for (const { headers, text } of answers)
    assert.equal(headers['x-content-type-options'], 'nosniff', text.slice(0, 100))
  assert.match(await raw('this is not HTTP\r\n\r\n'), /x-content-type-options: nosniff/i)
})

test('pages, pictures and downloads for buyers, phones and developers have nosniff and, behind TLS, HSTS', async () => {
  const checkout = `${service.origin}/api/v1/checkout`
  const checkoutAnswer = await askAt(`${checkout}/sessions/`, 'POST', {
    token: service.token,
    body: { amount: '1500.00' },
  })
  const link = await askAt(`${checkout}/links/`, 'POST', { token: service.token, body: { amount: '1500.00' } })
  assert.deepEqual([checkoutAnswer.status, link.status], [201, 201], checkoutAnswer.text + link.text)
  const [page, linkPage] = [new URL(checkoutAnswer.body.url).pathname, new URL(link.body.url).pathname]
  const existing = [
    page,
    `${page}/state/`,
    linkPage,
    `${linkPage}/seen`,
    '/pair',
    '/docs',
    '/docs/guide',
    '/openapi.json',
    '/pair/none',
  ]
  const missing = [`/pay/${'x'.repeat(27)}`, `/pay/link/${'x'.repeat(27)}`, '/pay/logo/none']
  for (const path of [...existing, ...missing]) {
    const { status, headers } = await askAt(`${service.origin}${path}`, 'GET', { headers: { accept: 'text/html' } })
    assert.equal(headers['x-content-type-options'], 'nosniff', path)
    assert.equal(headers['strict-transport-security'], 'max-age=31536000', path)
    if (missing.includes(path)) assert.equal(status, 404, path)
    if (status === 404) assert.doesNotMatch(String(headers['cache-control']), /max-age=[1-9]/, path)
    if (path.startsWith('/pay/') && headers['content-type']?.includes('html'))
      assert.match(String(headers['content-security-policy']), /frame-ancestors 'none'/, path)
  }
  const ownLink = await owner.ask('POST', '/payment-links/', { body: { amount: '1500.00' } })
  assert.equal(ownLink.status, 201, ownLink.text)
  const code = await owner.ask('GET', `/payment-links/${ownLink.body.id}/qr/`)
  assert.equal(code.status, 200, code.text)
  assert.equal(code.headers['x-content-type-options'], 'nosniff')
})

test('HSTS is sent behind TLS, and not without', async () => {
  for (const path of ['/', '/healthz', '/api/v1/merchant/wallets/'])
    assert.equal(
      (await askAt(`${service.origin}${path}`, 'GET', {})).headers['strict-transport-security'],
      'max-age=31536000',
      path,
    )
  assert.equal((await plain.ask('GET', '/wallets/')).headers['strict-transport-security'], undefined)
})

test('metrics are at the operators’ port only', async () => {
  assert.equal((await askAt(`${service.origin}/metrics`, 'GET', {})).status, 404)
  assert.match(await service.figures(), /sanad_http_duration_seconds/)
})
