/** The pictures of payment links and of the operator in a real browser: drawn, with their table and their file. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { hour_ms } from '../../../server/src/core/duration.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { bothLanguages, desktop, expectFits, expectGood, openDashboard, phone, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { clock, sql } = service
const staff = await createMembers(service)

const { body: link } = await staff.owner.ask('POST', '/payment-links/', {
  body: { amount: '1500', description: 'A box of dates' },
})
const at = (ms: number): string => new Date(ms).toISOString()
// 20 views on each of the last ten days. Nobody went on.
for (let day = 0; day < 10; day++)
  await sql('insert into link_views (account_id, link_id, at, views) values ($1, $2, $3, $4)', [
    staff.accountId,
    link.id,
    at(clock.now() - (clock.now() % 900_000) - day * 24 * hour_ms),
    20 + day,
  ])
const first = clock.now() - (clock.now() % hour_ms) - 23 * hour_ms
for (let hour = 0; hour < 24; hour++)
  await sql(
    `insert into service_hours (hour, counted_until, messages, payments, lag_s, phones, silent_phones)
     values ($1, $2, $3, $4, $5, 9, $6)`,
    [
      at(first + hour * hour_ms),
      at(first + (hour + 1) * hour_ms),
      40 + hour * 3,
      20 + hour,
      hour < 3 ? null : hour % 5,
      hour < 3 ? null : 0,
    ],
  )

for (const language of bothLanguages)
  for (const { width } of [phone, desktop])
    for (const scheme of ['light', 'dark'] as const)
      test(`the funnel over days has a table and a file, ${language}, ${width}, ${scheme}`, async () => {
        const page = await openAs(staff.owner, { language, width, scheme })
        for (const path of ['/payment-links', `/payment-links/${link.id}`]) {
          await visit(page, path)
          const picture = page.getByRole('region', { name: textPattern(language, 'picture.funnel') })
          await page.locator('main h1').waitFor()
          await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
          await picture.getByRole('img').waitFor()
          await expectGood(page, path)
          await picture.getByRole('button', { name: /^(Table|جدول): / }).click()
          assert.equal(await picture.getByRole('table').getByRole('row').count(), 15)
          await expectFits(page, `${path} with its table`)
          const [file] = await Promise.all([
            page.waitForEvent('download'),
            picture.getByRole('button', { name: /^CSV: / }).click(),
          ])
          const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
          assert.deepEqual([lines.length, lines[0]!.split(',').length], [15, 5])
          assert.match(lines.at(-1)!, /^\d{4}-\d\d-\d\d,20,0,0,0$/)
        }
      })

for (const language of bothLanguages)
  for (const { width } of [phone, desktop])
    for (const scheme of ['light', 'dark'] as const)
      test(`the operator has four pictures, ${language}, ${width}, ${scheme}`, async () => {
        const page = await openAs(staff.operator, { language, width, scheme })
        await visit(page, '/operator/health')
        await page.locator('dl').first().waitFor()
        await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
        for (const key of ['hours.payments', 'hours.messages', 'hours.lag', 'hours.silent'] as const)
          await page
            .getByRole('region', { name: textPattern(language, key) })
            .getByRole('img')
            .waitFor()
        const lag = page.getByRole('region', { name: textPattern(language, 'hours.lag') })
        await lag.getByRole('button', { name: /^(Table|جدول): / }).click()
        assert.equal(await lag.getByRole('table').getByRole('row').count(), 25)
        assert.equal(await lag.getByText(textPattern(language, 'hours.unknown')).count(), 3)
        await expectGood(page, 'operator')
      })
