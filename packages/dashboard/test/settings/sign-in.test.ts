/** Signing in, in a real browser: in both languages, on a phone and on a desktop. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { desktop, eventually, expectGood, openDashboard, phone } from '../browser.ts'

const { service, open, signIn } = await openDashboard()

for (const look of [phone, { ...desktop, scheme: 'dark' as const }]) {
  test(`a wrong password is refused, a right one opens the start page, ${look.language} at ${look.width}, ${look.scheme}`, async () => {
    const page = await open(look)
    await page.goto(service.origin)
    await page.waitForSelector('input[name=email]')
    assert.equal(await page.getAttribute('html', 'dir'), look.language === 'ar' ? 'rtl' : 'ltr')
    await expectGood(page, 'the sign-in page')
    await page.fill('input[name=email]', service.demo.dashboard.email)
    await page.fill('input[name=password]', 'not the password')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]')
    await signIn(page)
    await page.waitForSelector(`main h1:text("${look.language === 'ar' ? 'اليوم' : 'Today'}")`)
    await expectGood(page, 'the day')
  })
}

test('the page allows only its own inline script and its own host, and is not cached', async () => {
  const page = await open(desktop)
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  const answer = await page.goto(service.origin)
  const policy = answer!.headers()['content-security-policy']!
  // The policy allows the page's own files, and the one inline script that it was built with.
  const [inline, ...more] = [...(await answer!.text()).matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, text]) => text!,
  )
  assert.deepEqual(more, [])
  const hash = createHash('sha256').update(inline!).digest('base64')
  assert.equal(/script-src ([^;]*)/.exec(policy)![1], `'self' 'sha256-${hash}'`)
  assert.match(policy, /default-src 'none'/)
  await page.waitForSelector('input[name=email]')
  assert.deepEqual([...hosts], [new URL(service.origin).host])
  assert.equal(answer!.headers()['cache-control'], 'no-store')
})

test('switching the language changes the direction at once, and is remembered', async () => {
  const page = await open(desktop)
  await page.goto(service.origin)
  await page.click('button[lang=ar]')
  await eventually(async () => assert.equal(await page.getAttribute('html', 'dir'), 'rtl'))
  await page.reload()
  await page.waitForSelector('button[lang=en]')
  assert.equal(await page.getAttribute('html', 'lang'), 'ar')
})

test('signing out during a running request does not show “your session has ended”', async () => {
  const page = await open(desktop)
  await signIn(page)
  const requested = Promise.withResolvers<void>()
  const sessionEnded = Promise.withResolvers<void>()
  const refused = Promise.withResolvers<number>()
  // The request waits until the session has ended, and is answered before the sign-out is answered.
  await page.route('**/api/v1/dashboard/wallets/**', async (route) => {
    requested.resolve()
    await sessionEnded.promise
    const answer = await route.fetch()
    await route.fulfill({ response: answer }).catch(() => {})
    refused.resolve(answer.status())
  })
  await page.route('**/api/v1/dashboard/session/', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue()
    const answer = await route.fetch()
    sessionEnded.resolve()
    await refused.promise
    // After this wait the page has read the answer.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
    return route.fulfill({ response: answer })
  })
  await page.locator('nav a[href="/wallets"]').click()
  await requested.promise
  await page.locator('header button').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  assert.equal(await refused.promise, 401)
  await page.waitForSelector('input[name=email]')
  await page.waitForLoadState('networkidle')
  assert.equal(await page.getByText('Your session has ended').count(), 0)
  // The next user is signed in normally, and is informed when their session does end.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await signIn(page)
  await service.sql('update sessions set ended_at = now() where ended_at is null')
  await page.locator('nav a[href="/intents"]').click()
  await page.getByText('Your session has ended').waitFor()
})
