/**
 * What every SDK does when the network, the service, the clock or another process is not as it should be. One list for all languages,
 * before the real service and one lossy proxy: where an SDK behaves otherwise than the others, its name is in the failure.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createKey, revokeKey } from '../../packages/server/src/accounts/keys/key-secrets.ts'
import type { AccountId } from '../../packages/server/src/core/ids.ts'
import { wholeAccount } from '../../packages/server/src/core/scope.ts'
import { askAt } from '../../packages/server/test/support/story.ts'
import { type Command, type Done, type Driver, type Language, languages, openDriver } from './behaviours/driver.ts'
import { type LossyProxy, startLossyProxy } from './behaviours/lossy-proxy.ts'
import { startRecordStore } from './behaviours/record-store.ts'
import { openServiceForPrograms } from './service-for-programs.ts'

const { service, env } = await openServiceForPrograms({ SANAD_TOKEN_TTL_S: '3600', SANAD_LIMITS: 'off' })
const wallet = env.SANAD_WALLET
const accounts = await service.sql('select account_id from api_keys where client_id = $1', [env.SANAD_CLIENT_ID])
const account = accounts[0]![0] as AccountId
const records = await startRecordStore()
service.atEnd(records.close)
const names = Object.keys(languages) as Language[]

type Place = {
  readonly language: Language
  readonly driver: Driver
  readonly proxy: LossyProxy
  /** Another process with the same SDK. It is started when it is asked for. */
  readonly second: () => Driver
}
const places = new Map<Language, Place>()
for (const language of names) {
  const proxy = await startLossyProxy(service.origin)
  const driver = openDriver(language)
  let other: Driver | undefined
  const second = (): Driver => {
    other ??= openDriver(language)
    return other
  }
  places.set(language, { language, driver, proxy, second })
  service.atEnd(async () => {
    await Promise.all([driver.close(), other?.close()])
    await proxy.close()
  })
}

const key = { clientId: env.SANAD_CLIENT_ID, clientSecret: env.SANAD_CLIENT_SECRET }
const open = async ({ driver, proxy }: Pick<Place, 'driver' | 'proxy'>, more: object = {}): Promise<void> => {
  assert.deepEqual(await driver.ask({ open: { url: proxy.origin, ...key, ...more } }), { value: null, waits: [] })
}

/** Adds the name of the language to a failure. */
const inLanguage = async (place: Place, story: (place: Place) => Promise<void>): Promise<void> => {
  place.proxy.reset()
  await open(place)
  try {
    await story(place)
  } catch (fault) {
    throw new Error(`the SDK for ${place.language}`, { cause: fault })
  }
}

const behaviour = (promise: string, story: (place: Place) => Promise<void>, { together = false } = {}): void => {
  test(promise, async () => {
    if (together) await Promise.all([...places.values()].map((place) => inLanguage(place, story)))
    else for (const place of places.values()) await inLanguage(place, story)
  })
}

/** Each wait in seconds must be in its range. */
const assertWaits = ({ waits }: Done, ...ranges: readonly (readonly [number, number])[]): void => {
  const isRight =
    waits.length === ranges.length && waits.every((wait, i) => wait >= ranges[i]![0] && wait <= ranges[i]![1])
  assert.ok(isRight, `waits of ${waits.join(', ')} s instead of ${JSON.stringify(ranges)}`)
}
/** Of the first, second and third retry without a Retry-After. */
const backoff = [
  [0.25, 0.5],
  [0.5, 1],
  [1, 2],
] as const

/** An order number or a key of its own for each language. */
const orderOf = ({ language }: Place, name: string): string =>
  `${language.replace(' ', '-')}-${name.replaceAll(' ', '-')}`
const create = (orderId: string): Command => ({
  call: 'intents.create',
  args: [{ wallet, amount: '1500.00', external_order_id: orderId }],
})
/** The ids of what an order has, as the service knows them, past the proxy. */
const idsOf = async (api: 'merchant/intents' | 'checkout/sessions', orderId: string): Promise<string[]> => {
  const query = `?external_order_id=${encodeURIComponent(orderId)}`
  const answer = await askAt(`${service.origin}/api/v1/${api}/${query}`, 'GET', {
    token: await service.tokenFor(key.clientId, key.clientSecret),
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.results.map(({ id }: { id: string }) => id)
}
const postsAt = (proxy: LossyProxy, path: string) => proxy.seenAt(path).filter(({ method }) => method === 'POST')
const problem = (code: string) =>
  JSON.stringify({ type: 'server_error', errors: [{ code, detail: 'Later.', attr: null }] })

// Lost and late answers.

for (const [what, fault, sent] of [
  ['the answer of a create is lost', 'loses the answer', 1],
  ['the request of a create is lost', 'loses the request', 0],
  ['the answer of a create is cut off', 'cuts the answer', 1],
] as const)
  behaviour(`${what}: it is sent again with the same key, and there is one intent`, async (place) => {
    const { driver, proxy } = place
    const order = orderOf(place, fault)
    proxy.fail('/intents/', fault, 2)
    const done = await driver.ask(create(order))
    assert.equal(done.fault, undefined, done.sentence)
    assert.deepEqual(await idsOf('merchant/intents', order), [done.value.id])
    const posts = postsAt(proxy, '/intents/')
    assert.equal(posts.length, 3)
    assert.equal(new Set(posts.map((post) => post.key)).size, 1)
    assert.match(posts[0]!.key ?? '', /^[0-9a-f-]{36}$/)
    // A replay is the stored answer of then: the SDK reads the intent as it is now.
    assert.equal(proxy.seenAt('/intents/').length, 3 + sent)
    assertWaits(done, backoff[0], backoff[1])
  })

behaviour(
  'no answer in time is a timeout that names the key; with the key, later, it is the same intent',
  async (place) => {
    const { driver, proxy } = place
    const order = orderOf(place, 'late')
    await open(place, { timeout: 3, maxRetries: 1 })
    proxy.fail('/intents/', 'holds the answer', 2)
    const late = await driver.ask({ ...create(order), key: orderOf(place, 'late-key') } as Command)
    assert.equal(late.fault, 'connection timeout')
    assert.ok(late.sentence!.includes(orderOf(place, 'late-key')), late.sentence)
    assertWaits(late, backoff[0])
    await open(place)
    const done = await driver.ask({ ...create(order), key: orderOf(place, 'late-key') } as Command)
    assert.deepEqual(await idsOf('merchant/intents', order), [done.value.id])
  },
  { together: true },
)

behaviour('a refused connection is tried three times more, then it is an error', async (place) => {
  const closed = await startLossyProxy(service.origin)
  await closed.close()
  await open({ driver: place.driver, proxy: closed })
  const done = await place.driver.ask({ call: 'wallets.list' })
  assert.equal(done.fault, 'connection unreachable')
  assertWaits(done, ...backoff)
})

behaviour('a payment link has no key: it is not sent again, not even by the HTTP client itself', async (place) => {
  const { driver, proxy } = place
  for (const fault of ['loses the request', 'loses the answer'] as const) {
    proxy.keepConnections()
    await driver.ask({ call: 'links.page' })
    proxy.fail('/links/', fault)
    const before = postsAt(proxy, '/links/').length
    const done = await driver.ask({ call: 'links.create', args: [{ amount: '250.00' }] })
    assert.equal(done.fault, 'connection unreachable', fault)
    assert.match(done.sentence!, /may exist all the same/)
    assert.equal(postsAt(proxy, '/links/').length - before, 1, fault)
    assertWaits(done)
  }
})

// Answers that are none.

behaviour('half of the JSON is no answer of Sanad: a typed error, and the call is not repeated', async (place) => {
  const { driver, proxy } = place
  proxy.fail('/intents/', 'cuts the JSON', 9)
  const done = await driver.ask(create(orderOf(place, 'half')))
  assert.equal(done.fault, 'connection not_sanad 201')
  assert.equal(proxy.seenAt('/intents/').length, 1)
  assertWaits(done)
})

behaviour('a page of something else, a redirect and an empty answer are no answers of Sanad', async (place) => {
  const { driver, proxy } = place
  const answers = [
    { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' },
    { status: 302, headers: { location: `${service.origin}/api/v1/merchant/wallets/` }, body: '' },
    { status: 404, body: 'no such site' },
    { status: 200, body: '' },
    { status: 200, body: '"text"' },
    { status: 403, body: '{"errors":[],"type":"client_error"}' },
  ]
  for (const answer of answers) {
    proxy.reset()
    proxy.fail('/wallets/', answer)
    const done = await driver.ask({ call: 'wallets.list' })
    assert.equal(done.fault, `connection not_sanad ${answer.status}`, answer.body)
    assert.equal(proxy.seenAt('/wallets/').length, 1)
    assertWaits(done)
  }
  proxy.reset()
  proxy.fail('/wallets/', { status: 502, body: '<h1>Bad Gateway</h1>' }, 2)
  const done = await driver.ask({ call: 'wallets.list' })
  assert.equal(done.value.length > 0, true)
  assert.equal(proxy.seenAt('/wallets/').length, 3)
  assertWaits(done, backoff[0], backoff[1])
})

// Token and key.

behaviour(
  'one token serves many calls; when it has expired it is renewed once, and the call succeeds',
  async (place) => {
    const { driver, proxy } = place
    for (let i = 0; i < 3; i++) await driver.ask({ call: 'wallets.list' })
    assert.deepEqual([proxy.seenAt('/token').length, proxy.seenAt('/wallets/').length], [1, 3])
    service.clock.advance(3_601_000)
    const done = await driver.ask(create(orderOf(place, 'expired')))
    assert.equal(done.fault, undefined, done.sentence)
    assert.deepEqual([proxy.seenAt('/token').length, postsAt(proxy, '/intents/').length], [2, 2])
    assert.equal(new Set(postsAt(proxy, '/intents/').map((post) => post.key)).size, 1)
    assertWaits(done)
  },
)

behaviour('a revoked key is an error of its own, at once, without a loop', async (place) => {
  const { driver, proxy } = place
  const { clientId, clientSecret } = await createKey(service.db, account, 'Revoked', service.clock.now())
  await open(place, { clientId, clientSecret })
  assert.equal((await driver.ask({ call: 'wallets.list' })).fault, undefined)
  assert.ok(await revokeKey(service.db, wholeAccount(account), clientId, service.clock.now()))
  // A service looks a known key up again after a moment.
  service.clock.advance(2_000)
  const done = await driver.ask({ call: 'wallets.list' })
  assert.equal(done.fault, 'error 401 authentication_failed')
  assert.deepEqual([proxy.seenAt('/token').length, proxy.seenAt('/wallets/').length], [2, 2])
  assertWaits(done)
  const again = await driver.ask({ call: 'wallets.list' })
  assert.equal(again.fault, 'error 401 authentication_failed')
  assert.deepEqual([proxy.seenAt('/token').length, proxy.seenAt('/wallets/').length], [3, 2])
})

behaviour('a token that is refused again after its renewal is an error, after one renewal', async (place) => {
  const { driver, proxy } = place
  proxy.fail('/wallets/', { status: 401, body: problem('authentication_failed') }, 9)
  const done = await driver.ask({ call: 'wallets.list' })
  assert.equal(done.fault, 'error 401 authentication_failed')
  assert.deepEqual([proxy.seenAt('/token').length, proxy.seenAt('/wallets/').length], [2, 2])
})

// Limits and maintenance.

for (const status of [429, 503])
  behaviour(`${status} with Retry-After: waits for so long and goes on; an hour is an error at once`, async (place) => {
    const { driver, proxy } = place
    const code = status === 429 ? 'throttled' : 'unavailable'
    const answer = (seconds: string) => ({ status, headers: { 'retry-after': seconds }, body: problem(code) })
    proxy.fail('/wallets/', answer('7'))
    proxy.fail('/wallets/', answer('2'))
    const done = await driver.ask({ call: 'wallets.list' })
    assert.equal(done.fault, undefined, done.sentence)
    assert.equal(proxy.seenAt('/wallets/').length, 3)
    assertWaits(done, [7, 7.2], [2, 2.4])
    proxy.reset()
    proxy.fail('/wallets/', answer('3600'), 9)
    const refused = await driver.ask({ call: 'wallets.list' })
    assert.equal(refused.fault, `error ${status} ${code}`)
    assert.equal(refused.retryAfter, 3600)
    assert.equal(proxy.seenAt('/wallets/').length, 1)
    assertWaits(refused)
  })

behaviour('a failure that lasts is an error after three retries, with the words of the service', async (place) => {
  const { driver, proxy } = place
  proxy.fail('/wallets/', { status: 500, body: problem('error') }, 9)
  const done = await driver.ask({ call: 'wallets.list' })
  assert.equal(done.fault, 'error 500 error')
  assert.match(done.sentence!, /Sanad answered 500\. Later\. \(error\)$/)
  assert.equal(proxy.seenAt('/wallets/').length, 4)
  assertWaits(done, ...backoff)
})

behaviour(
  'a wrong field is an error of the service that is not repeated; a wrong argument is not sent',
  async (place) => {
    const { driver, proxy } = place
    const done = await driver.ask({ call: 'intents.create', args: [{ wallet, amount: '-1' }] })
    assert.match(done.fault!, /^error 400 /)
    assert.equal(postsAt(proxy, '/intents/').length, 1)
    assertWaits(done)
    proxy.reset()
    for (const command of [
      { call: 'intents.create', args: [{ wallet, amount: 1500 }] },
      { call: 'intents.retrieve', args: [''] },
      { ...create('A'), key: '' },
      { ...create('A'), key: 'k'.repeat(129) },
    ] as Command[])
      assert.equal((await driver.ask(command)).fault, 'argument', JSON.stringify(command))
    assert.deepEqual(proxy.seen, [])
    // An id is one part of the path, whatever it is made of.
    assert.equal((await driver.ask({ call: 'intents.retrieve', args: ['../wallets'] })).fault, 'error 404 not_found')
    assert.deepEqual(
      proxy.seenAt('/intents/').map(({ path }) => path),
      ['/api/v1/merchant/intents/..%2Fwallets/'],
    )
  },
)

// Two processes.

/** The order is started by all of them at the same moment: each has read that there is no record before one is stored. */
const startTogether = async (orderId: string, drivers: readonly Driver[]) => {
  records.meet(drivers.length)
  const order = { orderId, wallet, amount: '1500.00' }
  const all = await Promise.all(drivers.map((driver) => driver.ask({ start: order, store: records.origin })))
  for (const { fault, sentence } of all) assert.equal(fault, undefined, sentence)
  const ids = await idsOf('merchant/intents', orderId)
  assert.equal(ids.length, 1)
  assert.deepEqual(
    all.map(({ value }) => [value.state, value.intent.id, value.attempt, value.asked, value.paid]),
    all.map(() => ['pay', ids[0], 1, '1500.00', '0.00']),
  )
}

behaviour('two processes start one order at once: one intent, one checkout', async (place) => {
  const { driver, proxy } = place
  const second = place.second()
  await open({ driver: second, proxy })
  await startTogether(orderOf(place, 'double'), [driver, second])
  assert.equal(new Set(postsAt(proxy, '/intents/').map((post) => post.key)).size, 1)
  const order = orderOf(place, 'double-checkout')
  const command: Command = {
    call: 'checkouts.create',
    args: [{ amount: '300.00', external_order_id: order }],
    key: orderOf(place, 'double-key'),
  }
  const made = await Promise.all([driver, second].map((one) => one.ask(command)))
  for (const { fault, sentence } of made) assert.equal(fault, undefined, sentence)
  const [id] = await idsOf('checkout/sessions', order)
  assert.deepEqual(
    made.map(({ value }) => value.id),
    [id, id],
  )
})

test('processes in every language start one order at once, with one store: one intent', async () => {
  for (const place of places.values()) {
    place.proxy.reset()
    await open(place)
  }
  await startTogether(
    'every-language',
    [...places.values()].map(({ driver }) => driver),
  )
})

// Webhooks.

const at = 1767323170
const text = '{"event":"payment.verified","order_id":"A-1","amount":"1500.00","note":"شكراً"}'
const signature = (secret: string, body = text, time = at): string =>
  createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
const verify = (more: object): Command => {
  const header = `t=${at},v1=${signature('made-up-secret')}`
  const body = Buffer.from(text).toString('base64')
  return { verify: { body, as: 'bytes', header, secret: 'made-up-secret', now: at, ...more } }
}
const rotating = `t=${at},v1=${signature('the-new-secret')},v1=${signature('made-up-secret')}`

behaviour(
  'webhooks: a wrong clock, a forged body, another secret, and two signatures during a rotation',
  async ({ driver }) => {
    const forged = Buffer.from(text.replace('1500', '9500')).toString('base64')
    const cases: [object, string | undefined][] = [
      [{}, undefined],
      [{ now: at + 300 }, undefined],
      [{ now: at + 301 }, 'webhook too_old'],
      [{ now: at - 301 }, 'webhook too_new'],
      [{ now: at + 3000, tolerance: 3600 }, undefined],
      [{ now: at - 3000, tolerance: 3600 }, undefined],
      [{ now: at + 1, tolerance: 0 }, 'webhook too_old'],
      [{ body: forged }, 'webhook no_match'],
      [{ body: forged, now: at + 3000 }, 'webhook no_match'],
      [{ secret: 'another' }, 'webhook no_match'],
      [{ header: rotating }, undefined],
      [{ header: rotating, secret: 'the-new-secret' }, undefined],
      [{ header: rotating, secret: 'another' }, 'webhook no_match'],
      [{ secret: ['the-new-secret', 'made-up-secret'] }, undefined],
      [{ header: null }, 'webhook missing_header'],
      [{ header: `t=${at}` }, 'webhook malformed_header'],
      [{ secret: '' }, 'argument'],
      [{ secret: [] }, 'argument'],
    ]
    for (const [more, fault] of cases) {
      const done = await driver.ask(verify(more))
      assert.equal(done.fault, fault, JSON.stringify(more))
      if (fault === undefined) assert.deepEqual(done.value, JSON.parse(text))
    }
  },
)
