/**
 * Every refusal code of the server has a text in both languages. The codes are those of the contract's sentences, and those in the
 * source of the body readers and of the refusal tables.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { errorSentences } from '@sanad/contract/error-sentences'
import { refusalKey, refusalText } from '../../src/parts/format/refusal-text.ts'
import { all } from '../../src/words/all.ts'

const server = resolve(import.meta.dirname, '../../../server/src')
const sources = [
  'http/body/**/*.ts',
  'http/query/**/*.ts',
  'http/routes/**/*.ts',
  'http/dashboard/**/*refusals.ts',
  'http/merchant/refusals.ts',
  'accounts/people/password-rule.ts',
  'webhooks/endpoints/endpoint.ts',
  'webhooks/calling/custom-headers.ts',
]

/** The source writes a code, or the name of a sentence, as `code: 'x'`, `no(attr, 'x'`, `field(attr, 'x'`, `changed(attr, 'x'` or `report('x'`. */
const sentences: Readonly<Record<string, readonly [code: string, sentence: string]>> = errorSentences
const codes = new Set(Object.values(sentences).map(([code]) => code))
for (const path of globSync(sources, { cwd: server })) {
  if (path.endsWith('.test.ts')) continue
  const text = readFileSync(join(server, path), 'utf8')
  for (const [, code] of text.matchAll(
    /(?:code: |\bno\(\s*(?:(?:[\w.()]+|'\w+'),\s*)?|\b(?:field|changed|wrong)\(\s*[\w.' ?()]+,\s*|\breport\()'([a-z][a-z_]+)'(?=[,\s})])/g,
  ))
    codes.add(sentences[code!]?.[0] ?? code!)
}

/** Codes for requests that no screen sends. */
const codesForPrograms = ['idempotency_in_progress', 'idempotency_key_reused', 'parse_error', 'error']
/** Codes that are worded by the status of the answer. */
const codesOfStatuses = [
  'not_found',
  'not_authenticated',
  'method_not_allowed',
  'unsupported_media_type',
  'request_too_large',
]

test('every code of a body reader or a refusal has a text', () => {
  for (const known of [
    'required',
    'blank',
    'max_length',
    'max_whole_digits',
    'min_length',
    'sender_collision',
    'empty',
  ])
    assert.ok(codes.has(known), `${known} was not found in the source`)
  const withoutText = [...codes].filter(
    (code) =>
      ![...codesForPrograms, ...codesOfStatuses].includes(code) && refusalKey({ code, attr: null }) === undefined,
  )
  assert.deepEqual(withoutText, [])
})

test('the limit in the server’s text is in ours, and a field can have its own text', () => {
  const say = ((key: keyof typeof all.ar, facts: Record<string, string>) =>
    all.ar[key].replace('{{n}}', facts.n ?? '')) as Parameters<typeof refusalText>[1]
  const refusal = (code: string, detail: string, attr: string | null) => refusalText({ code, detail, attr }, say)
  assert.match(refusal('max_length', 'Ensure this field has no more than 100 characters.', 'name'), /100/)
  assert.match(refusal('min_value', 'Ensure this value is greater than or equal to 0.01.', 'items.0.price'), /0\.01/)
  assert.equal(refusal('invalid', 'Enter a valid email address.', 'email'), all.ar['refused.invalid.email'])
  assert.equal(refusal('invalid', 'Not a valid string.', 'headers.0'), all.ar['refused.invalid'])
  assert.equal(refusal('something_new', 'In the server’s words.', null), 'In the server’s words.')
})
