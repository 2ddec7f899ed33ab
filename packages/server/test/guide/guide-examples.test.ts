/** Runs the programs of docs/guide/examples unchanged, against the real service and with real signatures. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Sanad, verifyWebhook, type WebhookEvent } from '@sanad/sdk'
import { createFakeSanad } from '@sanad/sdk/testing'
import pg from 'pg'
import type { Order } from '../../../../docs/guide/examples/idempotency.ts'
import type { Order as PageOrder } from '../../../../docs/guide/examples/own-page.ts'
import type { Order as HostedOrder } from '../../../../docs/guide/examples/payment-page.ts'
import { phpPackage } from '../../src/http/guide/php-package.ts'
import { signatureHeader } from '../../src/webhooks/calling/signature.ts'
import { phone } from '../support/phone.ts'
import { findProgram } from '../support/programs/find-program.ts'
import { findPhp, findPython } from '../support/programs/sdk-languages.ts'
import { freePort } from '../support/servers/free-port.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { askAt, openTestService } from '../support/story.ts'
import { findLanguage } from './find-language.ts'

const folder = resolve(import.meta.dirname, '../../../../docs/guide/examples')
const service = await openTestService()
const { demo } = service
const settings = {
  SANAD_URL: service.origin,
  SANAD_CLIENT_ID: demo.client_id,
  SANAD_CLIENT_SECRET: demo.client_secret,
}
// Programs that are imported read the environment when they are loaded.
Object.assign(process.env, settings)
const load = (name: string) => import(pathToFileURL(join(folder, name)).href)

const sanad = new Sanad({ baseUrl: service.origin, clientId: demo.client_id, clientSecret: demo.client_secret })

const dashboard = async (path: string, body: object): Promise<void> => {
  const token = demo.dashboard.user_token
  const answer = await askAt(`${service.origin}/api/v1/dashboard${path}`, 'POST', { token, body })
  assert.ok(answer.status < 300, answer.text)
}

/** Makes a test payment, as the button in the dashboard does. */
const payOnTestWallet = (amount: string, reference: string): Promise<void> =>
  dashboard('/test-payment/', { wallet: demo.wallets.test, amount, reference })

const shopPhone = phone(service.origin, () => service.clock.now(), demo.device)

/** Money arrives in the main wallet: its phone reports the message. */
const payOnMainWallet = async (amount: string, reference: string): Promise<void> => {
  const report = {
    client_id: `guide-${reference}`,
    kind: 'sms',
    sender: 'Jawali',
    text: purchaseText(amount, reference),
    sim_slot: 'SIM1',
    received_at: String(Math.floor(service.clock.now() / 1000)),
  }
  const answer = await shopPhone.alerts([report])
  assert.equal(answer.status, 200, answer.text)
}

/** Late money arrives, and a user books it to an intent that has ended: it becomes a new intent of the order. */
const bookLate = async (intent: string, amount: string, reference: string): Promise<void> => {
  await payOnMainWallet(amount, reference)
  const [[alert]] = (await service.sql('select id from alerts where reference = $1', [reference])) as [[string]]
  await dashboard(`/unmatched/${alert}/book-copy/`, { intent, alert_amount: amount, intent_amount: amount })
}

type Program = { readonly command: string; readonly args: readonly string[]; readonly cwd?: string }

/** Runs a program until it ends or is stopped. `lines` grows as it prints. */
const run = ({ command, args, cwd = folder }: Program, env: Record<string, string>) => {
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // In its own process group: `go run` starts the program as another process.
    detached: true,
  })
  const lines: string[] = []
  let rest = ''
  let errors = ''
  const more: (() => void)[] = []
  child.stdout.on('data', (chunk) => {
    const parts = `${rest}${chunk}`.split('\n')
    rest = parts.pop()!
    lines.push(...parts)
    for (const wake of more.splice(0)) wake()
  })
  child.stderr.on('data', (chunk) => {
    errors += chunk
  })
  const ended = once(child, 'close').then(([code]) => {
    for (const wake of more.splice(0)) wake()
    return code as number
  })
  return {
    lines,
    ended,
    errors: () => errors,
    stop: (): void => {
      if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL')
    },
    /** Waits for a line that matches. */
    async line(pattern: RegExp): Promise<string> {
      for (;;) {
        const found = lines.find((line) => pattern.test(line))
        if (found !== undefined) return found
        assert.equal(child.exitCode, null, `the program ended without a line ${pattern}: ${lines.join('\n')} ${errors}`)
        await new Promise<void>((wake) => more.push(wake))
      }
    },
  }
}

const made: string[] = []
service.atEnd(async () => {
  for (const one of made) rmSync(one, { recursive: true, force: true })
})

/** A folder as its reader makes it: the example, and the unpacked SDK that the service hands out. */
const withPhpSdk = (name: string): string => {
  const into = mkdtempSync(join(tmpdir(), 'sanad-example-'))
  made.push(into)
  cpSync(join(folder, name), join(into, name))
  writeFileSync(join(into, 'sanad-php.zip'), phpPackage())
  const unzipped = spawnSync(findProgram('unzip'), ['-q', 'sanad-php.zip'], { cwd: into, encoding: 'utf8' })
  assert.equal(unzipped.status, 0, unzipped.stderr)
  return into
}

test('every file of the examples folder is run by this test', () => {
  assert.deepEqual(readdirSync(folder).sort(), [
    'end-events.ts',
    'idempotency.ts',
    'outcomes.ts',
    'own-page.ts',
    'own-tests.ts',
    'payment-page.ts',
    'quick-start.php',
    'quick-start.py',
    'quick-start.ts',
    'reconcile.ts',
    'webhook.go',
    'webhook.php',
    'webhook.py',
    'webhook.ts',
    'webhook_django.py',
    'webhook_fastapi.py',
  ])
})

/** As if the wheel were installed, which sdks/test/python-sdk.test.ts does. */
const pythonSdk = { PYTHONPATH: resolve(folder, '../../../sdks/python/src'), PYTHONDONTWRITEBYTECODE: '1' }

const quickStarts: Record<string, () => Program> = {
  'quick-start.ts': () => ({ command: process.execPath, args: ['quick-start.ts'] }),
  'quick-start.py': () => ({ command: findPython(), args: ['quick-start.py'] }),
  'quick-start.php': () => ({ command: findPhp(), args: ['quick-start.php'], cwd: withPhpSdk('quick-start.php') }),
}

for (const [name, programOf] of Object.entries(quickStarts))
  test(`${name}: from the first call to VERIFIED`, async () => {
    const program = run(programOf(), { ...settings, ...pythonSdk })
    try {
      const paste = await program.line(/npx --no sanad phone/)
      const [, wallet, amount, reference] = /--wallet (\S+) --amount (\S+) --reference (\S+)/.exec(paste)!
      assert.equal(wallet, demo.wallets.test)
      await payOnTestWallet(amount!, reference!)
      assert.equal(await program.ended, 0, program.errors())
      assert.match(program.lines[0]!, /^Send exactly 1500\.00 YER to /)
      assert.match(program.lines.at(-1)!, /^TRY-\d+: VERIFIED$/)
    } finally {
      program.stop()
    }
  })

test('idempotency.ts: one intent for an order, and a new attempt after an hour', async () => {
  const { openPayment } = (await load(
    'idempotency.ts',
  )) as typeof import('../../../../docs/guide/examples/idempotency.ts')
  const saved: string[] = []
  const save = async (order: Order) => void saved.push(JSON.stringify(order))
  const order: Order = { id: 'IDEM-1', amount: '900.00' }
  const first = await openPayment(order, demo.wallets.main, save)
  assert.equal((await openPayment(order, demo.wallets.main, save)).id, first.id)
  // The key was stored before anything was sent.
  assert.equal(JSON.parse(saved[0]!).attempt.intentId, undefined)
  // The answer is lost: the stored order has only the key.
  const lost: Order = JSON.parse(saved[0]!)
  assert.equal((await openPayment(lost, demo.wallets.main, save)).id, first.id)
  service.clock.advance(3_600_000)
  const second = await openPayment(order, demo.wallets.main, save)
  assert.notEqual(second.id, first.id)
  assert.equal(second.status, 'PENDING')
  // The answer is lost for more than an hour: the old key returns the expired intent, and a new attempt begins.
  const old: Order = JSON.parse(saved[0]!)
  const third = await openPayment(old, demo.wallets.main, save)
  assert.equal(third.status, 'PENDING')
  assert.notEqual(third.id, first.id)
  assert.notEqual(old.attempt!.key, JSON.parse(saved[0]!).attempt.key)
})

test('idempotency.ts: a lost answer and another wallet, and late money that a user booked: nothing is asked for twice', async () => {
  const { openPayment } = (await load(
    'idempotency.ts',
  )) as typeof import('../../../../docs/guide/examples/idempotency.ts')
  const saved: string[] = []
  const save = async (order: Order) => void saved.push(JSON.stringify(order))
  const order: Order = { id: 'IDEM-2', amount: '910.00' }
  const first = await openPayment(order, demo.wallets.main, save)
  const lost: Order = { ...JSON.parse(saved[0]!), amount: '920.00' }
  assert.equal((await openPayment(lost, demo.wallets.second, save)).id, first.id)
  service.clock.advance(3_600_000)
  await bookLate(first.id, '910.00', '990700000001')
  const paid = await openPayment(order, demo.wallets.main, save)
  assert.deepEqual([paid.status, paid.external_order_id], ['VERIFIED', 'IDEM-2'])
  assert.equal((await sanad.intents.page({ external_order_id: 'IDEM-2' })).count, 2)
})

test('own-page.ts: each state of an order has its text, a wrong reference gets a reason, and the store is a table', async () => {
  const { tableStore, takeReference, textFor } = (await load(
    'own-page.ts',
  )) as typeof import('../../../../docs/guide/examples/own-page.ts')
  const paid: string[] = []
  const page = (order: PageOrder) => textFor(order, ({ id }) => void paid.push(id))
  const orderOf = (id: string): PageOrder => ({ id, amount: '800.00', wallet: demo.wallets.test })
  const [first, wrong, late] = [orderOf('OWN-1'), orderOf('OWN-2'), orderOf('OWN-3')]
  for (const order of [first, wrong, late]) assert.match(await page(order), /^Send exactly 800\.00 YER to /)
  assert.equal(await takeReference(first, 'TEST-O1'), null)
  assert.match(await page(first), /looking for your payment TEST-O1/)
  assert.equal(await takeReference(wrong, 'TEST-O1'), 'Please check the number.')
  await payOnTestWallet('800.00', 'TEST-O1')
  assert.match(await page(first), /^Paid/)
  assert.equal(await takeReference(first, 'TEST-O2'), null, 'the intent has ended, and the page shows its end')
  await payOnTestWallet('750.00', 'TEST-O3')
  assert.equal(await takeReference(wrong, 'TEST-O3'), null)
  assert.match(await page(wrong), /^750\.00 arrived instead of 800\.00/)
  service.clock.advance(3_600_000)
  assert.match(await page(late), /^Send exactly 800\.00/)
  assert.deepEqual(paid, ['OWN-1'])
  // The order was changed after it was paid: both amounts are said, and nothing is delivered.
  assert.match(await page({ ...first, amount: '900.00' }), /^800\.00 of 900\.00 YER is paid/)
  assert.deepEqual(paid, ['OWN-1'])

  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 })
  try {
    const text = readFileSync(join(folder, 'own-page.ts'), 'utf8')
    await pool.query(/`(create table .*)`/.exec(text)![1]!)
    const store = tableStore(async (statement, values) => (await pool.query(statement, values)).rows)
    const order = { orderId: 'OWN-4', wallet: demo.wallets.test, amount: '60.00', store }
    const [first, second] = await Promise.all([sanad.checkout.start(order), sanad.checkout.start(order)])
    assert.equal(first.intent.id, second.intent.id)
    service.clock.advance(3_600_000)
    assert.equal((await sanad.checkout.start(order)).attempt, 2)
  } finally {
    await pool.end()
  }
})

test('own-tests.ts: the tests of a shop pass against the fake', async () => {
  const program = run({ command: process.execPath, args: ['own-tests.ts'] }, {})
  try {
    assert.equal(await program.ended, 0, program.lines.join('\n'))
  } finally {
    program.stop()
  }
})

const loadPaymentPage = async () =>
  (await load('payment-page.ts')) as typeof import('../../../../docs/guide/examples/payment-page.ts')
const pagesOf = async (order: string) => (await sanad.checkouts.page({ external_order_id: order })).results

/** Loses the answers to requests for a new page until `stop` is called. Everything else gets through. */
const loseNewPages = () => {
  const realFetch = globalThis.fetch
  globalThis.fetch = async (url, init) => {
    const answer = await realFetch(url, init)
    if (init?.method === 'POST' && String(url).endsWith('/sessions/')) throw new TypeError('fetch failed')
    return answer
  }
  return () => {
    globalThis.fetch = realFetch
  }
}

/** A buyer opens the page, chooses the main wallet and sends a reference. */
const sendReference = async (url: string, reference: string): Promise<void> => {
  for (const [path, fields] of [
    ['wallet', { wallet: demo.wallets.main }],
    ['reference', { reference }],
  ] as const) {
    const body = new URLSearchParams(fields as Record<string, string>)
    assert.equal((await fetch(`${url}/${path}/`, { method: 'POST', body, redirect: 'manual' })).status, 303)
  }
}

test('payment-page.ts: an order keeps its page while it is open and gets a new one after it has expired', async () => {
  const { paymentPage, isPaid } = await loadPaymentPage()
  const save = async () => {}
  const order: HostedOrder = { id: 'PAGE-1', amount: '300.00' }
  const url = await paymentPage(order, save)
  assert.match(url, /\/pay\//)
  assert.equal(await paymentPage(order, save), url)
  assert.equal(await isPaid(order), false)
  service.clock.advance(3_600_000)
  const next = await paymentPage(order, save)
  assert.notEqual(next, url)
  await sendReference(next, '990700000011')
  await payOnMainWallet('300.00', '990700000011')
  assert.equal(await isPaid(order), true)
  assert.equal(await paymentPage({ ...order, amount: '400.00' }, save), next, 'money has arrived: a user decides')
  assert.equal(await isPaid({ ...order, amount: '400.00' }), false)
  assert.equal((await pagesOf('PAGE-1')).length, 2)
})

test('payment-page.ts: answers are lost for a first and for a later page: there is one page at a time', async () => {
  const { paymentPage } = await loadPaymentPage()
  // As a shop stores it: every call reads the row again.
  let row = JSON.stringify({ id: 'PAGE-2', amount: '300.00' })
  const save = async (order: HostedOrder) => {
    row = JSON.stringify(order)
  }
  const open = (change: object = {}) => paymentPage({ ...JSON.parse(row), ...change }, save)
  for (const pages of [1, 2]) {
    const stop = loseNewPages()
    try {
      for (let n = 0; n < 2; n++) await assert.rejects(open(), /may exist all the same/)
    } finally {
      stop()
    }
    const url = await open()
    assert.equal(await open(), url)
    assert.equal((await pagesOf('PAGE-2')).length, pages)
    service.clock.advance(3_600_000)
  }
  // The answer is lost, and the next visit is after the end of the page, with another amount.
  const stop = loseNewPages()
  try {
    await assert.rejects(open())
  } finally {
    stop()
  }
  service.clock.advance(3_600_000)
  await open({ amount: '350.00' })
  const pages = await pagesOf('PAGE-2')
  assert.deepEqual(
    pages.map(({ status, amount }) => `${status} ${amount}`),
    ['OPEN 350.00', 'EXPIRED 300.00', 'EXPIRED 300.00', 'EXPIRED 300.00'],
  )
})

test('payment-page.ts: another amount ends the page, unless the buyer is paying it; late money that was booked pays the order', async () => {
  const { paymentPage, isPaid } = await loadPaymentPage()
  const save = async () => {}
  const order: HostedOrder = { id: 'PAGE-3', amount: '300.00' }
  await paymentPage(order, save)
  order.amount = '320.00'
  const url = await paymentPage(order, save)
  const statuses = async () => (await pagesOf('PAGE-3')).map(({ status, amount }) => `${status} ${amount}`)
  assert.deepEqual(await statuses(), ['OPEN 320.00', 'CANCELLED 300.00'])
  await sendReference(url, '990700000012')
  order.amount = '330.00'
  assert.equal(await paymentPage(order, save), url)
  service.clock.advance(3_600_000)
  order.amount = '320.00'
  const [page] = await pagesOf('PAGE-3')
  assert.equal(page!.status, 'EXPIRED')
  await bookLate(page!.intents.at(-1)!.id, '320.00', '990700000012')
  assert.equal(await paymentPage(order, save), url)
  assert.equal(await isPaid(order), true)
  assert.equal((await statuses()).length, 2)
})

test('payment-page.ts: a page that was paid into the test wallet is no payment', async () => {
  const { isPaid } = await loadPaymentPage()
  const checkouts = (path: string, body?: unknown) =>
    askAt(`${service.origin}/api/v1/checkout${path}`, 'POST', { token: service.token, body })
  const made = (await checkouts('/sessions/', { amount: '300.00', wallets: [demo.wallets.test] })).body
  const form = (step: string, fields: Record<string, string>) =>
    askAt(`${made.url}/${step}/`, 'POST', {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
  await form('wallet', { wallet: demo.wallets.test })
  await form('reference', { reference: 'TEST-PAGE-1' })
  await payOnTestWallet('300.00', 'TEST-PAGE-1')
  const shown = await askAt(`${service.origin}/api/v1/checkout/sessions/${made.id}/`, 'GET', { token: service.token })
  assert.deepEqual([shown.body.status, shown.body.is_test], ['COMPLETE', true])
  assert.equal(await isPaid({ id: 'PAGE-4', amount: '300.00', checkoutId: made.id }), false)
  service.clock.advance(1000)
})

const loadReconcile = async () =>
  (await load('reconcile.ts')) as typeof import('../../../../docs/guide/examples/reconcile.ts')

test('outcomes.ts and reconcile.ts: every end is found, also those that the shop has missed', async () => {
  service.clock.advance(1000)
  const began = service.clock.now()
  const create = async (order: string, wallet = demo.wallets.main): Promise<string> =>
    (await service.create({ wallet, amount: '700.00', external_order_id: order })).body.id
  const attach = (id: string, reference: string) => service.ask('PATCH', `/intents/${id}/`, { body: { reference } })
  const [paid, twice, wrong, late, tried, sale] = [
    await create('R-1'),
    await create('R-1'),
    await create('R-2'),
    await create('R-3'),
    await create('R-4', demo.wallets.test),
    await create(''),
  ]
  for (const [n, id] of [paid, twice, wrong, sale].entries()) await attach(id, `99070000010${n}`)
  await attach(tried, 'TEST-R4')
  for (const [n, amount] of ['700.00', '700.00', '650.00', '700.00'].entries())
    await payOnMainWallet(amount, `99070000010${n}`)
  await payOnTestWallet('700.00', 'TEST-R4')
  service.clock.advance(3_600_000)

  const { readOutcomes } = (await load('outcomes.ts')) as typeof import('../../../../docs/guide/examples/outcomes.ts')
  const noticed: string[] = []
  await readOutcomes({
    openIntents: async () => [paid, wrong, late],
    markPaid: async (intent) => void noticed.push(`paid ${intent.id}`),
    askUser: async (intent) => void noticed.push(`ask ${intent.paid_amount}`),
    release: async (intent) => void noticed.push(`release ${intent.external_order_id}`),
  })
  assert.deepEqual(noticed, [`paid ${paid}`, 'ask 650.00', 'release R-3'])

  const { reconcile } = await loadReconcile()
  const order = (paidBy: string | null) => ({ amount: '700.00', paidBy })
  // Test money, and sales without a number, are no findings.
  assert.deepEqual(await reconcile(new Date(began), new Map()), [
    `R-1: paid by ${paid} and ${twice}, and the shop does not know`,
    'R-2: 650.00 arrived instead of 700.00',
  ])
  const known = [`R-1: too much: 1400.00 for 700.00, by ${paid} and ${twice}`, 'R-2: 650.00 arrived instead of 700.00']
  assert.deepEqual(await reconcile(new Date(began), new Map([['R-1', order(paid)]])), known)
  // Paid in the shop, not in Sanad.
  const unknown = '00000000-0000-4000-8000-000000000000'
  const shop = new Map([
    ['R-1', order(paid)],
    ['R-2', order(wrong)],
    ['R-3', order(late)],
    ['R-4', order(tried)],
    ['R-5', order(unknown)],
    ['R-6', order('by hand')],
    ['R-7', order(twice)],
    ['R-8', order(null)],
  ])
  assert.deepEqual(await reconcile(new Date(began), shop), [
    ...known,
    `R-2: paid in the shop, not in Sanad: ${wrong} is WRONG_AMOUNT`,
    `R-3: paid in the shop, not in Sanad: ${late} is EXPIRED`,
    `R-4: paid in the shop, not in Sanad: ${tried} is on the test wallet`,
    `R-5: paid in the shop, not in Sanad: ${unknown} is no intent of this account`,
    'R-6: paid in the shop, not in Sanad: by hand is no intent of this account',
    `R-7: paid in the shop, not in Sanad: ${twice} is an intent of the order "R-1"`,
  ])
  // An order that was paid before the time that is read is compared as a whole.
  const later = new Date(service.clock.now())
  assert.deepEqual(await reconcile(later, new Map([['R-1', { amount: '1400.00', paidBy: paid }]])), [])
  assert.deepEqual(await reconcile(later, new Map([['R-1', order(paid)]])), known.slice(0, 1))
})

test('reconcile.ts: an order paid in parts is right, less that a user accepted or booked is too little, twice is too much', async () => {
  const { reconcile } = await loadReconcile()
  service.clock.advance(1000)
  const began = new Date(service.clock.now())
  const page = async (order: string, amount: string) =>
    await sanad.checkouts.create({ amount, external_order_id: order, allow_remaining: true })
  const verified = async (order: string) =>
    (
      await Array.fromAsync(
        sanad.intents.list({ external_order_id: order, status: 'VERIFIED', ordering: 'created_at' }),
      )
    ).map(({ id }) => id)
  const report = async (number: string, amount: string, since = began) => {
    const ids = await verified(number)
    const orders = new Map([[number, { amount, paidBy: ids[0]! }]])
    const findings = await reconcile(since, orders)
    return { ids, findings: findings.filter((finding) => finding.startsWith(`${number}:`)) }
  }

  // In parts on one page: 0.10 and 0.20 are 0.30, which floating-point numbers get wrong.
  const parts = await page('SUM-1', '0.30')
  await sendReference(parts.url, '990700000201')
  await payOnMainWallet('0.10', '990700000201')
  assert.equal((await fetch(`${parts.url}/rest/`, { method: 'POST', body: '', redirect: 'manual' })).status, 303)
  const reference = new URLSearchParams({ reference: '990700000202' })
  await fetch(`${parts.url}/reference/`, { method: 'POST', body: reference, redirect: 'manual' })
  await payOnMainWallet('0.20', '990700000202')
  assert.equal((await sanad.checkouts.retrieve(parts.id)).status, 'COMPLETE')
  const inParts = await report('SUM-1', '0.30')
  assert.equal(inParts.ids.length, 2)
  assert.deepEqual(inParts.findings, [])
  assert.deepEqual((await report('SUM-1', '0.31')).findings, [
    `SUM-1: too little: 0.30 for 0.31, by ${inParts.ids.join(' and ')}`,
  ])

  // A smaller amount, which a user accepts.
  const accepted = await service.create({ wallet: demo.wallets.main, amount: '700.00', external_order_id: 'SUM-2' })
  await service.ask('PATCH', `/intents/${accepted.body.id}/`, { body: { reference: '990700000203' } })
  await payOnMainWallet('650.00', '990700000203')
  await dashboard(`/intents/${accepted.body.id}/accept-paid/`, { paid_amount: '650.00' })
  const less = await report('SUM-2', '700.00')
  assert.deepEqual(less.findings, [`SUM-2: too little: 650.00 for 700.00, by ${less.ids[0]}`])
  assert.deepEqual((await report('SUM-2', '650.00')).findings, [])

  // A smaller amount without a reference, which a user books to the whole order.
  const short = await service.create({ wallet: demo.wallets.main, amount: '700.00', external_order_id: 'SUM-4' })
  await payOnMainWallet('640.00', '990700000206')
  const [[alert]] = (await service.sql('select id from alerts where reference = $1', ['990700000206'])) as [[string]]
  const amounts = { alert_amount: '640.00', intent_amount: '700.00' }
  await dashboard(`/unmatched/${alert}/book/`, { intent: short.body.id, ...amounts })
  const shortFindings = [`SUM-4: too little: 640.00 for 700.00, by ${short.body.id}`]
  assert.deepEqual((await report('SUM-4', '700.00')).findings, shortFindings)

  // Paid twice, and the second payment after the time that is read begins.
  const ids: string[] = []
  for (const [n, number] of ['990700000204', '990700000205'].entries()) {
    const { body } = await service.create({ wallet: demo.wallets.main, amount: '700.00', external_order_id: 'SUM-3' })
    await service.ask('PATCH', `/intents/${body.id}/`, { body: { reference: number } })
    await payOnMainWallet('700.00', number)
    ids.push(body.id)
    if (n === 0) service.clock.advance(60_000)
  }
  const both = [`SUM-3: too much: 1400.00 for 700.00, by ${ids[0]} and ${ids[1]}`]
  assert.deepEqual((await report('SUM-3', '700.00')).findings, both)
  assert.deepEqual((await report('SUM-3', '700.00', new Date(service.clock.now()))).findings, both)
})

test('end-events.ts: each end reaches its function with order and intent, and an unknown kind is ignored', async () => {
  const { handleEvent } = (await load(
    'end-events.ts',
  )) as typeof import('../../../../docs/guide/examples/end-events.ts')
  const fake = createFakeSanad({ endEvents: true })
  const sanad = new Sanad(fake.options)
  const wallet = fake.wallets[0]!.id
  const create = async (order: string) =>
    (await sanad.intents.create({ wallet, amount: '700.00', external_order_id: order })).id
  const [paid, wrong, cancelled, late] = [
    await create('E-1'),
    await create('E-2'),
    await create('E-3'),
    await create('E-4'),
  ]
  await sanad.intents.attachReference(paid, 'E1')
  await sanad.intents.attachReference(wrong, 'E2')
  fake.pay({ wallet, amount: '700.00', reference: 'E1' })
  fake.pay({ wallet, amount: '650.00', reference: 'E2' })
  fake.cancel(cancelled)
  fake.advance(3_600_000)
  const noticed: string[] = []
  const record =
    (action: string) =>
    async (...facts: (string | null)[]) =>
      void noticed.push([action, ...facts].join(' '))
  const shop = { markPaid: record('paid'), askUser: record('ask'), release: record('release') }
  for (const webhook of await fake.webhooks()) {
    const secret = [webhook.headers['x-service-signature'], fake.signingSecret] as const
    await handleEvent(shop, await verifyWebhook(webhook.body, ...secret, { now: fake.now() }))
  }
  await handleEvent(shop, { event: 'payment.of_tomorrow' } as unknown as WebhookEvent)
  assert.deepEqual(noticed.sort(), [
    `ask E-2 ${wrong} 650.00`,
    `paid E-1 ${paid} 700.00`,
    `release E-3 ${cancelled}`,
    `release E-4 ${late}`,
  ])
})

const receivers: Record<string, (port: number) => Program> = {
  'webhook_django.py': () => ({ command: findPython(), args: ['webhook_django.py'] }),
  'webhook_fastapi.py': (port) => ({
    command: findPython(),
    args: ['-m', 'uvicorn', 'webhook_fastapi:app', '--port', String(port), '--log-level', 'error'],
  }),
  'webhook.ts': () => ({ command: process.execPath, args: ['webhook.ts'] }),
  'webhook.py': () => ({ command: findLanguage('python3'), args: ['webhook.py'] }),
  'webhook.php': (port) => ({
    command: findPhp(),
    args: ['-S', `127.0.0.1:${port}`, 'webhook.php'],
    cwd: withPhpSdk('webhook.php'),
  }),
  'webhook.go': () => ({ command: findLanguage('go'), args: ['run', 'webhook.go'] }),
}

for (const [name, programAt] of Object.entries(receivers)) {
  test(`${name}: accepts a payment once, refuses what is forged or no event, and compares the amount`, async () => {
    const port = await freePort()
    const env = {
      SANAD_WEBHOOK_SECRET: 'made-up-secret',
      PORT: String(port),
      SANAD_PAID_FILE: `/tmp/sanad-paid-${port}`,
      ...pythonSdk,
    }
    const receiver = run(programAt(port), env)
    const now_s = Math.floor(Date.now() / 1000)
    type Sent = { readonly body?: string; readonly secrets?: string[]; readonly at?: number; readonly test?: boolean }
    const event = (intent: string, more: object = {}): string =>
      JSON.stringify({
        event: 'payment.verified',
        payment_id: '7Q2M4K9XTB',
        intent_id: intent,
        order_id: 'طلبية-1',
        reference: '220700012345',
        base_amount: '1500.00',
        // The wallet has unique amounts: the buyer was asked for some riyals more.
        amount: '1503.00',
        currency: 'YER',
        status: 'VERIFIED',
        verified_at: '2026-01-02T06:06:10.250000+03:00',
        manual_override: false,
        ...more,
      })
    const send = async (sent: Sent): Promise<number> => {
      const { body = event('one'), secrets = ['made-up-secret'], at = now_s, test: isTest } = sent
      const headers: Record<string, string> = {
        'content-type': 'application/json',
        'x-service-signature': signatureHeader(secrets, at, body),
        ...(isTest ? { 'x-service-test': '1' } : {}),
      }
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
    }
    try {
      if (name === 'webhook.php' || name === 'webhook_fastapi.py')
        for (let tries = 0; tries < 100 && (await send({ test: true }).catch(() => 0)) !== 204; tries++)
          await new Promise((wake) => setTimeout(wake, 50))
      else await receiver.line(/Listening/)
      assert.equal(await send({ secrets: ['forged'] }), 400)
      assert.equal(await send({ at: now_s - 600 }), 400, 'recorded and sent again later')
      // Signed, but no event.
      const noEvents = [
        '',
        '{',
        '[]',
        '{}',
        'null',
        'true',
        '5',
        '1e999',
        '"payment.verified"',
        '{"event":null}',
        '{"event":5}',
      ]
      for (const body of [...noEvents, '[{"event":"payment.verified"}]', `${'['.repeat(5000)}${']'.repeat(5000)}`])
        assert.equal(await send({ body }), 400, body.slice(0, 40))
      assert.equal(await send({ test: true }), 204)
      // Another amount, another currency, another order, and fields that are missing or of another type: nothing is paid.
      for (const [n, wrong] of [
        { base_amount: '1400.00', amount: '1500.00' },
        { base_amount: '1500.01' },
        { currency: 'USD' },
        { order_id: 'طلبية-2' },
        { order_id: '' },
        { order_id: '__proto__' },
      ].entries())
        assert.equal(await send({ body: event(`wrong-${n}`, wrong) }), 204, JSON.stringify(wrong))
      for (const wrong of [
        '{"event":"payment.verified"}',
        event('wrong', { base_amount: undefined }),
        event('wrong', { base_amount: 1500 }),
        event('wrong', { order_id: null }),
        event('wrong', { order_id: ['طلبية-1'] }),
        event('wrong', { order_id: { id: 1 }, currency: [] }),
      ])
        assert.ok([204, 400].includes(await send({ body: wrong })), wrong)
      assert.equal(await send({}), 204)
      assert.equal(await send({}), 204, 'a repeated delivery')
      assert.equal(await send({ secrets: ['new-secret', 'made-up-secret'] }), 204, 'while the secret is rotated')
      assert.equal(await send({ body: event('two') }), 204)
      assert.equal(await send({ body: event('three', { order_id: 'TRY-5' }) }), 204, 'an order of the quick start')
      for (const unknown of [
        '{"event":"payment.unheard_of"}',
        '{"event":"payment.unheard_of","order_id":5,"amount":{}}',
      ])
        assert.equal(await send({ body: unknown }), 204, 'a kind that is not known')
      await receiver.line(/TRY-5/)
      const lines = receiver.lines.filter((line) => line.startsWith('Order '))
      assert.deepEqual(
        lines.filter((line) => /is paid|twice/.test(line)),
        ['Order طلبية-1 is paid: 1500.00', 'Order طلبية-1 was paid twice: one and two', 'Order TRY-5 is paid: 1500.00'],
      )
      assert.deepEqual(lines.slice(0, 4), [
        'Order طلبية-1 is not paid: 1400.00 YER for 1500.00 YER, ask a user',
        'Order طلبية-1 is not paid: 1500.01 YER for 1500.00 YER, ask a user',
        'Order طلبية-1 is not paid: 1500.00 USD for 1500.00 YER, ask a user',
        'Order طلبية-2 is not known: ask a user',
      ])
      assert.doesNotMatch(receiver.errors(), /warning|fatal|deprecated|traceback|exception|panic|TypeError/i)
    } finally {
      receiver.stop()
      await receiver.ended
    }
  })
}

for (const [name, programAt] of Object.entries(receivers))
  test(`${name}: in test mode a payment of the test wallet pays, as the quick start says`, async () => {
    const port = await freePort()
    const env = { SANAD_WEBHOOK_SECRET: 'made-up-secret', SANAD_TEST_MODE: '1', PORT: String(port), ...pythonSdk }
    const receiver = run(programAt(port), { ...env, SANAD_PAID_FILE: `/tmp/sanad-paid-test-${port}` })
    const send = async (event: object): Promise<number> => {
      const body = JSON.stringify({ event: 'payment.verified', ...event })
      const signature = signatureHeader(['made-up-secret'], Math.floor(Date.now() / 1000), body)
      const headers = { 'x-service-signature': signature, 'x-service-test': 'true' }
      return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).status
    }
    try {
      for (let tries = 0; tries < 600 && (await send({ event: 'unknown' }).catch(() => 0)) !== 204; tries++)
        await new Promise((wake) => setTimeout(wake, 50))
      const paid = { intent_id: 'one', order_id: 'TRY-7', base_amount: '1500.00', amount: '1500.00', currency: 'YER' }
      assert.equal(await send(paid), 204)
      await receiver.line(/^Order TRY-7 is paid: 1500\.00$/)
    } finally {
      receiver.stop()
      await receiver.ended
    }
  })
