import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseJson } from '../json.ts'
import { readAttachReference } from './attach-reference-body.ts'

const read = (body: string): string => {
  const json = parseJson(Buffer.from(body))
  const reading = json.kind === 'ok' ? readAttachReference(json.value) : assert.fail(json.detail)
  return reading.kind === 'ok' ? reading.value.reference : reading.errors.map((e) => `${e.code}@${e.attr}`).join(' ')
}

test('a reference is trimmed and otherwise unchanged', () => {
  assert.equal(read('{"reference":"  ab ١٢ \\u200b "}'), 'ab ١٢ \u200b')
  assert.equal(read('{"reference":20251234,"status":"VERIFIED"}'), '20251234')
})

test('a missing, blank, too long or possibly rounded reference is refused', () => {
  assert.equal(read('{}'), 'required@reference')
  assert.equal(read(''), 'required@reference')
  assert.equal(read('{"reference":" "}'), 'blank@reference')
  assert.equal(read('{"reference":null}'), 'null@reference')
  assert.equal(read(`{"reference":"${'x'.repeat(129)}"}`), 'max_length@reference')
  assert.equal(read('{"reference":9007199254740993}'), 'invalid@reference')
  assert.equal(read('[]'), 'invalid@non_field_errors')
  assert.equal(read('null'), 'null@non_field_errors')
})
