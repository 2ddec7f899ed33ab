import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countWrongSignIn, type WrongSignIns } from './wrong-sign-ins.ts'

const hour = 3_600_000
const none: WrongSignIns = { recent: [], counted: 0, toldAt: null }

const run = (times: readonly number[]) => {
  let state = none
  return times.map((at) => {
    const { after, tell } = countWrongSignIn(state, at)
    state = after
    return tell
  })
}
const spaced = (count: number, step: number, from = 0) => Array.from({ length: count }, (_, n) => from + n * step)

test('the tenth wrong sign-in within 24 hours is announced, the ninth is not', () => {
  assert.deepEqual(run(spaced(10, 60_000)), [...Array(9).fill(undefined), 10])
})

test('ten wrong sign-ins that need a whole day are not announced, and a millisecond less is', () => {
  const nine = spaced(9, 1_000)
  assert.equal(run([...nine, 24 * hour]).at(-1), undefined)
  assert.equal(run([...nine, 24 * hour - 1]).at(-1), 10)
})

test('after an announcement further ones are counted for six hours, and then ten more are needed', () => {
  const thousand = run(spaced(1_000, 1_000))
  assert.equal(thousand.filter((tell) => tell === 10).length, 1)
  assert.equal(thousand.at(-1), 1_000)
  const later = run([...spaced(12, 1_000), ...spaced(10, 1_000, 7 * hour)])
  assert.deepEqual(later.slice(9, 12), [10, 11, 12])
  assert.deepEqual(later.slice(12), [...Array(9).fill(undefined), 10])
})

test('any window: the first announcement comes exactly when some ten lie within 24 hours', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 6 * hour }), { minLength: 1, maxLength: 60 }), (steps) => {
      let at = 0
      const times = steps.map((step) => (at += step))
      const first = run(times).findIndex((tell) => tell !== undefined)
      const expected = times.findIndex((time, n) => n >= 9 && time - times[n - 9]! < 24 * hour)
      assert.equal(first, expected)
    }),
  )
})
