/**
 * The buyer's page on a slow network (50 kbit/s, 500 ms), without scripts, and in every state with every combination of
 * language, width, theme and zoom.
 */
import assert from 'node:assert/strict'

import { test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'

import { askAt } from '../../../server/test/support/story.ts'
import { eventually, expectFits, expectGood, expectKeyboard, expectNoFaults, openDashboard } from '../browser.ts'
import { purchaseReporter } from '../report-purchase.ts'
import { checkoutCreator } from './create-checkout.ts'

const { service, open } = await openDashboard({}, undefined, { consoleErrors: 'allowed' })
const { clock, demo, origin, token } = service
const shopPhone = phoneOf(origin, clock.now, demo.device)
await shopPhone.heartbeat()
const browser = (await open()).context().browser()!

const createCheckout = checkoutCreator(origin, token)
const reportPurchase = purchaseReporter(shopPhone, clock.now)

let last = 440_000_000
const newReference = (): string => String(++last * 1000)

const post = (url: string, fields: Record<string, string>) =>
  askAt(url, 'POST', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
const chooseWallet = async (url: string): Promise<string> => {
  assert.equal((await post(`${url}/wallet/`, { wallet: demo.wallets.main })).status, 303)
  return url
}
const sendReference = async (url: string, number: string): Promise<string> => {
  assert.equal((await post(`${url}/reference/`, { reference: number })).status, 303)
  return url
}

const openOnSlowNetwork = async (context: BrowserContext) => {
  const page = await context.newPage()
  const network = await context.newCDPSession(page)
  await network.send('Network.enable')
  await network.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 500,
    downloadThroughput: 50_000 / 8,
    uploadThroughput: 50_000 / 8,
  })
  const received: { bytes: number; type: string }[] = []
  const types = new Map<string, string>()
  network.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) =>
    received.push({ bytes: encodedDataLength, type: types.get(requestId) ?? '' }),
  )
  return { page, received }
}

test('on 50 kbit/s with half a second of delay: usable within 6 s, the first view under 20 kB', async () => {
  const description = 'بن يماني محمص ومطحون، نصف كيلو، مع هيل'
  const items = Array.from({ length: 10 }, (_, n) => ({ name: `صنف رقم ${n}`, price: '150' }))
  const url = await createCheckout({ description, items })
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({
      locale: 'ar-YE',
      javaScriptEnabled,
      viewport: { width: 320, height: 600 },
    })
    const { page, received } = await openOnSlowNetwork(context)
    for (const [path, name] of [
      [url, 'Main wallet'],
      [await chooseWallet(await createCheckout({ description, items })), 'إرسال الرقم'],
    ] as const) {
      received.length = 0
      const began = performance.now()
      await page.goto(path, { waitUntil: 'commit' })
      await page.getByRole('button', { name }).waitFor()
      const took_ms = performance.now() - began
      await page.waitForLoadState('load')
      // The last request of the previous page may end only now, so the document is chosen by its type. The browser may report it
      // after the load event.
      const document = () => received.find(({ type }) => type === 'Document')
      await eventually(async () => assert.ok(document(), 'the document was received'))
      const html = document()
      const all = received.reduce((sum, { bytes }) => sum + bytes, 0)
      console.info(
        `${name}, scripts ${javaScriptEnabled}: ${Math.round(took_ms)} ms, ${html?.bytes} bytes, ${all} in all`,
      )
      assert.ok(html!.bytes < 10_000, `${html!.bytes} bytes of HTML, with its headers`)
      assert.ok(all < 20_000, `${all} bytes in all`)
      assert.ok(took_ms < 6_000, `${Math.round(took_ms)} ms until it can be used`)
    }
    await context.close()
  }
})

test('without scripts on a slow network: from the payment link to the receipt, with a pasted message', async () => {
  const context = await browser.newContext({
    locale: 'ar-YE',
    javaScriptEnabled: false,
    viewport: { width: 320, height: 600 },
  })
  const { page } = await openOnSlowNetwork(context)
  page.setDefaultTimeout(60_000)
  const body = { amount: '1500', return_url: `${origin}/healthz`, once: true }
  const link = await askAt(`${origin}/api/v1/checkout/links/`, 'POST', { token, body })
  await page.goto(link.body.url)
  await page.getByRole('button', { name: 'متابعة الدفع' }).click()
  await page.getByRole('heading', { name: 'اختيار المحفظة' }).waitFor()
  const url = page.url()
  const [viewed] = await service.sql('select viewed from payment_links where id = $1', [link.body.id])
  assert.deepEqual(viewed, ['1'], 'a browser without scripts is counted')
  await page.getByRole('button', { name: 'Main wallet' }).click()
  const number = newReference()
  await page.getByRole('textbox').fill(`تم سداد مبلغ 1500 YER كقيمة مشتريات بمرجع ${number} رصيدك هو 100.00`)
  await page.getByRole('button', { name: 'إرسال الرقم' }).click()
  await page.getByRole('heading', { name: 'هل هذا رقم العملية؟' }).waitFor()
  assert.match(await page.innerText('main'), new RegExp(`${number}[^]*المبلغ في الرسالة: 1,500`))
  await page.getByRole('button', { name: 'نعم، هذا هو الرقم' }).click()
  await page.getByRole('heading', { name: 'نبحث عن دفعتك' }).waitFor()
  await reportPurchase('1500', number)
  // The page reloads itself, and then takes the buyer back to the shop.
  await page.waitForURL(/\/healthz\?checkout=/)
  await page.goto(url)
  await page.locator('.stamp').waitFor()
  await context.close()
})

type State = { readonly name: string; readonly url: string; readonly act?: (page: Page) => Promise<void> }

const paste =
  (text: string) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('textbox').fill(text)
    await page.locator('form button').first().click()
  }

const openDetails = async (page: Page): Promise<void> => {
  for (const summary of await page.locator('summary').all()) await summary.click()
}

/** Every state of the page that a buyer can see. */
const statesOf = async (): Promise<State[]> => {
  const wrong = async (amount: string, allow_remaining: boolean): Promise<string> => {
    const number = newReference()
    await reportPurchase(amount, number)
    return sendReference(await chooseWallet(await createCheckout({ allow_remaining })), number)
  }
  const rest = await wrong('1400', true)
  assert.equal((await post(`${rest}/rest/`, {})).status, 303)
  const done = await sendReference(
    await chooseWallet(await createCheckout({ return_url: 'https://shop.example.com/' })),
    String(last * 1000 + 1),
  )
  await reportPurchase('1500', String(last * 1000 + 1))
  const cancelled = await askAt(`${origin}/api/v1/checkout/sessions/`, 'POST', { token, body: { amount: '1500' } })
  await askAt(`${origin}/api/v1/checkout/sessions/${cancelled.body.id}/cancel/`, 'POST', { token })
  const link = await askAt(`${origin}/api/v1/checkout/links/`, 'POST', { token, body: { min_amount: '100' } })
  const paying = await chooseWallet(await createCheckout({ cancel_url: 'https://shop.example.com/cart' }))
  const items = Array.from({ length: 40 }, (_, n) => ({
    name: `${n} ${'طويل'.repeat(n)}`.slice(0, 100),
    price: '12345678.90',
  }))
  const long = { items, description: 'w'.repeat(500), external_order_id: 'x'.repeat(128) }
  const expired = await chooseWallet(await createCheckout({ expires_in: 86_400 }))
  const over = await createCheckout({ expires_in: 300 })
  clock.advance(3_601_000)
  await shopPhone.heartbeat()
  return [
    { name: 'choose', url: await createCheckout({ description: 'قهوة يمنية' }) },
    { name: 'long texts', url: await createCheckout(long), act: openDetails },
    {
      name: 'pay',
      url: await chooseWallet(await createCheckout({ cancel_url: 'https://shop.example.com/cart' })),
      act: openDetails,
    },
    { name: 'another wallet', url: `${await chooseWallet(await createCheckout())}?change=1` },
    {
      name: 'confirm',
      url: await chooseWallet(await createCheckout()),
      act: paste(`تم سداد مبلغ 1500 YER كقيمة مشتريات بمرجع ${newReference()} رصيدك هو 100.00`),
    },
    {
      name: 'confirm another amount',
      url: await chooseWallet(await createCheckout()),
      act: paste(`تم سداد مبلغ 1400 YER كقيمة مشتريات بمرجع ${newReference()} رصيدك هو 100.00`),
    },
    { name: 'cut message', url: await chooseWallet(await createCheckout()), act: paste('رقم العملية 22070') },
    {
      name: 'looking',
      url: await sendReference(await chooseWallet(await createCheckout()), newReference()),
      act: openDetails,
    },
    { name: 'too little, rest allowed', url: await wrong('1400', true), act: openDetails },
    { name: 'too little', url: await wrong('1400', false) },
    { name: 'too much', url: await wrong('1600', true) },
    { name: 'paid', url: done, act: openDetails },
    { name: 'the try expired', url: expired },
    { name: 'expired while paying', url: paying },
    { name: 'expired', url: over },
    { name: 'rest', url: rest },
    { name: 'cancelled', url: cancelled.body.url },
    { name: 'link', url: link.body.url },
    { name: 'unknown', url: `${origin}/pay/${'x'.repeat(27)}` },
  ]
}

/** If SANAD_SHOTS names a folder, a screenshot of every state in every look is written there. */
const shots = process.env.SANAD_SHOTS

const looks = [
  [320, 'dark', 1],
  [390, 'light', 1],
  [768, 'dark', 1],
  [1440, 'light', 1],
  [1280, 'light', 2],
  [390, 'dark', 2],
] as const

test('in every state and every look: nothing overflows, the keyboard reaches every control, axe finds no fault', async () => {
  const states = await statesOf()
  const silent = await chooseWallet(await createCheckout({ wallets: [demo.wallets.main, demo.wallets.test] }))
  for (const locale of ['ar', 'en'] as const) {
    for (const [width, colorScheme, zoom] of locale === 'ar' ? looks : looks.slice(0, 2)) {
      // Zoom makes the page narrower in CSS pixels, and each CSS pixel larger.
      const viewport = { width: Math.round(width / zoom), height: Math.round(844 / zoom) }
      const context = await browser.newContext({ viewport, deviceScaleFactor: zoom, colorScheme, locale })
      await context.clock.setFixedTime(clock.now())
      const page = await context.newPage()
      page.setDefaultTimeout(60_000)
      for (const { name, url, act } of states) {
        const look = `${name}, ${locale}, ${width}, ${colorScheme}, zoom ${zoom}`
        await page.goto(`${url}${url.includes('?') ? '&' : '?'}lang=${locale}`)
        await act?.(page)
        await page.locator('main').waitFor()
        await expectGood(page, look)
        if (width === 320) await expectKeyboard(page, look)
        if (shots !== undefined)
          await page.screenshot({ path: `${shots}/${look.replaceAll(/[^a-z0-9]+/g, '-')}.png`, fullPage: true })
      }
      await context.close()
    }
  }
  clock.advance(10 * 60_000)
  const page = await open({ language: 'ar', width: 390, scheme: 'light' })
  await page.goto(silent)
  await page.getByText('لتأكيد أسرع').waitFor()
  await expectNoFaults(page, 'silent')
  if (shots !== undefined) await page.screenshot({ path: `${shots}/silent.png`, fullPage: true })
})

test('if the wallet is switched off while the page is open, the page says so, but not while the buyer types', async () => {
  await shopPhone.heartbeat()
  const page = await open({ language: 'ar', width: 390, scheme: 'light' })
  await page.goto(await chooseWallet(await createCheckout()))
  await page.getByRole('textbox').fill('2207')
  await service.sql('update wallets set active = false, version = version + 1 where id = $1', [demo.wallets.main])
  // Longer than any cache of wallets.
  clock.advance(2_000)
  const checkState = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
  const stateResponse = page.waitForResponse((answer) => answer.url().endsWith('/state/'))
  await checkState()
  assert.match(await (await stateResponse).text(), /~closed$/)
  assert.equal(await page.getByRole('textbox').inputValue(), '2207')
  await page.getByRole('textbox').fill('')
  await checkState()
  await page.getByRole('heading', { name: 'المتجر لا يستقبل المبالغ على هذه المحفظة الآن' }).waitFor()
  for (const [width, colorScheme] of [
    [390, 'light'],
    [195, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    await page.emulateMedia({ colorScheme })
    await expectFits(page, `closed, ${width}`)
    await expectNoFaults(page, `closed, ${width}, ${colorScheme}`)
    if (shots !== undefined) await page.screenshot({ path: `${shots}/closed-${width}.png`, fullPage: true })
  }
  await page.getByRole('link', { name: 'اختيار محفظة أخرى' }).click()
  await page.getByRole('button', { name: 'Second wallet' }).click()
  await page.getByRole('heading', { name: 'حوّل المبلغ من تطبيق محفظتك' }).waitFor()
})
