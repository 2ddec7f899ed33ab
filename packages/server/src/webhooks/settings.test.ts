/** Every parameter can be changed alone, and a change that could make the sender send twice is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWebhookSettings, webhookDefaults } from './settings.ts'

const read = (changes: unknown) => readWebhookSettings(typeof changes === 'string' ? changes : JSON.stringify(changes))
const errorOf = (changes: unknown): string => {
  const result = read(changes)
  assert.ok(!result.ok, JSON.stringify(changes))
  return result.error
}

test('an empty setting keeps every default', () => {
  for (const empty of [undefined, '', '  ', '{}']) {
    const result = readWebhookSettings(empty)
    assert.ok(result.ok)
    assert.deepEqual(result.settings, webhookDefaults)
  }
})

test('each parameter can be replaced, and the others stay', () => {
  for (const [name, value] of Object.entries(webhookDefaults)) {
    const other = name === 'retry_waits_s' ? [0, 1, 2] : value
    const result = read({ [name]: other })
    assert.ok(result.ok, name)
    assert.deepEqual(result.settings, { ...webhookDefaults, [name]: other })
  }
  const result = read({ total_ms: 5000, calls: 2, account_share: 1 })
  assert.ok(result.ok)
  assert.deepEqual(result.settings, { ...webhookDefaults, total_ms: 5000, calls: 2, account_share: 1 })
})

test('a wrong setting is reported in a sentence with an example', () => {
  for (const [changes, sentence] of [
    ['[1]', /^It must be an object of parameters\./],
    ['{', /^It is not JSON\./],
    [{ lease: 30_000 }, /^There is no parameter "lease"; there are claim_per_endpoint, .*retry_waits_s\./],
    [{ calls: '256' }, /^"calls" must be a whole number from 1 to 4096\./],
    [{ calls: 0 }, /^"calls" must/],
    [{ calls: 1.5 }, /^"calls" must/],
    [{ account_share: 2 }, /^"account_share" must be a number from 0\.001 to 1\./],
    [{ constructor: 1 }, /^There is no parameter "constructor"/],
    [{ retry_waits_s: [] }, /^"retry_waits_s" must be a list/],
    [{ retry_waits_s: [5, 10] }, /the first of them 0/],
    [{ retry_waits_s: [0, -1] }, /^"retry_waits_s" must/],
  ] as const) {
    assert.match(errorOf(changes), sentence)
    assert.match(errorOf(changes), / Example: \{/)
  }
})

test('a lease that is less than ten seconds longer than the call is refused', () => {
  assert.match(errorOf({ lease_ms: 24_999 }), /^"lease_ms" is 24999, but must be at least 10 s more than "total_ms"/)
  assert.match(errorOf({ total_ms: 20_001 }), /^"lease_ms" is 30000/)
  assert.ok(read({ lease_ms: 25_000 }).ok)
  assert.ok(read({ lease_ms: 40_000, total_ms: 30_000 }).ok)
})

test('parameters that contradict each other are refused', () => {
  assert.match(errorOf({ kept_bytes: 70_000 }), /^"kept_bytes" \(70000\) must not be more than "read_bytes"/)
  assert.match(errorOf({ breaker_first_ms: 400_000 }), /^"breaker_first_ms"/)
  assert.match(errorOf({ overlap_s: 700_000 }), /^"overlap_s"/)
  assert.match(errorOf({ replay_days: 31 }), /^"replay_days"/)
})
