/**
 * The dashboard on a bad network, in a real browser: every screen says that there is no connection, keeps what it shows, and
 * continues without a click when the connection is back.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { startFlakyProxy } from '../../server/test/support/servers/flaky-proxy.ts'
import { createMembers } from '../../server/test/support/users.ts'
import { all } from '../src/words/all.ts'
import { desktop, expectGood, type Look, phone as narrow, openDashboard } from './browser.ts'

const { service, open, openAs } = await openDashboard({}, undefined, { consoleErrors: 'allowed' })
const staff = await createMembers(service)
const network = await startFlakyProxy(service.origin)
service.atEnd(network.close)

/** A page of the owner, connected through the proxy that fails. */
const openThroughProxy = (look: Look): Promise<Page> => openAs(staff.owner, look, { origin: network.origin })
const visit = async (page: Page, path: string): Promise<void> => {
  await page.goto(`${network.origin}${path}`)
  await page.waitForSelector('main h1')
}
const textOn = (page: Page, look: Look, key: 'connection.down' | 'connection.up' | 'problem.unreachable') =>
  page.getByText(all[look.language][key], { exact: false }).first()

/** Opens a screen without loading the page again, as a click in the menu does. */
const goTo = (page: Page, path: string): Promise<void> => page.evaluate((to) => history.pushState(null, '', to), path)

test('an open page says that there is no connection, keeps its figures, and is updated when the connection is back', async () => {
  const page = await openThroughProxy(narrow)
  await visit(page, '/intents')
  await page.locator('table, article, .card').first().waitFor()
  network.state = 'down'
  await textOn(page, narrow, 'connection.down').waitFor()
  await expectGood(page, 'a screen without a connection')
  assert.equal(await page.locator('[role=alert]').count(), 0, 'what was shown stays')
  await service.create({ external_order_id: 'made without a connection' })
  network.state = 'up'
  await textOn(page, narrow, 'connection.up').waitFor()
  await page.getByText('made without a connection').first().waitFor()
  // The live stream is open again: the next intent is shown without a reload.
  await service.create({ external_order_id: 'made afterwards' })
  await page.getByText('made afterwards').first().waitFor()
  await page.context().close()
})

test('every screen that is opened without a connection is shown when the connection is back', async () => {
  const page = await openThroughProxy(desktop)
  await visit(page, '/')
  const screens = [
    ['/intents', 'frame.intents'],
    ['/unmatched', 'unmatched.title'],
    ['/wallets', 'frame.wallets'],
    ['/phones', 'frame.phones'],
    ['/templates', 'frame.templates'],
    ['/webhooks', 'webhooks.title'],
    ['/keys', 'frame.keys'],
    ['/day-close', 'frame.dayClose'],
    ['/settings/members', 'frame.settings'],
    ['/first-payment', 'frame.firstPayment'],
    [`/phones/${service.demo.device.id}`, undefined],
    ['/', 'frame.today'],
  ] as const
  for (const [path, title] of screens) {
    network.state = 'down'
    await goTo(page, path)
    await textOn(page, desktop, 'connection.down').waitFor()
    network.state = 'up'
    const heading = page.locator('main h1')
    await (title === undefined ? heading.getByText('Shop phone') : heading.getByText(all.en[title])).waitFor()
    await textOn(page, desktop, 'connection.down').waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.querySelector('main [role=alert], main [class*=Skeleton]') === null)
  }
  await page.context().close()
})

test('a stalled network is noticed, and queries made meanwhile are answered when it works again', async () => {
  const page = await openThroughProxy(narrow)
  await visit(page, '/')
  network.state = 'stalled'
  await goTo(page, '/wallets')
  await textOn(page, narrow, 'connection.down').waitFor()
  network.state = 'up'
  await page.getByText('Main wallet').first().waitFor()
  await page.context().close()
})

test('the browser’s offline mode is shown at once; a change that failed is not sent later', async () => {
  const page = await openThroughProxy(desktop)
  await visit(page, '/keys')
  await page.getByRole('button', { name: all.en['keys.new'] }).first().click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox').first().fill('A key without a connection')
  await page.context().setOffline(true)
  await textOn(page, desktop, 'connection.down').waitFor()
  await form.locator('button[type=submit]').click()
  await form.getByText(all.en['problem.notSent']).waitFor()
  await page.context().setOffline(false)
  await textOn(page, desktop, 'connection.up').waitFor()
  assert.deepEqual(await service.sql(`select 1 from api_keys where name = 'A key without a connection'`), [])
  await form.locator('button[type=submit]').click()
  await page.getByText(all.en['part.once']).waitFor()
  await page.context().close()
})

test('a page whose scripts cannot be loaded says so in its language, and opens when they can be', async () => {
  const page = await openThroughProxy(narrow)
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.route('**/api/**', (route) => route.abort())
  await page.goto(`${network.origin}/wallets`)
  await page.getByText('لا يوجد اتصال.').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByText('Main wallet').first().waitFor()
  await page.context().close()
})

test('an invitation that is opened without a connection is shown when the connection is back', async () => {
  const page = await open(narrow)
  const email = 'guest-offline@sanad.example'
  const { body } = await staff.owner.ask('POST', '/invitations/', { body: { email, role: 'cashier' } })
  await page.route('**/api/**', (route) => route.abort())
  await page.goto(`${network.origin}/invitation${new URL(body.link).hash}`)
  await textOn(page, narrow, 'problem.unreachable').waitFor()
  await page.unrouteAll({ behavior: 'wait' })
  await page.locator('input[name=new_password]').waitFor()
})

test('a page that is opened without a connection says so, and opens when the connection is back', async () => {
  const page = await openAs(staff.owner, narrow, { origin: network.origin, serviceWorker: true })
  await visit(page, '/')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
  network.state = 'down'
  await page.goto(`${network.origin}/wallets`)
  await page.getByText('لا يوجد اتصال.').waitFor()
  await expectGood(page, 'the page without a connection')
  network.state = 'up'
  await page.getByText('Main wallet').first().waitFor()
})

test('a search at the counter that is the first touch after the line broke is answered when the line is back', async () => {
  await service.create({ external_order_id: 'B-77' })
  const page = await openAs(staff.cashier, narrow, { origin: network.origin })
  await visit(page, '/counter')
  await page.getByRole('heading', { name: all.ar['counter.roll'] }).waitFor()
  network.state = 'down'
  await page.locator('search input').fill('B-77')
  await page.keyboard.press('Enter')
  await textOn(page, narrow, 'connection.down').waitFor()
  network.state = 'up'
  await page.locator('section[data-tone]').getByText('B-77').first().waitFor()
  await page.context().close()
})
