/**
 * On a phone every control can be touched: at least 44 by 44 pixels on every screen at 390. As in WCAG 2.5.5, links inside
 * running text are excepted. What counts is the area that reacts to a touch, so the label of a field belongs to the field.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phone as phoneOf } from '../../server/test/support/phone.ts'
import { purchaseText, transferText } from '../../server/test/support/sms-texts.ts'
import { createMembers } from '../../server/test/support/users.ts'
import { openDashboard, phone } from './browser.ts'
import { smallTargets } from './measures.ts'

const { service, open, openAs, visit, complaints } = await openDashboard()
const { demo, clock, sql } = service
const staff = await createMembers(service)
await sql('update users set operator = true where id = $1', [staff.owner.userId])
const device = phoneOf(service.origin, clock.now, demo.device)
await device.heartbeat()
await device.alerts(
  [transferText('1000', '10000.00'), purchaseText('1500', '814000000001', 'علي المثال'), 'عرض خاص'].map((text, i) => ({
    client_id: `touch-${i}`,
    kind: 'sms',
    sender: 'Jawali',
    text,
    sim_slot: 'SIM1',
  })),
)
const { body: waiting } = await service.create({ amount: '1500', external_order_id: 'B-7' })
const { body: paid } = await service.create({ amount: '1500' })
await service.ask('PATCH', `/intents/${paid.id}/`, { body: { reference: '814000000001' } })
const created = async (path: string, body: unknown) => {
  const answer = await staff.owner.ask('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}
const { id: checkout, url: payUrl } = await created('/checkouts/', { amount: '1500' })
const { id: link, url: linkUrl } = await created('/payment-links/', { amount: '1500' })
const endpoint = (await created('/webhooks/', { url: 'https://shop.example/hook' })).webhook.id
await created('/invitations/', { email: 'new@shop.example', role: 'cashier' })
const shift = (await created('/shifts/', {})).id
const voucherUrl = (await staff.owner.ask('POST', `/intents/${paid.id}/voucher/`, { body: {} })).body.url
const alertIds = (await sql('select id from alerts order by received_at')) as [string][]
const [[shared]] = (await sql(
  `select id from alert_templates where status = 'active' and account_id is null limit 1`,
)) as [[string]]

const paths = [
  '/',
  '/counter',
  '/counter?q=1500',
  '/counter?q=B-7',
  '/counter?q=nothing',
  '/counter/new',
  `/counter/sale/${checkout}`,
  '/intents',
  '/intents?new=1',
  `/intents/${waiting.id}`,
  `/intents/${paid.id}`,
  '/unmatched',
  ...alertIds.map(([id]) => `/unmatched/${id}`),
  '/checkouts',
  '/checkouts?new=1',
  `/checkouts/${checkout}`,
  '/payment-links',
  '/payment-links?new=1',
  `/payment-links/${link}`,
  `/payment-links/${link}/poster`,
  '/wallets',
  '/wallets?new=1',
  `/wallets/${demo.wallets.main}`,
  '/phones',
  `/phones/${demo.device.id}`,
  '/templates',
  '/templates/new',
  `/templates/${shared}`,
  '/webhooks',
  `/webhooks/${endpoint}`,
  '/keys',
  '/calls',
  '/approvals',
  '/requests',
  '/day-close',
  '/shifts',
  `/shifts/${shift}`,
  '/first-payment',
  '/search?q=1500',
  '/settings',
  '/settings/you',
  '/settings/account',
  '/settings/members',
  '/settings/limits',
  '/settings/payment-page',
  '/settings/audit',
  '/settings/notices',
  '/operator/health',
  '/operator/findings',
  '/operator/accounts',
  `/operator/accounts/${staff.accountId}`,
  '/operator/providers',
  '/operator/templates',
  '/operator/audit',
  '/nowhere',
]

test('the measure finds a small control and accepts a link in a sentence', async () => {
  const page = await open(phone)
  await page.setContent('<p>Read <a href="#">this</a> first.</p><button style="width:40px;height:60px">x</button>')
  assert.equal((await smallTargets(page)).length, 1)
  await page.context().close()
})

test('every control of every screen is at least 44 by 44 pixels at 390', async () => {
  const page = await openAs(staff.owner, phone)
  const found = new Map<string, string[]>()
  for (const path of paths) {
    await visit(page, path)
    await page.locator('main [role=status][aria-label]').first().waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
    for (const target of await smallTargets(page)) found.set(target, [...(found.get(target) ?? []), path])
  }
  const lines = [...found].map(
    ([target, where]) =>
      `${where.slice(0, 3).join(' ')}${where.length > 3 ? ` and ${where.length - 3} more` : ''}: ${target}`,
  )
  assert.deepEqual(lines, [])
  await page.context().close()
})

test('the sign-in and the pages without a session can be touched too', async () => {
  const page = await open(phone)
  for (const path of ['/', '/forgot', '/password', '/invitation', '/address']) {
    await page.goto(`${service.origin}${path}`)
    await page.locator('main, form, h1').first().waitFor()
    assert.deepEqual(await smallTargets(page), [], path)
  }
  await page.context().close()
})

test('the buyer’s page and the set-up page of a phone can be touched too', async () => {
  const page = await open(phone)
  for (const address of [payUrl, linkUrl, voucherUrl, `${service.origin}/pair`]) {
    await page.goto(address)
    await page.locator('h1').first().waitFor()
    assert.deepEqual(await smallTargets(page), [], address)
  }
  await page.goto(payUrl)
  await page.locator('main button').first().click()
  await page.locator('main dl').first().waitFor()
  assert.deepEqual(await smallTargets(page), [], 'the page of a chosen wallet')
  await page.context().close()
})

test('no errors in the console', () => {
  assert.deepEqual(complaints, [])
})
