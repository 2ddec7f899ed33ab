/**
 * A shop without a developer, in a real browser: a cashier creates and shares a payment link, a buyer pays by it, and the
 * cashier follows the buyer's steps. Also a checkout that is created by hand, the logo of the shop, and the poster.
 */
import assert from 'node:assert/strict'

import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'

import { createMembers } from '../../../server/test/support/users.ts'
import { eventually, expectGood, expectKeyboard, expectNoFaults, openDashboard, phone } from '../browser.ts'
import { purchaseReporter } from '../report-purchase.ts'
import { scanPng, scanQr } from '../scan-qr.ts'

const { service, open, openAs, visit } = await openDashboard()
const { clock, demo, origin } = service
const staff = await createMembers(service)
const shopPhone = phoneOf(origin, clock.now, demo.device)
await shopPhone.heartbeat()

const reportPurchase = purchaseReporter(shopPhone, clock.now)

test('a payment link is created, shared and paid, and the open page shows each step of the buyer', async () => {
  const page = await openAs(staff.cashier)
  await visit(page, '/payment-links')
  await page.getByText('No payment link yet.').waitFor()
  await page.getByRole('button', { name: 'New payment link' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Dates')
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('0')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('This is too small').waitFor()
  await dialog.getByText('The buyer says how much').click()
  await dialog.getByLabel('At least').fill('100')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Dates' }).waitFor()
  await expectNoFaults(page, 'link')
  await expectKeyboard(page, 'link')
  const url = await page.getByRole('link', { name: 'Open the page' }).getAttribute('href')
  const whatsapp = await page.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')
  assert.ok(decodeURIComponent(whatsapp ?? '').endsWith(`\n${url}`), String(whatsapp))
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'QR as PNG' }).click()
  const file = await download
  assert.equal(file.suggestedFilename(), 'payment-link.png')
  assert.equal(await scanPng(page, await readFile(await file.path())), url)

  // The names of the steps are also beside the picture, without a number.
  const steps = page
    .getByRole('listitem')
    .filter({ hasText: /Opened|Went|Chose|Sent|Paid/ })
    .filter({ hasText: /\d/ })
  const expectFunnel = (expected: string): Promise<void> =>
    eventually(async () => {
      const shown = (await steps.allInnerTexts()).map((text) => /\d+/.exec(text)?.[0])
      assert.equal(shown.join(), expected)
    })
  await expectFunnel('0,0,0,0,0')
  const buyer = await open(phone)
  // A link that the same browser opens twice is counted once.
  await buyer.goto(url!)
  await buyer.goto(url!)
  await buyer.getByRole('textbox').fill('250')
  await buyer.getByRole('button', { name: 'متابعة الدفع' }).click()
  await buyer.getByRole('heading', { name: 'اختيار المحفظة' }).waitFor()
  await expectFunnel('1,1,0,0,0')
  await buyer.getByRole('button', { name: 'Main wallet' }).click()
  await buyer.getByRole('textbox').fill('991100000001')
  await expectFunnel('1,1,1,0,0')
  await buyer.getByRole('button', { name: 'إرسال الرقم' }).click()
  await buyer.getByRole('heading', { name: 'نبحث عن دفعتك' }).waitFor()
  await expectFunnel('1,1,1,1,0')
  await reportPurchase('250', '991100000001')
  await buyer.locator('.stamp').waitFor()
  await expectFunnel('1,1,1,1,1')
  await page.getByRole('table', { name: 'Checkouts of this link' }).getByText('Paid').waitFor()

  // One click switches the link off.
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('it takes no new buyers').waitFor()
  await buyer.goto(url!)
  await buyer.locator('.error').waitFor()
})

test('a cashier creates a checkout by hand on a phone, shares it, and cancels it', async () => {
  const page = await openAs(staff.cashier, phone)
  await visit(page, '/checkouts')
  await page.getByRole('button', { name: 'صفحة دفع جديدة' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'المبلغ' }).fill('1500')
  await dialog.getByLabel('رقم الطلبية عندك').fill('A-1042')
  await dialog.getByLabel('مهلة الدفع').selectOption('ثلاثة أيام')
  await dialog.getByRole('button', { name: 'إنشاء' }).click()
  await page.getByRole('heading', { name: 'إرسالها إلى المشتري' }).waitFor()
  await expectGood(page, 'checkout')
  await page.getByRole('button', { name: 'إلغاء صفحة الدفع' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'إلغاء صفحة الدفع' }).click()
  await page.getByText('أُلغيت الصفحة').waitFor()
  await page.getByRole('link', { name: 'صفحات الدفع' }).first().click()
  await page.getByRole('listitem').filter({ hasText: 'A-1042' }).getByText('ملغى').waitFor()
  await page.context().close()

  // A viewer sees the checkout, and has no buttons to create or cancel one.
  const viewer = await openAs(staff.viewer)
  await visit(viewer, '/checkouts')
  await viewer.getByRole('link', { name: '1,500.00 YER' }).click()
  await viewer.getByText('The checkout was cancelled').waitFor()
  assert.equal(await viewer.getByRole('button', { name: /New|Cancel/ }).count(), 0)
})

test('a large picture becomes a small logo, which the preview and the poster show', async () => {
  const page = await openAs(staff.owner)
  await visit(page, '/settings/payment-page')
  await page.getByLabel('Shop name').fill('Corner shop')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved').waitFor()
  // The browser draws a picture that is larger than a logo may be.
  const drawn = await page.evaluate(async () => {
    const canvas = document.createElement('canvas')
    canvas.width = 1600
    canvas.height = 1200
    const canvasContext = canvas.getContext('2d')!
    for (let n = 0; n < 400; n++) {
      canvasContext.fillStyle = `hsl(${n * 37} 80% 50%)`
      canvasContext.fillRect((n * 131) % 1600, (n * 97) % 1200, 200, 150)
    }
    return canvas.toDataURL('image/png').split(',')[1]!
  })
  assert.ok(drawn.length > 14_000)
  const choose = async (name: string, buffer: Buffer): Promise<void> =>
    page.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer })
  await choose('notes.png', Buffer.from('no picture'))
  await page.getByText('cannot be read as a picture').waitFor()
  await choose('logo.png', Buffer.from(drawn, 'base64'))
  const logo = page.getByRole('img', { name: 'Logo' })
  await logo.waitFor()
  await eventually(async () =>
    assert.ok(await logo.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 40)),
  )
  assert.equal(await page.locator('figure img').count(), 1)
  await expectNoFaults(page, 'payment page')

  const created = await staff.owner.ask('POST', '/payment-links/', { body: { amount: '3000', description: 'Dates' } })
  await visit(page, `/payment-links/${created.body.id}/poster`)
  await page.getByText('العربية', { exact: true }).click()
  await page.getByText('صوّر رمز QR بكاميرا هاتفك').waitFor()
  await page.getByText('Corner shop').waitFor()
  assert.equal(await scanQr(page.getByRole('img', { name: 'رمز QR' })), created.body.url)
  // No text is cut on the smaller sheet.
  await page.getByText('English', { exact: true }).click()
  await page.getByText('Scan the code').waitFor()
  const cut = await page.locator('[data-paper=a6] [dir=auto]').evaluate((name) => name.scrollHeight - name.clientHeight)
  assert.ok(cut <= 1, `${cut} pixels of the name are cut`)
  await page.getByText('A4', { exact: true }).click()
  await page.emulateMedia({ media: 'print' })
  // Only the poster is printed, on one sheet of the chosen size.
  await eventually(async () => assert.equal(await page.getByRole('navigation').count(), 0))
  assert.equal(await page.getByRole('button', { name: 'Print' }).count(), 0)
  const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1')
  const sheets = [...pdf.matchAll(/\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, ...size]) =>
    size.map((points) => Math.round((Number(points) / 72) * 25.4)),
  )
  assert.deepEqual(sheets, [[210, 297]])
})
