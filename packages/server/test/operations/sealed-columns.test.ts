/**
 * A rotation of the master key seals the columns of the list `sealedColumns` again. A sealed column that is missing there
 * would be lost with the old key, so the list must be complete.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { hiddenPurpose } from '../../src/alerts/hidden/hidden-text.ts'
import { sealedColumns } from '../../src/sealed-columns.ts'

const root = join(import.meta.dirname, '../../../..')
const places = sealedColumns.map(({ place }) => place)

/** This column is not on the list, because it is sealed again when a rotation begins. */
const hashKey = 'master_keys.hash_key_sealed'

/** Columns of bytes that are not sealed: hashes, and a picture. A new column of bytes must be here or on the list. */
const notSealed = [
  'alerts.fingerprint',
  'api_keys.previous_secret_hash',
  'api_keys.secret_hash',
  'checkout_keys.fingerprint',
  'checkout_pages.logo',
  'checkout_pages.logo_hash',
  'checkouts.token_hash',
  'counters.token_hash',
  'devices.ingest_token_hash',
  'devices.pairing_hash',
  'idempotency_keys.fingerprint',
  'master_keys.check_value',
  'passkey_challenges.hash',
  'passkeys.credential_id',
  'passkeys.public_key',
  'known_browsers.hash',
  'payment_links.token_hash',
  'phone_setups.token_hash',
  'push_devices.address_hash',
  'sessions.token_hash',
  'user_links.mail_token_hash',
  'user_links.token_hash',
  'users.recovery',
  'vouchers.token_hash',
]

test('every column of bytes is sealed and on the list of a rotation, or known not to be sealed', () => {
  const schema = readFileSync(join(root, 'schema.sql'), 'utf8')
  const found = schema
    .split(/^create table /m)
    .slice(1)
    .flatMap((table) => {
      const name = /^\w+/.exec(table)![0]
      return [...table.matchAll(/^ {2}(\w+) bytea/gm)].map(([, column]) => `${name}.${column}`)
    })
  assert.ok(found.length > 20)
  const sealed = found.filter((column) => !notSealed.includes(column))
  const ofBytes = places.filter((place) => place !== 'webhook_endpoints.headers')
  assert.deepEqual(sealed.sort(), [...ofBytes, hashKey].sort())
  assert.deepEqual(
    notSealed.filter((column) => !found.includes(column)),
    [],
    'columns that no longer exist',
  )
})

test('every purpose that something is sealed for has a column on the list', () => {
  const purposes = new Set<string>()
  for (const path of globSync('packages/server/src/**/*.ts', { cwd: root })) {
    if (path.endsWith('core/seal.ts') || path.endsWith('.test.ts')) continue
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, purpose] of text.matchAll(/\bsealerFor\([^,()]+,\s*([^)]+)\)/g)) purposes.add(purpose!)
    // Only sealers may seal: they follow a rotation, and this test finds them.
    if (!path.endsWith('rotate-master-key.ts'))
      assert.ok(!/import [^;]*\bseal\b[^;]*core\/seal\.ts/.test(text.replaceAll("'\n", "';\n")), path)
  }
  const known = new Map(
    [...sealedColumns.map(({ purpose }) => purpose), 'hash key'].map((purpose) => [`'${purpose}'`, purpose]),
  )
  known.set('hiddenPurpose', hiddenPurpose)
  assert.deepEqual(
    [...purposes].filter((purpose) => !known.has(purpose)),
    [],
  )
  assert.ok(purposes.size >= 7, [...purposes].join())
})
