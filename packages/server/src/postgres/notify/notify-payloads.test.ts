import assert from 'node:assert/strict'
import { test } from 'node:test'
import { payloadsOf } from './notify-payloads.ts'

test('messages are combined into as few payloads as PostgreSQL allows, none cut and none lost', () => {
  const messages = Array.from({ length: 1000 }, (_, i) => `${i} ${'س'.repeat(i % 50)}`)
  const payloads = payloadsOf('me', messages)
  for (const payload of payloads) assert.ok(Buffer.byteLength(payload) < 8_000)
  assert.deepEqual(
    payloads.flatMap((payload) => payload.split('\n').slice(1)),
    messages,
  )
  assert.ok(payloads.every((payload) => payload.startsWith('me\n')))
  assert.ok(payloads.length <= Math.ceil(Buffer.byteLength(messages.join('\n')) / 7_000))
})

test('without messages there are no payloads', () => {
  assert.deepEqual(payloadsOf('me', []), [])
})
