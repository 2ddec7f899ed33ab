import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RETRY_DATE, type ReceiverFault } from '../../../test/support/servers/hostile-receivers.ts'
import { useHostileReceivers } from '../../../test/support/servers/use-hostile-receivers.ts'
import { verdictOf } from '../sending/schedule.ts'
import { readCidrs } from './address.ts'
import {
  type CallerOptions,
  type CallRequest,
  type CallResult,
  type ReceiverCaller,
  receiverCaller,
} from './call-receiver.ts'

const { receivers: zoo, opened } = await useHostileReceivers()

const loopback = readCidrs('127.0.0.0/8')
assert.ok(loopback.ok)
const allow = loopback.list
const long = { dns_ms: 5000, connect_ms: 5000, first_byte_ms: 5000, total_ms: 5000 }

const caller = (options: Partial<CallerOptions> = {}): ReceiverCaller =>
  opened(receiverCaller({ development: true, allow, timeouts: long, ...options }))
const body = '{"event":"payment.verified"}'
const post = (
  url: string,
  options: Partial<CallerOptions> = {},
  more: Partial<CallRequest> = {},
): Promise<CallResult> => caller(options).call({ url, headers: { 'content-type': 'application/json' }, body, ...more })
const visit = (animal: ReceiverFault, options: Partial<CallerOptions> = {}): Promise<CallResult> =>
  post(zoo.url(animal), options)
const visitsTo = (animal: ReceiverFault) => zoo.visits.filter(({ path }) => path === `/${animal}`)
const allGone = (): Promise<void> => zoo.untilOpen(0)

test('an answer of 2xx is ok, with its body, its times and the address that gave it', async () => {
  const result = await visit('ok')
  assert.equal(result.outcome, 'ok')
  assert.equal(result.status, 200)
  assert.deepEqual(result.headers, { 'content-type': 'text/plain' })
  assert.equal(result.body, 'thank you')
  assert.equal(result.whole, true)
  assert.equal(result.error, undefined)
  assert.equal(result.address, '127.0.0.1')
  assert.equal(result.took.dns_ms, null)
  for (const stage of ['connect_ms', 'first_byte_ms', 'total_ms'] as const) assert.ok(result.took[stage]! >= 0)
  assert.equal((await visit('no-content')).outcome, 'ok')
  assert.equal((await visit('early-hints')).body, 'at last')
})

test('the receiver gets the bytes and headers unchanged, except headers of the connection', async () => {
  await post(
    `${zoo.url('ok')}?a=%20b`,
    {},
    {
      headers: {
        'X-Service-Signature': 'custom',
        'x-service-signature': 't=1,v1=ab',
        'content-type': 'application/json',
        Host: 'other.example',
        'Accept-Encoding': 'gzip',
        Connection: 'close',
        'Transfer-Encoding': 'chunked',
        'Content-Length': '3',
        Expect: '100-continue',
      },
    },
  )
  const { path, headers, body: got } = zoo.visits.at(-1)!
  assert.equal(path, '/ok?a=%20b')
  assert.deepEqual(got, Buffer.from(body))
  assert.deepEqual(headers, {
    'accept-encoding': 'identity',
    connection: 'keep-alive',
    'content-length': String(body.length),
    'content-type': 'application/json',
    host: `127.0.0.1:${zoo.port}`,
    'x-service-signature': 't=1,v1=ab',
  })
})

test('other answers have different outcomes', async () => {
  const gone = await visit('gone')
  assert.deepEqual([gone.outcome, gone.status, gone.error], ['status', 410, 'The receiver answered 410.'])
  assert.equal(verdictOf(gone.result, 0).kind, 'failed')
  const broken = await visit('broken')
  assert.deepEqual([broken.outcome, broken.status, broken.body], ['status', 500, 'sorry'])
})

test('Retry-After comes through in both its forms', async () => {
  const now = Date.parse(RETRY_DATE) - 90_000
  for (const [animal, retryAfter_s] of [
    ['busy-seconds', 120],
    ['busy-date', 90],
  ] as const) {
    const { outcome, result } = await visit(animal)
    assert.equal(outcome, 'status')
    assert.deepEqual(verdictOf(result, now), { kind: 'failed', reason: 'busy', misconfigured: false, retryAfter_s })
  }
})

test('a redirect is not followed, and its target is shown', async () => {
  const away = await visit('redirect')
  assert.equal(away.outcome, 'redirect')
  assert.equal(away.status, 302)
  assert.equal(away.headers.location, 'http://169.254.169.254/latest/meta-data/')
  assert.match(away.error!, /a redirect to http:\/\/169\.254\.169\.254/)
  const before = visitsTo('ok').length
  assert.equal((await visit('redirect-to-ok')).outcome, 'redirect')
  assert.equal(visitsTo('ok').length, before)
})

test('a receiver that is too slow is a time-out, whichever part is slow', async () => {
  const slow = async (result: Promise<CallResult>, status: number | undefined, error: RegExp): Promise<void> => {
    const ended = await result
    assert.equal(ended.outcome, 'timeout')
    assert.equal(ended.result.kind, 'network')
    assert.equal(ended.status, status)
    assert.match(ended.error!, error)
  }
  await Promise.all([
    slow(visit('slow-first-byte', { timeouts: { first_byte_ms: 50 } }), undefined, /did not answer within 0\.05 s/),
    slow(visit('slow-first-byte', { timeouts: { total_ms: 1000 } }), undefined, /did not answer within 1 s in all/),
    slow(visit('slow-body', { timeouts: { total_ms: 1000 } }), 200, /did not finish its answer within 1 s in all/),
    slow(post(zoo.silentUrl, { timeouts: { first_byte_ms: 50 } }), undefined, /did not answer/),
    slow(
      post(zoo.silentUrl.replace('http:', 'https:'), { timeouts: { connect_ms: 900 } }),
      undefined,
      /did not finish the TLS handshake within 0\.9 s/,
    ),
    slow(
      post('http://receiver.example/', { timeouts: { total_ms: 50 }, resolve: () => new Promise(() => {}) }),
      undefined,
      /was not reached within 0\.05 s in all/,
    ),
  ])
  await allGone()
})

test('an answer without end is cut off, and judged by its status', async () => {
  const before = process.memoryUsage().arrayBuffers
  const results = await Promise.all(Array.from({ length: 20 }, () => visit('endless-body')))
  for (const result of results) {
    assert.deepEqual([result.outcome, result.status, result.whole], ['ok', 200, false])
    assert.equal(result.body.length, 16 * 1024)
  }
  assert.equal((await visit('endless-refusal')).outcome, 'status')
  await allGone()
  // The test receiver's own buffers are in this figure too.
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 * 1024 * 1024)
})

test('of a long answer the beginning is kept, and no character is cut in two', async () => {
  const { outcome, body: kept, whole } = await visit('long-body')
  assert.equal(outcome, 'ok')
  assert.equal(whole, false)
  assert.equal(kept, `!${'س'.repeat(8 * 1024 - 1)}`)
})

test('a compressed answer is not decompressed', async () => {
  const { outcome, headers, body: kept } = await visit('gzip-bomb')
  assert.equal(outcome, 'ok')
  assert.equal(headers['content-encoding'], 'gzip')
  assert.ok(kept.length <= 16 * 1024)
})

test('a binary answer becomes a text that the database can store', async () => {
  assert.equal((await visit('binary')).body, 'a\ufffd\ufffd\ufffdb')
})

test('a receiver that closes the connection or sends nonsense is a network failure with a sentence', async () => {
  for (const [animal, error] of [
    ['closes-at-once', /closed the connection before it answered|reset the connection before it answered/],
    ['closes-half-way', /in the middle of its answer|shorter or longer/],
    ['reset-half-way', /reset the connection in the middle of its answer/],
    ['huge-headers', /more than 16 KiB of headers/],
    ['not-http', /something that is not HTTP/],
    ['switches-protocols', /closed the connection/],
  ] as const) {
    const result = await visit(animal)
    assert.deepEqual([result.outcome, result.result.kind], ['network', 'network'], animal)
    assert.match(result.error!, error, animal)
  }
  const nobody = await post(zoo.emptyUrl)
  assert.deepEqual(
    [nobody.outcome, nobody.error],
    ['network', 'Nothing listens at the receiver: the connection was refused.'],
  )
})

test('a second, unrequested answer is not taken for the next one', async () => {
  const { call } = caller()
  const url = zoo.url('two-answers')
  for (let n = 0; n < 3; n++) assert.equal((await call({ url, headers: {}, body })).status, 200)
})

test('a certificate of an unknown authority is refused, and nothing is sent', async () => {
  const before = zoo.visits.length
  const resolve = () => Promise.resolve([{ address: '127.0.0.1' }])
  const url = (host: string) => `https://${host}:${zoo.secure.port}/ok`
  const result = await post(url('receiver.example'), { resolve })
  assert.deepEqual([result.outcome, result.address], ['tls', '127.0.0.1'])
  assert.match(result.error!, /self-signed/)
  const other = await post(url('other.example'), { resolve, ca: zoo.secure.certificate })
  assert.equal(other.outcome, 'tls')
  assert.match(other.error!, /for another host/)
  assert.match((await post(`https://127.0.0.1:${zoo.port}/ok`)).error!, /does not speak TLS/)
  assert.equal(zoo.visits.length, before)
})

test('over TLS the name is kept: in SNI, in the certificate and in Host', async () => {
  const resolve = () => Promise.resolve([{ address: '127.0.0.1' }])
  const url = `https://receiver.example:${zoo.secure.port}/ok`
  const result = await post(url, { development: false, resolve, ca: zoo.secure.certificate })
  assert.deepEqual([result.outcome, result.address, result.error], ['ok', '127.0.0.1', undefined])
  assert.equal(zoo.secure.names.at(-1), 'receiver.example')
  assert.equal(zoo.visits.at(-1)!.headers.host, `receiver.example:${zoo.secure.port}`)
})

test('a connection is used again, and cookies are not kept', async () => {
  const { call } = caller()
  for (let n = 0; n < 3; n++) await call({ url: zoo.url('cookie'), headers: {}, body })
  const visits = visitsTo('cookie')
  assert.equal(new Set(visits.map(({ connection }) => connection)).size, 1)
  assert.ok(visits.every(({ headers }) => headers.cookie === undefined))
  const again = await call({ url: zoo.url('cookie'), headers: {}, body })
  assert.deepEqual([again.took.dns_ms, again.took.connect_ms, again.address], [null, null, '127.0.0.1'])
})

test('no more connections are kept than allowed, and none after the end', async () => {
  await allGone()
  const one = caller({ keptPerOrigin: 2 })
  const sixAtOnce = async (): Promise<Set<number>> => {
    const seen = zoo.visits.length
    await Promise.all(Array.from({ length: 6 }, () => one.call({ url: zoo.url('ok'), headers: {}, body })))
    return new Set(zoo.visits.slice(seen).map(({ connection }) => connection))
  }
  const first = await sixAtOnce()
  assert.equal(first.size, 6)
  assert.equal((await sixAtOnce()).intersection(first).size, 2)
  one.close()
  await allGone()
  assert.equal((await one.call({ url: zoo.url('ok'), headers: {}, body })).outcome, 'ok')
  await allGone()
})

test('a kept connection that the receiver has closed meanwhile costs no attempt', async () => {
  const { call } = caller()
  for (let n = 0; n < 20; n++) {
    assert.equal((await call({ url: zoo.url('ok'), headers: {}, body })).outcome, 'ok')
    for (const socket of zoo.open) socket.destroy()
  }
  for (let n = 0; n < 3; n++)
    assert.equal((await call({ url: zoo.url('ok-and-closes'), headers: {}, body })).outcome, 'ok')
})

test('a header that cannot be sent is a refusal, not a fault', async () => {
  const result = await post(zoo.url('ok'), {}, { headers: { 'x-a': 'b\r\nhost: c' } })
  assert.equal(result.outcome, 'refused')
  assert.match(result.error!, /could not be formed/)
})
