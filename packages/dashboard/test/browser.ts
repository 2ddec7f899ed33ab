/** Starts the real service with the dashboard, and Chromium for tests. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { after, afterEach } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { type Browser, chromium, type Page } from 'playwright-core'
import { builtDashboard } from '../../server/src/built-dashboard.ts'
import { dashboardPages } from '../../server/src/http/app/dashboard-pages.ts'
import { atProcessEnd } from '../../server/test/runner/test-process.ts'
import { openTestService } from '../../server/test/support/story.ts'
import { all } from '../src/words/all.ts'
import { findChromium } from './chromium.ts'

/**
 * Browser features that tests do not need. The address bar alone costs more than a second of CPU time for each window.
 * The last four are disabled by Playwright's own list, which this list replaces.
 */
const unneededFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxFullPopup',
  'AimEnabled',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PreconnectToSearch',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'PaintHolding',
]

export type Look = { readonly language: 'ar' | 'en'; readonly width: number; readonly scheme: 'light' | 'dark' }

export const bothLanguages: readonly Look['language'][] = ['ar', 'en']

export const phone: Look = { language: 'ar', width: 390, scheme: 'light' }
export const desktop: Look = { language: 'en', width: 1440, scheme: 'light' }

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let launched: Promise<Browser> | undefined

/** One browser for all test files of a process: a start costs more than a page, and each page has its own profile. */
const sharedBrowser = (): Promise<Browser> => {
  if (launched !== undefined) return launched
  // The test runner ends a process by this signal. Playwright would only close the browser, and the tests would go on.
  process.once('SIGTERM', () => process.exit(143))
  launched = chromium.launch({
    executablePath: findChromium(),
    handleSIGTERM: false,
    // Without the browser's sandbox: it opens only our pages, and a container does not support it.
    args: ['--no-sandbox', '--disable-dev-shm-usage', `--disable-features=${unneededFeatures.join(',')}`],
  })
  const browser = launched
  atProcessEnd(async () => (await browser).close())
  return browser
}

/** After a failed test: prints the text of the pages that sent requests during the test. */
const printPagesOfFailures = (activePages: Set<Page>): void =>
  afterEach(async (story) => {
    const openPages = [...activePages].filter((page) => !page.isClosed())
    activePages.clear()
    if (!('passed' in story) || story.passed) return
    for (const page of openPages) {
      const text = await page.innerText('body', { timeout: 5_000 }).catch(String)
      const fields = await page
        .locator('input:not([type=password]), textarea')
        .evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value))
        .catch(String)
      console.error(`On the screen of "${story.name}", ${page.url()}:\n${text.slice(0, 4_000)}`, fields)
    }
  })

/**
 * At the end of the file no page has written an error to its console. `more`: adds other pages of the service that a test opens.
 * `consoleErrors`: `allowed` where a test cuts connections, or checks the errors itself.
 */
export const openDashboard = async (
  env: Record<string, string> = {},
  more: (app: FastifyInstance) => Promise<void> = async () => {},
  { consoleErrors = 'refused' }: { consoleErrors?: 'refused' | 'allowed' } = {},
) => {
  const folder = await builtDashboard(() => {})
  const service = await openTestService(
    { SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', ...env },
    {
      more: async (app) => {
        await more(app)
        await app.register(dashboardPages(folder))
      },
    },
  )
  const browser = await sharedBrowser()
  const activePages = new Set<Page>()
  printPagesOfFailures(activePages)
  /** The console errors of all pages. */
  const complaints: string[] = []
  if (consoleErrors === 'refused') after(() => assert.deepEqual(complaints, [], 'errors in the console'))

  /** `serviceWorker`: only for its own test, because with a service worker a test does not see every request of a page. */
  const open = async (
    look: Look = desktop,
    { serviceWorker = false, userAgent }: { serviceWorker?: boolean; userAgent?: string } = {},
  ): Promise<Page> => {
    const context = await browser.newContext({
      serviceWorkers: serviceWorker ? 'allow' : 'block',
      viewport: { width: look.width, height: look.width < 600 ? 844 : 900 },
      locale: look.language === 'ar' ? 'ar-YE' : 'en-GB',
      colorScheme: look.scheme,
      reducedMotion: 'reduce',
      ...(userAgent === undefined ? {} : { userAgent }),
    })
    // At the end of the test, or of the file if the page was opened outside of a test. An open page would load again with
    // every event, and would try for ever to connect to a service that has stopped.
    after(() => context.close())
    // The browser uses the clock of the service: times are relative to it.
    await context.clock.setFixedTime(service.clock.now())
    const page = await context.newPage()
    page.on('request', () => activePages.add(page))
    // A busy machine is slow.
    page.setDefaultTimeout(60_000)
    page.on('pageerror', (fault) => complaints.push(`${page.url()}: ${fault.message}`))
    page.on('console', (entry) => {
      // A refusal of the server can be part of a test; any other error is not.
      if (entry.type() === 'error' && !entry.text().startsWith('Failed to load resource'))
        complaints.push(`${page.url()}: ${entry.text()}`)
    })
    return page
  }

  const signIn = async (
    page: Page,
    user: { email: string; password: string } = service.demo.dashboard,
    path = '/',
  ): Promise<void> => {
    await page.goto(`${service.origin}${path}`)
    await page.fill('input[name=email]', user.email)
    await page.fill('input[name=password]', user.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('main h1')
    await page.waitForSelector('input[name=email]', { state: 'detached' })
  }

  /** A page of a signed-in user. `origin`: of a proxy, if the page reaches the service through one. */
  const openAs = async (
    user: { readonly session: { readonly token: string } },
    look: Look = desktop,
    { origin = service.origin, serviceWorker = false }: { origin?: string; serviceWorker?: boolean } = {},
  ): Promise<Page> => {
    const page = await open(look, { serviceWorker })
    await page.context().addCookies([{ name: 'sanad_session', value: user.session.token, url: origin }])
    return page
  }

  /** Opens a screen and waits for its title. */
  const visit = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${service.origin}${path}`)
    await page.waitForSelector('main h1')
  }

  return { service, open, openAs, visit, signIn, complaints }
}

/** A pattern for a text of the dashboard by its key; placeholders match anything. */
export const textPattern = (language: Look['language'], key: keyof typeof all.en & keyof typeof all.ar): RegExp =>
  new RegExp(`^${all[language][key].replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{\{\w+\}\}/g, '.*')}$`)

/** Repeats an assertion until it holds: a page shows the result of an action a moment later. */
export const eventually = async (check: () => Promise<void>, most_ms = 30_000): Promise<void> => {
  const end = performance.now() + most_ms
  for (;;) {
    try {
      return await check()
    } catch (fault) {
      // The runner knows by the mark that time ran out (packages/server/test/runner/failures.ts).
      if (performance.now() > end) throw Object.assign(fault as Error, { ranOutOfTime: true })
    }
    await new Promise((done) => setTimeout(done, 50))
  }
}

/** Axe finds no serious fault on the page. */
export const expectNoFaults = async (page: Page, where: string): Promise<void> => {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe)
  const faults = await page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe is put into the page as a script
    const { run, _audit: audit } = (globalThis as any).axe
    // Rules without serious findings are skipped.
    const mild = audit.rules.filter(({ impact }: { impact: string }) => impact === 'minor' || impact === 'moderate')
    if (mild.length === 0 || mild.length > audit.rules.length / 2)
      throw new Error('axe no longer states the impact of its rules')
    const rules = Object.fromEntries(mild.map(({ id }: { id: string }) => [id, { enabled: false }]))
    const { violations } = await run(document, { resultTypes: ['violations'], selectors: false, rules })
    // biome-ignore lint/suspicious/noExplicitAny: the type of axe's result is not known inside the page
    return violations.map(({ id, impact, help, nodes }: any) => ({ id, impact, help, first: nodes[0]?.html }))
  })
  const serious = faults.filter(({ impact }: { impact: string }) => impact === 'serious' || impact === 'critical')
  assert.deepEqual(serious, [], where)
}

/** Axe finds no serious fault, and the page does not scroll sideways. */
export const expectGood = async (page: Page, where: string): Promise<void> => {
  await expectNoFaults(page, where)
  await expectFits(page, where)
}

/** The page does not scroll sideways. */
export const expectFits = async (page: Page, where: string): Promise<void> => {
  const [content, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ])
  assert.ok(content! <= window!, `${where}: ${content} pixels wide in a window of ${window}`)
}

/**
 * Tab reaches every control, the focus is visible, and no element traps it. The page records the focus itself: one query
 * per key would take longer than all keys.
 */
export const expectKeyboard = async (page: Page, where: string): Promise<void> => {
  const stops = await page.evaluate(() => {
    const usable = 'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex="-1"])'
    const isShown = (element: HTMLElement): boolean =>
      element.checkVisibility({ visibilityProperty: true }) && element.closest('[inert], [aria-hidden=true]') === null
    // In a radio group, Tab reaches only the checked button.
    const isStop = (element: HTMLElement): boolean =>
      element.tabIndex >= 0 && !element.matches(':disabled') && !element.matches('input[type=radio]:not(:checked)')
    // An open dialog keeps the focus until it is closed, as it must: only its controls are expected.
    const root = document.querySelector('[role=dialog]') ?? document
    const unreached = new Set(
      [...root.querySelectorAll<HTMLElement>(usable)].filter((element) => isShown(element) && isStop(element)),
    )
    const unseen = new Set<HTMLElement>()
    // Transitions would delay the change of the style.
    const noTransitions = new CSSStyleSheet()
    noTransitions.replaceSync('* { transition: none !important }')
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, noTransitions]
    const styleOf = (element: HTMLElement): string =>
      [element, element.nextElementSibling, element.parentElement, element.parentElement?.parentElement]
        .filter((near) => near !== null && near !== undefined)
        .map((near) => {
          const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, top } = getComputedStyle(near)
          return [outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor, top].join()
        })
        .join(';')
    let focused: { element: HTMLElement; style: string } | undefined
    const recording = new AbortController()
    const onFocus = ({ target }: FocusEvent): void => {
      const element = target as HTMLElement
      unreached.delete(element)
      focused = { element, style: styleOf(element) }
    }
    const onBlur = ({ target }: FocusEvent): void => {
      const last = focused
      const element = target as HTMLElement
      if (last?.element !== element) return
      // The style without focus is known only after the focus has left.
      setTimeout(() => {
        const hasLeft = element.isConnected && document.activeElement !== element
        if (hasLeft && styleOf(element) === last.style && element.id !== 'content') unseen.add(element)
      })
    }
    document.addEventListener('focusin', onFocus, { signal: recording.signal })
    document.addEventListener('focusout', onBlur, { signal: recording.signal })
    Reflect.set(globalThis, 'recordedFocus', () => {
      recording.abort()
      const startOf = ({ outerHTML }: HTMLElement): string => outerHTML.slice(0, 160)
      return {
        unreached: [...unreached].filter((element) => element.isConnected).map(startOf),
        unseen: [...unseen].map(startOf),
      }
    })
    ;(document.activeElement as HTMLElement | null)?.blur()
    // A field of a date or time has a tab stop for each of its parts.
    const withParts = 'input[type=date], input[type=time], input[type=datetime-local]'
    return unreached.size + 8 * document.querySelectorAll(withParts).length
  })
  for (let pressed = 0; pressed < stops + 4; pressed++) await page.keyboard.press('Tab')
  // biome-ignore lint/suspicious/noExplicitAny: the function was set above, in the page
  const { unreached, unseen } = await page.evaluate(() => (globalThis as any).recordedFocus())
  assert.deepEqual({ unreached, unseen }, { unreached: [], unseen: [] }, where)
}

/** Gives the proof of the person that the page asks for, after ten minutes. */
export const giveProof = async (page: Page, password: string): Promise<void> => {
  await page.locator('dialog input[name=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.locator('dialog').waitFor({ state: 'detached' })
}
