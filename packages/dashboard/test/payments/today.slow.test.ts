/**
 * Today in a real browser: what arrived against yesterday and a week ago, what needs the user, the live roll, and the pictures with
 * their tables and files; in both languages, narrow and wide.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { day_ms, hour_ms } from '../../../server/src/core/duration.ts'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { purchaseText } from '../../../server/test/support/sms-texts.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import {
  bothLanguages,
  desktop,
  eventually,
  expectGood,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, clock, sql } = service
const staff = await createMembers(service)
const phone = phoneOf(service.origin, clock.now, demo.device)

let reports = 0
const report = async (amount: string, payer = 'علي المثال', sim = 'SIM1'): Promise<string> => {
  const reference = String(860_000_000_000 + ++reports)
  const common = { kind: 'sms', sender: 'Jawali', sim_slot: sim, received_at: new Date(clock.now()).toISOString() }
  const text = purchaseText(amount, reference, payer)
  const answer = await phone.alerts([{ client_id: `today-${reports}`, ...common, text }])
  assert.equal(answer.status, 200, answer.text)
  return reference
}
const keepSessions = () =>
  sql(`update sessions set last_seen_at = $1, expires_at = $1::timestamptz + interval '1 day'`, [
    new Date(clock.now()).toISOString(),
  ])

const plain = async (page: Page): Promise<string> =>
  (await page.innerText('main')).replaceAll(/[\u2066-\u2069]/g, '').replaceAll(/\s+/g, ' ')

// Two weeks of payments into two wallets, then today at 14:30 in Aden.
const start = Date.parse('2026-01-06T00:00:00+03:00')
for (let day = 0; day < 14; day++)
  for (const hour of [9, 12, 15, 18]) {
    clock.set(start + day * day_ms + hour * hour_ms)
    await report(String(1000 + day * 50 + hour * 10))
    if (hour > 12) await report('500', 'هدى المثال', 'SIM2')
  }
clock.set(start + 14 * day_ms + 14.5 * hour_ms)
await keepSessions()
const { body: intent } = await service.create({ amount: '4000.00', external_order_id: 'T-1' })
const reference = String(860_000_000_000 + reports + 1)
await service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
await report('4000')
await report('1500')
await report('9000', 'علي المثال ملغاة')

test('91: Today sums what arrived, matched or not, and says what is not counted', async () => {
  const { body } = await staff.viewer.ask('GET', '/overview/')
  assert.equal(body.arrived[0].today.sum, '5500.00')
  // Yesterday until 14:30: 9:00 and 12:00.
  assert.equal(body.arrived[0].yesterday.count, 2)
})

for (const language of bothLanguages)
  for (const { width } of [narrow, desktop])
    for (const scheme of width === narrow.width ? (['light'] as const) : (['light', 'dark'] as const))
      test(`Today shows the sums, what needs the user, the roll and the pictures, ${language}, ${width}, ${scheme}`, async () => {
        const page = await openAs(staff.owner, { language, width, scheme })
        await visit(page, '/')
        await page.getByRole('region', { name: textPattern(language, 'today.arrived') }).waitFor()
        await eventually(async () => {
          const text = await plain(page)
          // Arrived; yesterday at the same time; the denied message; the roll's newest line.
          for (const part of ['5,500', '3,510', '2,910', '9,000', 'T-1'])
            assert.ok(text.includes(part), `${part} in ${text}`)
        })
        const days = page.getByRole('slider', { name: textPattern(language, 'picture.days') })
        await page.getByRole('heading', { name: textPattern(language, 'today.pictures') }).scrollIntoViewIfNeeded()
        await days.waitFor()
        await page.getByRole('img', { name: textPattern(language, 'picture.today') }).waitFor()
        // The whole picture is one target, and as many columns as days are drawn. Time runs from left to right in both languages.
        const area = (await days.boundingBox())!
        assert.ok(area.width >= 240 && area.height >= 132, JSON.stringify(area))
        assert.equal(await days.getAttribute('aria-valuemax'), '14')
        await expectGood(page, 'Today')
        // A touched day shows its hours.
        await days.click({ position: { x: (area.width * 12.5) / 14, y: 60 } })
        await page.getByRole('region', { name: textPattern(language, 'picture.hoursOf') }).waitFor()
        assert.equal(await days.getAttribute('aria-valuenow'), '13')
        // A touch beside the day is corrected by a button of 44 pixels; the day before is to the left.
        const back = page.getByRole('button', { name: textPattern(language, 'picture.before') })
        const on = page.getByRole('button', { name: textPattern(language, 'picture.after') })
        const [left, right] = [(await back.boundingBox())!, (await on.boundingBox())!]
        assert.ok(left.x < right.x && left.width >= 44 && left.height >= 44)
        await on.click()
        assert.equal(await days.getAttribute('aria-valuenow'), '14')
        await back.click()
        assert.equal(await days.getAttribute('aria-valuenow'), '13')
        await expectGood(page, 'Today with a day')
        // The table has the same sums.
        const picture = page.getByRole('region', { name: textPattern(language, 'picture.days'), exact: true })
        await picture
          .getByRole('button', { name: /^(Table|جدول): / })
          .first()
          .click()
        const table = picture.getByRole('table', { name: textPattern(language, 'picture.days') })
        assert.equal(await table.getByRole('row').count(), 15)
        await expectGood(page, 'Today with a table')
        const [file] = await Promise.all([
          page.waitForEvent('download'),
          picture
            .getByRole('button', { name: /^CSV: / })
            .first()
            .click(),
        ])
        assert.equal(file.suggestedFilename(), 'arrived-days-YER-2026-01-20.csv')
        const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
        assert.ok(lines.at(-2)!.startsWith('2026-01-20,5500.00'), lines.at(-2))
        assert.equal(lines.length, 16)
      })

test('the days are one tab stop; arrow keys choose a day, and its hours are shown', async () => {
  const page = await openAs(staff.viewer, desktop)
  await visit(page, '/')
  await page.getByRole('heading', { name: textPattern('en', 'today.pictures') }).scrollIntoViewIfNeeded()
  const days = page.getByRole('slider', { name: textPattern('en', 'picture.days') })
  await days.waitFor()
  await days.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await page.getByRole('region', { name: textPattern('en', 'picture.hoursOf') }).waitFor()
  assert.equal(await days.getAttribute('aria-valuenow'), '13')
  assert.match((await days.getAttribute('aria-valuetext'))!, /YER/)
  // A viewer takes nothing as a sale, and is led to pages that the role has.
  assert.equal(await page.getByRole('button', { name: textPattern('en', 'counter.takeSale') }).count(), 0)
  assert.equal(await page.locator('main a[href^="/counter"]').count(), 0)
})

test('money that arrives is shown at once, and a manager takes it as a sale from Today', async () => {
  const page = await openAs(staff.manager, narrow)
  await visit(page, '/')
  await page.getByRole('region', { name: textPattern('ar', 'today.arrived') }).waitFor()
  await report('700', 'سالم المثال')
  await eventually(async () => assert.ok((await plain(page)).includes('6,200')))
  await page
    .getByRole('button', { name: textPattern('ar', 'counter.takeSale') })
    .first()
    .click()
  await page.getByText(textPattern('ar', 'counter.undo')).first().waitFor()
})

test('the test wallet is shown only until the first real payment', async () => {
  const page = await openAs(staff.owner, desktop)
  await visit(page, '/')
  await page.getByText('Main wallet').first().waitFor()
  assert.equal(await page.locator('main').getByText(textPattern('en', 'today.test')).count(), 0)
})
