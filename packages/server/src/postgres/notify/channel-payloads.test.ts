import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payloadsOf } from './channel-payloads.ts'

test('words go together, as few payloads as PostgreSQL allows, none cut and none lost', () => {
  const words = Array.from({ length: 1000 }, (_, i) => `${i} ${'س'.repeat(i % 50)}`)
  const payloads = payloadsOf('me', words)
  for (const payload of payloads) assert.ok(Buffer.byteLength(payload) < 8_000)
  assert.deepEqual(
    payloads.flatMap((payload) => payload.split('\n').slice(1)),
    words,
  )
  assert.ok(payloads.every((payload) => payload.startsWith('me\n')))
  assert.ok(payloads.length <= Math.ceil(Buffer.byteLength(words.join('\n')) / 7_000))
})

test('nothing to say is nothing to send', () => {
  assert.deepEqual(payloadsOf('me', []), [])
})
