import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recentChanges } from './recent-changes.ts'

test('an account that changed is recent for as long as a replica may lack it', () => {
  const changes = recentChanges(3_000)
  assert.equal(changes.isRecent('a', 0), false)
  changes.changed('a', 1_000)
  assert.equal(changes.isRecent('a', 4_000), true)
  assert.equal(changes.isRecent('a', 4_001), false)
  assert.equal(changes.isRecent('b', 1_001), false)
})

test('a change of every account, or lost hints, make all of them recent', () => {
  const changes = recentChanges(3_000)
  changes.changed('a', 0)
  changes.changed(undefined, 10_000)
  assert.equal(changes.isRecent('a', 10_001), true)
  assert.equal(changes.isRecent('b', 13_000), true)
  assert.equal(changes.isRecent('b', 13_001), false)
  changes.changed('b', 20_000)
  assert.equal(changes.isRecent('b', 20_001), true)
  assert.equal(changes.isRecent('a', 20_001), false)
})

test('with very many accounts old ones are forgotten, recent ones are not', () => {
  const changes = recentChanges(10)
  for (let n = 0; n < 30_000; n++) changes.changed(`account ${n}`, n)
  assert.equal(changes.isRecent('account 29995', 30_000), true)
  assert.equal(changes.isRecent('account 5', 30_000), false)
})
