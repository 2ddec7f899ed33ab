/** The sentence of an audit entry, and the differences that are shown. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { type AuditEntry, differencesOf, knownActions, sentenceOf } from './audit-sentence.ts'

const entry = (fields: Partial<AuditEntry>): AuditEntry => ({
  id: '0',
  at: '2026-01-02T06:04:05+03:00',
  user: null,
  actor: 'Amal <amal@sanad.example>',
  via: 'session',
  action: 'wallet.update',
  kind: 'wallet',
  object: '0f2ab5c4-0000-4000-8000-000000000000',
  before: null,
  after: null,
  address: '',
  agent: '',
  ...fields,
})
const translate = (key: string, values: object = {}): string => `${key} ${Object.values(values).join('|')}`

test('a sentence contains the user and the current name of the record', () => {
  const changed = entry({ before: { name: 'Old' }, after: { name: 'Main wallet' } })
  assert.equal(sentenceOf(changed, translate), 'audit.did.wallet.update Amal|Main wallet')
})

test('a deleted record keeps its name, and one without a name is shown by its id', () => {
  assert.match(sentenceOf(entry({ before: { name: 'Old phone' } }), translate), /Old phone$/)
  assert.match(sentenceOf(entry({}), translate), /0f2ab5c4$/)
})

test('a change by a command is the operator’s, in the reader’s language', () => {
  const changed = entry({ via: 'command', actor: 'the operator', after: { name: 'Main wallet' } })
  assert.equal(sentenceOf(changed, translate), 'audit.did.wallet.update audit.operator |Main wallet')
})

test('an action without a sentence is shown by its key', () => {
  assert.equal(sentenceOf(entry({ action: 'moon.move' }), translate), 'audit.fallback Amal|0f2ab5c4|moon.move')
})

test('only differing fields are shown, and all fields of a new record', () => {
  assert.deepEqual(differencesOf({ before: { name: 'A', on: true }, after: { name: 'A', on: false } }), [
    { field: 'on', before: 'true', after: 'false' },
  ])
  assert.deepEqual(differencesOf({ before: null, after: { role: 'cashier', senders: ['A'] } }), [
    { field: 'role', before: '', after: 'cashier' },
    { field: 'senders', before: '', after: '["A"]' },
  ])
  assert.deepEqual(differencesOf({ before: null, after: null }), [])
})

test('every audited action has a sentence, and every sentence has an audited action', () => {
  const server = resolve(import.meta.dirname, '../../../../server/src')
  const code = globSync('**/*.ts', { cwd: server, exclude: (path) => path.endsWith('.test.ts') })
    .map((path) => readFileSync(join(server, path), 'utf8'))
    .join('\n')
  const audited = [...code.matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g)].map(([, action]) => action!)
  assert.ok(audited.length > 30)
  assert.deepEqual(
    [...new Set(audited)].filter((action) => !knownActions.includes(action)),
    [],
  )
  assert.deepEqual(
    knownActions.filter((action) => !code.includes(`'${action}'`)),
    [],
  )
})
