/** The buyer's page in a real browser: updated live with scripts, usable without them, readable in every look. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { minifiedStyle } from '../../../server/src/http/minify/minify-style.ts'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'

import { askAt } from '../../../server/test/support/story.ts'
import { expectFits, expectKeyboard, expectNoFaults, openDashboard, phone } from '../browser.ts'
import { purchaseReporter } from '../report-purchase.ts'
import { checkoutCreator } from './create-checkout.ts'

const { service, open } = await openDashboard()
const { clock, demo, origin, token } = service
const shopPhone = phoneOf(origin, clock.now, demo.device)
await shopPhone.heartbeat()

const createCheckout = checkoutCreator(origin, token)
const reportPurchase = purchaseReporter(shopPhone, clock.now)

/** Nothing overflows and axe finds no fault, whether the page is narrow or wide, light or dark. */
const expectGoodInEveryLook = async (page: Page, where: string): Promise<void> => {
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

test('a buyer pays in Arabic: the open page shows the payment and returns to the shop', async () => {
  const page = await open(phone)
  await page.goto(await createCheckout({ return_url: `${origin}/healthz`, description: 'قهوة يمنية' }))
  await page.getByRole('heading', { name: 'اختيار المحفظة' }).waitFor()
  assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
  await expectGoodInEveryLook(page, 'choose')
  await expectKeyboard(page, 'choose')

  await page.getByRole('button', { name: 'Main wallet' }).click()
  await page.getByRole('heading', { name: 'حوّل المبلغ من تطبيق محفظتك' }).waitFor()
  await expectGoodInEveryLook(page, 'pay')
  await page.getByRole('textbox').fill('تم تحويل مبلغ 1500 YER الى 771000001 رقم العملية ٩٩٠٠٠٠٠٠٠٠٠١ رصيدك هو 20')
  await page.getByRole('button', { name: 'إرسال الرقم' }).click()
  await page.getByRole('heading', { name: 'هل هذا رقم العملية؟' }).waitFor()
  assert.match(await page.innerText('main'), /990000000001/)
  await expectGoodInEveryLook(page, 'confirm')
  await page.getByRole('button', { name: 'نعم، هذا هو الرقم' }).click()
  await page.getByRole('heading', { name: 'نبحث عن دفعتك' }).waitFor()
  await expectGoodInEveryLook(page, 'looking')

  await reportPurchase('1500', '990000000001')
  await page.locator('.stamp').waitFor()
  await page.waitForURL(/\/healthz\?checkout=/)
  // The receipt takes the buyer to the shop only once: with the button "back" they see the receipt, and stay there.
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
  const url = await createCheckout({ allow_remaining: true })
  await page.goto(url)
  await page.getByRole('button', { name: 'Main wallet' }).click()
  await reportPurchase('1400', '990000000002')
  await page.getByRole('textbox').fill('990000000002')
  await page.getByRole('button', { name: 'Send the number' }).click()
  await page.getByText('100 YER is missing').waitFor()

  // axe is a script: the states are checked on a second page, which runs scripts.
  const arabicPage = await open(phone)
  await arabicPage.goto(`${url}?lang=ar`)
  await arabicPage.getByRole('heading', { name: 'المبلغ غير مطابق' }).waitFor()
  await expectGoodInEveryLook(arabicPage, 'wrong amount')

  await page.getByRole('button', { name: 'Pay the remaining 100 YER' }).click()
  await page.getByRole('textbox').fill('990000000003')
  await page.getByRole('button', { name: 'Send the number' }).click()
  await page.getByRole('heading', { name: 'We are looking for your payment' }).waitFor()
  await reportPurchase('100', '990000000003')
  await page.getByRole('link', { name: 'Refresh the page' }).click()
  await page.locator('.stamp').waitFor()
  await arabicPage.locator('.stamp').waitFor()
  await expectGoodInEveryLook(arabicPage, 'paid')
  await context.close()
})

test('a payment link takes the amount and leads to a checkout', async () => {
  const answer = await askAt(`${origin}/api/v1/checkout/links/`, 'POST', { token, body: { min_amount: '100' } })
  const page = await open(phone)
  await page.goto(answer.body.url)
  await page.getByRole('textbox').fill('٢٥٠')
  await expectGoodInEveryLook(page, 'link')
  await page.getByRole('button', { name: 'متابعة الدفع' }).click()
  await page.getByRole('heading', { name: 'اختيار المحفظة' }).waitFor()
  assert.match(await page.innerText('main'), /250/)
})

test('a browser reads the same rules from the minified styles as from their files', async () => {
  const page = await open(phone)
  const rulesOf = (style: string): Promise<string[]> =>
    page.evaluate((text) => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(text)
      return Array.from(sheet.cssRules, ({ cssText }) => cssText)
    }, style)
  for (const path of ['pay/browser/page-style.css', 'pair/browser/pair-style.css']) {
    const file = new URL(`../../../server/src/http/${path}`, import.meta.url)
    const written = await rulesOf(readFileSync(file, 'utf8'))
    assert.ok(written.length > 50, `${written.length} rules of ${path}`)
    assert.deepEqual(await rulesOf(minifiedStyle(file)), written, path)
  }
})
