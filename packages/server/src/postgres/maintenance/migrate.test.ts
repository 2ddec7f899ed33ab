import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pendingMigrations } from './migrate.ts'

const file = (name: string, hash: string) => ({ name, hash, sql: '' })

test('migrations that have not run are pending, in order', () => {
  const files = [file('0001_a.sql', 'a'), file('0002_b.sql', 'b')]
  assert.deepEqual(pendingMigrations(files, [{ name: '0001_a.sql', hash: 'a' }]), [files[1]])
})

test('if a migration was changed after it ran, no migration may run', () => {
  assert.match(
    JSON.stringify(pendingMigrations([file('0001_a.sql', 'x')], [{ name: '0001_a.sql', hash: 'a' }])),
    /0001_a\.sql was changed after it ran/,
  )
})

test('an older version runs no migration on the database of a newer one', () => {
  assert.match(JSON.stringify(pendingMigrations([], [{ name: '0001_a.sql', hash: 'a' }])), /run a newer version/)
})
