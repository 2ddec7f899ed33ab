/** `npm run dev`: the service and the dashboard's sources, on loopback, started and stopped together. */
import { freePort } from '../../../server/test/support/servers/free-port.ts'
import '../../../server/test/runner/own-process.ts'
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { after, test } from 'node:test'
import { chromium } from 'playwright-core'
import { bareEnvironment } from '../../../server/test/support/bare-environment.ts'
import { findChromium } from '../chromium.ts'

const root = resolve(import.meta.dirname, '../../../..')
const dataDir = mkdtempSync(join(tmpdir(), 'sanad-dev-'))
after(() => rmSync(dataDir, { recursive: true, force: true }))

const isOpen = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  )

test('a changed screen reaches the open page; Ctrl-C ends the service, its PostgreSQL and the page’s server', async () => {
  const [servicePort, pagePort] = [await freePort(), await freePort()]
  const dev = spawn(process.execPath, [join(root, 'packages/dashboard/dev.ts')], {
    cwd: root,
    env: {
      ...bareEnvironment,
      SANAD_DATA_DIR: dataDir,
      LOG_LEVEL: 'warn',
      PORT: String(servicePort),
      SANAD_DEV_PORT: String(pagePort),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(() => dev.kill('SIGKILL'))
  let url: string | undefined
  for await (const line of createInterface({ input: dev.stdout })) {
    url = /reloaded when its sources change: (\S+)/.exec(line)?.[1]
    if (url !== undefined) break
  }
  dev.stdout.resume()
  assert.equal(url, `http://127.0.0.1:${pagePort}/`)

  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
  after(() => browser.close())
  const page = await browser.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(url)
  await page.waitForSelector('input[name=email]')
  assert.equal((await fetch(`${url}api/v1/dashboard/session/`)).status, 401)

  const updated = page.waitForEvent('console', (entry) => /\[vite\] hot updated: .*sign-in/.test(entry.text()))
  const [now, screen] = [new Date(), join(root, 'packages/dashboard/src/frame/sign-in.tsx')]
  assert.ok(existsSync(screen))
  // The file's time is enough: its content stays, because other tests read it.
  utimesSync(screen, now, now)
  await updated
  await page.waitForSelector('input[name=email]')
  await browser.close()

  dev.kill('SIGINT')
  const [code] = await once(dev, 'exit')
  assert.equal(code, 0)
  for (const port of [servicePort, pagePort]) assert.equal(await isOpen(`http://127.0.0.1:${port}/`), false)
  assert.ok(existsSync(join(dataDir, 'postgres/PG_VERSION')))
  assert.equal(existsSync(join(dataDir, 'postgres/postmaster.pid')), false)
})
