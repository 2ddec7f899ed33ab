import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pendingMigrations } from './migrate.ts'

const file = (name: string, hash: string, former: readonly string[] = []) => ({ name, hash, sql: '', former })

test('migrations that have not run are pending, in order', () => {
  const files = [file('0001_a.sql', 'a'), file('0002_b.sql', 'b')]
  assert.deepEqual(pendingMigrations(files, [{ name: '0001_a.sql', hash: 'a' }]), [files[1]])
})

test('if a migration was changed after it ran, no migration may run', () => {
  assert.match(
    JSON.stringify(pendingMigrations([file('0001_a.sql', 'x')], [{ name: '0001_a.sql', hash: 'a' }])),
    /ran another text of migrations\/0001_a\.sql than any release has/,
  )
})

test('a database that ran an earlier text of a file, which differed in comments only, is as good', () => {
  const files = [file('0001_a.sql', 'a', ['a1', 'a2']), file('0002_b.sql', 'b', ['b1'])]
  assert.deepEqual(pendingMigrations(files, [{ name: '0001_a.sql', hash: 'a2' }]), [files[1]])
  assert.ok('wrong' in pendingMigrations(files, [{ name: '0001_a.sql', hash: 'b1' }]))
})

test('an older version runs no migration on the database of a newer one', () => {
  assert.match(JSON.stringify(pendingMigrations([], [{ name: '0001_a.sql', hash: 'a' }])), /run a newer version/)
})
