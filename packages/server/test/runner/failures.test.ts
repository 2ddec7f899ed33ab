/** A file runs once more only if nothing but time failed in the whole run. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectFailures, filesToRunAgain, ranOutOfTime } from './failures.ts'

const wrong = { failureType: 'testCodeFailure', cause: new assert.AssertionError({ message: 'two paid intents' }) }
const late = { failureType: 'testTimeoutFailure' }
const parent = { failureType: 'subtestsFailed' }
const failure = (file: string, isLate: boolean) => ({ file, name: 'a test', isLate })

test('a time limit of a test, a page, a wait or a statement is recognised; a wrong result is not', () => {
  assert.ok(ranOutOfTime(late))
  assert.ok(ranOutOfTime({ cause: { name: 'TimeoutError', message: 'locator.click: Timeout 30000ms exceeded.' } }))
  assert.ok(ranOutOfTime({ cause: { name: 'AssertionError', ranOutOfTime: true } }))
  assert.ok(ranOutOfTime({ cause: { code: '57014', message: 'canceling statement due to statement timeout' } }))
  assert.ok(!ranOutOfTime({ cause: { code: '57014', message: 'canceling statement due to user request' } }))
  assert.ok(!ranOutOfTime({ cause: { code: '40P01', message: 'deadlock detected' } }))
  assert.ok(!ranOutOfTime(wrong))
  assert.ok(!ranOutOfTime(undefined))
})

test('failures inside a shared process belong to the file that the parent names', () => {
  const { failures, add } = collectFailures()
  add({ name: 'pays once', file: '/repo/support/runs.ts', nesting: 1, details: { error: late } })
  add({ name: 'a.test.ts', file: '/run/story-1.mjs', nesting: 0, details: { error: parent } })
  add({ name: 'pays never', file: '/run/story-1.mjs', nesting: 1, details: { error: wrong } })
  add({ name: 'b.test.ts', file: '/run/story-1.mjs', nesting: 0, details: { error: parent } })
  // A file that cannot be loaded has no failures inside.
  add({ name: 'c.test.ts', file: '/run/story-1.mjs', nesting: 0, details: { error: wrong } })
  assert.deepEqual(failures, [
    { name: 'pays once', isLate: true, file: 'a.test.ts' },
    { name: 'pays never', isLate: false, file: 'b.test.ts' },
    { name: 'c.test.ts', isLate: false, file: 'c.test.ts' },
  ])
})

test('a parent that failed without a failure inside is itself the failure', () => {
  const { failures, add } = collectFailures()
  add({ name: 'a.test.ts', file: 'a.test.ts', nesting: 0, details: { error: parent } })
  assert.deepEqual(failures, [{ name: 'a.test.ts', isLate: false, file: 'a.test.ts' }])
})

test('only files that ran out of time run again, each once, and only if there are few', () => {
  assert.deepEqual(filesToRunAgain([]), [])
  assert.deepEqual(filesToRunAgain([failure('a', true), failure('a', true), failure('b', true)]), ['a', 'b'])
  assert.deepEqual(filesToRunAgain([failure('a', true), failure('b', false)]), [])
  assert.deepEqual(filesToRunAgain(['a', 'b', 'c', 'd', 'e'].map((file) => failure(file, true))), [])
})
