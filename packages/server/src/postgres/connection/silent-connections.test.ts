import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDead, type Testimony } from './silent-connections.ts'

const said = (state: string, waitsFor = '', since_ms = 5_000, more: Partial<Testimony> = {}): Testimony => ({
  address: 'a:5432',
  knowsPids: true,
  states: new Map([[7, { state, waitsFor, since_ms }]]),
  ...more,
})
const silent = { pid: 7, address: 'a:5432' }

test('a statement that runs or waits for a lock is not dead, however long it takes', () => {
  assert.equal(isDead(silent, said('active')), false)
  assert.equal(isDead(silent, said('active', 'transactionid', 3_600_000)), false)
  assert.equal(isDead(silent, said('active', 'SyncRep', 60_000)), false)
})

test('a connection on which PostgreSQL waits for us while we wait for it is dead', () => {
  for (const state of ['idle', 'idle in transaction', 'idle in transaction (aborted)'])
    assert.equal(isDead(silent, said(state)), true)
  assert.equal(isDead(silent, said('active', 'ClientRead')), true)
  assert.equal(isDead(silent, said('active', 'ClientWrite')), true)
})

test('an answer that was sent a moment ago may still arrive', () => {
  assert.equal(isDead(silent, said('idle', '', 20)), false)
})

test('a connection that PostgreSQL does not know is dead, unless a pooler gave it another number', () => {
  assert.equal(isDead({ ...silent, pid: 8 }, said('active')), true)
  assert.equal(isDead({ ...silent, pid: 8 }, said('active', '', 0, { knowsPids: false })), false)
})

test('a connection to a host that no longer accepts writes is dead', () => {
  assert.equal(isDead({ ...silent, address: 'b:5432' }, said('active')), true)
})

test('a PostgreSQL that keeps no record of what its sessions do says nothing against one', () => {
  assert.equal(isDead(silent, said('disabled')), false)
})
