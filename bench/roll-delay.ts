/**
 * `node bench/roll-delay.ts [reports]`: how long it takes from the moment at which a phone sends its report until the money is on the
 * counter's roll, in a real browser with the real service, one report after another. Each time is compared with a plain HTTP round trip
 * on the same machine at the same time, because a time alone says more about the machine.
 */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { findChromium } from '../packages/dashboard/test/chromium.ts'
import type { Demo } from '../packages/server/src/commands/shop/demo.ts'
import { phone } from '../packages/server/test/support/phone.ts'
import { purchaseText } from '../packages/server/test/support/sms-texts.ts'
import { cleanUp, output, temporaryFolder } from './harness/processes.ts'
import { percentile } from './harness/rounds.ts'
import { startService } from './harness/service-process.ts'

const reports = Number(process.argv[2] ?? 50)
const wait_ms = 20_000

/** Runs in the page: notes when the text of an amount is first seen on the screen. */
const watchAmounts = `(() => {
  const seen = (window.seen = {})
  const look = () => {
    for (const found of document.querySelector('main')?.innerText.matchAll(/[0-9]{1,3}(?:,[0-9]{3})+/g) ?? [])
      seen[found[0]] ??= Date.now()
  }
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  look()
})()`

const run = async (): Promise<void> => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'data'))
  const service = await startService(join(folder, 'data'))
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
  try {
    const env = { ...process.env, SANAD_DATA_DIR: service.dataDir, PUBLIC_URL: service.origin }
    const main = join(import.meta.dirname, '../packages/server/src/main.ts')
    const demo: Demo = JSON.parse(await output(process.execPath, [main, 'demo', '--json'], { env }))
    const shopPhone = phone(service.origin, Date.now, demo.device)
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: 'en-GB',
      serviceWorkers: 'block',
    })
    const page = await context.newPage()
    await page.goto(`${service.origin}/counter`)
    await page.fill('input[name=email]', demo.dashboard.email)
    await page.fill('input[name=password]', demo.dashboard.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('input[name=email]', { state: 'detached' })
    await page.waitForSelector('main h1', { state: 'attached' })
    await page.waitForLoadState('load')
    await page.evaluate(watchAmounts)

    const delays: number[] = []
    const ratios: number[] = []
    // The first ones load what the page has not loaded yet.
    for (let n = -3; n < reports; n++) {
      const tripFrom = performance.now()
      await (await fetch(`${service.origin}/api/v1/merchant/wallets/`)).arrayBuffer()
      const trip_ms = performance.now() - tripFrom
      const amount = 20_000 + n * 7
      const shown = `${Math.floor(amount / 1000)},${String(amount % 1000).padStart(3, '0')}`
      const sentAt = Date.now()
      const reference = String(930_000_000_000 + n)
      const text = purchaseText(String(amount), reference)
      const alert = { client_id: reference, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' }
      const answer = await shopPhone.alerts([{ ...alert, received_at: Math.floor(sentAt / 1000) }])
      if (answer.status !== 200) throw new Error(`the report was refused: ${answer.text}`)
      const at = await page.waitForFunction(
        (key) => (globalThis as never as { seen: Record<string, number> }).seen[key],
        shown,
        {
          timeout: wait_ms,
          polling: 50,
        },
      )
      const delay = ((await at.jsonValue()) as number) - sentAt
      if (n < 0) continue
      delays.push(delay)
      ratios.push(delay / trip_ms)
    }
    const line = (name: string, values: readonly number[], unit: string): void =>
      console.log(
        `${name}: p50 ${percentile(values, 0.5).toFixed(0)}${unit}, p95 ${percentile(values, 0.95).toFixed(0)}${unit}, ` +
          `largest ${percentile(values, 1).toFixed(0)}${unit}`,
      )
    console.log(`${reports} reports, one after another`)
    line('from the report to the roll', delays, ' ms')
    line('in round trips of plain HTTP', ratios, '')
    console.log(`within a second: ${delays.filter((delay) => delay <= 1_000).length} of ${reports}`)
  } finally {
    await browser.close()
    await service.stop()
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void cleanUp())
await run().finally(cleanUp)
