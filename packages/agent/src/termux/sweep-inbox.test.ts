import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { rulesOf } from './agent-config.ts'
import type { SmsRow } from './phone/sms-row.ts'
import { openStore } from './store/agent-store.ts'
import { historyBeforePairing_ms, isWholeReadingDue, sweepInbox } from './sweep-inbox.ts'
import { version } from './version.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-sweep-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let files = 0

const hour_ms = 3_600_000
const day_ms = 24 * hour_ms
const now = Date.parse('2026-03-01T12:00:00Z')
const local = (instant: number) => new Date(instant).toISOString().slice(0, 19).replace('T', ' ')
const message = (id: number, at: number, sender = 'Jaib'): SmsRow => ({
  id,
  sender,
  text: `message ${id}`,
  received: local(at),
})

const phone = (rows: SmsRow[], senders = ['Jaib']) => {
  const store = openStore(join(folder, `${++files}.db`), { now, isNew: true })
  const setSenders = (names: readonly string[]) =>
    store.setState({ config: JSON.stringify({ senders: names.map((name) => ({ name, sim_slot: '' })) }) })
  setSenders(senders)
  const list = async (limit: number, offset: number) => ({
    rows: rows
      .toSorted((one, other) => (one.received < other.received ? 1 : -1))
      .slice(offset, offset + limit)
      .reverse(),
    leftOut: [],
  })
  return {
    store,
    setSenders,
    sweep: (more: { whole?: boolean; most?: number; at?: number; pairedAt?: number } = {}) => {
      const { whole = false, at = now, pairedAt = now, most } = more
      const historyFrom = pairedAt - historyBeforePairing_ms
      return sweepInbox(store, list, {
        historyFrom,
        zone: 'UTC',
        now: at,
        whole,
        ...(most === undefined ? {} : { most }),
      })
    },
    queued: () => store.oldest(1000, 1e9).map(({ report }) => report.text.replace('message ', '')),
  }
}

test('the first sweep reports the last hour; later ones report everything that is new, whatever its date', async () => {
  const rows = [message(1, now - 5 * hour_ms), message(2, now - hour_ms / 2), message(3, now - 1000, 'Other')]
  const { sweep, queued } = phone(rows)
  await sweep()
  assert.deepEqual(queued(), ['2'])
  rows.push(message(4, 0), message(5, now))
  await sweep({ whole: true })
  assert.deepEqual(queued(), ['2', '4', '5'])
})

test('a store that was lost: the messages since the pairing are reported again, of 30 days at most', async () => {
  const rows = [
    message(1, now - 100 * day_ms),
    message(2, now - 31 * day_ms),
    message(3, now - 29 * day_ms),
    message(4, now),
  ]
  const longAgo = phone(rows)
  await longAgo.sweep({ pairedAt: now - 90 * day_ms })
  assert.deepEqual(longAgo.queued(), ['3', '4'])
  const recently = phone(rows)
  await recently.sweep({ pairedAt: now - day_ms })
  assert.deepEqual(recently.queued(), ['4'])
})

test('a full queue leaves messages in the inbox, the oldest come first, and nothing is skipped', async () => {
  const rows = Array.from({ length: 250 }, (_, i) => message(i + 1, now - 1000))
  const { sweep, queued, store } = phone(rows)
  const arrived: string[] = []
  for (let round = 0; round < 5; round++) {
    await sweep({ most: 60 })
    assert.equal(store.state('problem_queue'), round < 4 ? 'full' : undefined)
    arrived.push(...queued())
    store.remove(store.oldest(1000, 1e9).map(({ report }) => report.client_id))
  }
  assert.deepEqual(
    arrived,
    rows.map(({ id }) => String(id)),
  )
})

test('a new sender: its messages of the last day are reported, older ones are not', async () => {
  const paired = { pairedAt: now - 10 * day_ms }
  const rows = [message(1, now - 3 * day_ms, 'New'), message(2, now - hour_ms, 'New'), message(3, now, 'Other')]
  const { sweep, queued, store, setSenders } = phone(rows)
  await sweep(paired)
  assert.equal(isWholeReadingDue(store, now), false)
  setSenders(['Jaib', 'New'])
  store.setState({ reread_since: String(now) })
  assert.equal(isWholeReadingDue(store, now), true)
  await sweep({ ...paired, whole: true })
  assert.deepEqual(queued(), ['2'])
  assert.equal(isWholeReadingDue(store, now), false)
})

test('the whole inbox is read once a day, and when the clock was set back', async () => {
  const { sweep, store } = phone([])
  assert.equal(isWholeReadingDue(store, now), true)
  await sweep()
  assert.deepEqual(
    [now, now + day_ms - 1, now + day_ms, now - 1].map((at) => isWholeReadingDue(store, at)),
    [false, false, true, true],
  )
})

test('the parts of a configuration that cannot be used are left out or replaced by defaults', () => {
  for (const config of [null, 7, 'x', [], { senders: 7, packages: { a: 1 } }, { senders: [null, { name: 7 }, {}] }]) {
    const { senders, packages, heartbeat_ms, perRequest } = rulesOf(config)
    assert.deepEqual([senders.size, packages.size, heartbeat_ms, perRequest], [0, 0, 60_000, 100])
  }
  const rules = rulesOf({
    heartbeat_s: 0,
    alerts_per_request: 5000,
    packages: [{ name: 'a.b', sender: 'A' }, { name: 'c' }],
  })
  assert.deepEqual([rules.heartbeat_ms, rules.perRequest, [...rules.packages]], [15_000, 100, [['a.b', 'A']]])
})

test('the version of the agent is that in its package.json', () => {
  const { version: packaged } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  assert.equal(version, packaged)
})
