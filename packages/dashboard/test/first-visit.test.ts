/**
 * A first visit over a slow network: the screen is read before the house's letters have come, and money that arrives while
 * the page is still on its way is on the screen without anybody asking again.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createMembers } from '../../server/test/support/users.ts'
import { phone as narrow, openDashboard } from './browser.ts'

const { house, openAs, visit, complaints } = await openDashboard()
const staff = await createMembers(house)

const lettersOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.documentElement.dataset.letters)

test('a first visit is read in the letters of the device, wears those of the house, and the next begins in them', async () => {
  const page = await openAs(staff.owner, narrow)
  let let_go = (): void => {}
  const held = new Promise<void>((go) => {
    let_go = go
  })
  await page.route('**/*.woff2', async (route) => {
    await held
    await route.continue()
  })
  await visit(page, '/')
  assert.equal(await lettersOf(page), undefined)
  let_go()
  await page.waitForFunction(() => document.documentElement.dataset.letters === 'ours')
  // Those of this language are there, and were not put on before.
  assert.ok(await page.evaluate(() => document.fonts.check('600 14px "IBM Plex Sans Arabic"', 'سند')))
  const next = await page.goto(`${house.origin}/intents`)
  assert.match((await next?.text()) ?? '', /<html [^>]*data-letters="ours"/)
  await page.context().close()
})

test('an intent that is made while the page is on its way is on the screen when it stands', async () => {
  const page = await openAs(staff.owner, narrow)
  let made: string | undefined
  await page.route('**/assets/react-*.js', async (route) => {
    const { body } = await house.create({ external_order_id: 'made on the way' })
    made = body.id
    await route.continue()
  })
  await visit(page, '/intents')
  await page.getByText('made on the way').first().waitFor()
  assert.ok(made !== undefined)
  await page.context().close()
})

test('nothing complained in the console', () => {
  assert.deepEqual(complaints, [])
})
