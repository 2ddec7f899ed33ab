/** The client against the fake: tokens, retries, time limits, paging, waiting. Only the timeout, of 5 ms, is real time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { Sanad, SanadConnectionError, SanadError, type SanadOptions, SanadWaitError } from '@sanad/sdk'
import { createFakeSanad } from '@sanad/sdk/testing'

const open = (more: Partial<SanadOptions> = {}) => {
  const fake = createFakeSanad()
  const sanad = new Sanad({ ...fake.options, ...more })
  const wallet = fake.wallets[0]!.id
  const create = (amount = '1500.00') => sanad.intents.create({ wallet, amount })
  const callsTo = (path: string) => fake.calls.filter((call) => call.path.startsWith(path))
  return { fake, sanad, wallet, create, callsTo }
}
const faultOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => assert.fail('it did not fail'),
    (fault) => fault,
  )

test('calls that start together share one token, and a refused token is renewed once for all of them', async () => {
  const { fake, sanad, callsTo } = open()
  await Promise.all(Array.from({ length: 8 }, () => sanad.wallets.list()))
  assert.equal(callsTo('/token').length, 1)
  fake.revokeTokens()
  await Promise.all(Array.from({ length: 8 }, () => sanad.wallets.list()))
  assert.equal(callsTo('/token').length, 2)
  // The token is renewed shortly before it expires, without a refusal.
  fake.advance(3_600_000 - 30_000)
  await sanad.wallets.list()
  assert.equal(callsTo('/token').length, 3)
  assert.equal(callsTo('/wallets/').filter((call) => call.status === 401).length, 8)
})

test('wrong credentials are an error of the service, and are not tried again', async () => {
  const { fake, sanad, callsTo } = open({ clientSecret: 'another' })
  const fault = await faultOf(sanad.wallets.list())
  assert.ok(fault instanceof SanadError && fault.status === 401 && fault.has('authentication_failed', null))
  assert.equal(callsTo('/token').length, 1)
  assert.equal(fake.calls.length, 1)
})

test('an error has the hint of the service, also in its message, and the names that were ignored, both bounded', async () => {
  const { fake } = open()
  const answerWith = (headers: Record<string, string>) => {
    const fetch: SanadOptions['fetch'] = async (url, init) => {
      const answer = await fake.options.fetch(url, init)
      const get = (name: string) => headers[name] ?? answer.headers.get(name)
      return url.endsWith('/token') ? answer : { status: answer.status, headers: { get }, text: () => answer.text() }
    }
    return new Sanad({ ...fake.options, fetch })
  }
  const read = (sanad: Sanad) => faultOf(sanad.intents.retrieve('00000000-0000-4000-8000-000000000001'))
  const hint = 'No intent of this account has this id.'
  const fault = await read(answerWith({ 'x-service-hint': hint, 'x-service-ignored': 'order_id, %D8%A7, %zz' }))
  assert.ok(fault instanceof SanadError)
  assert.equal(fault.hint, hint)
  assert.deepEqual(fault.ignored, ['order_id', 'ا', '%zz'])
  assert.equal(fault.message, `Sanad answered 404. Not found. (not_found) Hint: ${hint}`)
  const plain = await read(answerWith({}))
  assert.ok(plain instanceof SanadError && plain.hint === null && plain.ignored.length === 0)
  assert.equal(plain.message, 'Sanad answered 404. Not found. (not_found)')
  const long = await read(answerWith({ 'x-service-hint': 'x'.repeat(9_000), 'x-service-ignored': 'a, '.repeat(900) }))
  assert.ok(long instanceof SanadError && long.hint?.length === 300 && long.ignored.length === 10)
})

test('the fake takes its client id in either case, as the service does', async () => {
  const fake = createFakeSanad({ clientId: 'AB'.repeat(16) })
  for (const clientId of [fake.options.clientId, 'ab'.repeat(16)])
    assert.equal((await new Sanad({ ...fake.options, clientId }).wallets.list()).length, 2)
})

test('a token that is refused again and again ends in the error, after one renewal', async () => {
  const { fake, sanad, callsTo } = open()
  const fetch: SanadOptions['fetch'] = async (url, init) => {
    const answer = await fake.options.fetch(url, init)
    fake.revokeTokens()
    return answer
  }
  const refused = new Sanad({ ...fake.options, fetch })
  const fault = await faultOf(refused.wallets.list())
  assert.ok(fault instanceof SanadError && fault.status === 401)
  assert.equal(callsTo('/token').length, 2)
  assert.equal((await sanad.wallets.list()).length, 2)
})

test('a failed request is sent again, also a create: there is one intent', async () => {
  const { fake, sanad, create, callsTo } = open()
  fake.fail({ on: '/intents/', lose: 'answer' })
  fake.fail({ on: '/intents/', status: 502 })
  fake.fail({ on: '/intents/', status: 503, retryAfter: 1 })
  const intent = await create()
  assert.equal(intent.status, 'PENDING')
  assert.equal(callsTo('/intents/').filter((call) => call.method === 'POST').length, 4)
  assert.equal((await sanad.intents.page()).count, 1)
})

test('a Retry-After is waited for; if it is too long, the error is thrown at once, with its seconds', async () => {
  const { fake, sanad } = open()
  await sanad.wallets.list()
  const before = fake.now()
  fake.fail({ status: 429, retryAfter: 7 })
  await sanad.wallets.list()
  const waited = fake.now() - before
  assert.ok(waited >= 7000 && waited < 8000, String(waited))
  fake.fail({ status: 429, retryAfter: 3600 })
  const fault = await faultOf(sanad.wallets.list())
  assert.ok(fault instanceof SanadError && fault.has('throttled') && fault.retryAfter === 3600)
  assert.equal(fake.now() - before, waited)
})

test('retries have a limit, and a network error is not the same error as a refusal of the service', async () => {
  const { fake, sanad, callsTo } = open()
  await sanad.wallets.list()
  fake.fail({ lose: 'request', times: 10 })
  const fault = await faultOf(sanad.wallets.list())
  assert.ok(fault instanceof SanadConnectionError && fault.reason === 'unreachable' && fault.cause instanceof TypeError)
  assert.ok(!(fault instanceof SanadError))
  assert.equal(callsTo('/wallets/').length, 5)
  const proxy = open({ maxRetries: 0 })
  proxy.fake.fail({ on: '/wallets/', status: 302 })
  const other = await faultOf(proxy.sanad.wallets.list())
  assert.ok(other instanceof SanadConnectionError && other.reason === 'not_sanad' && other.status === 302)
})

test('no answer in time is a timeout; an aborted call throws the reason, and other calls continue', async () => {
  const { fake } = open()
  const silent: SanadOptions['fetch'] = (_url, { signal }) =>
    new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  const late = new Sanad({ ...fake.options, fetch: silent, timeout: 5, maxRetries: 1 })
  const fault = await faultOf(late.wallets.list())
  assert.ok(fault instanceof SanadConnectionError && fault.reason === 'timeout', String(fault))

  const gate = Promise.withResolvers<void>()
  const slow: SanadOptions['fetch'] = async (url, init) => {
    await gate.promise
    return fake.options.fetch(url, init)
  }
  const sanad = new Sanad({ ...fake.options, fetch: slow })
  const controller = new AbortController()
  const aborted = faultOf(sanad.wallets.list({ signal: controller.signal }))
  const other = sanad.wallets.list()
  controller.abort(new Error('the buyer has left'))
  assert.equal(((await aborted) as Error).message, 'the buyer has left')
  gate.resolve()
  assert.equal((await other).length, 2)
})

test('a reference whose answer was lost after it verified the intent is not an error', async () => {
  const { fake, sanad, wallet, create } = open()
  const intent = await create()
  fake.pay({ wallet, amount: '1500.00', reference: 'REF-1' })
  fake.fail({ on: '/intents/', lose: 'answer' })
  const attached = await sanad.intents.attachReference(intent.id, ' REF-1 ')
  assert.deepEqual([attached.id, attached.status], [intent.id, 'VERIFIED'])
  const fault = await faultOf(sanad.intents.attachReference(intent.id, 'REF-2'))
  assert.ok(fault instanceof SanadError && fault.has('intent_not_pending', 'reference') && !fault.has('not_found'))
})

test('list goes through all pages, and returns nothing twice when an intent is added meanwhile', async () => {
  const { fake, sanad, wallet, create } = open()
  for (let n = 0; n < 7; n++) {
    fake.advance(1000)
    await create(`${n + 1}.00`)
  }
  const seen: string[] = []
  let added = false
  for await (const intent of sanad.intents.list({ page_size: 3, status: ['PENDING', 'VERIFIED'], wallet })) {
    seen.push(intent.payable_amount)
    if (added) continue
    added = true
    fake.advance(1000)
    await create('99.00')
  }
  assert.deepEqual(seen, ['7.00', '6.00', '5.00', '4.00', '3.00', '2.00', '1.00'])
  assert.ok(fake.calls.some((call) => call.path.includes('status=PENDING%2CVERIFIED')))
  const since = new Date(fake.now())
  assert.equal((await sanad.intents.page({ created_after: since })).count, 1)
})

/** Lists amounts, and after the first row does `meanwhile`. */
const amountsOf = async (listed: AsyncIterable<{ payable_amount: string }>, meanwhile: () => Promise<unknown>) => {
  const seen: string[] = []
  for await (const { payable_amount } of listed) {
    seen.push(payable_amount)
    if (seen.length === 1) await meanwhile()
  }
  return seen
}
const seven = ['7.00', '6.00', '5.00', '4.00', '3.00', '2.00', '1.00']

test('list: more rows than a page are added, and rows leave the filter: none is missed, none is repeated', async () => {
  for (const page_size of [1, 2, 3, 7, 20]) {
    for (const step_ms of [1000, 0]) {
      const { fake, sanad, wallet, create } = open()
      const ids: string[] = []
      for (let n = 1; n <= 7; n++) {
        fake.advance(step_ms)
        ids.push((await create(`${n}.00`)).id)
      }
      fake.advance(1000)
      const many = async () => {
        for (let n = 0; n < 11; n++) await create('99.00')
      }
      assert.deepEqual(
        await amountsOf(sanad.intents.list({ page_size, created_before: new Date(fake.now() - 1) }), many),
        seven,
      )
      const before = fake.now()
      fake.advance(1000)
      const newest = await amountsOf(sanad.intents.list({ page_size }), many)
      assert.deepEqual(newest.slice(-7), seven, `${page_size}`)
      assert.equal(newest.length, 18)
      const upwards = await amountsOf(
        sanad.intents.list({ page_size, ordering: ['created_at', 'status'] }),
        async () => {
          fake.advance(1000)
          await many()
        },
      )
      assert.equal(upwards.length, 7 + 33)
      assert.deepEqual(upwards.slice(0, 7), seven.toReversed())
      // Rows that were returned leave the filter: the others move forward, and none is skipped.
      const pending = { status: 'PENDING' as const, created_before: new Date(before - 1), page_size }
      const left = amountsOf(sanad.intents.list(pending), async () => {
        for (const id of ids.slice(-page_size)) fake.cancel(id)
      })
      assert.deepEqual(await left, seven)
      assert.equal((await sanad.intents.page({ wallet })).count, 40)
    }
  }
})

test('list: rows that can be read up to 10 s after their time are returned in ascending order, wherever they appear', async () => {
  for (const page_size of [1, 2, 3, 5]) {
    for (const step_ms of [0, 1, 700, 4000]) {
      for (const [late_ms, canLeave] of [
        [0, false],
        [1, false],
        [900, false],
        [9999, false],
        [900, true],
        [9999, true],
      ] as const) {
        for (const [after, many] of [
          [1, 1],
          [2, 3],
          [3, 1],
          [5, 6],
        ] as const) {
          const { fake, sanad, create } = open()
          fake.advance(60_000)
          const since = new Date(fake.now() + 1)
          for (let n = 1; n <= 7; n++) {
            fake.advance(n === 1 ? 1 : step_ms)
            await create(`${n}.00`)
          }
          const seen: string[] = []
          const filter = { page_size, ordering: 'created_at' as const, created_after: since }
          for await (const intent of sanad.intents.list(canLeave ? { ...filter, status: 'PENDING' } : filter)) {
            seen.push(intent.payable_amount)
            if (seen.length !== after) continue
            // They began before the newest row of this page, and are written only now.
            const newest = Date.parse(intent.created_at) + Math.min(page_size - 1, 7 - after) * step_ms
            const back = fake.now() - Math.max(newest - late_ms, since.getTime())
            fake.advance(-back)
            for (let n = 0; n < many; n++) await create('99.00')
            fake.advance(back)
          }
          const name = JSON.stringify({ page_size, step_ms, late_ms, after, many, seen })
          assert.deepEqual(
            seen.filter((amount) => amount !== '99.00'),
            seven.toReversed(),
            name,
          )
          // After the last page nothing is requested any more.
          const isOnLastPage = Math.ceil(after / page_size) === Math.ceil(7 / page_size)
          const found = seen.filter((amount) => amount === '99.00').length
          assert.ok(found <= many, name)
          if (!isOnLastPage && !canLeave) assert.equal(found, many, name)
        }
      }
    }
  }
})

test('list in ascending order: rows that leave the filter make it skip no other', async () => {
  for (const page_size of [1, 2, 3]) {
    for (const step_ms of [1, 1000, 6000]) {
      for (const rows of [4, 6, 7]) {
        const { fake, sanad, create } = open()
        const ids: string[] = []
        for (let n = 1; n <= rows; n++) {
          fake.advance(step_ms)
          ids.push((await create(`${n}.00`)).id)
        }
        const seen: string[] = []
        for await (const { id } of sanad.intents.list({ status: 'PENDING', ordering: 'created_at', page_size })) {
          seen.push(id)
          // The whole page leaves the filter.
          if (seen.length % page_size === 0) for (const one of seen.slice(-page_size)) fake.cancel(one)
        }
        assert.deepEqual(seen, ids, JSON.stringify({ page_size, step_ms, rows }))
      }
    }
  }
})

test('list: a bound that the caller set is kept, and the requests of a long list stay few', async () => {
  const { fake, sanad, create } = open()
  for (let n = 1; n <= 60; n++) {
    fake.advance(500)
    await create(`${n}.00`)
  }
  const since = new Date(fake.now() - 20_000)
  const count = fake.calls.length
  const listed = await Array.fromAsync(sanad.intents.list({ created_after: since, ordering: 'created_at' }))
  assert.deepEqual([listed.length, listed[0]!.payable_amount], [41, '20.00'])
  assert.ok(fake.calls.length - count <= 6, String(fake.calls.length - count))
})

test('list: more rows of one millisecond than a page are each returned once', async () => {
  const { fake, sanad, create } = open()
  for (let n = 1; n <= 7; n++) await create(`${n}.00`)
  const again = await amountsOf(sanad.intents.list({ page_size: 3 }), async () => fake.advance(1))
  assert.deepEqual(again, seven)
})

test('list in another order, of checkouts and of links: nothing comes twice when many are added', async () => {
  const { fake, sanad, create } = open()
  for (let n = 1; n <= 7; n++) {
    await create(`${n}.00`)
    await sanad.checkouts.create({ amount: `${n}.00` })
    await sanad.links.create({ amount: `${n}.00` })
  }
  const idsOf = async (listed: AsyncIterable<{ id: string }>, add: () => Promise<unknown>) => {
    fake.advance(1000)
    const ids: string[] = []
    for await (const { id } of listed) {
      ids.push(id)
      if (ids.length === 3) for (let n = 0; n < 8; n++) await add()
    }
    assert.equal(new Set(ids).size, ids.length)
    return ids
  }
  // What was there before is listed, each once; what was added may be.
  const missing = (known: { results: { id: string }[] }, listed: readonly string[]) =>
    known.results.filter(({ id }) => !listed.includes(id))
  const intents = sanad.intents.list({ ordering: 'payable_amount', page_size: 3 })
  const knownIntents = await sanad.intents.page()
  assert.deepEqual(missing(knownIntents, await idsOf(intents, () => create('0.50'))), [])
  const knownLinks = await sanad.links.page()
  const links = await idsOf(sanad.links.list({ page_size: 3 }), () => sanad.links.create({ amount: '9.00' }))
  assert.deepEqual(missing(knownLinks, links), [])
  const checkouts = sanad.checkouts.list({ page_size: 3 })
  assert.equal((await idsOf(checkouts, () => sanad.checkouts.create({ amount: '9.00' }))).length, 7)
})

test('wait returns the intent once it is as wanted or has ended; after its time it throws the last intent', async () => {
  const { fake, sanad, wallet, create } = open()
  const paid = await create()
  await sanad.intents.attachReference(paid.id, 'REF-9')
  const fault = await faultOf(sanad.intents.wait(paid.id, { timeout: 30_000 }))
  assert.ok(fault instanceof SanadWaitError && fault.intent.id === paid.id)
  fake.pay({ wallet, amount: '1500.00', reference: 'REF-9' })
  assert.equal((await sanad.intents.wait(paid.id)).status, 'VERIFIED')
  const dead = await create()
  const unreferenced = sanad.intents.wait(dead.id, { until: (intent) => intent.reference === '' })
  assert.equal((await unreferenced).status, 'PENDING')
  assert.equal((await sanad.intents.wait(dead.id, { until: 'VERIFIED', timeout: 7_200_000 })).status, 'EXPIRED')
})

test('a number as an amount, a wrong address or an empty secret is refused before anything is sent', async () => {
  const { fake, sanad, wallet } = open()
  const wrong = { wallet, amount: 1500 } as unknown as { wallet: string; amount: string }
  await assert.rejects(sanad.intents.create(wrong), /amount must be a string/)
  const items = [{ name: 'Tea', price: 0.1 }] as unknown as { name: string; price: string }[]
  await assert.rejects(sanad.intents.create({ wallet, items }), /items\.0\.price must be a string/)
  await assert.rejects(sanad.intents.create({ wallet, amount: '1' }, { idempotencyKey: '' }), /idempotencyKey/)
  await assert.rejects(sanad.intents.attachReference(wallet, 12 as unknown as string), /reference must be a string/)
  const { options } = fake
  for (const change of [{ baseUrl: 'pay.example.com' }, { clientSecret: '' }, { timeout: 0 }, { maxRetries: -1 }])
    assert.throws(() => new Sanad({ ...options, ...change }), TypeError)
  assert.equal(fake.calls.length, 0)
  for (const baseUrl of [`${options.baseUrl}/`, `${options.baseUrl}/api/v1/merchant/`])
    assert.equal((await new Sanad({ ...options, baseUrl }).wallets.list()).length, 2)
})

test('a printed client shows no secret', async () => {
  const { fake, sanad } = open()
  await sanad.wallets.list()
  const printed = inspect(sanad, { depth: 10, showHidden: true }) + JSON.stringify(sanad)
  assert.ok(!printed.includes(fake.options.clientSecret) && !printed.includes('fake.'))
})

test('a new payment link is not sent again after a lost answer; after a 429 it is', async () => {
  const { fake, sanad, callsTo } = open()
  await sanad.wallets.list()
  for (const fault of [{ lose: 'answer' as const }, { status: 503 }, { status: 502 }]) {
    fake.fail({ on: '/links/', ...fault })
    await faultOf(sanad.links.create({ amount: '5.00' }))
  }
  assert.equal(callsTo('/links/').length, 3)
  fake.fail({ on: '/links/', status: 429, retryAfter: 2 })
  fake.revokeTokens()
  await sanad.links.create({ amount: '5.00' })
  assert.equal((await sanad.links.page()).count, 2)
})

test('a create whose outcome is unknown says so, and how to repeat it; a refused one and a missing token do not', async () => {
  const { fake, sanad, wallet } = open({ maxRetries: 0 })
  const messageOf = async (work: Promise<unknown>) => ((await faultOf(work)) as Error).message
  fake.fail({ on: '/token', lose: 'request' })
  assert.doesNotMatch(await messageOf(sanad.links.create({ amount: '5.00' })), /may exist/)
  for (const fault of [{ lose: 'answer' as const }, { status: 500 }, { status: 502 }]) {
    fake.fail({ method: 'POST', on: '/links/', ...fault })
    const message = await messageOf(sanad.links.create({ amount: '5.00' }))
    assert.match(message, /payment link may exist all the same.* links\.list\(\)/)
    assert.doesNotMatch(message, /cannot be reached/)
  }
  assert.equal((await sanad.links.page()).count, 1)
  for (const [path, create] of [
    ['/intents/', (options?: { idempotencyKey: string }) => sanad.intents.create({ wallet, amount: '5.00' }, options)],
    ['/sessions/', (options?: { idempotencyKey: string }) => sanad.checkouts.create({ amount: '5.00' }, options)],
  ] as const) {
    fake.fail({ method: 'POST', on: path, lose: 'answer' })
    const message = await messageOf(create())
    const [, idempotencyKey] = /with the idempotencyKey (\S+),/.exec(message)!
    await create({ idempotencyKey: idempotencyKey! })
  }
  assert.equal((await sanad.intents.page()).count, 1)
  assert.equal((await sanad.checkouts.page()).count, 1)
  assert.doesNotMatch(await messageOf(sanad.links.create({ amount: '0' })), /may exist/)
  fake.fail({ lose: 'request' })
  assert.doesNotMatch(await messageOf(sanad.wallets.list()), /may exist/)
})

test('the fake has whole milliseconds and well-formed ids, in order, also after retries and thousands of ids', async () => {
  const { fake, sanad, create } = open()
  const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  fake.fail({ on: '/intents/', method: 'POST', status: 503, times: 3 })
  const ids = [(await create()).id]
  assert.ok(Number.isInteger(fake.now()))
  fake.advance(0.4)
  ids.push((await create()).id, (await sanad.checkouts.create({ amount: '1.00' })).id)
  for (let n = 0; n < 4200; n++) ids.push((await create()).id)
  fake.advance(-10_000)
  ids.push((await create()).id)
  for (const id of ids) assert.match(id, form)
  assert.deepEqual(ids, ids.toSorted())
  assert.equal(new Set(ids).size, ids.length)
  const { id, created_at } = await sanad.intents.retrieve(ids[0]!)
  assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), Date.parse(created_at))
  assert.equal((await fake.webhooks()).length, 0)
  for (const now of [Number.NaN, -1]) assert.throws(() => createFakeSanad({ now }), TypeError)
  assert.throws(() => fake.advance(Number.NaN), TypeError)
  assert.ok(Number.isInteger(createFakeSanad({ now: 1.5 }).now()))
})

test('a cancelled checkout whose answer was lost is returned; one that was paid first is not', async () => {
  const { fake, sanad, callsTo } = open()
  const body = { amount: '1500.00', external_order_id: 'A-1' }
  const first = await sanad.checkouts.create(body)
  fake.fail({ on: '/sessions/', lose: 'answer' })
  assert.equal((await sanad.checkouts.cancel(first.id)).status, 'CANCELLED')
  const second = await sanad.checkouts.create(body)
  fake.pay({ checkout: second.id })
  const fault = await faultOf(sanad.checkouts.cancel(second.id))
  assert.ok(fault instanceof SanadError && fault.has('checkout_not_open'))
  const events = await fake.webhooks()
  assert.deepEqual(
    events.map(({ event }) => event.event),
    ['payment.verified', 'checkout.completed'],
  )
  const original = await sanad.checkouts.create(body, { idempotencyKey: 'one' })
  fake.fail({ on: '/sessions/', lose: 'answer' })
  assert.equal((await sanad.checkouts.create(body, { idempotencyKey: 'one' })).id, original.id)
  assert.equal((await Array.fromAsync(sanad.checkouts.list({ page_size: 1 }))).length, 3)
  assert.ok(callsTo('/sessions/').length > 8)
  const wrong = { amount: 5 } as unknown as { amount: string }
  await assert.rejects(sanad.checkouts.create(wrong), /amount must be a string/)
  await assert.rejects(sanad.links.create({ min_amount: 5 } as never), /min_amount must be a string/)
  await assert.rejects(sanad.checkouts.retrieve(''), /id of a checkout/)
})
