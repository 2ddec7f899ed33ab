/** Signing in, in the real browser: in both languages, on a phone and on a desk. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desk, expectFits, expectNoFaults, openDashboard, phone } from './browser.ts'

const { house, open, signIn, complaints } = await openDashboard()

for (const look of [phone, { ...desk, scheme: 'dark' as const }]) {
  test(`the door and the day, ${look.language} at ${look.width}, ${look.scheme}`, async () => {
    const page = await open(look)
    await page.goto(house.origin)
    await page.waitForSelector('input[name=email]')
    assert.equal(await page.getAttribute('html', 'dir'), look.language === 'ar' ? 'rtl' : 'ltr')
    await expectNoFaults(page, 'the door')
    await expectFits(page, 'the door')
    await page.fill('input[name=email]', house.demo.dashboard.email)
    await page.fill('input[name=password]', 'not the password')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]')
    await signIn(page)
    await page.waitForSelector(`main h1:text("${look.language === 'ar' ? 'اليوم' : 'Today'}")`)
    await expectNoFaults(page, 'the day')
    await expectFits(page, 'the day')
    assert.deepEqual(complaints, [])
    await page.context().close()
  })
}

test('the page allows no script of its own and no other host, and is not kept', async () => {
  const page = await open(desk)
  const hosts = new Set<string>()
  page.on('request', (request) => hosts.add(new URL(request.url()).host))
  const answer = await page.goto(house.origin)
  const policy = answer!.headers()['content-security-policy']!
  assert.match(policy, /script-src 'self'(;|$)/)
  assert.match(policy, /default-src 'none'/)
  await page.waitForSelector('input[name=email]')
  assert.deepEqual([...hosts], [new URL(house.origin).host])
  assert.equal(answer!.headers()['cache-control'], 'no-store')
})

test('the language turns the page around at once, and is remembered', async () => {
  const page = await open(desk)
  await page.goto(house.origin)
  await page.click('button[lang=ar]')
  assert.equal(await page.getAttribute('html', 'dir'), 'rtl')
  await page.reload()
  await page.waitForSelector('button[lang=en]')
  assert.equal(await page.getAttribute('html', 'lang'), 'ar')
})

test('whoever signs out while the page still asks something is not told that their session has ended', async () => {
  const page = await open(desk)
  await signIn(page)
  const asked = Promise.withResolvers<void>()
  const isOut = Promise.withResolvers<void>()
  const refused = Promise.withResolvers<number>()
  // What the page asks waits on its way until the session is over, and its answer overtakes that of signing out.
  await page.route('**/api/v1/dashboard/wallets/**', async (route) => {
    asked.resolve()
    await isOut.promise
    const answer = await route.fetch()
    await route.fulfill({ response: answer }).catch(() => {})
    refused.resolve(answer.status())
  })
  await page.route('**/api/v1/dashboard/session/', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue()
    const answer = await route.fetch()
    isOut.resolve()
    await refused.promise
    // By now the page has read it.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)))
    return route.fulfill({ response: answer })
  })
  await page.locator('nav a[href="/wallets"]').click()
  await asked.promise
  await page.locator('header button').click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  assert.equal(await refused.promise, 401)
  await page.waitForSelector('input[name=email]')
  await page.waitForLoadState('networkidle')
  assert.equal(await page.getByText('Your session has ended').count(), 0)
  // Whoever comes next is at home, and hears it when their session does end.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await signIn(page)
  await house.sql('update sessions set ended_at = now() where ended_at is null')
  await page.locator('nav a[href="/intents"]').click()
  await page.getByText('Your session has ended').waitFor()
  await page.context().close()
})
