/** 0095 in a real browser: an owner switches other days off for cashiers; a cashier reads on every screen that it shows today only. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { queueStory } from '../../../server/test/support/queue-story.ts'
import {
  desktop,
  eventually,
  expectGood,
  expectNoFaults,
  type Look,
  openDashboard,
  phone,
  textPattern,
} from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const { clock, sql } = service
const story = await queueStory(service)
const { owner, cashier, accountId } = story

const folder = process.env.SANAD_PICTURES
if (folder !== undefined) mkdirSync(folder, { recursive: true })
const picture = async (page: Page, name: string): Promise<void> => {
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}
const looks: readonly Look[] = [phone, { ...desktop, scheme: 'dark' }]
const nameOf = ({ language, width, scheme }: Look): string => `${language}-${width}-${scheme}`
const seesOtherDays = async (): Promise<boolean> =>
  (await owner.ask('GET', '/limits/')).body.cashier.other_days as boolean

await story.money('8391.00', story.newReference())
clock.advance(26 * 3_600_000)
await story.money('4217.00', story.newReference())

test('an owner switches other days off and on; cashiers read that they see today only', async () => {
  for (const look of looks) {
    const word = (key: Parameters<typeof textPattern>[1]) => textPattern(look.language, key)
    const page = await openAs(owner, look)
    await visit(page, '/settings/limits')
    const box = page.getByRole('checkbox', { name: word('limits.otherDays') })
    await box.uncheck()
    await page.getByRole('button', { name: word('part.save') }).click()
    await eventually(async () => assert.equal(await seesOtherDays(), false))
    await expectGood(page, 'limits')
    await picture(page, `limits-${nameOf(look)}`)
    clock.advance(2_000)

    const till = await openAs(cashier, look)
    for (const [path, name] of [
      ['/', 'today'],
      ['/counter', 'counter'],
      ['/unmatched', 'unmatched'],
      ['/intents', 'intents'],
      ['/shifts', 'shifts'],
    ] as const) {
      await visit(till, path)
      await till.getByText(word('frame.todayOnly')).first().waitFor()
      await expectGood(till, `${name}, today only`)
      await picture(till, `${name}-${nameOf(look)}`)
      const text = await till.locator('body').innerText()
      assert.ok(!/8[,٬]391|٨٬٣٩١/.test(text), `${name} shows yesterday`)
    }
    // Loosening a limit needs a proof of the person, which other tests type.
    const loosened = await owner.ask('PATCH', '/limits/', { body: { cashier: { other_days: true } } })
    assert.equal(loosened.status, 200, loosened.text)
    clock.advance(2_000)
    await visit(till, '/unmatched')
    await till
      .getByText(/8[,٬]391|٨٬٣٩١/)
      .first()
      .waitFor()
    assert.equal(await till.getByText(word('frame.todayOnly')).count(), 0)
  }
})

test('a notice that a counter was paused is a sentence in both languages', async () => {
  await sql(
    `insert into owner_notices (account_id, id, kind, object_kind, object_id, by_whom, facts, at)
     values ($1, gen_random_uuid(), 'pins_guessed', 'member', $2, '', $3, $4)`,
    [
      accountId,
      cashier.userId,
      JSON.stringify({ name: 'Amal Example', counter: 'Front till', count: 15 }),
      new Date(clock.now()),
    ],
  )
  for (const look of looks) {
    const page = await openAs(owner, look)
    await visit(page, '/settings/notices')
    await page
      .getByText(/Front till/)
      .first()
      .waitFor()
    await expectNoFaults(page, 'notices')
    await picture(page, `notices-${nameOf(look)}`)
  }
})
