/** The buyer's page in a real browser: live with scripts, whole without them, readable in every look. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { purchaseText } from '../../../server/test/support/sms-texts.ts'
import { askAt } from '../../../server/test/support/story.ts'
import { expectFits, expectKeyboard, expectNoFaults, openDashboard, phone } from '../browser.ts'

const { service, open, complaints } = await openDashboard()
const { clock, demo, origin, token } = service
const shopPhone = phoneOf(origin, clock.now, demo.device)
await shopPhone.heartbeat()

const created = async (body: Record<string, unknown> = {}): Promise<string> => {
  const answer = await askAt(`${origin}/api/v1/checkout/sessions/`, 'POST', {
    token,
    body: { amount: '1500.00', external_order_id: 'A-1042', ...body },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.url
}

const paid = async (amount: string, reference: string): Promise<void> => {
  const alert = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text: purchaseText(amount, reference) }
  const received_at = Math.floor(clock.now() / 1000)
  assert.equal((await shopPhone.alerts([{ ...alert, sim_slot: 'SIM1', received_at }])).status, 200)
}

/** The same page narrow and wide, light and dark: nothing overflows, and axe finds nothing. */
const expectGood = async (page: Page, where: string): Promise<void> => {
  for (const [width, colorScheme] of [
    [320, 'dark'],
    [1440, 'light'],
    [390, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await expectFits(page, `${where}, ${width}`)
    await expectNoFaults(page, `${where}, ${width}, ${colorScheme}`)
  }
}

test('a buyer pays in Arabic: the page follows by itself and goes back to the shop', async () => {
  const page = await open(phone)
  await page.goto(await created({ return_url: `${origin}/healthz`, description: 'قهوة يمنية' }))
  await page.getByRole('heading', { name: 'اختيار المحفظة' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  await expectGood(page, 'choose')
  await expectKeyboard(page, 'choose')

  await page.getByRole('button', { name: 'Main wallet' }).click()
  await page.getByRole('heading', { name: 'إرسال المبلغ' }).waitFor()
  await expectGood(page, 'pay')
  await page.getByRole('textbox').fill('تم تحويل مبلغ 1500 YER الى 771000001 رقم العملية ٩٩٠٠٠٠٠٠٠٠٠١ رصيدك هو 20')
  await page.getByRole('button', { name: 'إرسال الرقم' }).click()
  await page.getByRole('heading', { name: 'هل هذا رقم العملية؟' }).waitFor()
  assert.match(await page.innerText('main'), /990000000001/)
  await expectGood(page, 'confirm')
  await page.getByRole('button', { name: 'نعم، إرسال' }).click()
  await page.getByRole('heading', { name: 'نبحث عن دفعتك' }).waitFor()
  await expectGood(page, 'looking')

  await paid('1500', '990000000001')
  await page.locator('.stamp').waitFor()
  await page.waitForURL(/\/healthz\?checkout=/)
  // The receipt takes the buyer to the shop once: with the button "back" they see it again, and stay.
  await page.goBack()
  await page.locator('.stamp').waitFor()
  assert.equal(await page.evaluate('history.state'), 1)
})

test('a buyer without scripts pays too little, then the rest, in English', async () => {
  const browser = (await open()).context().browser()!
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'en-GB',
    viewport: { width: 390, height: 844 },
  })
  const page = await context.newPage()
  const url = await created({ allow_remaining: true })
  await page.goto(url)
  await page.getByRole('button', { name: 'Main wallet' }).click()
  await paid('1400', '990000000002')
  await page.getByRole('textbox').fill('990000000002')
  await page.getByRole('button', { name: 'Send the number' }).click()
  await page.getByText('100 YER is missing').waitFor()

  // The state of the wrong amount and of the paid page, looked at with scripts: axe is one.
  const seen = await open(phone)
  await seen.goto(`${url}?lang=ar`)
  await seen.getByRole('heading', { name: 'المبلغ غير مطابق' }).waitFor()
  await expectGood(seen, 'wrong amount')

  await page.getByRole('button', { name: 'Pay the remaining 100 YER' }).click()
  await page.getByRole('textbox').fill('990000000003')
  await page.getByRole('button', { name: 'Send the number' }).click()
  await page.getByRole('heading', { name: 'We are looking for your payment' }).waitFor()
  await paid('100', '990000000003')
  await page.getByRole('link', { name: 'Refresh the page' }).click()
  await page.locator('.stamp').waitFor()
  await seen.locator('.stamp').waitFor()
  await expectGood(seen, 'paid')
  await context.close()
})

test('a payment link takes the amount and leads to a checkout', async () => {
  const answer = await askAt(`${origin}/api/v1/checkout/links/`, 'POST', { token, body: { min_amount: '100' } })
  const page = await open(phone)
  await page.goto(answer.body.url)
  await page.getByRole('textbox').fill('٢٥٠')
  await expectGood(page, 'link')
  await page.getByRole('button', { name: 'متابعة الدفع' }).click()
  await page.getByRole('heading', { name: 'اختيار المحفظة' }).waitFor()
  assert.match(await page.innerText('main'), /250/)
})

test('no page wrote an error into the console', () => {
  assert.deepEqual(complaints, [])
})
