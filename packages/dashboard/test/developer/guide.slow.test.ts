/** The guide and the API reference in a real browser: readable in every look, the search, and calls with the demo's key. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { apiReference } from '../../../server/src/api-reference.ts'
import type { Config } from '../../../server/src/config.ts'
import { guidePages } from '../../../server/src/http/guide/guide-book.ts'
import { desktop, expectFits, expectKeyboard, expectNoFaults, openDashboard, phone } from '../browser.ts'

// If no public address is set, the documents state the address of this server.
const { service, open, complaints } = await openDashboard({}, (app) => apiReference({} as Config)(app))
const { origin, demo } = service
const shots = process.env.SANAD_TEST_SHOTS

test('every page of the guide fits and has no fault, in both languages, narrow and wide, light and dark', async () => {
  for (const language of ['ar', 'en'] as const) {
    const page = await open({ ...phone, language })
    for (const [n, name] of ['', ...guidePages].entries()) {
      const where = `${language} ${name}`
      await page.goto(`${origin}/docs/guide/${language}/${name}`)
      assert.equal(await page.locator('html').getAttribute('dir'), language === 'ar' ? 'rtl' : 'ltr')
      // Every page is measured in both widths. axe checks each page in only one of them, in turn.
      for (const [at, [width, colorScheme]] of (
        [
          [390, 'dark'],
          [1440, 'light'],
        ] as const
      ).entries()) {
        await page.setViewportSize({ width, height: 844 })
        await page.emulateMedia({ colorScheme })
        await expectFits(page, `${where}, ${width}`)
        if (n % 2 === at) await expectNoFaults(page, `${where}, ${width}, ${colorScheme}`)
      }
      // Pictures are loaded and drawn.
      const broken = await page
        .locator('img')
        .evaluateAll((images: HTMLImageElement[]) =>
          images.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
        )
      assert.deepEqual(broken, [], where)
    }
    await page.context().close()
  }
})

test('the search finds a section, also by a common Arabic misspelling, and opens it', async () => {
  const page = await open(phone)
  await page.goto(`${origin}/docs/guide`)
  await page.waitForURL(/\/docs\/guide\/ar\/$/)
  await page.getByRole('link', { name: 'البداية السريعة: دفعة في عشر دقائق' }).first().click()
  await page.getByRole('searchbox').fill('الدفع المتاخر')
  const found = page.locator('.results a').filter({ hasText: /^الدفع المتأخر/ })
  await found.waitFor()
  await found.click()
  await page.waitForURL(/references#/)
  await page.locator('h2', { hasText: 'الدفع المتأخر' }).waitFor()
  await page.getByRole('searchbox').fill('لا-يوجد-هذا')
  await page.getByText('لا توجد نتيجة').waitFor()
  await page.keyboard.press('Escape')
  await page.locator('.results').waitFor({ state: 'hidden' })
  await expectKeyboard(page, 'guide')
  await page.getByRole('link', { name: 'English' }).click()
  await page.waitForURL(/\/en\/references$/)
})

test('the tabs of the quick start: by keyboard, one choice for all, kept, opened by a link; without scripts, too', async () => {
  const page = await open(phone)
  const at = `${origin}/docs/guide/en/quick-start`
  const chosen = () => page.locator('.tabs > input:checked + label').allInnerTexts()
  const shown = () => page.locator('.tab:visible > h3').allInnerTexts()
  await page.goto(at)
  assert.deepEqual(await shown(), ['TypeScript', 'TypeScript'])
  await page.getByRole('group', { name: 'Programming language' }).first().getByRole('radio').first().focus()
  await page.keyboard.press('ArrowRight')
  assert.deepEqual(
    [await chosen(), await shown()],
    [
      ['PHP', 'PHP'],
      ['PHP', 'PHP'],
    ],
  )
  await expectNoFaults(page, 'tabs')
  await page.goto(`${origin}/docs/guide/ar/quick-start`)
  assert.deepEqual(await shown(), ['PHP', 'PHP'])
  await page.goto(`${at}#the-same-in-your-own-project-python`)
  assert.deepEqual(await shown(), ['Python', 'Python'])
  await page.context().close()

  const bare = await page.context().browser()!.newContext({ javaScriptEnabled: false })
  const still = await bare.newPage()
  await still.goto(at)
  await still.locator('.tabs label', { hasText: 'PHP' }).first().click()
  assert.deepEqual(await still.locator('.tab:visible > h3').allInnerTexts(), ['PHP', 'TypeScript'])
  await bare.close()
})

test('in the API reference a key is entered once, and every call after the token is authorized', async () => {
  // The viewer uses a timer of the browser before it shows a call, so this page has a running clock.
  const browser = (await open(desktop)).context().browser()!
  const context = await browser.newContext({ viewport: { width: desktop.width, height: 900 }, colorScheme: 'light' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  page.on('pageerror', (fault) => complaints.push(`${page.url()}: ${fault.message}`))
  await page.goto(`${origin}/docs`)
  const section = page.locator('#operations-Token-createToken')
  await section.waitFor()
  await expectFits(page, 'reference')
  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const dialog = page.locator('.dialog-ux')
  for (const [name, value] of [
    ['clientId', demo.client_id],
    ['clientSecret', demo.client_secret],
  ] as const) {
    const form = dialog.locator('.auth-container').filter({ hasText: `${name}  (apiKey)` })
    await form.locator('input').fill(value)
    await form.getByRole('button', { name: 'Apply credentials' }).click()
    await form.getByRole('button', { name: 'Remove authorization' }).waitFor()
  }
  await dialog.locator('.btn-done').last().click()
  await dialog.waitFor({ state: 'detached' })
  await section.locator('.opblock-summary-control').click()
  // Each call is shown as a command and with the SDK.
  for (const label of ['curl', '@sanad/sdk']) await section.locator('strong', { hasText: label }).waitFor()
  const tryIt = async (id: string): Promise<string> => {
    const call = page.locator(id)
    await call.getByRole('button', { name: 'Try it out' }).click()
    await call.getByRole('button', { name: 'Execute' }).click()
    const status = call.locator('.live-responses-table tr.response .response-col_status')
    await status.waitFor()
    return (await status.innerText()).trim()
  }
  assert.match(await tryIt('#operations-Token-createToken'), /^200/)
  await page.locator('#operations-Wallets-listWallets .opblock-summary-control').click()
  assert.match(await tryIt('#operations-Wallets-listWallets'), /^200/)

  // The example names the test wallet of the account, so that it can be sent as it stands; and the command runs as it is copied.
  const create = page.locator('#operations-Intents-createIntent')
  await create.locator('.opblock-summary-control').click()
  const command = create.locator('.renderedMarkdown pre', { hasText: 'curl -X POST' }).first()
  await command.filter({ hasText: demo.wallets.test }).waitFor()
  assert.match(await tryIt('#operations-Intents-createIntent'), /^201/)
  const { stdout } = await promisify(execFile)('bash', ['-c', await command.innerText()])
  assert.equal(JSON.parse(stdout).status, 'PENDING')
  // In the same tab, the page of the checkout API has the token too.
  await page.goto(`${origin}/docs/checkout`)
  await page.locator('#operations-Checkouts-createCheckout .opblock-summary-control').click()
  assert.match(await tryIt('#operations-Checkouts-createCheckout'), /^201/)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.waitForFunction(() => document.documentElement.classList.contains('dark-mode'))
  if (shots !== undefined) await page.screenshot({ path: `${shots}/reference-dark.png`, fullPage: false })
  if (shots !== undefined) await page.locator('.info').screenshot({ path: `${shots}/reference-info-dark.png` })
  await page.emulateMedia({ colorScheme: 'light' })
  if (shots !== undefined)
    await page.locator('#operations-Checkouts-createCheckout').screenshot({ path: `${shots}/call.png` })
  await context.close()
})
