/** A page that stayed open while the service was updated: files that it asks for are gone, and it says what to do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMembers } from '../../server/test/support/users.ts'
import { desk, openDashboard, said } from './browser.ts'

const { house, openAs, visit } = await openDashboard()
const staff = await createMembers(house)

for (const [gone, path, open] of [
  ['user-menu', '/', 'the user menu'],
  ['overlays', '/keys', 'a dialog'],
] as const)
  test(`${open} whose file is gone: the page says so and offers a reload`, async () => {
    const page = await openAs(staff.owner, desk)
    await page.route(`**/assets/${gone}-*.js`, (route) => route.fulfill({ status: 404, body: '' }))
    await visit(page, path)
    const opener =
      gone === 'overlays' ? page.getByRole('button', { name: said('en', 'keys.new') }) : page.locator('header button')
    await opener.first().click()
    await page.getByText(said('en', 'problem.screen')).waitFor()
    await page.unroute(`**/assets/${gone}-*.js`)
    await page.getByRole('button', { name: said('en', 'problem.reload') }).click()
    await page.waitForSelector('main h1')
    await opener.first().click()
    await page.locator('[role=dialog], [role=menu]').first().waitFor()
    assert.equal(new URL(page.url()).pathname, path)
    await page.context().close()
  })
