/**
 * The six screens of screens.md in eight looks: Arabic and English, 390 and 1440 pixels, light and dark, with the data of a shop in
 * the afternoon. Nothing overflows, no text is cut or lies over another, Latin text keeps its order, axe finds no fault.
 * `SANAD_TEST_PICTURES=folder` opens all eight and stores a picture of each, to be held against the sketches; `SANAD_TEST_LOOK=ar-390-dark`
 * opens one.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { day_ms, hour_ms } from '../../../server/src/core/duration.ts'
import { zoneOf } from '../../../server/src/core/zone.ts'
import { finishSales } from '../../../server/src/matching/queue/finish-sales.ts'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { transferText } from '../../../server/test/support/sms-texts.ts'
import { askAt } from '../../../server/test/support/story.ts'
import { createMember, createMembers, storyPassword } from '../../../server/test/support/users.ts'
import {
  bothLanguages,
  expectFits,
  expectNoFaults,
  giveProof,
  type Look,
  openDashboard,
  textPattern,
} from '../browser.ts'
import { checkoutCreator } from '../buyer/create-checkout.ts'
import { disordered, hiddenTexts, smallTargets } from '../measures.ts'
import { purchaseReporter } from '../report-purchase.ts'

const { service, open, openAs, visit, complaints } = await openDashboard()
const { clock, demo, sql, origin, token } = service
const { main, second } = demo.wallets
const shopPhone = phoneOf(origin, clock.now, demo.device)
const pay = purchaseReporter(shopPhone, clock.now)
const say = async (text: string, sim_slot = 'SIM1'): Promise<void> => {
  const received_at = Math.floor(clock.now() / 1000)
  const report = { client_id: crypto.randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot, received_at }
  assert.equal((await shopPhone.alerts([report])).status, 200)
}
const names = ['علي صالح المثال', 'هدى أحمد المثال', 'سالم ناصر المثال', 'أمل حسن المثال', 'Nabil Example'] as const
let references = 220_700_010_000
const newReference = (): string => {
  references += 37
  return String(references)
}
const intentOf = async (amount: string, order: string, more: Record<string, unknown> = {}): Promise<string> =>
  (await service.create({ amount, external_order_id: order, ...more })).body.id
const attach = (id: string, reference: string) => service.ask('PATCH', `/intents/${id}/`, { body: { reference } })
const paidIntent = async (amount: string, order: string, name: string, arrived = amount): Promise<string> => {
  const [id, reference] = [await intentOf(amount, order), newReference()]
  await attach(id, reference)
  await pay(arrived, reference, name)
  return id
}
const alertOf = async (reference: string): Promise<string> =>
  (await sql('select id from alerts where reference = $1', [reference]))[0]![0]!

for (const [id, name] of [
  [main, 'محفظة المتجر'],
  [second, 'محفظة التوصيل'],
])
  await sql('update wallets set name = $2, version = version + 1 where id = $1', [id, name])
await sql('update wallets set active = false where id = any($1::uuid[])', [
  [demo.wallets.off, demo.wallets.unmonitored],
])
await sql(`update devices set name = 'هاتف المتجر' where id = $1`, [demo.device.id])

// Two weeks, then today at 14:30 in Aden.
const midnight = clock.now() + day_ms - ((clock.now() + 3 * hour_ms) % day_ms)
for (let day = 0; day < 14; day++)
  for (const [n, hour] of [9, 12, 14, 19].entries()) {
    clock.set(midnight + day * day_ms + hour * hour_ms)
    if (n % 2 === 0) await paidIntent(String(1000 + ((day * 730 + hour * 410) % 9000)), `A-${day * 4 + n}`, names[n]!)
    else await pay(String(1500 + ((day * 510 + hour * 330) % 7000)), newReference(), names[n]!)
    if (hour > 12) await say(transferText(String(700 + day * 90), String(20_000 + day * 2_000)), 'SIM2')
  }
clock.set(midnight + 14 * day_ms + 8 * hour_ms)
const staff = await createMembers(service)
const huda = await createMember(service, staff.accountId, 'cashier')
for (const [userId, name] of [
  [staff.owner.userId, 'أمين المثال'],
  [huda.userId, 'هدى المثال'],
])
  await sql('update users set name = $2 where id = $1', [userId, name])
await shopPhone.heartbeat()
const createCheckout = checkoutCreator(origin, token)
const post = async (url: string, fields: Record<string, string>): Promise<string> => {
  const body = new URLSearchParams(fields).toString()
  const answer = await askAt(url, 'POST', { body, headers: { 'content-type': 'application/x-www-form-urlencoded' } })
  assert.equal(answer.status, 303, answer.text)
  return url
}
const chosen = async (more: Record<string, unknown> = {}, wallet: string = main): Promise<string> => {
  const url = await createCheckout({ description: 'بن يمني محمص، كيلو', ...more })
  await post(`${url}/wallet/`, { wallet })
  return url
}

// Early in the morning: what has expired since, and the first payments.
await huda.ask('POST', '/shifts/')
const cancelled = await intentOf('900', 'B-3')
await huda.ask('POST', `/intents/${cancelled}/cancel/`)
const buyerExpired = await createCheckout({ external_order_id: 'B-4', expires_in: 600 })
for (const [n, amount] of ['4500', '12000', '850', '23500', '3200', '9750'].entries()) {
  clock.advance(40 * 60_000)
  const id = await paidIntent(amount, `A-${1031 + n}`, names[n % names.length]!)
  if (n % 2 === 0) await huda.ask('POST', `/intents/${id}/hand-over/`)
}
clock.set(midnight + 14 * day_ms + 12.4 * hour_ms)
const expired = await intentOf('3600', 'B-2')
clock.set(midnight + 14 * day_ms + 13.9 * hour_ms)
await shopPhone.heartbeat()
await pay('3600', newReference(), 'سالم ناصر المثال')
const wrong = await paidIntent('6400', 'A-1040', 'أمل حسن المثال', '6000')
const soldAt = newReference()
await pay('900', soldAt, 'هدى أحمد المثال')
const sold = await huda.ask('POST', `/unmatched/${await alertOf(soldAt)}/take-sale/`, { body: { amount: '900.00' } })
assert.equal(sold.status, 200, sold.text)
clock.advance(11_000)
await finishSales({ db: service.db, zone: zoneOf('Asia/Aden') }, 100, clock.now())
clock.set(midnight + 14 * day_ms + 14.3 * hour_ms)
await shopPhone.heartbeat()
await paidIntent('2750', 'B-6', 'Nabil Example')
const handed = await paidIntent('2750', 'B-5', 'علي صالح المثال')
await huda.ask('POST', `/intents/${handed}/hand-over/`)
clock.advance(60_000)
const paid = await paidIntent('17000.50', 'SB-10691', 'علي صالح المثال')
await say(transferText('4000', '94000.00', '771234567'))
await pay('4000', newReference(), 'سامي المثال')
const pending = await intentOf('1500', 'A-1042')
clock.advance(120_000)
await pay('1500', newReference(), 'سالم ناصر المثال')
await pay('7300', newReference(), 'علي صالح المثال ملغاة')
const walkIn = newReference()
await pay('1500', walkIn, 'علي صالح المثال')
await say('رمز التحقق الخاص بك هو 482913 لا تشاركه مع أحد')
const sale = await huda.ask('POST', '/counter/sales/', {
  body: { amount: '1500', wallet: main, external_order_id: 'B-7' },
})
assert.ok(sale.status < 300, sale.text)

const looking = newReference()
const buyer = {
  choose: await createCheckout({ external_order_id: 'A-1043', description: 'بن يمني محمص، كيلو' }),
  pay: await chosen({ external_order_id: 'A-1044' }),
  looking: await chosen({ external_order_id: 'A-1045' }),
  wrong: await chosen({ external_order_id: 'A-1046', allow_remaining: true }),
  paid: await chosen({ external_order_id: 'A-1047', amount: '2300.00' }),
  expired: buyerExpired,
  exact: '',
}
await post(`${buyer.looking}/reference/`, { reference: looking })
const [short, full] = [newReference(), newReference()]
await post(`${buyer.wrong}/reference/`, { reference: short })
await pay('1400', short, 'أمل حسن المثال')
await post(`${buyer.paid}/reference/`, { reference: full })
await pay('2300', full, 'أمل حسن المثال')
await sql(`update wallets set unique_amounts = 'more', unique_amounts_most = 50, version = version + 1 where id = $1`, [
  second,
])
clock.advance(2_000)
await shopPhone.heartbeat()
buyer.exact = await chosen({ external_order_id: 'A-1048' }, second)
const voucher = (await staff.owner.ask('POST', `/intents/${paid}/voucher/`, { body: {} })).body.url

const folder = process.env.SANAD_TEST_PICTURES
if (folder !== undefined) mkdirSync(folder, { recursive: true })
const nameOf = ({ language, width, scheme }: Look): string => `${language}-${width}-${scheme}`
const only = process.env.SANAD_TEST_LOOK

/** Everything that can be seen of a page by a program; a picture for what cannot. */
const look = async (page: Page, at: Look, name: string, faults: string[]): Promise<void> => {
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await page.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
  if (folder !== undefined) {
    // What is loaded later is on the picture too.
    await page.waitForTimeout(300)
    await page.screenshot({ path: `${folder}/${nameOf(at)}-${name}.png`, fullPage: true })
  }
  const where = `${name}, ${nameOf(at)}`
  const seen = await hiddenTexts(page)
  if (at.language === 'ar') seen.push(...(await disordered(page)).map((text) => `out of order: ${text}`))
  if (at.width === 390) seen.push(...(await smallTargets(page)).map((text) => `small: ${text}`))
  faults.push(...seen.map((text) => `${where}: ${text}`))
  await expectFits(page, where)
  // every-screen.slow.test.ts does the same in the light look of Arabic and in English.
  if (at.language === 'ar' && at.scheme === 'dark') await expectNoFaults(page, where)
}

const dashboard: readonly (readonly [name: string, path: string, act?: (page: Page) => Promise<void>])[] = [
  ['1-voucher-pending', `/intents/${pending}`],
  ['1-voucher-paid', `/intents/${paid}`],
  ['1-voucher-wrong', `/intents/${wrong}`],
  ['1-voucher-expired', `/intents/${expired}`],
  ['1-voucher-cancelled', `/intents/${cancelled}`],
  ['2-counter-roll', '/counter'],
  ['2-counter-paid', '/counter?q=SB-10691'],
  ['2-counter-done', '/counter?q=B-5'],
  ['2-counter-several', '/counter?q=2750'],
  ['2-counter-money', '/counter?q=7300'],
  ['2-counter-fits', `/counter?q=${walkIn.slice(-4)}`],
  ['2-counter-waiting', '/counter?q=A-1042'],
  ['2-counter-wrong', '/counter?q=A-1040'],
  ['2-counter-none', '/counter?q=B-99'],
  ['2-counter-new', '/counter/new'],
  ['2-counter-sale', `/counter/sale/${sale.body.id}`],
  ['3-queue', '/unmatched'],
  [
    '3-queue-card',
    '/unmatched',
    async (page) => {
      await page.locator('button[aria-expanded]', { hasText: '1,500' }).first().click()
      await page.locator('button[aria-expanded=true]').waitFor()
    },
  ],
  [
    '3-queue-wrong',
    '/unmatched',
    async (page) => {
      await page.locator('button[aria-expanded]', { hasText: '6,000' }).first().click()
      await page.locator('button[aria-expanded=true]').waitFor()
    },
  ],
  [
    '4-today',
    '/',
    async (page) => {
      await page.locator('main h1').waitFor()
      for (let step = 0; step < 12; step++) await page.mouse.wheel(0, 600)
      await page.locator('[role=slider]').waitFor()
      await page.evaluate(() => scrollTo(0, 0))
    },
  ],
  ['7-shifts', '/shifts'],
  ['7-day-close', '/day-close'],
]

const schemes = ['light', 'dark'] as const
/** What is measured does not depend on the colours: without pictures, each language and width is looked at once. */
const isNeeded = (at: Look): boolean =>
  only === undefined
    ? folder !== undefined || (at.scheme === 'dark') === ((at.language === 'ar') === (at.width === 1440))
    : nameOf(at) === only
const looks = bothLanguages
  .flatMap((language) => [390, 1440].flatMap((width) => schemes.map((scheme): Look => ({ language, width, scheme }))))
  .filter(isNeeded)

for (const at of looks) {
  test(`the voucher, the counter, the queue and Today, ${nameOf(at)}`, async () => {
    const faults: string[] = []
    const page = await openAs(staff.owner, at)
    for (const [name, path, act] of dashboard) {
      await visit(page, path)
      await act?.(page)
      await look(page, at, name, faults)
    }
    await page.context().close()
    assert.deepEqual(faults, [])
  })

  test(`connecting a phone, ${nameOf(at)}`, async () => {
    const faults: string[] = []
    const page = await openAs(staff.owner, at)
    await visit(page, '/phones')
    await look(page, at, '5-phones', faults)
    await visit(page, '/phones?new=1')
    const form = page.getByRole('dialog')
    await form.getByRole('textbox').fill('هاتف الكاشير')
    await form.getByRole('checkbox').first().check()
    await look(page, at, '5-phone-add', faults)
    await form.locator('button[type=submit]').click()
    const dialog = page.getByRole('dialog').filter({ has: page.locator('img') })
    // The proof of the person, which the first look gives, holds for the next ones too.
    const asked = page.locator('dialog input[name=password]')
    await asked.or(dialog.locator('img')).first().waitFor()
    if (await asked.isVisible()) await giveProof(page, storyPassword)
    await dialog.locator('img').waitFor()
    await look(page, at, '5-phone-code', faults)
    await dialog.locator('summary').click()
    const link = await dialog.locator('bdi.code').first().innerText()
    const shop = await open(at)
    await shop.goto(link)
    const step = (n: number) => shop.locator(`[data-step="${n}"]`)
    await step(1).waitFor()
    await look(shop, at, '5-setup-1', faults)
    await step(1).locator('[data-app="smsgate"]').click()
    await step(2).waitFor()
    await look(shop, at, '5-setup-2', faults)
    await step(2).locator('[data-next]').click()
    await step(3).waitFor()
    await look(shop, at, '5-setup-3', faults)
    await look(page, at, '5-phone-follow', faults)
    await shop.context().close()
    await page.context().close()
    assert.deepEqual(faults, [])
  })

  test(`the buyer’s page and the public voucher, ${nameOf(at)}`, async () => {
    const faults: string[] = []
    const page = await open(at)
    for (const [name, url] of Object.entries({ ...buyer, voucher })) {
      await page.goto(`${url}?lang=${at.language}`)
      await page.locator('h1').first().waitFor()
      await look(page, at, `6-buyer-${name}`, faults)
    }
    await page.context().close()
    assert.deepEqual(faults, [])
  })
}

test('a sale that can be undone, and a phone that is silent, in every look', async () => {
  const faults: string[] = []
  const taken = await huda.ask('POST', `/unmatched/${await alertOf(walkIn)}/take-sale/`, {
    body: { amount: '1500.00', not_for_order: true },
  })
  assert.equal(taken.status, 200, taken.text)
  for (const at of looks) {
    const page = await openAs(huda, at)
    await visit(page, '/counter')
    await page.getByRole('button', { name: textPattern(at.language, 'counter.undo') }).waitFor()
    await look(page, at, '2-counter-undo', faults)
    await page.context().close()
  }
  clock.advance(20 * 60_000)
  for (const at of looks) {
    const page = await openAs(staff.owner, at)
    await visit(page, '/counter?q=999123')
    await look(page, at, '2-counter-silent', faults)
    await page.context().close()
  }
  assert.deepEqual(faults, [])
})

test('no errors in the console', () => {
  assert.deepEqual(complaints, [])
})
