/**
 * Payments in a real browser: the guided first payment up to its webhook, cancelling, an intent that becomes verified, and
 * the day close.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyWebhook } from '@sanad/sdk'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { fastTest, languages } from '../../../server/test/support/runs.ts'
import { transferText } from '../../../server/test/support/sms-texts.ts'
import { createMembers } from '../../../server/test/support/users.ts'
import { desktop, eventually, expectGood, phone as narrow, openDashboard, textPattern } from '../browser.ts'
import { openReceiver } from '../receiver.ts'
import { purchaseReporter } from '../report-purchase.ts'

const { service, openAs, visit } = await openDashboard()
const { demo, clock } = service
const staff = await createMembers(service)
const sender = await service.startNode()
sender.service.work()
const receiver = await openReceiver()
const phone = phoneOf(service.origin, clock.now, demo.device)
const pages = { ar: await openAs(staff.owner, narrow), en: await openAs(staff.owner, desktop) }

const reportPurchase = purchaseReporter(phone, clock.now)

fastTest('a new user is guided from the start page through a first payment to the webhook step', async () => {
  const page = pages.ar
  await visit(page, '/')
  await page.getByRole('link', { name: textPattern('ar', 'today.firstPaymentGo') }).click()
  await page.getByRole('button', { name: textPattern('ar', 'first.createGo') }).click()
  await page.getByRole('button', { name: textPattern('ar', 'first.payGo') }).click()
  await page.getByText('Test payment of 1,500.00 YER, reference TEST-').waitFor()
  await expectGood(page, 'the guide, half way')
  await page.getByRole('button', { name: textPattern('ar', 'first.attachGo') }).click()
  await page.getByText(textPattern('ar', 'first.verified')).waitFor()
  await page.getByText('npx --no sanad listen').waitFor()
  await expectGood(page, 'the guide at its end')
  await visit(page, '/')
  await page.getByText(textPattern('ar', 'today.arrived')).first().waitFor()
  assert.equal(await page.getByRole('link', { name: textPattern('ar', 'today.firstPaymentGo') }).count(), 0)
})

fastTest('if the account has an endpoint, the first payment sends a signed webhook to it', async () => {
  const kinds = ['payment.verified', 'payment.received']
  const { body: webhook } = await staff.owner.ask('POST', '/webhooks/', { body: { url: receiver.url, kinds } })
  const page = pages.en
  await visit(page, '/first-payment')
  await page.getByRole('button', { name: textPattern('en', 'first.createGo') }).click()
  await page.getByRole('button', { name: textPattern('en', 'first.payGo') }).click()
  await page.getByRole('button', { name: textPattern('en', 'first.attachGo') }).click()
  await page.getByText(textPattern('en', 'first.verified')).waitFor()
  await receiver.until(2)
  const { intent, reference } = Object.fromEntries(new URL(page.url()).searchParams)
  const events = receiver.calls.map(({ body }) => JSON.parse(body))
  assert.ok(events.some((sent) => sent.event === 'payment.received' && sent.reference === reference && sent.is_test))
  assert.ok(events.some((sent) => sent.event === 'payment.verified' && sent.intent_id === intent))
  for (const { headers, body } of receiver.calls)
    await verifyWebhook(body, String(headers['x-service-signature']), [webhook.secret], { now: clock.now() })
  await page.getByText(textPattern('en', 'intent.told.delivered')).first().waitFor()
})

fastTest(
  'a pending intent is cancelled after a confirmation with the amount, and cannot be cancelled twice',
  async () => {
    const { body } = await service.create({ amount: '7777.00' })
    const page = pages.en
    await visit(page, `/intents/${body.id}`)
    await page.getByRole('button', { name: textPattern('en', 'intent.cancel') }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByText(/7,777\.00 YER/)
      .first()
      .waitFor()
    await dialog.getByRole('button', { name: textPattern('en', 'intent.cancel') }).click()
    await page.getByText(textPattern('en', 'state.CANCELLED')).first().waitFor()
    assert.equal(await page.getByRole('button', { name: textPattern('en', 'intent.cancel') }).count(), 0)
  },
)

fastTest('the open page of an intent shows that it is verified, without a reload', async () => {
  const { body } = await service.create({ amount: '3210.00' })
  const page = pages.ar
  await visit(page, `/intents/${body.id}`)
  await page.getByText(textPattern('ar', 'state.PENDING')).first().waitFor()
  await service.ask('PATCH', `/intents/${body.id}/`, { body: { reference: '813000000003' } })
  await reportPurchase('3210', '813000000003')
  await page.getByText(textPattern('ar', 'state.VERIFIED')).first().waitFor()
})

test('the day close of a wallet adds up, and a gap is shown with its times', async () => {
  const reportTransfer = async (amount: string, balance: string): Promise<void> => {
    const text = transferText(amount, `${balance}.00`)
    const at = new Date(clock.now()).toISOString()
    await phone.alerts([
      { client_id: `day-${balance}`, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM2', received_at: at },
    ])
    clock.advance(60_000)
  }
  await reportTransfer('1000', '10000')
  await reportTransfer('2000', '12000')
  await reportTransfer('500', '13000')
  for (const language of languages) {
    const page = pages[language]
    await visit(page, `/day-close?wallet=${demo.wallets.second}`)
    const voucher = page.getByRole('region', { name: textPattern(language, 'day.balance') })
    await voucher.waitFor()
    await eventually(async () => {
      const text = await voucher.innerText()
      for (const figure of ['9,000.00', '3,500.00', '500.00', '13,000.00'])
        assert.ok(text.includes(figure), `${figure}: ${text}`)
    })
    await page.getByText(textPattern(language, 'day.gapCame')).waitFor()
    await expectGood(page, 'the day')
    await page.getByRole('button', { name: textPattern(language, 'day.before') }).click()
    await page.getByText(textPattern(language, 'day.none')).waitFor()
  }
})
