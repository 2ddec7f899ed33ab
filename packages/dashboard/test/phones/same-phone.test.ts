/** An owner who has one phone sets it up on that phone; what Android does with the app is said before the download. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { desktop, expectGood, expectNoFaults, openDashboard, phone } from '../browser.ts'

const { service, open, signIn } = await openDashboard()
const { origin } = service
const shots = process.env.SANAD_SHOTS

test('on a phone the code is opened right there, without a camera and without pasting a link', async () => {
  const page = await open(phone)
  await signIn(page)
  await page.goto(`${origin}/phones?new=1`)
  await page.getByRole('dialog').getByRole('button', { name: 'إضافة هاتف' }).click()
  const here = page.getByRole('link', { name: 'هذا هو هاتف المحل: المتابعة هنا' })
  await here.waitFor()
  await expectNoFaults(page, 'the code')
  if (shots !== undefined) await page.screenshot({ path: `${shots}/same-phone.png` })
  const opened = page.waitForEvent('popup')
  await here.click()
  const setup = await opened
  await setup.getByRole('heading', { name: 'أي تطبيق؟' }).waitFor()
  assert.doesNotMatch(setup.url(), /c=/, 'the code is not left in the address')
  // The dashboard follows.
  await page.getByText('الصفحة مفتوحة على الهاتف').waitFor()

  await setup.locator('[data-app="smsgate"]').click()
  const step = setup.locator('[data-step="2"]')
  await step.getByText('خادم يعمل بـ http').or(step.getByText('يعمل بـ http')).first().waitFor()
  const warnings = step.locator('[data-android]')
  assert.equal(await warnings.filter({ visible: true }).count(), 4, 'the Android is not known: every warning')
  const [warning, download] = await Promise.all([
    warnings.first().boundingBox(),
    step.locator('[data-for="smsgate"] a').first().boundingBox(),
  ])
  assert.ok(warning!.y < download!.y, 'before the download')
  await setup.locator('#android').selectOption('0')
  assert.equal(await warnings.filter({ visible: true }).count(), 2)
  await setup.locator('#android').selectOption('13')
  assert.equal(await warnings.filter({ visible: true }).count(), 3)
  await expectGood(setup, 'install')
  if (shots !== undefined) await setup.screenshot({ path: `${shots}/install.png`, fullPage: true })
})

test('on a computer the code is scanned', async () => {
  const page = await open(desktop)
  await signIn(page)
  await page.goto(`${origin}/phones?new=1`)
  await page.getByRole('dialog').getByRole('button', { name: 'Add a phone' }).click()
  await page.getByText('Without a camera').waitFor()
  assert.equal(await page.getByRole('link', { name: 'continue here' }).count(), 0)
})
