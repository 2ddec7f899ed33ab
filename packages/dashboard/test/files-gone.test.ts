/** A page that stayed open while the service was updated: files that it asks for are gone, and it says what to do. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMembers } from '../../server/test/support/users.ts'
import { desk, openDashboard, said } from './browser.ts'

const { house, openAs, visit } = await openDashboard()
const staff = await createMembers(house)

for (const [gone, path, open] of [
  ['person-menu', '/', 'the menu of the person'],
  ['floating', '/keys', 'a window'],
] as const)
  test(`${open} that does not come is told, and the page can be loaded anew`, async () => {
    const page = await openAs(staff.owner, desk)
    await page.route(`**/assets/${gone}-*.js`, (route) => route.fulfill({ status: 404, body: '' }))
    await visit(page, path)
    const opener =
      gone === 'floating' ? page.getByRole('button', { name: said('en', 'keys.new') }) : page.locator('header button')
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
