/** The script of the buyer's page, run with a simulated page. What it does in a browser is tested with the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { script } from './page-inline.ts'

/** Runs the script on a page with one copy button. Timers run when `advance` reaches their time. */
const openPage = () => {
  let now_ms = 0
  let timers: { id: number; at_ms: number; run: () => void }[] = []
  let lastId = 0
  const listeners: Record<string, (event: unknown) => void> = {}
  const button = { dataset: { copy: '777' }, textContent: 'Copy', closest: () => button, getAttribute: () => null }
  const document = {
    documentElement: {},
    head: { dataset: { copied: 'Copied' } },
    body: { dataset: { state: 'waiting' } },
    addEventListener: (name: string, listener: (event: unknown) => void) => {
      listeners[name] = listener
    },
    querySelector: () => null,
  }
  const window: Record<string, unknown> = { addEventListener: () => {} }
  window.parent = window
  runInNewContext(script, {
    document,
    window,
    location: { pathname: '/pay/made-up' },
    navigator: { clipboard: { writeText: () => Promise.resolve() } },
    performance: { now: () => now_ms },
    setTimeout: (run: () => void, ms: number) => {
      timers.push({ id: ++lastId, at_ms: now_ms + ms, run })
      return lastId
    },
    clearTimeout: (id: number | undefined) => {
      timers = timers.filter((timer) => timer.id !== id)
    },
  })
  listeners.DOMContentLoaded!({})
  return {
    label: () => button.textContent,
    click: async () => {
      listeners.click!({ target: button })
      await new Promise(setImmediate)
    },
    advance: (ms: number) => {
      now_ms += ms
      const due = timers.filter(({ at_ms }) => at_ms <= now_ms)
      timers = timers.filter(({ at_ms }) => at_ms > now_ms)
      for (const { run } of due) run()
    },
  }
}

test('a second click on copy keeps the label of the button, and shows it 1.5 seconds after the last click', async () => {
  const page = openPage()
  await page.click()
  assert.equal(page.label(), 'Copied')
  page.advance(1000)
  await page.click()
  page.advance(1000)
  assert.equal(page.label(), 'Copied')
  page.advance(500)
  assert.equal(page.label(), 'Copy')
  await page.click()
  page.advance(1500)
  assert.equal(page.label(), 'Copy')
})

test('after a slow answer the countdown shows no more time than there is, and reloads the page at the end', () => {
  let now_ms = 5_000
  let tick: () => void = () => {}
  let ready: (event: unknown) => void = () => {}
  const reloads: string[] = []
  const countdown = { dataset: { left: '10000', words: '{time} left' }, textContent: 'Can be paid until 06:04:59' }
  const window: Record<string, unknown> = { addEventListener: () => {} }
  window.parent = window
  runInNewContext(script, {
    document: {
      documentElement: {},
      head: { dataset: {} },
      body: { dataset: { state: 'OPEN.1.PENDING.0', url: '/pay/made-up' } },
      addEventListener: (name: string, listener: (event: unknown) => void) => {
        if (name === 'DOMContentLoaded') ready = listener
      },
      querySelector: (selector: string) => (selector === '[data-left]' ? countdown : null),
    },
    window,
    clearTimeout: () => {},
    location: { pathname: '/pay/made-up', replace: (url: string) => reloads.push(url) },
    // The request began at 1 s; the page was there 4 s later.
    performance: { now: () => now_ms, getEntriesByType: () => [{ requestStart: 1_000 }] },
    setInterval: (run: () => void) => {
      tick = run
    },
  })
  ready({})
  now_ms = 6_000
  tick()
  assert.equal(countdown.textContent, '0:05 left')
  now_ms = 10_999
  tick()
  assert.deepEqual([countdown.textContent, reloads], ['0:01 left', []])
  now_ms = 11_000
  tick()
  assert.deepEqual(reloads, ['/pay/made-up'])
})
