/**
 * A sale at the counter in a real browser, in Arabic on a phone, to a buyer without a connection: what to pay and where is on the
 * cashier's screen at once, money that arrives is booked with one touch, and nothing is booked in doubt without a question.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { startFlakyProxy } from '../../../server/test/support/servers/flaky-proxy.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import {
  desktop,
  eventually,
  expectGood,
  expectKeyboard,
  expectNoFaults,
  phone as narrow,
  openDashboard,
  textPattern,
} from '../browser.ts'
import { loseAnswers } from '../lost-answer.ts'
import { purchaseReporter } from '../report-purchase.ts'

const { service, openAs, visit } = await openDashboard()
const { clock, demo, sql } = service
const { main, second } = demo.wallets
const staff = await createMembers(service)
const shopPhone = phoneOf(service.origin, clock.now, demo.device)
const setWallet = async (id: string, fields: string): Promise<void> => {
  await sql(`update wallets set ${fields}, version = version + 1 where id = $1`, [id])
  clock.advance(2_000)
}
// One real wallet that can collect, and a phone that was not paired today: nothing is doubtful.
for (const id of [demo.wallets.off, demo.wallets.unmonitored, second]) await setWallet(id, 'active = false')
await sql(`update devices set paired_at = paired_at - interval '3 days' where id = $1`, [demo.device.id])
await shopPhone.heartbeat()

const pay = purchaseReporter(shopPhone, clock.now)
const t = (key: Parameters<typeof textPattern>[1]) => textPattern('ar', key)
const typeAmount = async (page: Page, keys: readonly string[]): Promise<void> => {
  for (const key of keys) await page.getByRole('button', { name: key, exact: true }).click()
}
const go = (page: Page) => page.getByRole('button', { name: t('sale.go') })
const book = (page: Page) => page.getByRole('button', { name: t('sale.book') })
const paid = (page: Page) => page.locator('section[data-tone=paid]')
const panel = (page: Page) => page.locator('dl').first()
const idOf = (page: Page): string => page.url().split('/').at(-1)!
const openCount = async (): Promise<number> =>
  Number((await sql(`select count(*) from checkouts where status = 'OPEN'`))[0]![0])

test('with one wallet a sale shows account number and amount at once, and its money is booked with one touch', async () => {
  const page = await openAs(staff.cashier, narrow)
  await visit(page, '/counter/new')
  await page.locator(`input[value="${main}"]:checked`).waitFor()
  await typeAmount(page, ['1', '5', '00'])
  await expectGood(page, 'a new sale with one wallet')
  await go(page).click()
  await panel(page).getByText('771 000 001').waitFor()
  await panel(page)
    .getByText(/^1,500/)
    .waitFor()
  await panel(page).getByText('Main wallet').waitFor()
  await page.getByRole('img', { name: t('sale.qr') }).waitFor()
  await page.getByText(t('counter.phoneHeard')).waitFor()
  await page.getByText(t('intent.attachLead')).waitFor()
  await expectGood(page, 'a sale that waits')
  // Large enough for a counter, and all of it on the first screen of a phone.
  const [number, code] = [panel(page).getByText('771 000 001'), page.getByRole('img', { name: t('sale.qr') })]
  const boxes = [await number.boundingBox(), await code.boundingBox()]
  assert.ok(boxes[0]!.height >= 32 && boxes[1]!.width >= 160, JSON.stringify(boxes))
  assert.ok(
    boxes.every((box) => box!.y + box!.height < 780),
    JSON.stringify(boxes),
  )

  // The counter's search finds the sale, and leads back to it.
  const id = idOf(page)
  await visit(page, '/counter?q=1500')
  await page.getByRole('link', { name: t('sale.openOne') }).click()
  await page.waitForURL(`**/counter/sale/${id}`)
  await panel(page).waitFor()

  const sent = performance.now()
  await pay('1500', '220700002345', 'علي صالح المثال')
  await book(page).waitFor()
  assert.ok(performance.now() - sent < 5_000)
  await page.getByText('علي صالح المثال').waitFor()
  await page.getByText('220700002345').waitFor()
  assert.equal((await staff.owner.ask('GET', `/checkouts/${id}/`)).body.status, 'OPEN', 'nothing was booked by itself')
  await expectGood(page, 'money that fits a sale')
  const box = await book(page).boundingBox()
  assert.ok(box!.y + box!.height < 780 && box!.height >= 44, 'the button is on the first screen')
  await book(page).click()
  await paid(page).waitFor()
  await expectNoFaults(page, 'a paid sale')
  const { body } = await staff.owner.ask('GET', `/checkouts/${id}/`)
  assert.deepEqual([body.status, body.paid, body.intents.length], ['COMPLETE', '1500.00', 1])
  // Back leads to the counter and not to the form again.
  await page.goBack()
})

test('of several messages all are listed and the cashier is asked; another amount must be typed', async () => {
  const page = await openAs(staff.cashier, narrow)
  await visit(page, '/counter/new')
  await typeAmount(page, ['2', '5', '00'])
  await go(page).click()
  await panel(page).waitFor()
  await pay('2500', '330000000001', 'سالم المثال')
  await book(page).waitFor()
  await pay('2500', '330000000002', 'سعيد المثال')
  const ask = page.getByRole('button', { name: t('sale.bookAsk') })
  await eventually(async () => assert.equal(await ask.count(), 2))
  assert.equal(await book(page).count(), 0)
  await page.getByText(t('sale.compare')).waitFor()
  await page.getByRole('listitem').filter({ hasText: '330000000001' }).getByRole('button').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('330000000001').waitFor()
  await dialog.getByText('سالم المثال').waitFor()
  await expectNoFaults(page, 'the question before a booking')
  await dialog.getByRole('button', { name: t('part.cancel') }).click()
  await page.getByRole('listitem').filter({ hasText: '330000000002' }).getByRole('button').click()
  await dialog.getByRole('button', { name: t('act.book') }).click()
  await paid(page).getByText('سعيد المثال').waitFor()

  // Another amount: found below, and booked only after it was typed.
  await visit(page, '/counter/new')
  await typeAmount(page, ['7', '00'])
  await go(page).click()
  await panel(page).waitFor()
  await pay('650', '330000000003', 'سالم المثال')
  await page.locator('summary').filter({ hasText: '2' }).waitFor()
  await page.locator('summary').first().click()
  await page.getByRole('listitem').filter({ hasText: '330000000003' }).getByRole('button').click()
  const yes = dialog.getByRole('button', { name: t('act.book') })
  assert.ok(await yes.isDisabled())
  await dialog.getByLabel(t('book.type')).fill('650')
  await yes.click()
  await paid(page).waitFor()
})

test('a reference that the buyer reads out finishes a sale, and a unique amount finishes one without a touch', async () => {
  const page = await openAs(staff.cashier, narrow)
  await visit(page, '/counter/new')
  await typeAmount(page, ['3', '00'])
  await go(page).click()
  await page.getByText(t('intent.attachLead')).waitFor()
  await page.getByRole('textbox').fill('440000000001')
  await page.getByRole('button', { name: t('intent.attach') }).click()
  await eventually(async () =>
    assert.equal((await staff.owner.ask('GET', `/checkouts/${idOf(page)}/`)).body.intents[0].reference, '440000000001'),
  )
  await pay('300', '440000000001')
  await paid(page).waitFor()

  await setWallet(main, `unique_amounts = 'more', unique_amounts_most = 50`)
  await visit(page, '/counter/new')
  await typeAmount(page, ['3', '0', '00'])
  await go(page).click()
  await page.getByText(t('sale.exactly')).waitFor()
  await page
    .getByText(t('sale.byItself'))
    .or(page.getByText(/تكتمل البيعة تلقائيًا/))
    .first()
    .waitFor()
  await expectGood(page, 'a sale with a unique amount')
  const { body } = await staff.owner.ask('GET', `/checkouts/${idOf(page)}/`)
  const { payable_amount } = body.intents[0]
  assert.notEqual(payable_amount, '3000.00')
  await panel(page)
    .getByText(new RegExp(`^${payable_amount.replace('.00', '').replace('3', '3,')}`))
    .waitFor()
  await pay(payable_amount, '440000000002')
  await paid(page).waitFor()
  await setWallet(main, `unique_amounts = 'off'`)
})

test('of several wallets the cashier chooses one, which this device remembers; the buyer may have another', async () => {
  await setWallet(second, 'active = true')
  const page = await openAs(staff.cashier, desktop)
  await visit(page, '/counter/new')
  await page.locator(`input[value="${second}"]`).waitFor()
  assert.equal(await page.locator('input[type=radio]:checked').count(), 0)
  const start = page.getByRole('button', { name: textPattern('en', 'sale.go') })
  for (const key of ['9', '00']) await page.getByRole('button', { name: key, exact: true }).click()
  await page.locator(`input[value="${demo.wallets.test}"]`).check()
  await page.locator(`input[value="${second}"]`).check()
  await expectKeyboard(page, 'a new sale')
  await start.click()
  await panel(page).getByText('771 000 002').waitFor()
  await expectGood(page, 'a sale on a wide screen')
  // The buyer paid into another wallet of the shop: the sale is moved there, and then its money can be booked.
  await pay('900', '550000000001', 'Amal Example')
  await page
    .getByRole('listitem')
    .filter({ hasText: '550000000001' })
    .getByRole('button', { name: textPattern('en', 'sale.move') })
    .click()
  await panel(page).getByText('771 000 001').waitFor()
  await page.getByRole('button', { name: textPattern('en', 'sale.book') }).click()
  await paid(page).getByText('Amal Example').waitFor()

  await page.getByRole('link', { name: textPattern('en', 'sale.title') }).click()
  await page.locator(`input[value="${second}"]`).check()
  for (const key of ['9', '5', '0']) await page.getByRole('button', { name: key, exact: true }).click()
  await start.click()
  await panel(page).getByText('771 000 002').waitFor()
  await page.getByText(textPattern('en', 'sale.otherWallet')).click()
  await page.locator(`input[value="${main}"]`).click()
  await panel(page).getByText('771 000 001').waitFor()
  await page.getByRole('button', { name: textPattern('en', 'sale.cancel') }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: textPattern('en', 'sale.cancel') })
    .click()
  await page.getByText(textPattern('en', 'sale.cancelled')).waitFor()
  await visit(page, '/counter/new')
  await page.locator(`input[value="${main}"]:checked`).waitFor()
  await setWallet(second, 'active = false')
})

test('a sale whose answer is lost is made once, and shown when the connection is back', async () => {
  const network = await startFlakyProxy(service.origin)
  service.atEnd(network.close)
  const page = await openAs(staff.cashier, narrow, { origin: network.origin })
  const before = await openCount()
  await page.goto(`${network.origin}/counter/new`)
  await page.locator(`input[value="${main}"]:checked`).waitFor()
  await typeAmount(page, ['8', '00'])
  // The service makes the sale; its answer does not arrive.
  const restoreLine = await loseAnswers(page, '**/counter/sales/', network)
  await go(page).click()
  await page.getByText(t('sale.waitsForLine')).waitFor()
  await expectNoFaults(page, 'a sale that waits for the connection')
  assert.equal(await openCount(), before + 1)
  await restoreLine()
  await panel(page).getByText(/^800/).waitFor()
  assert.equal(await openCount(), before + 1)
})
