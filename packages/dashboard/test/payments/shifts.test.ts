/** A shift and the day close in a real browser: started and ended on the counter, on one narrow page, and as a print of 58 mm. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { zoneOf } from '../../../server/src/core/zone.ts'
import { finishSales } from '../../../server/src/matching/queue/finish-sales.ts'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { createMember, createMembers } from '../../../server/test/support/users.ts'
import { desktop, eventually, expectGood, phone as narrow, openDashboard, textPattern } from '../browser.ts'
import { purchaseReporter } from '../report-purchase.ts'

const { service, openAs, visit } = await openDashboard()
const { clock, demo, sql, create, ask } = service
const staff = await createMembers(service)
const huda = await createMember(service, staff.accountId, 'cashier')
await sql(`update users set name = 'هدى المثال' where id = $1`, [huda.userId])
const shopPhone = phoneOf(service.origin, clock.now, demo.device)
await sql(`update devices set paired_at = paired_at - interval '3 days' where id = $1`, [demo.device.id])
await shopPhone.heartbeat()
const pay = purchaseReporter(shopPhone, clock.now)

const folder = process.env.SANAD_PICTURES
if (folder !== undefined) mkdirSync(folder, { recursive: true })
const picture = async (page: Page, name: string): Promise<void> => {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
/** The print as a PDF of 58 mm; returns how many pages it has. */
const print = async (page: Page, name: string): Promise<number> => {
  const pdf = await page.pdf({ preferCSSPageSize: true })
  if (folder !== undefined) {
    const size = page.viewportSize()!
    await page.emulateMedia({ media: 'print' })
    await page.setViewportSize({ width: 204, height: 600 })
    await picture(page, `${name}-print`)
    await page.emulateMedia({ media: 'screen' })
    await page.setViewportSize(size)
  }
  if (folder !== undefined) writeFileSync(`${folder}/${name}.pdf`, pdf)
  const text = pdf.toString('latin1')
  const [, width] = /\/MediaBox \[0 0 ([\d.]+)/.exec(text) ?? []
  assert.ok(Math.abs(Number(width) - (58 / 25.4) * 72) < 1, `the page is ${width} points wide`)
  return [...text.matchAll(/\/Type \/Page\b/g)].length
}
const finish = async (): Promise<void> => {
  clock.advance(10_000)
  await finishSales({ db: service.db, zone: zoneOf('Asia/Aden') }, 100, clock.now())
}
const alertOf = async (reference: string): Promise<string> =>
  (await sql('select id from alerts where reference = $1', [reference]))[0]![0]!
const heightOf = (page: Page): Promise<number> => page.evaluate(() => document.documentElement.scrollHeight)

let shift = ''

test('a cashier starts a shift on the counter, sees its sums on one narrow page, prints it at 58 mm and ends it', async () => {
  const page = await openAs(huda, narrow)
  await visit(page, '/counter')
  await page.getByRole('button', { name: textPattern('ar', 'shift.start') }).click()
  const mine = page.getByRole('link', { name: textPattern('ar', 'shift.openSince') })
  await mine.waitFor()
  await expectGood(page, 'the counter in a shift')
  await picture(page, 'counter-shift-ar-390')
  clock.advance(60_000)
  for (const [amount, reference] of [
    ['1500', '220700009001'],
    ['2500', '220700009002'],
  ] as const) {
    await pay(amount, reference, 'علي صالح المثال')
    const body = { amount: `${amount}.00`, external_order_id: `K-${amount}` }
    const taken = await huda.ask('POST', `/unmatched/${await alertOf(reference)}/take-sale/`, { body })
    assert.equal(taken.status, 200, taken.text)
  }
  await finish()
  // Paid by itself and not handed over; booked short of its order; without an order.
  const waiting = (await create({ amount: '4000.00', external_order_id: 'B-7' })).body
  await ask('PATCH', `/intents/${waiting.id}/`, { body: { reference: '220700009003' } })
  await pay('4000', '220700009003', 'سالم المثال')
  const short = (await create({ amount: '700.00', external_order_id: 'B-8' })).body
  await pay('650', '220700009004', 'سالم المثال')
  const body = { intent: short.id, alert_amount: '650.00', intent_amount: '700.00' }
  const booked = await huda.ask('POST', `/unmatched/${await alertOf('220700009004')}/book/`, { body })
  assert.equal(booked.status, 200, booked.text)
  await pay('300', '220700009005', 'أحمد المثال')
  await mine.click()
  await eventually(async () => {
    const text = await page.innerText('main')
    for (const figure of ['4,650', '4,000', '650', '300', '50']) assert.ok(text.includes(figure), `${figure}: ${text}`)
  })
  await expectGood(page, 'a shift')
  await picture(page, 'shift-ar-390')
  assert.equal(await print(page, 'shift-ar'), 1)
  shift = page.url().split('/').at(-1)!
  await page.getByRole('button', { name: textPattern('ar', 'shift.end') }).click()
  await page.getByRole('button', { name: textPattern('ar', 'shift.end') }).waitFor({ state: 'detached' })
  await visit(page, '/shifts')
  await page.getByRole('link', { name: 'هدى المثال' }).first().waitFor()
  await expectGood(page, 'own shifts')
})

test('the day close is one short table at 390 pixels, with who took the money, and leads to the day of a wallet', async () => {
  for (const look of [
    narrow,
    { ...narrow, language: 'en' as const },
    desktop,
    { ...desktop, scheme: 'dark' as const },
  ]) {
    const page = await openAs(staff.owner, look)
    const name = `${look.language}-${look.width}-${look.scheme}`
    await visit(page, '/day-close')
    await page.getByRole('table').first().waitFor()
    await eventually(async () => {
      const text = await page.innerText('main')
      for (const figure of ['8,950', '4,000', '4,650', '650', '300', '50', 'هدى المثال'])
        assert.ok(text.includes(figure), `${figure}: ${text}`)
    })
    await expectGood(page, `the day close, ${name}`)
    await picture(page, `day-close-${name}`)
    if (look.width === narrow.width) assert.ok((await heightOf(page)) < 1_600, `${await heightOf(page)} pixels high`)
    assert.equal(await print(page, `day-close-${name}`), 1)
    await visit(page, `/shifts/${shift}`)
    await page.getByText('4,650').first().waitFor()
    await expectGood(page, `the shift, ${name}`)
    await picture(page, `shift-${name}`)
    await visit(page, '/day-close')
    await page.getByRole('table').first().getByRole('link').first().click()
    await page.getByRole('region', { name: textPattern(look.language, 'day.balance') }).waitFor()
  }
})
