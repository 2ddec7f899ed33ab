import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { NativeAlert } from '../../native-client.ts'
import { type AgentStore, openStore, type SeenRow } from './agent-store.ts'
import { sqliteCode } from './open-sqlite.ts'
import { tryLock } from './process-lock.ts'

const folder = mkdtempSync(join(tmpdir(), 'sanad-store-'))
after(() => rmSync(folder, { recursive: true, force: true }))
let files = 0
const open = (mostPages?: number): AgentStore =>
  openStore(join(folder, `${++files}.db`), { now: 1, isNew: true, ...(mostPages === undefined ? {} : { mostPages }) })

const report = (n: number, text = `text ${n}`): NativeAlert => ({
  client_id: `sms-${n}`,
  kind: 'sms',
  sender: 'Jaib',
  text,
  received_at: n,
})
const row = (n: number, text?: string): SeenRow => ({ key: String(n), report: report(n, text) })
const rows = (from: number, to: number, text?: string) =>
  Array.from({ length: to - from + 1 }, (_, i) => row(from + i, text))
const waiting = (store: AgentStore) => store.oldest(1000, 1e9).map((one) => one.report.client_id)

test('messages are queued in order, once, and leave the queue when the service has answered for them', () => {
  const store = open()
  assert.equal(store.addRows([...rows(1, 3), { key: 'other', report: undefined }]), 0)
  store.addRows([row(2)])
  assert.deepEqual(waiting(store), ['sms-1', 'sms-2', 'sms-3'])
  assert.deepEqual(['1', 'other', '9'].map(store.wasReported), [true, false, undefined])
  assert.equal(store.oldestAt(), 1)
  store.remove(['sms-1', 'sms-3'])
  assert.deepEqual([store.depth(), store.oldestAt(), waiting(store)], [1, 2, ['sms-2']])
  assert.equal(store.wasReported('1'), true)
})

test('a full queue takes what fits, the oldest first; the rest is not marked as seen', () => {
  const store = open()
  assert.equal(store.addRows(rows(1, 5), 3), 2)
  assert.deepEqual(waiting(store), ['sms-1', 'sms-2', 'sms-3'])
  assert.equal(store.wasReported('4'), undefined)
  store.remove(['sms-1', 'sms-2'])
  assert.equal(store.addRows(rows(4, 5), 3), 0)
  assert.deepEqual(waiting(store), ['sms-3', 'sms-4', 'sms-5'])
  // Messages that do not matter take no place in the queue.
  assert.equal(store.addRows([{ key: 'other', report: undefined }], 3), 0)
})

test('a full disk is an error, and nothing is half written', () => {
  const store = open(20)
  store.addRows(rows(1, 2))
  const large = 'x'.repeat(5000)
  assert.throws(
    () => store.addRows(rows(3, 60, large)),
    (fault) => sqliteCode(fault) === 13,
  )
  assert.deepEqual([waiting(store), store.wasReported('3')], [['sms-1', 'sms-2'], undefined])
  // With space on the disk again, the same messages are found again and stored.
  store.remove(['sms-1'])
  store.addRows(rows(3, 4))
  assert.deepEqual(waiting(store), ['sms-2', 'sms-3', 'sms-4'])
})

test('a batch is bounded in number and size, but has at least one report', () => {
  const store = open()
  store.addRows(rows(1, 10, 'x'.repeat(1000)))
  assert.equal(store.oldest(4, 1e9).length, 4)
  assert.equal(store.oldest(10, 3500).length, 3)
  assert.equal(store.oldest(10, 1).length, 1)
})

test('a notification is queued once while it is remembered; if the queue is full, it is counted', () => {
  const store = open()
  const shown = (n: number) => ({ ...report(n), client_id: `ntf-${n}` })
  assert.equal(store.addShown([shown(1), shown(2)], 10), 0)
  store.remove(['ntf-1', 'ntf-2'])
  assert.equal(store.addShown([shown(1), shown(2), shown(3)], 20), 0)
  assert.deepEqual(waiting(store), ['ntf-3'])
  assert.equal(store.addShown([shown(3), shown(4)], 30, 1), 1)
  store.remove(['ntf-3'])
  assert.equal(store.addShown([shown(4)], 40, 1), 0)
  assert.deepEqual(waiting(store), ['ntf-4'])
})

test('a report that the service refuses is kept and does not stop the others', () => {
  const store = open()
  store.addRows(rows(1, 3))
  store.refuse(store.oldest(1, 1)[0]!.seq)
  assert.deepEqual([waiting(store), store.depth(), store.refused()], [['sms-2', 'sms-3'], 2, 1])
})

test('deleted messages are forgotten, but not most of them at once', () => {
  const store = open()
  store.addRows(rows(1, 10))
  store.keepSeen(new Set())
  assert.equal(store.wasReported('1'), true)
  store.keepSeen(new Set(['3', '4', '5', '6', '7', '8', '9', '10']))
  assert.deepEqual(['1', '3'].map(store.wasReported), [undefined, true])
})

test('a lock is held by one process at a time, and is free again when it is released', () => {
  const path = join(folder, 'lock')
  const lock = tryLock(path)
  assert.ok(lock)
  assert.equal(tryLock(path), undefined)
  lock.release()
  const again = tryLock(path)
  assert.ok(again)
  again.release()
})
