import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { NativeAlert, NativeClient } from '../native-client.ts'
import { Refused, Unreachable } from '../post.ts'
import { retryDelay_ms } from './backoff.ts'
import { newBackoff, sendAll } from './send-reports.ts'
import { openStore } from './store/agent-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-send-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

const refusal = (status: number, code: string, retryAfter_ms?: number) =>
  new Refused(`The service answered ${status}`, { status, text: '', retryAfter_ms }, code)
const config = { version: 5, heartbeat_s: 60, alerts_per_request: 100, senders: [{ name: 'Jaib', sim_slot: '' }] }

/** A store with `count` reports, and a service that answers as the test says. */
const story = (count: number) => {
  const store = openStore(join(folder, `${++files}.db`), { now: 1, isNew: true })
  store.setState({ config: JSON.stringify(config) })
  const report = (n: number): NativeAlert => ({
    client_id: `sms-${n}`,
    kind: 'sms',
    sender: 'Jaib',
    text: `text ${n}`,
    received_at: n,
  })
  store.addRows(Array.from({ length: count }, (_, n) => ({ key: String(n), report: report(n) })))
  const calls: string[][] = []
  let beats = 0
  let now = 1_000_000
  let beatAt = Number.NEGATIVE_INFINITY
  const backoff = newBackoff()
  let fault: ((ids: readonly string[]) => Error | undefined) | undefined
  let selfTest: number | null | undefined
  let served: { version: number; senders: { name: string; sim_slot: string }[] } = config
  const client: NativeClient = {
    async alerts(alerts) {
      const ids = alerts.map((one) => one.client_id)
      calls.push(ids)
      const thrown = fault?.(ids)
      if (thrown !== undefined) throw thrown
      const results = ids.map((client_id) => ({ client_id, status: 'accepted' as const }))
      return { results, server_time: 0, switched_on: true, config_version: served.version }
    },
    async heartbeat() {
      const thrown = fault?.([])
      if (thrown !== undefined) throw thrown
      beats++
      const more = selfTest === undefined ? {} : { self_test_until: selfTest }
      const { version } = served
      return { server_time: 0, switched_on: true, config_version: version, config: { ...config, ...served }, ...more }
    },
  }
  const health = async () => ({})
  const onBeat = (at: number) => {
    beatAt = at
  }
  return {
    store,
    calls,
    backoff,
    beats: () => beats,
    wait: (ms: number) => {
      now += ms
    },
    fails: (next: typeof fault) => {
      fault = next
    },
    tests: (until: typeof selfTest) => {
      selfTest = until
    },
    serves: (next: typeof served) => {
      served = next
    },
    send: () => sendAll(store, client, { health, now: () => now, random: () => 0, backoff, beatAt, onBeat }),
  }
}

test('the queue is sent in batches, the oldest first, and a heartbeat once a minute', async () => {
  const { send, calls, beats, store, wait } = story(250)
  assert.equal(await send(), 'sent')
  assert.deepEqual(
    calls.map((ids) => [ids.length, ids[0]]),
    [
      [100, 'sms-0'],
      [100, 'sms-100'],
      [50, 'sms-200'],
    ],
  )
  await send()
  assert.deepEqual([store.depth(), beats()], [0, 1])
  wait(60_000)
  await send()
  assert.equal(beats(), 2)
})

test('a busy service is left alone for as long as it asks, then for longer and longer', async () => {
  const { send, fails, calls, wait, backoff, store } = story(1)
  fails(() => refusal(503, 'unavailable', 60_000))
  assert.equal(await send(), 'failed')
  wait(59_999)
  assert.equal(await send(), 'waiting')
  assert.equal(calls.length, 1)
  fails(() => new Unreachable('Nothing answers.'))
  wait(1)
  assert.equal(await send(), 'failed')
  assert.equal(backoff.failures, 2)
  assert.equal(store.state('problem_server'), 'unreachable')
  fails(undefined)
  wait(300_000)
  assert.equal(await send(), 'sent')
  assert.deepEqual([backoff.failures, backoff.retry_at, store.state('problem_server')], [0, undefined, undefined])
})

test('after a call that failed the next one is smaller, until calls pass again', async () => {
  const { send, fails, calls, wait } = story(400)
  fails((ids) => (ids.length > 10 ? new Unreachable('too slow') : undefined))
  for (let i = 0; i < 3; i++) {
    await send()
    wait(300_000)
  }
  assert.deepEqual(
    calls.map((ids) => ids.length),
    [100, 25, 7, 14],
  )
  fails(undefined)
  await send()
  assert.deepEqual(
    calls.slice(4).map((ids) => ids.length),
    [4, 8, 16, 32, 64, 100, 100, 69],
  )
  assert.deepEqual(calls[4]![0], 'sms-7')
})

test('delays double up to five minutes, with a random part', () => {
  assert.deepEqual(
    [1, 2, 3, 9, 50].map((failures) => retryDelay_ms(failures, 1)),
    [2_000, 4_000, 8_000, 300_000, 300_000],
  )
  assert.equal(retryDelay_ms(3, 0), 4_000)
  assert.equal(retryDelay_ms(1, 0, 7_000), 7_000)
  assert.equal(retryDelay_ms(1, 0, 86_400_000), 300_000)
})

test('a refused phone stops sending, keeps everything, and asks again later', async () => {
  const { send, fails, calls, wait, store } = story(3)
  fails(() => refusal(401, 'authentication_failed'))
  assert.equal(await send(), 'revoked')
  wait(60_000)
  assert.equal(await send(), 'waiting')
  wait(15 * 60_000)
  assert.equal(await send(), 'revoked')
  assert.equal(calls.length, 1, 'the second time only a heartbeat asks')
  assert.equal(store.depth(), 3)
  fails(undefined)
  wait(15 * 60_000)
  assert.equal(await send(), 'sent')
  assert.deepEqual([store.depth(), store.state('revoked_at')], [0, undefined])
})

test('what another server answers does not count as a refusal', async () => {
  for (const status of [401, 404, 413, 302]) {
    const { send, fails, store } = story(2)
    fails(() => refusal(status, ''))
    assert.equal(await send(), 'failed')
    assert.deepEqual([store.depth(), store.refused(), store.state('problem_server')], [2, 0, 'unreachable'])
  }
})

test('a report that the service cannot take is found and put aside; the others are sent', async () => {
  const { send, fails, store } = story(100)
  fails((ids) => (ids.includes('sms-37') ? refusal(400, 'invalid') : undefined))
  assert.equal(await send(), 'sent')
  assert.deepEqual([store.depth(), store.refused()], [0, 1])
})

test('a new configuration is fetched at once; new senders make the inbox be read again', async () => {
  const { send, serves, store } = story(1)
  await send()
  serves({ version: 6, senders: [...config.senders, { name: 'Jawali', sim_slot: '' }] })
  store.addRows([{ key: 'x', report: { client_id: 'x', kind: 'sms', sender: 'Jaib', text: 'x', received_at: 1 } }])
  await send()
  assert.equal(JSON.parse(store.state('config')!).version, 6)
  assert.ok(store.number('reread_since'))
})

test('a self-test announced in the answer to a heartbeat gets one test message, at once', async () => {
  const { send, calls, tests, wait, store } = story(0)
  tests(null)
  assert.equal(await send(), 'sent')
  assert.deepEqual(calls, [])
  for (const until of [1_800_000_600, 1_800_000_600, 1_800_001_200]) {
    tests(until)
    wait(60_000)
    assert.equal(await send(), 'sent')
  }
  assert.deepEqual(calls, [['self-test-1800000600'], ['self-test-1800001200']])
  assert.equal(store.depth(), 0)
})
