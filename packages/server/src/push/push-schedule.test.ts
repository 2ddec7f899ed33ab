import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttemptResult } from '../webhooks/calling/read-answer.ts'
import { afterAttempt, mostAttempts } from './push-schedule.ts'

const answer = (status: number, retryAfter?: string): AttemptResult => ({ kind: 'answer', status, retryAfter })
const after = (result: AttemptResult, attempt = 1, random = 0) => afterAttempt(result, attempt, 1_000_000, random)

test('what an answer means', () => {
  for (const status of [200, 201, 202, 204]) assert.deepEqual(after(answer(status)), { kind: 'sent' })
  for (const status of [404, 410]) assert.deepEqual(after(answer(status)), { kind: 'gone' })
  for (const status of [301, 400, 401, 403, 413]) assert.deepEqual(after(answer(status)), { kind: 'given up' })
  for (const status of [429, 500, 502, 503]) assert.equal(after(answer(status)).kind, 'retry')
  assert.equal(after({ kind: 'network', error: '' }).kind, 'retry')
  assert.equal(after({ kind: 'unsent', error: '' }).kind, 'retry')
  assert.equal(after({ kind: 'blocked', error: '' }).kind, 'given up')
})

test('pauses grow, follow Retry-After up to an hour, and end after the last attempt', () => {
  const pauses = Array.from({ length: mostAttempts }, (_, i) => after(answer(500), i + 1)).map((one) =>
    one.kind === 'retry' ? (one.at - 1_000_000) / 1000 : one.kind,
  )
  assert.deepEqual(pauses, [30, 120, 600, 1_800, 3_600, 'given up'])
  assert.deepEqual(after(answer(429, '300')), { kind: 'retry', at: 1_300_000 })
  assert.deepEqual(after(answer(429, '999999')), { kind: 'retry', at: 1_000_000 + 3_600_000 })
  assert.deepEqual(after(answer(500), 1, 0.5), { kind: 'retry', at: 1_000_000 + 33_000 })
})
