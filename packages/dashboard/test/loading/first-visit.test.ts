/**
 * A first visit over a slow network: the screen is shown before the web fonts are loaded, and money that arrives while
 * the page is loading is on the screen.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createMembers } from '../../../server/test/support/users.ts'
import { phone as narrow, openDashboard } from '../browser.ts'

const { service, openAs, visit } = await openDashboard()
const staff = await createMembers(service)

const fontsOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.documentElement.dataset.letters)

test('a first visit starts in the system font and switches to the web fonts; the next page starts with them', async () => {
  const page = await openAs(staff.owner, narrow)
  const fontsAllowed = Promise.withResolvers<void>()
  await page.route('**/*.woff2', async (route) => {
    await fontsAllowed.promise
    await route.continue()
  })
  await visit(page, '/')
  assert.equal(await fontsOf(page), undefined)
  fontsAllowed.resolve()
  await page.waitForFunction(() => document.documentElement.dataset.letters === 'ours')
  // The fonts of this language are loaded.
  assert.ok(await page.evaluate(() => document.fonts.check('600 14px "IBM Plex Sans Arabic"', 'سند')))
  const next = await page.goto(`${service.origin}/intents`)
  assert.match((await next?.text()) ?? '', /<html [^>]*data-letters="ours"/)
})

test('an intent that is created while the page is loading is on the first screen', async () => {
  const page = await openAs(staff.owner, narrow)
  let createdId: string | undefined
  await page.route('**/assets/react-*.js', async (route) => {
    const { body } = await service.create({ external_order_id: 'created while loading' })
    createdId = body.id
    await route.continue()
  })
  await visit(page, '/intents')
  await page.getByText('created while loading').first().waitFor()
  assert.ok(createdId !== undefined)
})
