/**
 * `npm run screenshots`: the pictures of the README, made from the running service so that they stay true: the dashboard, the
 * buyer's page and a phone being connected, each in Arabic and English. They are written to docs/pictures/ as WebP, or with
 * `--to DIR` to another folder.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { findChromium } from '../packages/dashboard/test/chromium.ts'
import type { Demo } from '../packages/server/src/commands/shop/demo.ts'
import { phone } from '../packages/server/test/support/phone.ts'
import { purchaseText } from '../packages/server/test/support/sms-texts.ts'
import { BenchRefused, cleanUp, output, temporaryFolder } from './harness/processes.ts'
import { type ServiceProcess, startService } from './harness/service-process.ts'

const largest_bytes = 80_000
const languages = ['ar', 'en'] as const
type Language = (typeof languages)[number]

const { values: options } = parseArgs({ options: { to: { type: 'string' } } })
const into = resolve(options.to ?? join(import.meta.dirname, '../docs/pictures'))

/** Lowers the quality until the file is small enough. At the lowest quality it is saved whatever its size. */
const save = async (page: Page, name: string): Promise<void> => {
  const session = await page.context().newCDPSession(page)
  for (const quality of [85, 75, 65, 55, 45]) {
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality })
    const bytes = Buffer.from(data, 'base64')
    if (bytes.length > largest_bytes && quality > 45) continue
    await writeFile(join(into, `${name}.webp`), bytes)
    process.stdout.write(`${name}.webp  ${Math.round(bytes.length / 1000)} kB\n`)
    return
  }
}

const openPage = async (browser: Browser, language: Language, width: number, height: number): Promise<Page> => {
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: width < 600 ? 2 : 1,
    locale: language === 'ar' ? 'ar-YE' : 'en-GB',
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  return context.newPage()
}

type Shop = {
  readonly service: ServiceProcess
  readonly demo: Demo
  readonly token: string
  readonly language: Language
}

const names = {
  ar: {
    shop: 'متجر المثال',
    main: 'محفظة المتجر',
    second: 'محفظة التوصيل',
    phone: 'هاتف المتجر',
    spare: 'هاتف احتياطي',
    added: 'هاتف الكاشير',
  },
  en: {
    shop: 'Example shop',
    main: 'Shop wallet',
    second: 'Delivery wallet',
    phone: 'Shop phone',
    spare: 'Spare phone',
    added: 'Counter phone',
  },
}

/** A shop with names in the language of the pictures, and with payments of the last two weeks. */
const openShop = async (service: ServiceProcess, language: Language): Promise<Shop> => {
  const env = { ...process.env, SANAD_DATA_DIR: service.dataDir, PUBLIC_URL: service.origin }
  const main = join(import.meta.dirname, '../packages/server/src/main.ts')
  const demo: Demo = JSON.parse(await output(process.execPath, [main, 'demo', '--json'], { env }))
  const answer = await fetch(`${service.origin}/api/v1/merchant/token`, {
    method: 'POST',
    headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
  })
  const { access_token: token } = (await answer.json()) as { access_token: string }
  const run = (text: string, values: unknown[]) => service.db.run({ text, values })
  const [row] = await run('select account_id from api_keys where client_id = $1', [demo.client_id])
  const accountId = row![0]!
  const { shop, main: first, second, phone: shopPhone, spare } = names[language]
  await run('update accounts set name = $2 where id = $1', [accountId, shop])
  await run('update devices set name = $2 where id = $1', [demo.device.id, shopPhone])
  await run("update devices set name = $2 where account_id = $1 and name = 'Old phone'", [accountId, spare])
  for (const [id, name] of [
    [demo.wallets.main, first],
    [demo.wallets.second, second],
  ])
    await run('update wallets set name = $2 where id = $1', [id, name])
  // The chart reads the days before today from this table.
  await run(
    `insert into intent_hours (account_id, hour, wallet_id, status, count, sum)
     select $1, date_trunc('hour', now()) - make_interval(days => n), $2, 'VERIFIED', 8 + n * 5 % 7,
            (52000 + n * 37 % 11 * 4100) * 100
       from generate_series(1, 13) as n`,
    [accountId, demo.wallets.main],
  )
  await run("update tally_progress set sealed_until = date_trunc('hour', now()) - interval '2 hours'", [])
  return { service, demo, token, language }
}

/** A day in the shop: most orders are paid, two wait, one got another amount, and one payment has no order. */
const fillDay = async ({ service: { origin }, demo, token }: Shop): Promise<void> => {
  const shopPhone = phone(origin, Date.now, demo.device)
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${origin}/api/v1/merchant${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as { id: string }
  }
  const report = async (amount: string, reference: string): Promise<void> => {
    const text = purchaseText(amount, reference)
    const alert = { client_id: `${demo.device.id} ${reference}`, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' }
    await shopPhone.alerts([{ ...alert, received_at: Math.floor(Date.now() / 1000) }])
  }
  await shopPhone.heartbeat()
  const orders: readonly (readonly [ordered: string, arrived: string | undefined])[] = [
    ['4500', '4500'],
    ['12000', '12000'],
    ['850', '850'],
    ['23500', '23500'],
    ['6400', '6000'],
    ['3200', '3200'],
    ['9750', '9750'],
    ['1500', '1500'],
    ['7300', undefined],
    ['18000', '18000'],
    ['2650', '2650'],
    ['5100', undefined],
  ]
  for (const [n, [ordered, arrived]] of orders.entries()) {
    const reference = String(220_700_010_000 + n * 37)
    const order = `A-${1031 + n}`
    const { id } = await call('POST', '/intents/', {
      wallet: demo.wallets.main,
      amount: `${ordered}.00`,
      external_order_id: order,
    })
    if (arrived === undefined) continue
    await call('PATCH', `/intents/${id}/`, { reference })
    await report(arrived, reference)
  }
  await report('5000', '220700019001')
}

const signIn = async (page: Page, { service, demo }: Shop): Promise<void> => {
  const { email, password } = demo.dashboard
  await page.goto(service.origin)
  await page.fill('input[name=email]', email)
  await page.fill('input[name=password]', password)
  await page.keyboard.press('Enter')
  await page.waitForSelector('main h1')
  await page.waitForSelector('input[name=email]', { state: 'detached' })
}

/** Waits a moment for requests and pictures, and until the fonts are loaded. */
const waitUntilStill = async (page: Page): Promise<void> => {
  await page.waitForTimeout(1500)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}

const dashboardPicture = async (browser: Browser, shop: Shop): Promise<void> => {
  const { language } = shop
  const page = await openPage(browser, language, 1280, 690)
  await signIn(page, shop)
  await waitUntilStill(page)
  await save(page, `dashboard-${language}`)
  await page.context().close()
}

const payPicture = async (browser: Browser, { service: { origin }, token, language }: Shop): Promise<void> => {
  const answer = await fetch(`${origin}/api/v1/checkout/sessions/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: '4500.00',
      external_order_id: 'A-1043',
      description: language === 'ar' ? 'بن يمني، كيلو' : 'Yemeni coffee, 1 kg',
    }),
  })
  const { url } = (await answer.json()) as { url: string }
  const page = await openPage(browser, language, 390, 860)
  await page.goto(url)
  await page.getByRole('button', { name: names[language].main }).click()
  await page.getByRole('textbox').waitFor()
  await waitUntilStill(page)
  await save(page, `pay-${language}`)
  await page.context().close()
}

const phonePicture = async (browser: Browser, shop: Shop): Promise<void> => {
  const { language } = shop
  const page = await openPage(browser, language, 1280, 690)
  await signIn(page, shop)
  await page.goto(`${shop.service.origin}/phones?new=1`)
  const form = page.getByRole('dialog')
  await form.getByRole('textbox').fill(names[language].added)
  await form.getByRole('checkbox').first().check()
  await form.locator('button[type=submit]').click()
  await page
    .getByRole('dialog')
    .filter({ has: page.locator('img') })
    .waitFor()
  await waitUntilStill(page)
  await save(page, `phone-${language}`)
  await page.context().close()
}

const run = async (): Promise<void> => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'data'))
  await mkdir(into, { recursive: true })
  const service = await startService(join(folder, 'data'))
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
  try {
    for (const language of languages) {
      const shop = await openShop(service, language)
      await fillDay(shop)
      await dashboardPicture(browser, shop)
      await payPicture(browser, shop)
      await phonePicture(browser, shop)
    }
  } finally {
    await browser.close()
    await service.stop()
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp())
try {
  await run()
} catch (fault) {
  if (!(fault instanceof BenchRefused)) throw fault
  process.stderr.write(`${fault.message}\n`)
  process.exitCode = 1
} finally {
  await cleanUp()
}
