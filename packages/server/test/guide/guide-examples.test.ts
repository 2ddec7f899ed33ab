/** Runs the programs of docs/guide/examples unchanged, against the real service and with real signatures. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Sanad, verifyWebhook, type WebhookEvent } from '@sanad/sdk'
import { createFakeSanad } from '@sanad/sdk/testing'
import pg from 'pg'
import type { Order } from '../../../../docs/guide/examples/idempotency.ts'
import type { Order as PageOrder } from '../../../../docs/guide/examples/own-page.ts'
import { signatureHeader } from '../../src/webhooks/calling/signature.ts'
import { askAt, openTestService } from '../support/story.ts'

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

/** Makes a test payment, as the button in the dashboard does. */
const payOnTestWallet = async (amount: string, reference: string): Promise<void> => {
  const answer = await askAt(`${service.origin}/api/v1/dashboard/test-payment/`, 'POST', {
    token: demo.dashboard.user_token,
    body: { wallet: demo.wallets.test, amount, reference },
  })
  assert.equal(answer.status, 201, answer.text)
}

type Program = { readonly command: string; readonly args: readonly string[] }

/** Runs a program until it ends or is stopped. `lines` grows as it prints. */
const run = ({ command, args }: Program, env: Record<string, string>) => {
  const child = spawn(command, args, {
    cwd: folder,
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

test('every file of the examples folder is run by this test', () => {
  assert.deepEqual(readdirSync(folder).sort(), [
    'end-events.ts',
    'idempotency.ts',
    'outcomes.ts',
    'own-page.ts',
    'own-tests.ts',
    'payment-page.ts',
    'quick-start.ts',
    'reconcile.ts',
    'webhook.go',
    'webhook.php',
    'webhook.py',
    'webhook.ts',
  ])
})

test('quick-start.ts: from the first call to VERIFIED', async () => {
  const program = run({ command: process.execPath, args: ['quick-start.ts'] }, settings)
  try {
    const paste = await program.line(/npx sanad phone/)
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

  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 2 })
  try {
    const text = readFileSync(join(folder, 'own-page.ts'), 'utf8')
    await pool.query(/`(create table .*)`/.exec(text)![1]!)
    const store = tableStore(async (statement, values) => (await pool.query(statement, values)).rows)
    const sanad = new Sanad({
      baseUrl: service.origin,
      clientId: demo.client_id,
      clientSecret: demo.client_secret,
    })
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

test('payment-page.ts: an order keeps its page while it is open and gets a new one after it has expired', async () => {
  const { paymentPage, isPaid } = (await load(
    'payment-page.ts',
  )) as typeof import('../../../../docs/guide/examples/payment-page.ts')
  const save = async () => {}
  const order = { id: 'PAGE-1', amount: '300.00' }
  const url = await paymentPage(order, save)
  assert.match(url, /\/pay\//)
  assert.equal(await paymentPage(order, save), url)
  assert.equal(await isPaid(order), false)
  service.clock.advance(3_600_000)
  assert.notEqual(await paymentPage(order, save), url)

  // A page that was paid into the test wallet is no payment.
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
  assert.equal(await isPaid({ id: 'PAGE-2', amount: '300.00', checkoutId: made.id }), false)
  service.clock.advance(1000)
})

test('outcomes.ts and reconcile.ts: every end is found, also those that the shop has missed', async () => {
  const began = service.clock.now()
  const create = async (order: string): Promise<string> =>
    (await service.create({ wallet: demo.wallets.test, amount: '700.00', external_order_id: order })).body.id
  const attach = (id: string, reference: string) => service.ask('PATCH', `/intents/${id}/`, { body: { reference } })
  const [paid, twice, wrong, late] = [
    await create('R-1'),
    await create('R-1'),
    await create('R-2'),
    await create('R-3'),
  ]
  await attach(paid, 'TEST-R1')
  await attach(twice, 'TEST-R1B')
  await attach(wrong, 'TEST-R2')
  await payOnTestWallet('700.00', 'TEST-R1')
  await payOnTestWallet('700.00', 'TEST-R1B')
  await payOnTestWallet('650.00', 'TEST-R2')
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

  const { reconcile } = (await load('reconcile.ts')) as typeof import('../../../../docs/guide/examples/reconcile.ts')
  assert.deepEqual(await reconcile(new Date(began), new Map()), [
    `R-1: paid by ${paid}, and the shop does not know`,
    `R-1: paid twice, by ${paid} and ${twice}`,
    `R-1: paid by ${twice}, and the shop does not know`,
    'R-2: 650.00 arrived instead of 700.00',
  ])
  assert.deepEqual(await reconcile(new Date(began), new Map([['R-1', paid]])), [
    `R-1: paid twice, by ${paid} and ${twice}`,
    'R-2: 650.00 arrived instead of 700.00',
  ])
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

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

const has = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0

const receivers: Record<string, { readonly isInstalled: boolean; readonly program: (port: number) => Program }> = {
  'webhook.ts': { isInstalled: true, program: () => ({ command: process.execPath, args: ['webhook.ts'] }) },
  'webhook.py': {
    isInstalled: has('python3', '--version'),
    program: () => ({ command: 'python3', args: ['webhook.py'] }),
  },
  'webhook.php': {
    isInstalled: has('php', '--version'),
    program: (port) => ({ command: 'php', args: ['-S', `127.0.0.1:${port}`, 'webhook.php'] }),
  },
  'webhook.go': { isInstalled: has('go', 'version'), program: () => ({ command: 'go', args: ['run', 'webhook.go'] }) },
}

for (const [name, { isInstalled, program: programAt }] of Object.entries(receivers)) {
  const skip = isInstalled ? false : 'its language is not installed here'
  test(`${name}: accepts a payment once, refuses a forgery, and reports a second payment`, { skip }, async () => {
    const port = await freePort()
    const env = {
      SANAD_WEBHOOK_SECRET: 'made-up-secret',
      PORT: String(port),
      SANAD_PAID_FILE: `/tmp/sanad-paid-${port}`,
    }
    const receiver = run(programAt(port), env)
    const now_s = Math.floor(Date.now() / 1000)
    type Sent = { readonly body?: string; readonly secrets?: string[]; readonly at?: number; readonly test?: boolean }
    const event = (intent: string): string =>
      JSON.stringify({ event: 'payment.verified', order_id: 'طلبية-1', intent_id: intent, amount: '1500.00' })
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
      if (name === 'webhook.php')
        for (let tries = 0; tries < 100 && (await send({ test: true }).catch(() => 0)) !== 204; tries++)
          await new Promise((wake) => setTimeout(wake, 50))
      else await receiver.line(/Listening/)
      assert.equal(await send({ secrets: ['forged'] }), 400)
      assert.equal(await send({ at: now_s - 600 }), 400, 'recorded and sent again later')
      assert.equal(await send({ test: true }), 204)
      assert.equal(await send({}), 204)
      assert.equal(await send({}), 204, 'a repeated delivery')
      assert.equal(await send({ secrets: ['new-secret', 'made-up-secret'] }), 204, 'while the secret is rotated')
      assert.equal(await send({ body: event('two') }), 204)
      assert.equal(await send({ body: '{"event":"payment.unheard_of"}' }), 204, 'a kind that is not known')
      await receiver.line(/paid twice/)
      assert.deepEqual(
        receiver.lines.filter((line) => line.startsWith('Order ')),
        ['Order طلبية-1 is paid: 1500.00', 'Order طلبية-1 was paid twice: one and two'],
      )
    } finally {
      receiver.stop()
      await receiver.ended
    }
  })
}
