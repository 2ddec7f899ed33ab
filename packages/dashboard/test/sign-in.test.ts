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
