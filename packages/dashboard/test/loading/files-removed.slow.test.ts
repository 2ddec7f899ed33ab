/** A page that stays open during an update: if a file that it needs no longer exists, it offers to reload. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMembers } from '../../../server/test/support/users.ts'
import { desktop, openDashboard, textPattern } from '../browser.ts'

const { service, openAs, visit } = await openDashboard({}, undefined, { consoleErrors: 'allowed' })
const staff = await createMembers(service)

for (const [removed, path, part] of [
  ['user-menu', '/', 'the user menu'],
  ['overlays', '/keys', 'a dialog'],
] as const)
  test(`if the file of ${part} no longer exists, the page says so and offers a reload`, async () => {
    const page = await openAs(staff.owner, desktop)
    await page.route(`**/assets/${removed}-*.js`, (route) => route.fulfill({ status: 404, body: '' }))
    await visit(page, path)
    const opener =
      removed === 'overlays'
        ? page.getByRole('button', { name: textPattern('en', 'keys.new') })
        : page.locator('header button')
    await opener.first().click()
    await page.getByText(textPattern('en', 'problem.screen')).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: textPattern('en', 'problem.reload') }).click()
    await page.waitForSelector('main h1')
    await opener.first().click()
    await page.locator('[role=dialog], [role=menu]').first().waitFor()
    assert.equal(new URL(page.url()).pathname, path)
  })
