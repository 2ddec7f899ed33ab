import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDead, type SessionReport } from './silent-connections.ts'

const report = (state: string, waitsFor = '', since_ms = 5_000, more: Partial<SessionReport> = {}): SessionReport => ({
  address: 'a:5432',
  knowsPids: true,
  states: new Map([[7, { state, waitsFor, since_ms }]]),
  ...more,
})
const silent = { pid: 7, address: 'a:5432' }

test('a statement that runs or waits for a lock is not dead, however long it takes', () => {
  assert.equal(isDead(silent, report('active')), false)
  assert.equal(isDead(silent, report('active', 'transactionid', 3_600_000)), false)
  assert.equal(isDead(silent, report('active', 'SyncRep', 60_000)), false)
})

test('a connection on which both sides wait for each other is dead', () => {
  for (const state of ['idle', 'idle in transaction', 'idle in transaction (aborted)'])
    assert.equal(isDead(silent, report(state)), true)
  assert.equal(isDead(silent, report('active', 'ClientRead')), true)
  assert.equal(isDead(silent, report('active', 'ClientWrite')), true)
})

test('an answer that was sent a moment ago may still arrive', () => {
  assert.equal(isDead(silent, report('idle', '', 20)), false)
})

test('a connection that PostgreSQL does not know is dead, unless a pooler gave it another process id', () => {
  assert.equal(isDead({ ...silent, pid: 8 }, report('active')), true)
  assert.equal(isDead({ ...silent, pid: 8 }, report('active', '', 0, { knowsPids: false })), false)
})

test('a connection to a host that no longer accepts writes is dead', () => {
  assert.equal(isDead({ ...silent, address: 'b:5432' }, report('active')), true)
})

test('if PostgreSQL does not record the state of sessions, no connection counts as dead', () => {
  assert.equal(isDead(silent, report('disabled')), false)
})
