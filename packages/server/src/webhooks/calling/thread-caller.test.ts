import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReceiverFault } from '../../../test/support/servers/hostile-receivers.ts'
import { useHostileReceivers } from '../../../test/support/servers/use-hostile-receivers.ts'
import { readCidrs } from '../../core/cidr.ts'
import type { ThreadOptions } from './call-message.ts'
import { type CallResult, receiverCaller } from './call-receiver.ts'
import { threadCaller } from './thread-caller.ts'

const { receivers, opened } = await useHostileReceivers()

const loopback = readCidrs('127.0.0.0/8')
assert.ok(loopback.ok)
const options: ThreadOptions = {
  development: true,
  allow: loopback.list,
  timeouts: { dns_ms: 5000, connect_ms: 5000, first_byte_ms: 1000, total_ms: 5000 },
  bounds: { read_bytes: 65_536, kept_bytes: 4_096 },
  nameServers: [],
}
const request = (url: string) => ({ url, headers: { 'X-Shop': 'bakery' }, body: '{"amount":"١٥٠٠.00"}' })

/** A result in which each duration is replaced by whether it was measured. */
const withoutDurations = ({ took, ...result }: CallResult) => ({
  ...result,
  took: Object.entries(took).map(([name, ms]) => [name, ms === null]),
})

test('a call on the thread has the same result as a direct call', async () => {
  const [onThread, direct] = [opened(threadCaller(options)), opened(receiverCaller(options))]
  const faults: ReceiverFault[] = ['ok', 'redirect', 'slow-first-byte']
  const urls = [...faults.map((fault) => receivers.url(fault)), 'http://10.0.0.1/', 'no address']
  for (const url of urls)
    assert.deepEqual(
      withoutDurations(await onThread.call(request(url))),
      withoutDurations(await direct.call(request(url))),
      url,
    )
})

test('a call on the thread sends the same bytes and headers, and uses a connection again', async () => {
  const { call } = opened(threadCaller(options))
  const visitsBefore = receivers.visits.length
  for (let n = 0; n < 3; n++) assert.equal((await call(request(receivers.url('ok')))).outcome, 'ok')
  const visits = receivers.visits.slice(visitsBefore)
  assert.equal(new Set(visits.map(({ connection }) => connection)).size, 1)
  for (const { headers, body } of visits) {
    assert.deepEqual(body, Buffer.from(request('').body))
    assert.equal(headers['x-shop'], 'bakery')
  }
})

test('the thread keeps as many connections as the options allow', async () => {
  const { call } = opened(threadCaller({ ...options, keptPerOrigin: 12, keptInAll: 12 }))
  const visitsBefore = receivers.visits.length
  for (let n = 0; n < 3; n++) await Promise.all(Array.from({ length: 12 }, () => call(request(receivers.url('ok')))))
  assert.equal(new Set(receivers.visits.slice(visitsBefore).map(({ connection }) => connection)).size, 12)
})

test('each of many concurrent calls has its own result', async () => {
  // On a busy machine the first byte of the last of them comes late.
  const timeouts = { ...options.timeouts, first_byte_ms: 30_000, total_ms: 30_000 }
  const { call } = opened(threadCaller({ ...options, timeouts }))
  const urls = Array.from({ length: 200 }, (_, n) => receivers.url(n % 2 === 0 ? 'ok' : 'redirect'))
  const results = await Promise.all(urls.map((url) => call(request(url))))
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    urls.map((_, n) => (n % 2 === 0 ? 'ok' : 'redirect')),
  )
})

test('after close, a call under way still ends, and the next call starts another thread', async () => {
  const caller = opened(threadCaller(options))
  const slow = caller.call(request(receivers.url('slow-first-byte')))
  caller.close()
  assert.equal((await slow).outcome, 'timeout')
  assert.equal((await caller.call(request(receivers.url('ok')))).outcome, 'ok')
})

test('a thread that crashes fails its calls under way, and the next call starts another', async () => {
  // Without timeouts the thread crashes as soon as it has started.
  const broken: { timeouts: ThreadOptions['timeouts'] | undefined } = { ...options, timeouts: undefined }
  const caller = opened(threadCaller(broken as ThreadOptions))
  const calls = [caller.call(request(receivers.url('ok'))), caller.call(request(receivers.url('ok')))]
  for (const result of await Promise.allSettled(calls)) assert.equal(result.status, 'rejected')
  // The next thread is started with the present options.
  broken.timeouts = options.timeouts
  assert.equal((await caller.call(request(receivers.url('ok')))).outcome, 'ok')
})
