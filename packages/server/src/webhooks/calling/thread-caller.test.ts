import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ReceiverFault } from '../../../test/support/servers/hostile-receivers.ts'
import { useHostileReceivers } from '../../../test/support/servers/use-hostile-receivers.ts'
import { readCidrs } from './address.ts'
import type { ThreadOptions } from './call-message.ts'
import { type CallResult, receiverCaller } from './call-receiver.ts'
import { threadCaller } from './thread-caller.ts'

const { receivers: zoo, opened } = await useHostileReceivers()

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

/** The result without its durations, but with which of them there are. */
const told = ({ took, ...result }: CallResult) => ({
  ...result,
  took: Object.entries(took).map(([name, ms]) => [name, ms === null]),
})

test('a call on the thread has the same result as a direct call', async () => {
  const [there, here] = [opened(threadCaller(options)), opened(receiverCaller(options))]
  const animals: ReceiverFault[] = ['ok', 'redirect', 'slow-first-byte']
  const urls = [...animals.map((animal) => zoo.url(animal)), 'http://10.0.0.1/', 'no address']
  for (const url of urls)
    assert.deepEqual(told(await there.call(request(url))), told(await here.call(request(url))), url)
})

test('the same bytes and headers arrive, and connections are kept there too', async () => {
  const { call } = opened(threadCaller(options))
  const seen = zoo.visits.length
  for (let n = 0; n < 3; n++) assert.equal((await call(request(zoo.url('ok')))).outcome, 'ok')
  const visits = zoo.visits.slice(seen)
  assert.equal(new Set(visits.map(({ connection }) => connection)).size, 1)
  for (const { headers, body } of visits) {
    assert.deepEqual(body, Buffer.from(request('').body))
    assert.equal(headers['x-shop'], 'bakery')
  }
})

test('as many connections are kept as the options say', async () => {
  const { call } = opened(threadCaller({ ...options, keptPerOrigin: 12, keptInAll: 12 }))
  const seen = zoo.visits.length
  for (let n = 0; n < 3; n++) await Promise.all(Array.from({ length: 12 }, () => call(request(zoo.url('ok')))))
  assert.equal(new Set(zoo.visits.slice(seen).map(({ connection }) => connection)).size, 12)
})

test('many calls at once each have their result', async () => {
  const { call } = opened(threadCaller(options))
  const urls = Array.from({ length: 200 }, (_, n) => zoo.url(n % 2 === 0 ? 'ok' : 'redirect'))
  const results = await Promise.all(urls.map((url) => call(request(url))))
  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    urls.map((_, n) => (n % 2 === 0 ? 'ok' : 'redirect')),
  )
})

test('closed with a call under way, that call still ends; the next starts another thread', async () => {
  const one = opened(threadCaller(options))
  const slow = one.call(request(zoo.url('slow-first-byte')))
  one.close()
  assert.equal((await slow).outcome, 'timeout')
  assert.equal((await one.call(request(zoo.url('ok')))).outcome, 'ok')
})

test('a thread that crashes fails its calls under way, and the next call starts another', async () => {
  // Without these it crashes as soon as it has started.
  const broken: { timeouts: ThreadOptions['timeouts'] | undefined } = { ...options, timeouts: undefined }
  const one = opened(threadCaller(broken as ThreadOptions))
  const calls = [one.call(request(zoo.url('ok'))), one.call(request(zoo.url('ok')))]
  for (const result of await Promise.allSettled(calls)) assert.equal(result.status, 'rejected')
  // The next one is started with the options of that time.
  broken.timeouts = options.timeouts
  assert.equal((await one.call(request(zoo.url('ok')))).outcome, 'ok')
})
