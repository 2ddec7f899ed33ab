/**
 * The same stories against the fake and against the service, through the SDK: every operation of the merchant API, and the
 * answers must be equal, errors included.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Intent, memoryStore, Sanad, SanadError, type SanadOptions } from '@sanad/sdk'
import { createFakeSanad, type FakeWallet } from '@sanad/sdk/testing'
import { phone } from '../../server/test/support/phone.ts'
import { purchaseText } from '../../server/test/support/sms-texts.ts'
import { askAt, morning, openTestService } from '../../server/test/support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { demo, clock } = service
const handset = phone(service.origin, () => clock.now(), demo.device)
const key = { baseUrl: service.base, clientId: demo.client_id, clientSecret: demo.client_secret }

/** Every request of the SDK to the service, by operation. */
const called = new Set<string>()
const recorded: SanadOptions['fetch'] = (url, init) => {
  const path = new URL(url).pathname.replace('/api/v1/merchant', '').replace(/\/intents\/[^/]+\//, '/intents/{id}/')
  called.add(`${init.method} ${path}`)
  return fetch(url, init)
}

type World = {
  readonly name: string
  readonly sanad: Sanad
  readonly raw: NonNullable<SanadOptions['fetch']>
  readonly options: SanadOptions
  advance(ms: number): void
  pay(amount: string, reference: string): Promise<void>
  /** Late money comes, and a user books it to an expired intent. */
  book(intent: { id: string; payable_amount: string }, reference: string): Promise<void>
  /** A user accepts the amount that came instead. */
  accept(intent: Intent): Promise<void>
  payTest(amount: string, reference: string): Promise<void>
  /** The events so far whose body holds this text. */
  events(text: string): Promise<unknown[]>
}

const realWorld = (): World => {
  const options: SanadOptions = { ...key, fetch: recorded, now: () => clock.now() }
  let reports = 0
  const pay = async (amount: string, reference: string): Promise<void> => {
    const report = {
      client_id: `story-${++reports}-${reference}`,
      kind: 'sms',
      sender: 'Jawali',
      text: purchaseText(amount, reference),
      sim_slot: 'SIM1',
      received_at: String(Math.floor(clock.now() / 1000)),
    }
    const answer = await handset.alerts([report])
    assert.equal(answer.status, 200, answer.text)
  }
  const dashboard = async (path: string, body: object): Promise<void> => {
    const token = demo.dashboard.user_token
    const answer = await askAt(`${service.origin}/api/v1/dashboard${path}`, 'POST', { token, body })
    assert.ok(answer.status < 300, answer.text)
  }
  return {
    name: 'service',
    sanad: new Sanad(options),
    raw: recorded,
    options,
    advance: (ms) => void clock.advance(ms),
    pay,
    async book(intent, reference) {
      await pay(intent.payable_amount, reference)
      const [[alert]] = (await service.sql('select id from alerts where reference = $1', [reference])) as [[string]]
      const amounts = { alert_amount: intent.payable_amount, intent_amount: intent.payable_amount }
      await dashboard(`/unmatched/${alert}/book-copy/`, { intent: intent.id, ...amounts })
    },
    async accept({ id, paid_amount }) {
      await dashboard(`/intents/${id}/accept-paid/`, { paid_amount })
    },
    async payTest(amount, reference) {
      await dashboard('/test-payment/', { wallet: demo.wallets.test, amount, reference })
    },
    async events(text) {
      const rows = await service.sql('select body from events where body like $1 order by id', [`%${text}%`])
      return rows.map(([body]) => JSON.parse(body!))
    },
  }
}

/** The fake with the wallets of the service, as its answers show them. */
const fakeWorld = async (): Promise<World> => {
  const sanad = new Sanad(key)
  const listed = await sanad.wallets.list({ includeTest: true })
  const slots: Record<string, 'SIM1' | 'SIM2'> = { [demo.wallets.main]: 'SIM1', [demo.wallets.second]: 'SIM2' }
  const shown: FakeWallet[] = listed.map((one) => ({ ...one, sim_slot: slots[one.id] ?? '' }))
  const [first] = shown as [FakeWallet]
  const others: FakeWallet[] = [
    { ...first, id: demo.wallets.off, name: 'Off', state: 'off' },
    { ...first, id: demo.wallets.inactive, name: 'Closed', state: 'closed' },
  ]
  const device = { id: demo.device.id, name: 'Shop phone' }
  const fake = createFakeSanad({ wallets: [...shown, ...others], device, now: clock.now() })
  return {
    name: 'fake',
    sanad: new Sanad(fake.options),
    raw: fake.options.fetch,
    options: fake.options,
    advance: fake.advance,
    pay: async (amount, reference) => fake.pay({ wallet: demo.wallets.main, amount, reference }),
    book: async ({ id }, reference) => void fake.book(id, reference),
    accept: async ({ id, reference }) => void fake.book(id, reference),
    payTest: async (amount, reference) => fake.pay({ wallet: demo.wallets.test, amount, reference }),
    events: async (text) =>
      (await fake.webhooks()).filter(({ body }) => body.includes(text)).map(({ body }) => JSON.parse(body)),
  }
}

/** Ids and codes are made anew each time: they are numbered in the order in which they appear. */
const comparable = (answers: unknown[], kept: readonly string[]): unknown => {
  const names = new Map<string, string>()
  const named = (kind: string, value: string): string => {
    if (kept.includes(value)) return value
    if (!names.has(value)) names.set(value, `${kind} ${names.size + 1}`)
    return names.get(value)!
  }
  const text = JSON.stringify(answers)
    .replace(/https?:\/\/[^/"]+\/api\/v1\/merchant/g, 'BASE')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => named('id', id))
    .replace(/"(code|payment_id)":"([0-9A-HJKMNP-TV-Z]{10})"/g, (_, name, code) => `"${name}":"${named('code', code)}"`)
  return JSON.parse(text)
}

type Note = (answer: Promise<unknown>) => Promise<unknown>
const errorOf = (fault: unknown) =>
  fault instanceof SanadError
    ? { status: fault.status, type: fault.type, errors: fault.errors }
    : assert.fail(String(fault))

let numbered = 0
/** Runs a story in both worlds, the clock at the same time in each, and compares all that it notes. */
const story = (name: string, tell: (world: World, note: Note, tag: string) => Promise<void>) =>
  test(name, async () => {
    // Later than the hour of an intent: nothing of the story before is live any more. All end within the user's token's day.
    clock.advance(90 * 60_000)
    const tag = `S${++numbered}`
    const worlds = [await fakeWorld(), realWorld()]
    const notes: unknown[] = []
    for (const world of worlds) {
      const answers: unknown[] = []
      const note: Note = async (answer) => {
        const value = await answer.catch(errorOf)
        answers.push(value)
        return value
      }
      await tell(world, note, tag)
      assert.ok(answers.length > 0)
      notes.push(comparable(answers, Object.values(demo.wallets)))
    }
    assert.deepEqual(notes[0], notes[1])
  })

const wallet = demo.wallets.main
const idOf = (intent: unknown): string => (intent as { id: string }).id

story('wallets, with and without the test wallet', async ({ sanad }, note) => {
  await note(sanad.wallets.list())
  await note(sanad.wallets.list({ includeTest: true }))
})

story(
  'create by amount and by lines, retrieve, repeat with the key, and with another body',
  async ({ sanad }, note, tag) => {
    const body = { wallet, amount: '1500', external_order_id: `${tag}-1`, notes: 'ملاحظة' }
    const idempotencyKey = crypto.randomUUID()
    const intent = await note(sanad.intents.create(body, { idempotencyKey }))
    await note(sanad.intents.create(body, { idempotencyKey }))
    await note(sanad.intents.create({ ...body, amount: '1501' }, { idempotencyKey }))
    await note(sanad.intents.retrieve(idOf(intent)))
    const items = [
      { name: ' شاي ', price: '0.10', quantity: 3 },
      { name: 'Bread', price: '20.5', description: 'fresh' },
    ]
    await note(sanad.intents.create({ wallet, items }))
  },
)

story('every way in which an order is wrong', async ({ sanad }, note) => {
  const wrong: unknown[] = [
    {},
    { wallet },
    { wallet: 'x', amount: 'x' },
    { wallet: crypto.randomUUID().replace(/^......../, '00000000'), amount: '1' },
    { wallet: demo.wallets.off, amount: '1' },
    { wallet: demo.wallets.inactive, amount: '1' },
    { wallet, amount: '0' },
    { wallet, amount: '-5' },
    { wallet, amount: '100.500' },
    { wallet, amount: '1234567890123' },
    { wallet, amount: '123456789012345' },
    { wallet, amount: '1', currency: 'USD' },
    { wallet, amount: '1', notes: null, external_order_id: 'x'.repeat(129) },
    { wallet, items: 'x' },
    { wallet, items: [{ quantity: 0, price: 'x', name: '' }, null, {}, { name: 'n'.repeat(101), price: '1' }] },
    { wallet, items: [{ name: 'gift', price: '0' }] },
    {
      wallet,
      items: [
        { name: 'a', price: '999999999999.99' },
        { name: 'b', price: '0.01' },
      ],
    },
    { wallet, amount: '1', notes: [] },
  ]
  // A random id differs between the worlds: the sentence names it.
  wrong[3] = { wallet: '00000000-0000-4000-8000-000000000000', amount: '1' }
  for (const body of wrong) {
    // As JavaScript sends it: the types, and for some the SDK, would not allow it.
    await note(
      sanad.intents.create(body as never).catch((fault) => (fault instanceof TypeError ? {} : Promise.reject(fault))),
    )
  }
})

story('the reference first, then the money: verified, and told by one event', async (world, note, tag) => {
  const { sanad, advance, pay, events } = world
  const intent = await note(sanad.intents.create({ wallet, amount: '1500.00', external_order_id: tag }))
  const reference = `7700000${numbered}1`
  await note(sanad.intents.attachReference(idOf(intent), ` ${reference} `))
  await note(sanad.intents.attachReference(idOf(intent), reference))
  advance(1000)
  await pay('1500.00', reference)
  assert.equal((await sanad.intents.retrieve(idOf(intent))).status, 'VERIFIED', world.name)
  await note(sanad.intents.retrieve(idOf(intent)))
  await note(sanad.intents.wait(idOf(intent)))
  await note(sanad.intents.attachReference(idOf(intent), reference))
  await note(sanad.intents.attachReference(idOf(intent), 'ANOTHER'))
  // The money is spent: no second intent gets it.
  const second = await note(sanad.intents.create({ wallet, amount: '1500.00' }))
  await note(sanad.intents.attachReference(idOf(second), reference))
  const reported = (await note(events(reference))) as unknown[]
  assert.equal(reported.length, 1, world.name)
})

story(
  'the money first, then the reference; a wrong amount; and its money for an intent of that amount',
  async (world, note) => {
    const { sanad, advance, pay } = world
    const reference = `7700000${numbered}2`
    const intent = await note(sanad.intents.create({ wallet, amount: '1500.00' }))
    advance(1000)
    await pay('1400.00', reference)
    advance(1000)
    await note(sanad.intents.attachReference(idOf(intent), reference))
    const other = await note(sanad.intents.create({ wallet, amount: '1400.00' }))
    advance(1000)
    await note(sanad.intents.attachReference(idOf(other), reference))
  },
)

story(
  'a reference that another intent holds; blank, long, missing ones; unknown intents',
  async ({ sanad, advance }, note) => {
    const first = await note(sanad.intents.create({ wallet, amount: '10.00' }))
    advance(1000)
    const second = await note(sanad.intents.create({ wallet, amount: '10.00' }))
    const reference = `ab ${numbered}9`
    await note(sanad.intents.attachReference(idOf(first), reference))
    await note(sanad.intents.attachReference(idOf(second), reference.toUpperCase().replace(' ', '')))
    for (const wrong of ['', ' \u200b ', 'x'.repeat(129)])
      await note(sanad.intents.attachReference(idOf(second), wrong))
    for (const unknown of ['00000000-0000-4000-8000-000000000000', 'no-id']) {
      await note(sanad.intents.retrieve(unknown))
      await note(sanad.intents.attachReference(unknown, ''))
    }
    // The first expires, and frees its reference.
    advance(3_600_000 - 1000)
    await note(sanad.intents.retrieve(idOf(first)))
    await note(sanad.intents.attachReference(idOf(second), reference))
    advance(1000)
    await note(sanad.intents.attachReference(idOf(second), reference))
    for (let n = 0; n < 2; n++) await note(sanad.intents.retrieve(idOf(second)))
  },
)

story('twenty references, and one more', async ({ sanad }, note, tag) => {
  const intent = await note(sanad.intents.create({ wallet, amount: '10.00' }))
  for (let n = 1; n <= 21; n++) await note(sanad.intents.attachReference(idOf(intent), `${tag}-${n}`))
  await note(sanad.intents.attachReference(idOf(intent), `${tag}-1`))
})

story('lists: filters, orders, pages, and what is wrong with them', async ({ sanad, advance, pay }, note, tag) => {
  const reference = `7700000${numbered}3`
  const created_after = new Date((await sanad.intents.create({ wallet, amount: '1.00' })).created_at)
  advance(1000)
  for (const [n, amount] of ['30.00', '10.00', '20.00'].entries()) {
    const intent = await sanad.intents.create({ wallet, amount, external_order_id: `${tag} order ${n}` })
    if (n === 1) await sanad.intents.attachReference(intent.id, reference)
    advance(1000)
  }
  await pay('10.00', reference)
  const all = { created_after, page_size: 2 }
  await note(sanad.intents.page(all))
  await note(sanad.intents.page({ ...all, page: 2 }))
  await note(sanad.intents.page({ ...all, page: 'last' }))
  await note(sanad.intents.page({ ...all, page: 9 }))
  await note(Array.fromAsync(sanad.intents.list(all)))
  await note(sanad.intents.page({ created_after, status: ['VERIFIED', 'WRONG_AMOUNT'] }))
  await note(sanad.intents.page({ created_after, status: 'PENDING', ordering: ['payable_amount'] }))
  await note(sanad.intents.page({ created_after, ordering: ['-verified_at', 'payable_amount'] }))
  await note(sanad.intents.page({ created_after, reference }))
  await note(sanad.intents.page({ created_after, external_order_id: `${tag} order 2` }))
  await note(sanad.intents.page({ created_after, search: `${tag.toLowerCase()} ORDER` }))
  await note(sanad.intents.page({ created_after, wallet: demo.wallets.second }))
  await note(sanad.intents.page({ created_before: new Date(morning - 1000) }))
  await note(sanad.intents.page({ status: 'PAID' as never, wallet: 'x', created_after: 'yesterday' }))
})

story(
  'late money that a user books to an expired intent is a new intent of the order, and its event',
  async (world, note, tag) => {
    const { sanad, advance, book, events } = world
    const store = memoryStore()
    const items = [{ name: 'Tea', price: '7.50', quantity: 2 }]
    const start = () => sanad.checkout.start({ orderId: tag, wallet, items, notes: 'n', store })
    const { intent } = (await note(start())) as { intent: Intent }
    advance(3_600_000)
    await note(start())
    advance(1000)
    const reference = `7700000${numbered}4`
    await book(intent, reference)
    advance(1000)
    const { state } = (await note(start())) as { state: string }
    assert.equal(state, 'paid', world.name)
    await note(sanad.intents.page({ external_order_id: tag }))
    const reported = (await note(events(`"order_id":"${tag}"`))) as unknown[]
    assert.equal(reported.length, 1, world.name)
  },
)

story(
  'a user accepts the amount that came instead: a new intent over that amount, and the money is spent',
  async (world, note, tag) => {
    const { sanad, advance, pay, accept, events } = world
    const reference = `7700000${numbered}5`
    const store = memoryStore()
    const start = () =>
      sanad.checkout.start({ orderId: tag, wallet, items: [{ name: 'Tea', price: '9.00' }], store, again: true })
    const { intent } = await start()
    await sanad.intents.attachReference(intent.id, reference)
    advance(1000)
    await pay('8.00', reference)
    await accept(await sanad.intents.retrieve(intent.id))
    advance(1000)
    const { state } = (await note(start())) as { state: string }
    assert.equal(state, 'paid', world.name)
    await note(sanad.intents.page({ external_order_id: tag }))
    await note(events(`"order_id":"${tag}"`))
    const thief = await sanad.intents.create({ wallet, amount: '8.00' })
    await note(sanad.intents.attachReference(thief.id, reference))
  },
)

story('the test wallet: every payment is reported, with what became of it', async (world, note, tag) => {
  const { sanad, advance, payTest, events } = world
  const body = { wallet: demo.wallets.test, amount: '20.00' }
  const [matched, wrong] = [await sanad.intents.create(body), await sanad.intents.create(body)]
  for (const [n, one] of [matched, wrong].entries()) await sanad.intents.attachReference(one.id, `TEST-${tag}-${n}`)
  for (const [n, amount] of ['20.00', '21.00', '20.00'].entries()) {
    advance(1000)
    await payTest(amount, `TEST-${tag}-${n}`)
  }
  const reported = (await note(events(`TEST-${tag}-`))) as unknown[]
  assert.equal(reported.length, 4, world.name)
  for (const one of [matched, wrong]) await note(sanad.intents.retrieve(one.id))
})

story('tokens: wrong credentials, none at all, and an unknown token', async ({ options, raw }, note) => {
  await note(new Sanad({ ...options, clientSecret: 'wrong' }).wallets.list())
  const base = options.baseUrl.replace(/(\/api\/v1\/merchant)?$/, '/api/v1/merchant')
  const ask = async (method: string, path: string, headers: Record<string, string>) => {
    const signal = new AbortController().signal
    const answer = await raw(base + path, { method, headers, signal, redirect: 'manual' })
    return [answer.status, JSON.parse(await answer.text()), answer.headers.get('www-authenticate')]
  }
  await note(ask('POST', '/token', {}))
  await note(ask('PUT', '/token', {}))
  await note(ask('GET', '/wallets/', {}))
  await note(ask('GET', '/wallets/', { authorization: 'Bearer unknown' }))
  await note(ask('GET', '/nothing/', {}))
})

test('every operation of the document was called through the SDK, and lists in queries are not exploded', () => {
  const path = join(import.meta.dirname, '../../../openapi/merchant.json')
  type Operation = { parameters?: { name: string; schema: { type?: string }; explode?: boolean }[] }
  const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(readFileSync(path, 'utf8'))
  const every = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(
    every.filter((one) => !called.has(one)),
    [],
  )
  const parameters = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((one) => one.parameters ?? []),
  )
  const lists = parameters.filter((one) => one.schema.type === 'array')
  assert.deepEqual(
    lists.map(({ name, explode }) => [name, explode]),
    [
      ['status', false],
      ['ordering', false],
    ],
  )
})
