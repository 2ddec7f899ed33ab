/**
 * The script of the buyer's page in the oldest browsers that it is written for: Chrome 37, which is the WebView of Android
 * 5.0, and Safari of iOS 9. The minified text is checked, as browsers get it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { parseEs5, usedBy } from '../../../test/support/pure/script-names.ts'
import { script } from './page-inline.ts'

const oldestChrome = 37

/**
 * What the script uses of a browser, by the first Chrome that has it (MDN's browser-compat-data). A name that is not here is
 * refused: look its version up, and if it is newer than the oldest Chrome, check in the script whether the browser has it,
 * and run the script without it below. `then` and `catch` are called only on what `fetch` and `clipboard` return.
 */
const namesByChrome: Readonly<Record<number, string>> = {
  1: `DOMParser Math Number action addEventListener adoptNode assign body ceil clearTimeout createElement ctrlKey
      dir document documentElement elements encodeURIComponent firstChild floor focus forEach getAttribute history href id
      insertBefore join lang length location metaKey min name navigator parent parseFromString pathname pow preventDefault
      print push querySelector querySelectorAll replace replaceChild scrollTo setAttribute setInterval setTimeout shiftKey
      slice split tabIndex target textContent title value window`,
  2: 'data onLine postMessage',
  4: 'head persisted',
  5: 'pushState replaceState',
  6: 'EventSource close onmessage performance',
  7: 'dataset',
  8: 'origin',
  19: 'state',
  22: 'className',
  24: 'now',
  28: 'getEntriesByType',
  32: 'catch then',
  33: 'hidden',
  41: 'closest',
  42: 'fetch get headers ok text',
  43: 'requestStart',
  66: 'clipboard writeText',
}
const namesOf = (isMeant: (chrome: number) => boolean): string[] =>
  Object.entries(namesByChrome).flatMap(([chrome, names]) => (isMeant(Number(chrome)) ? names.split(/\s+/) : []))

/** What the pages below do not have. `ok`, `text` and `requestStart` are read only from what the others return. */
const notInOldest = ['clipboard', 'closest', 'fetch', 'get', 'headers', 'ok', 'requestStart', 'text', 'writeText']

/** Names of our own: attributes `data-*` of the page, keys of objects, and what the script stores at a button. */
const ownNames = [
  ...[
    'back',
    'busy',
    'copied',
    'copy',
    'frames',
    'left',
    'live',
    'sending',
    'state',
    'stopped',
    'url',
    'wait',
    'words',
  ],
  ...['cache', 'method', 'status', 'type'],
  ...['isSent', 'label', 'line', 'place', 'timer', 'tries'],
]

/** Events. The unprefixed `visibilitychange` came with `document.hidden`; without it the script polls a little later. */
const events = ['DOMContentLoaded', 'click', 'online', 'pageshow', 'popstate', 'submit', 'visibilitychange']

test('the script is ES5: it has no syntax that Chrome 37 cannot read', () => {
  assert.doesNotThrow(() => parseEs5(script))
  for (const newer of ['`text`', 'a => a', 'const a = 1', 'a?.b', '({ a })', 'f(...a)'])
    assert.throws(() => parseEs5(newer), newer)
})

test('the script uses only names of the list, and all of them', () => {
  const used = usedBy(script)
  assert.deepEqual(used.names, [...new Set([...namesOf(() => true), ...ownNames])].sort())
  assert.deepEqual(used.events, events)
  const newer = namesOf((chrome) => chrome > oldestChrome)
  assert.deepEqual(newer.sort(), notInOldest)
})

type Listener = (event: unknown) => void

/** A page in a browser that has nothing newer than Chrome 37, except `more`. */
const openOldPage = (data: Readonly<Record<string, string>>, more: Readonly<Record<string, unknown>> = {}) => {
  const listeners: Record<string, Listener> = {}
  const addEventListener = (name: string, listener: Listener): void => {
    listeners[name] = listener
  }
  const timers: { every_ms: number; run: () => void }[] = []
  const addTimer = (run: () => void, every_ms: number): number => timers.push({ every_ms, run })
  const went: string[] = []
  const streams: { url: string; onmessage?: (event: { data: string }) => void }[] = []
  const clock = { dataset: { left: '300000', words: '{time} left' }, textContent: 'until 06:04:59' }
  const time = { now_ms: 0 }
  const field = { value: '' }
  class EventSource {
    constructor(url: string) {
      streams.push(Object.assign(this, { url }))
    }
  }
  const window: Record<string, unknown> = { addEventListener, EventSource }
  window.parent = window
  const document = {
    hidden: false,
    documentElement: { className: '' },
    head: { dataset: { copied: 'Copied', stopped: 'No line: press again.' } },
    body: { dataset: { url: '/pay/made-up', ...data } },
    addEventListener,
    querySelector: (selector: string) => ({ '[data-left]': clock, textarea: field })[selector] ?? null,
  }
  const history = { state: null, replaceState: (state: unknown) => Object.assign(history, { state }) }
  const { window: moreOfWindow, ...globals } = more
  Object.assign(window, moreOfWindow)
  runInNewContext(script, {
    ...{
      document,
      window,
      history,
      EventSource,
      navigator: {},
      setTimeout: addTimer,
      setInterval: addTimer,
      clearTimeout: () => {},
    },
    location: {
      ...{ origin: 'https://pay.example.com', pathname: '/pay/made-up' },
      replace: (url: string) => went.push(`replace ${url}`),
      assign: (url: string) => went.push(`assign ${url}`),
    },
    performance: { now: () => time.now_ms, getEntriesByType: () => [] },
    ...globals,
  })
  const fire = (name: string, event: unknown = {}): void => listeners[name]!(event)
  fire('DOMContentLoaded')
  const tick = (every_ms: number): void => {
    for (const { run } of timers.filter((timer) => timer.every_ms === every_ms)) run()
  }
  return { clock, document, field, fire, history, streams, tick, time, went }
}

const waiting = { state: 'OPEN.1.PENDING.0~open', live: '/pay/made-up' }

test('without fetch, closest and the clipboard: the page counts down, and is reloaded when an event says so', () => {
  const { clock, document, fire, streams, tick, time, went } = openOldPage(waiting)
  assert.equal(document.documentElement.className, 'js')
  fire('click', { target: { dataset: { copy: '777' }, textContent: 'Copy' } })
  fire('visibilitychange')
  fire('pageshow', { persisted: true })
  tick(20_000)
  time.now_ms = 61_000
  tick(1_000)
  assert.equal(clock.textContent, '3:59 left')
  assert.deepEqual(
    streams.map(({ url }) => url),
    ['/pay/made-up/stream/'],
  )
  streams[0]!.onmessage!({ data: 'OPEN.1.PENDING.0' })
  assert.deepEqual(went, [])
  streams[0]!.onmessage!({ data: 'PAID.1.VERIFIED.0' })
  assert.deepEqual(went, ['replace /pay/made-up'])
})

test('without the clipboard a click on a copy button does nothing, and one on the print button prints', () => {
  let printed = 0
  const { fire } = openOldPage(waiting, { window: { print: () => printed++ } })
  const click = (dataset: Record<string, string>): void => {
    const button = { dataset, textContent: 'Label', getAttribute: () => null }
    fire('click', { target: { closest: () => button } })
    assert.equal(button.textContent, 'Label')
  }
  click({ copy: '777' })
  assert.equal(printed, 0)
  click({ print: '' })
  assert.equal(printed, 1)
})

test('without fetch a form is sent by the browser, but not while the browser knows that it has no connection', () => {
  const sendFrom = (onLine: boolean | undefined) => {
    const lines: { textContent: string; className: string; setAttribute: () => void }[] = []
    const created = { textContent: '', className: '', setAttribute: () => {} }
    const { document, fire } = openOldPage(waiting, { navigator: { onLine } })
    Object.assign(document, { createElement: () => created })
    let isStopped = false
    const form = { insertBefore: (line: typeof created) => lines.push(line) }
    fire('submit', { target: form, preventDefault: () => (isStopped = true) })
    return [isStopped, lines.map(({ textContent }) => textContent)]
  }
  assert.deepEqual(sendFrom(true), [false, []])
  assert.deepEqual(sendFrom(undefined), [false, []])
  assert.deepEqual(sendFrom(false), [true, ['No line: press again.']])
})

test('without the times of the navigation (Safari of iOS 9) the countdown begins when the page is there', () => {
  const time = { now_ms: 0 }
  const { clock, streams, tick } = openOldPage(waiting, { performance: { now: () => time.now_ms } })
  time.now_ms = 1_000
  tick(1_000)
  assert.equal(clock.textContent, '4:59 left')
  assert.equal(streams.length, 1, 'the page follows its state')
})

test('without EventSource the page polls, and a change of the wallet alone waits while the buyer types', async () => {
  let answer = { ok: true, text: async () => waiting.state }
  const asked: string[] = []
  const fetch = async (url: string) => {
    asked.push(url)
    return answer
  }
  const { document, field, fire, tick, went } = openOldPage(waiting, {
    fetch,
    window: { fetch, EventSource: undefined },
  })
  const settled = (): Promise<void> => new Promise((done) => setImmediate(done))
  tick(20_000)
  await settled()
  assert.deepEqual([asked, went], [['/pay/made-up/state/'], []])

  document.hidden = true
  fire('visibilitychange')
  fire('pageshow', { persisted: false })
  assert.equal(asked.length, 1)
  document.hidden = false

  field.value = '2207'
  answer = { ok: true, text: async () => 'OPEN.1.PENDING.0~closed' }
  fire('visibilitychange')
  await settled()
  assert.deepEqual(went, [])
  field.value = ''
  fire('pageshow', { persisted: true })
  await settled()
  assert.deepEqual(went, ['replace /pay/made-up'])

  field.value = '2207'
  answer = { ok: false, text: async () => 'PAID.1.VERIFIED.0' }
  tick(20_000)
  await settled()
  assert.equal(went.length, 1, 'an error page is no state')
  answer = { ok: true, text: async () => 'PAID.1.VERIFIED.0' }
  tick(20_000)
  await settled()
  assert.equal(went.length, 2, 'a new state of the checkout does not wait')
})

test('the receipt takes the buyer to the shop once; in a frame it tells the named sites its state instead', () => {
  const receipt = {
    state: 'PAID.1.VERIFIED.0',
    back: 'https://shop.example.com/done',
    frames: 'https://a.example https://b.example',
  }
  const alone = openOldPage(receipt)
  alone.tick(3_000)
  assert.deepEqual(alone.went, ['assign https://shop.example.com/done'])
  assert.equal(alone.history.state, 1)
  const again = openOldPage(receipt, { history: { state: 1 } })
  again.tick(3_000)
  assert.deepEqual(again.went, [])

  const told: unknown[] = []
  const parent = { postMessage: (message: unknown, origin: string) => told.push({ ...(message as object), origin }) }
  const framed = openOldPage(receipt, { window: { parent } })
  framed.tick(3_000)
  assert.deepEqual(framed.went, [])
  assert.deepEqual(told, [
    { type: 'sanad.checkout', status: 'PAID', origin: 'https://a.example' },
    { type: 'sanad.checkout', status: 'PAID', origin: 'https://b.example' },
  ])
})
