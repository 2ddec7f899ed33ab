/**
 * The dashboard on a bad line, in a real browser: it says in words that there is no connection, keeps what it shows, and
 * goes on by itself when the connection is back, on every screen, without a touch.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { createMembers } from '../../server/test/support/users.ts'
import { all } from '../src/words/all.ts'
import { desktop, expectFits, expectNoFaults, type Look, phone as narrow, openDashboard } from './browser.ts'
import { openLine } from './line.ts'

const { service, open } = await openDashboard()
const staff = await createMembers(service)
const line = await openLine(service.origin)

/** A page of the owner behind the connection that is cut. */
const openBehindLine = async (look: Look): Promise<Page> => {
  const page = await open(look)
  await page.context().addCookies([{ name: 'sanad_session', value: staff.owner.session.token, url: line.origin }])
  return page
}
const visit = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${line.origin}${path}`)
  await page.waitForSelector('main h1')
}
const says = (page: Page, look: Look, key: 'connection.down' | 'connection.up' | 'problem.unreachable') =>
  page.getByText(all[look.language][key], { exact: false }).first()

/** As after a click in the menu, which a narrow screen hides. */
const goTo = (page: Page, path: string): Promise<void> => page.evaluate((to) => history.pushState(null, '', to), path)

test('a page that is left open says that there is no connection, keeps its figures, and is up to date when it is back', async () => {
  const page = await openBehindLine(narrow)
  await visit(page, '/intents')
  await page.locator('table, article, .card').first().waitFor()
  line.cut()
  await says(page, narrow, 'connection.down').waitFor()
  await expectNoFaults(page, 'a screen without a connection')
  await expectFits(page, 'a screen without a connection')
  assert.equal(await page.locator('[role=alert]').count(), 0, 'what was shown stays')
  await service.create({ external_order_id: 'made without a connection' })
  line.restore()
  await says(page, narrow, 'connection.up').waitFor()
  await page.getByText('made without a connection').first().waitFor()
  // The stream is open again: the next one comes by itself.
  await service.create({ external_order_id: 'made afterwards' })
  await page.getByText('made afterwards').first().waitFor()
  await page.context().close()
})

// All of them in the slow run.
test('every screen that is opened without a connection comes by itself when the connection is back', async () => {
  const page = await openBehindLine(desktop)
  await visit(page, '/')
  const screens = [
    ['/intents', 'frame.intents'],
    ['/unmatched', 'unmatched.title'],
    ['/wallets', 'wallets.title'],
    ['/phones', 'phones.title'],
    ['/templates', 'templates.title'],
    ['/webhooks', 'webhooks.title'],
    ['/keys', 'keys.title'],
    ['/day-close', 'frame.dayClose'],
    ['/settings/members', 'settings.title'],
    ['/first-payment', 'frame.firstPayment'],
    [`/phones/${service.demo.device.id}`, undefined],
    ['/', 'frame.today'],
  ] as const
  for (const [path, title] of screens) {
    line.cut()
    await goTo(page, path)
    await says(page, desktop, 'connection.down').waitFor()
    line.restore()
    const heading = page.locator('main h1')
    await (title === undefined ? heading.getByText('Shop phone') : heading.getByText(all.en[title])).waitFor()
    await says(page, desktop, 'connection.down').waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.querySelector('main [role=alert], main [class*=Skeleton]') === null)
  }
  await page.context().close()
})

test('a line that carries nothing is noticed, and what was asked for meanwhile comes when it is back', async () => {
  const page = await openBehindLine(narrow)
  await visit(page, '/')
  line.stall()
  await goTo(page, '/wallets')
  await says(page, narrow, 'connection.down').waitFor()
  line.restore()
  await page.getByText('Main wallet').first().waitFor()
  await page.context().close()
})

test('the browser’s offline mode is shown at once; a change that failed is not sent later', async () => {
  const page = await openBehindLine(desktop)
  await visit(page, '/keys')
  await page.getByRole('button', { name: all.en['keys.new'] }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox').first().fill('A key without a connection')
  await page.context().setOffline(true)
  await says(page, desktop, 'connection.down').waitFor()
  await form.locator('button[type=submit]').click()
  await form.getByText(all.en['problem.notSent']).waitFor()
  await page.context().setOffline(false)
  await says(page, desktop, 'connection.up').waitFor()
  assert.deepEqual(await service.sql(`select 1 from api_keys where name = 'A key without a connection'`), [])
  await form.locator('button[type=submit]').click()
  await page.getByText(all.en['part.once']).waitFor()
  await page.context().close()
})

test('a page whose scripts do not arrive says so in its language, and opens by itself', async () => {
  const page = await openBehindLine(narrow)
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.route('**/api/**', (route) => route.abort())
  await page.goto(`${line.origin}/wallets`)
  await page.getByText('لا يوجد اتصال.').waitFor()
  await page.unroute('**/assets/*.js')
  await page.unroute('**/api/**')
  await page.getByText('Main wallet').first().waitFor()
  await page.context().close()
})

test('an invitation that is opened without a connection is shown when the connection is back', async () => {
  const page = await open(narrow)
  const email = 'guest-of-the-line@sanad.example'
  const { body } = await staff.owner.ask('POST', '/invitations/', { body: { email, role: 'cashier' } })
  await page.route('**/api/**', (route) => route.abort())
  await page.goto(`${line.origin}/invitation${new URL(body.link).hash}`)
  await says(page, narrow, 'problem.unreachable').waitFor()
  await page.unroute('**/api/**')
  await page.locator('input[name=new_password]').waitFor()
  await page.context().close()
})

test('a page that is opened without a connection says so in words, and opens by itself when the connection is back', async () => {
  const page = await open(narrow, { serviceWorker: true })
  await page.context().addCookies([{ name: 'sanad_session', value: staff.owner.session.token, url: line.origin }])
  await visit(page, '/')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  line.cut()
  await page.goto(`${line.origin}/wallets`)
  await page.getByText('لا يوجد اتصال.').waitFor()
  await expectNoFaults(page, 'the page without a connection')
  await expectFits(page, 'the page without a connection')
  line.restore()
  await page.getByText('Main wallet').first().waitFor()
  await page.context().close()
})
