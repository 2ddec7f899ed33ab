/**
 * The buyer's page on a line that breaks, in a real browser: what was typed is sent when the line is back, a lost answer is no error,
 * and *Back* never sends a form again.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { expectNoFaults, openDashboard, phone } from '../browser.ts'
import { purchaseReporter } from '../report-purchase.ts'
import { checkoutCreator } from './create-checkout.ts'

const { service, open } = await openDashboard({}, undefined, { consoleErrors: 'allowed' })
const { clock, demo, origin, token } = service
const shopPhone = phoneOf(origin, clock.now, demo.device)
await shopPhone.heartbeat()
const createCheckout = checkoutCreator(origin, token)
const reportPurchase = purchaseReporter(shopPhone, clock.now)

let last = 560_000_000
const newReference = (): string => String(++last * 1000)

/** A page on which the number of the transaction is asked for; `posts`: the forms that the browser has sent. */
const openPaying = async (url?: string) => {
  const page = await open(phone)
  const posts: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST') posts.push(new URL(request.url()).pathname.split('/').at(-2)!)
  })
  await page.goto('about:blank')
  await page.goto(url ?? (await createCheckout()))
  if (url === undefined) {
    await page.getByRole('button', { name: 'Main wallet' }).click()
    await page.getByRole('heading', { name: 'حوّل المبلغ من تطبيق محفظتك' }).waitFor()
  }
  return { page, posts }
}

const sendNumber = async (page: Page, number: string): Promise<void> => {
  await page.getByRole('textbox').fill(number)
  await page.getByRole('button', { name: 'إرسال الرقم' }).click()
}
const looking = (page: Page) => page.getByRole('heading', { name: 'نبحث عن دفعتك' }).waitFor()
const waitsForLine = (page: Page) => page.getByRole('status').filter({ hasText: 'ننتظر عودة الشبكة' }).waitFor()

const triesOf = async (number: string): Promise<number> =>
  Number(
    (
      await service.sql(
        `select c.references_tried from checkouts c join checkout_intents l on l.checkout_id = c.id
         join intents i on i.id = l.intent_id where i.reference = $1`,
        [number],
      )
    )[0]?.[0],
  )

test('without a connection the page says that it waits and keeps the number, and sends it when the line is back', async () => {
  const { page } = await openPaying()
  const number = newReference()
  await page.context().setOffline(true)
  await sendNumber(page, number)
  await waitsForLine(page)
  assert.equal(await page.getByRole('textbox').inputValue(), number)
  assert.match(page.url(), /\/pay\//)
  await expectNoFaults(page, 'waiting for the line')
  await page.context().setOffline(false)
  await looking(page)
  assert.equal(await triesOf(number), 1)
})

test('an answer that is lost after the number was stored: sent again, no second try and no error', async () => {
  const { page } = await openPaying()
  const number = newReference()
  let lost = 0
  await page.route('**/reference/*', async (route) => {
    if (lost++ > 0) return route.continue()
    await route.fetch({ maxRedirects: 0 })
    return route.abort('connectionreset')
  })
  await sendNumber(page, number)
  await waitsForLine(page)
  assert.equal(await triesOf(number), 1, 'the server has it')
  await reportPurchase('1500', number)
  await page.locator('.stamp').waitFor()
  assert.equal(await page.locator('.error').count(), 0)
  assert.equal(await triesOf(number), 1)
})

test('a busy service and the sign-in page of a network are waited for', async () => {
  const { page, posts } = await openPaying()
  const answers = [
    { status: 429, headers: { 'retry-after': '1' }, contentType: 'text/html', body: '<p>busy</p>' },
    { status: 503, headers: { 'retry-after': '1' }, contentType: 'text/plain', body: 'down' },
    { status: 200, contentType: 'text/html', body: '<title>Sign in to this network</title>' },
  ]
  const texts: string[] = []
  await page.route('**/reference/*', async (route) => {
    texts.push(await page.getByRole('status').innerText())
    const answer = answers.shift()
    return answer === undefined ? route.continue() : route.fulfill(answer)
  })
  posts.length = 0
  await sendNumber(page, newReference())
  await looking(page)
  assert.equal(posts.length, 4)
  assert.match(texts[0]!, /جارٍ الإرسال/)
  for (const busy of texts.slice(1, 3)) assert.match(busy, /الخدمة مشغولة/)
  assert.match(texts[3]!, /ننتظر عودة الشبكة/)
})

test('a double touch sends one form; Back and Reload send none', async () => {
  const { page, posts } = await openPaying()
  posts.length = 0
  await page.getByRole('textbox').fill(newReference())
  await page.getByRole('button', { name: 'إرسال الرقم' }).dblclick()
  await looking(page)
  assert.deepEqual(posts, ['reference'])
  await page.reload()
  await looking(page)
  await page.goBack()
  assert.equal(page.url(), 'about:blank', 'one page in the history, however many forms were sent')
  await page.goForward()
  await looking(page)
  assert.deepEqual(posts, ['reference'])
})

test('the other language keeps the number that was typed, and its errors', async () => {
  const { page } = await openPaying()
  await page.getByRole('textbox').fill('22071234')
  await page.getByRole('link', { name: 'English' }).click()
  await page.getByRole('heading', { name: 'Send the money' }).waitFor()
  assert.equal(await page.getByRole('textbox').inputValue(), '22071234')
  assert.deepEqual(
    await page.evaluate(`(({ lang, dir }) => [lang, dir, document.head.dataset.copied])(document.documentElement)`),
    ['en', 'ltr', 'Copied'],
  )
  await page.getByRole('textbox').fill('no number')
  await page.getByRole('button', { name: 'Send the number' }).click()
  await page.getByRole('alert').filter({ hasText: 'No transaction number was found' }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.className'), 'error')
  await page.getByRole('link', { name: 'العربية' }).click()
  await page.getByRole('alert').filter({ hasText: 'لم نجد رقم العملية' }).waitFor()
  assert.equal(await page.getByRole('textbox').inputValue(), 'no number')
})

test('without a connection links and the end of the time show no error page either', async () => {
  const { page } = await openPaying()
  await sendNumber(page, newReference())
  await looking(page)
  await page.context().setOffline(true)
  await page.getByRole('link', { name: 'تحديث الصفحة' }).click()
  await waitsForLine(page)
  await page.context().setOffline(false)
  await page.getByRole('status').filter({ hasText: 'ننتظر' }).waitFor({ state: 'detached' })
  await looking(page)
})

test('two tabs: the second one shows the number that the first one sent; a form that waits is not dropped', async () => {
  const url = await createCheckout()
  const one = await openPaying(url)
  await one.page.getByRole('button', { name: 'Main wallet' }).click()
  await one.page.getByRole('heading', { name: 'حوّل المبلغ من تطبيق محفظتك' }).waitFor()
  const two = await openPaying(url)
  const number = newReference()
  await two.page.context().setOffline(true)
  await sendNumber(two.page, number)
  await waitsForLine(two.page)
  await sendNumber(one.page, number)
  await looking(one.page)
  await two.page.context().setOffline(false)
  await looking(two.page)
  assert.equal(await two.page.locator('.error').count(), 0)
  assert.equal(await triesOf(number), 1)
  await reportPurchase('1500', number)
  for (const { page } of [one, two]) await page.locator('.stamp').waitFor()
})

test('a page that comes back from the memory of the browser looks again', async () => {
  const { page } = await openPaying()
  const url = page.url().replace(/\?.*/, '')
  const message = `تم سداد مبلغ 1500 YER كقيمة مشتريات بمرجع ${newReference()} رصيدك هو 100.00`
  await sendNumber(page, message)
  await page.getByRole('heading', { name: 'هل هذا رقم العملية؟' }).waitFor()
  // Another tab sends the number. The question does not follow the state, so that nobody takes it away.
  await fetch(`${url}/reference/`, {
    method: 'POST',
    body: new URLSearchParams({ reference: newReference() }),
    redirect: 'manual',
  })
  await page.evaluate(`window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`)
  await looking(page)
})

test('the form of a payment link: sent when the line is back, and Back returns to the link', async () => {
  const answer = await fetch(`${origin}/api/v1/checkout/links/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ min_amount: '100' }),
  })
  const { url } = (await answer.json()) as { url: string }
  const { page, posts } = await openPaying(url)
  await page.getByRole('textbox').fill('250')
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'متابعة الدفع' }).click()
  await waitsForLine(page)
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'اختيار المحفظة' }).waitFor()
  assert.doesNotMatch(page.url(), /link/)
  const sent = posts.length
  await page.goBack()
  await page.getByRole('button', { name: 'متابعة الدفع' }).waitFor()
  assert.equal(page.url().replace(/\?.*/, ''), url)
  await page.goForward()
  await page.getByRole('heading', { name: 'اختيار المحفظة' }).waitFor()
  assert.equal(posts.length, sent, 'no form is sent again')
})

test('without scripts Back shows pages, and sends no form again', async () => {
  const browser = (await open()).context().browser()!
  const context = await browser.newContext({ javaScriptEnabled: false, locale: 'ar-YE' })
  const page = await context.newPage()
  const posts: string[] = []
  page.on('request', (request) => request.method() === 'POST' && posts.push(request.url()))
  await page.goto(await createCheckout())
  await page.getByRole('button', { name: 'Main wallet' }).click()
  await sendNumber(page, 'لا رقم هنا')
  await page.getByText('لم نجد رقم العملية').waitFor()
  await sendNumber(page, newReference())
  await looking(page)
  assert.equal(posts.length, 3)
  for (let steps = 0; steps < 2; steps++) {
    await page.goBack()
    await looking(page)
  }
  await page.reload()
  await looking(page)
  assert.equal(posts.length, 3)
  await context.close()
})
