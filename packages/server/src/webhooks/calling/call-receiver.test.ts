import '../../../test/runner/own-process.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RETRY_DATE, type ReceiverFault } from '../../../test/support/servers/hostile-receivers.ts'
import { useHostileReceivers } from '../../../test/support/servers/use-hostile-receivers.ts'
import { readCidrs } from '../../core/cidr.ts'
import { verdictOf } from '../sending/schedule.ts'
import {
  type CallerOptions,
  type CallRequest,
  type CallResult,
  type ReceiverCaller,
  receiverCaller,
} from './call-receiver.ts'

const { receivers, opened } = await useHostileReceivers()

const loopback = readCidrs('127.0.0.0/8')
assert.ok(loopback.ok)
const allow = loopback.list
const longTimeouts = { dns_ms: 5000, connect_ms: 5000, first_byte_ms: 5000, total_ms: 5000 }

const caller = (options: Partial<CallerOptions> = {}): ReceiverCaller =>
  opened(receiverCaller({ development: true, allow, timeouts: longTimeouts, ...options }))
const body = '{"event":"payment.verified"}'
const post = (
  url: string,
  options: Partial<CallerOptions> = {},
  request: Partial<CallRequest> = {},
): Promise<CallResult> =>
  caller(options).call({ url, headers: { 'content-type': 'application/json' }, body, ...request })
const callReceiver = (fault: ReceiverFault, options: Partial<CallerOptions> = {}): Promise<CallResult> =>
  post(receivers.url(fault), options)
const requestsTo = (fault: ReceiverFault) => receivers.visits.filter(({ path }) => path === `/${fault}`)
const allClosed = (): Promise<void> => receivers.untilOpen(0)

test('an answer of 2xx is ok, with its body, its times and the address that gave it', async () => {
  const result = await callReceiver('ok')
  assert.equal(result.outcome, 'ok')
  assert.equal(result.status, 200)
  assert.deepEqual(result.headers, { 'content-type': 'text/plain' })
  assert.equal(result.body, 'thank you')
  assert.equal(result.whole, true)
  assert.equal(result.error, undefined)
  assert.equal(result.address, '127.0.0.1')
  assert.equal(result.took.dns_ms, null)
  for (const stage of ['connect_ms', 'first_byte_ms', 'total_ms'] as const) assert.ok(result.took[stage]! >= 0)
  assert.equal((await callReceiver('no-content')).outcome, 'ok')
  assert.equal((await callReceiver('early-hints')).body, 'at last')
})

test('the receiver gets the bytes and headers unchanged, except headers of the connection', async () => {
  await post(
    `${receivers.url('ok')}?a=%20b`,
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
  const { path, headers, body: received } = receivers.visits.at(-1)!
  assert.equal(path, '/ok?a=%20b')
  assert.deepEqual(received, Buffer.from(body))
  assert.deepEqual(headers, {
    'accept-encoding': 'identity',
    connection: 'keep-alive',
    'content-length': String(body.length),
    'content-type': 'application/json',
    host: `127.0.0.1:${receivers.port}`,
    'x-service-signature': 't=1,v1=ab',
  })
})

test('an answer of 4xx or 5xx has the outcome `status`, with its sentence', async () => {
  const gone = await callReceiver('gone')
  assert.deepEqual([gone.outcome, gone.status, gone.error], ['status', 410, 'The receiver answered 410.'])
  assert.equal(verdictOf(gone.result, 0).kind, 'failed')
  const broken = await callReceiver('broken')
  assert.deepEqual([broken.outcome, broken.status, broken.body], ['status', 500, 'sorry'])
})

test('Retry-After is read in both of its forms', async () => {
  const now = Date.parse(RETRY_DATE) - 90_000
  for (const [fault, retryAfter_s] of [
    ['busy-seconds', 120],
    ['busy-date', 90],
  ] as const) {
    const { outcome, result } = await callReceiver(fault)
    assert.equal(outcome, 'status')
    assert.deepEqual(verdictOf(result, now), { kind: 'failed', reason: 'busy', misconfigured: false, retryAfter_s })
  }
})

test('a redirect is not followed, and its target is shown', async () => {
  const redirected = await callReceiver('redirect')
  assert.equal(redirected.outcome, 'redirect')
  assert.equal(redirected.status, 302)
  assert.equal(redirected.headers.location, 'http://169.254.169.254/latest/meta-data/')
  assert.match(redirected.error!, /a redirect to http:\/\/169\.254\.169\.254/)
  const before = requestsTo('ok').length
  assert.equal((await callReceiver('redirect-to-ok')).outcome, 'redirect')
  assert.equal(requestsTo('ok').length, before)
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
    slow(
      callReceiver('slow-first-byte', { timeouts: { first_byte_ms: 50 } }),
      undefined,
      /did not answer within 0\.05 s/,
    ),
    slow(
      callReceiver('slow-first-byte', { timeouts: { total_ms: 1000 } }),
      undefined,
      /did not answer within 1 s in all/,
    ),
    slow(
      callReceiver('slow-body', { timeouts: { total_ms: 1000 } }),
      200,
      /did not finish its answer within 1 s in all/,
    ),
    slow(post(receivers.silentUrl, { timeouts: { first_byte_ms: 50 } }), undefined, /did not answer/),
    slow(
      post(receivers.silentUrl.replace('http:', 'https:'), { timeouts: { connect_ms: 900 } }),
      undefined,
      /did not finish the TLS handshake within 0\.9 s/,
    ),
    slow(
      post('http://receiver.example/', { timeouts: { total_ms: 50 }, resolve: () => new Promise(() => {}) }),
      undefined,
      /was not reached within 0\.05 s in all/,
    ),
  ])
  await allClosed()
})

test('an answer without end is cut off, and judged by its status', async () => {
  const before = process.memoryUsage().arrayBuffers
  const results = await Promise.all(Array.from({ length: 20 }, () => callReceiver('endless-body')))
  for (const result of results) {
    assert.deepEqual([result.outcome, result.status, result.whole], ['ok', 200, false])
    assert.equal(result.body.length, 16 * 1024)
  }
  assert.equal((await callReceiver('endless-refusal')).outcome, 'status')
  await allClosed()
  // The test receiver's own buffers are in this figure too.
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 * 1024 * 1024)
})

test('the beginning of a long answer is stored, and no character is cut in two', async () => {
  const { outcome, body: stored, whole } = await callReceiver('long-body')
  assert.equal(outcome, 'ok')
  assert.equal(whole, false)
  assert.equal(stored, `!${'س'.repeat(8 * 1024 - 1)}`)
})

test('a compressed answer is not decompressed', async () => {
  const { outcome, headers, body: stored } = await callReceiver('gzip-bomb')
  assert.equal(outcome, 'ok')
  assert.equal(headers['content-encoding'], 'gzip')
  assert.ok(stored.length <= 16 * 1024)
})

test('a binary answer becomes a text that the database can store', async () => {
  assert.equal((await callReceiver('binary')).body, 'a\ufffd\ufffd\ufffdb')
})

test('a receiver that closes the connection or sends nonsense is a network failure with a sentence', async () => {
  for (const [fault, error] of [
    ['closes-at-once', /closed the connection before it answered|reset the connection before it answered/],
    ['closes-half-way', /in the middle of its answer|shorter or longer/],
    ['reset-half-way', /reset the connection in the middle of its answer/],
    ['huge-headers', /more than 16 KiB of headers/],
    ['not-http', /something that is not HTTP/],
    ['switches-protocols', /closed the connection/],
  ] as const) {
    const result = await callReceiver(fault)
    assert.deepEqual([result.outcome, result.result.kind], ['network', 'network'], fault)
    assert.match(result.error!, error, fault)
  }
  const unreachable = await post(receivers.emptyUrl)
  assert.deepEqual(
    [unreachable.outcome, unreachable.error],
    ['network', 'Nothing listens at the receiver: the connection was refused.'],
  )
})

test('a second, unrequested answer is not taken for the answer to the next request', async () => {
  const { call } = caller()
  const url = receivers.url('two-answers')
  for (let n = 0; n < 3; n++) assert.equal((await call({ url, headers: {}, body })).status, 200)
})

test('a certificate of an unknown authority is refused, and nothing is sent', async () => {
  const before = receivers.visits.length
  const resolve = () => Promise.resolve([{ address: '127.0.0.1' }])
  const url = (host: string) => `https://${host}:${receivers.secure.port}/ok`
  const result = await post(url('receiver.example'), { resolve })
  assert.deepEqual([result.outcome, result.address], ['tls', '127.0.0.1'])
  assert.match(result.error!, /self-signed/)
  const other = await post(url('other.example'), { resolve, ca: receivers.secure.certificate })
  assert.equal(other.outcome, 'tls')
  assert.match(other.error!, /for another host/)
  assert.match((await post(`https://127.0.0.1:${receivers.port}/ok`)).error!, /does not speak TLS/)
  assert.equal(receivers.visits.length, before)
})

test('over TLS the host name is used for SNI, for the check of the certificate and in Host', async () => {
  const resolve = () => Promise.resolve([{ address: '127.0.0.1' }])
  const url = `https://receiver.example:${receivers.secure.port}/ok`
  const result = await post(url, { development: false, resolve, ca: receivers.secure.certificate })
  assert.deepEqual([result.outcome, result.address, result.error], ['ok', '127.0.0.1', undefined])
  assert.equal(receivers.secure.names.at(-1), 'receiver.example')
  assert.equal(receivers.visits.at(-1)!.headers.host, `receiver.example:${receivers.secure.port}`)
})

test('a connection is used again, and cookies are not stored', async () => {
  const { call } = caller()
  for (let n = 0; n < 3; n++) await call({ url: receivers.url('cookie'), headers: {}, body })
  const visits = requestsTo('cookie')
  assert.equal(new Set(visits.map(({ connection }) => connection)).size, 1)
  assert.ok(visits.every(({ headers }) => headers.cookie === undefined))
  const again = await call({ url: receivers.url('cookie'), headers: {}, body })
  assert.deepEqual([again.took.dns_ms, again.took.connect_ms, again.address], [null, null, '127.0.0.1'])
})

test('no more connections stay open than allowed, and none after closing', async () => {
  await allClosed()
  const limited = caller({ keptPerOrigin: 2 })
  const sixAtOnce = async (): Promise<Set<number>> => {
    const before = receivers.visits.length
    await Promise.all(Array.from({ length: 6 }, () => limited.call({ url: receivers.url('ok'), headers: {}, body })))
    return new Set(receivers.visits.slice(before).map(({ connection }) => connection))
  }
  const first = await sixAtOnce()
  assert.equal(first.size, 6)
  assert.equal((await sixAtOnce()).intersection(first).size, 2)
  limited.close()
  await allClosed()
  assert.equal((await limited.call({ url: receivers.url('ok'), headers: {}, body })).outcome, 'ok')
  await allClosed()
})

test('a call over a kept connection that the receiver has closed is sent again over a new one', async () => {
  const { call } = caller()
  for (let n = 0; n < 20; n++) {
    assert.equal((await call({ url: receivers.url('ok'), headers: {}, body })).outcome, 'ok')
    for (const socket of receivers.open) socket.destroy()
  }
  for (let n = 0; n < 3; n++)
    assert.equal((await call({ url: receivers.url('ok-and-closes'), headers: {}, body })).outcome, 'ok')
})

test('a header that cannot be sent is refused, and nothing throws', async () => {
  const result = await post(receivers.url('ok'), {}, { headers: { 'x-a': 'b\r\nhost: c' } })
  assert.equal(result.outcome, 'refused')
  assert.match(result.error!, /could not be formed/)
})
