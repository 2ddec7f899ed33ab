/** The longest ordinary silence of a history, and the limit above it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Gap, limitOfGaps } from './silence-gaps.ts'

/** Silences in expected messages, spread over eight weeks: the first is the newest. */
const evenly = (...lengths: number[]): Gap[] =>
  lengths.map((expected, n) => ({ expected, endDay: 1_000 - Math.floor((n * 56) / lengths.length) }))
const on = (daysAgo: number, expected: number): Gap => ({ expected, endDay: 1_000 - daysAgo })
const times = (n: number, length: number): number[] => new Array<number>(n).fill(length)
const rounded = (gaps: readonly Gap[]) => {
  const { usual, limit } = limitOfGaps(gaps)
  return [Number(usual.toFixed(6)), Number(limit.toFixed(6))]
}

test('silences that are all alike: unusual from 1.6 times as long on', () => {
  assert.deepEqual(limitOfGaps(evenly(...times(20, 5))), { usual: 5, limit: 8 })
  assert.deepEqual(limitOfGaps([on(0, 5)]), { usual: 5, limit: 8 })
})

test('irregular silences widen the limit: by their variance over the square of their mean, and four standard deviations', () => {
  // 2, 2, 2 and 10: mean 4, variance 12, so 12 / 16 = 0.75; 10 * 1.75 + 4 * 3.464102.
  assert.deepEqual(
    rounded(evenly(...times(24, 2), ...times(8, 10)).map((gap, n) => on((n * 7) % 56, gap.expected))),
    [10, 31.356406],
  )
  // Bursts: 39 of 0.1 and one of 100 in each week. The factor is 3 at most.
  const bursts = Array.from({ length: 8 }, (_, week) => [...times(39, 0.1), 100].map((length) => on(week * 7, length)))
  assert.deepEqual(rounded(bursts.flat()), [100, 462.38753])
})

test('a single long silence is not ordinary; one just at the limit is', () => {
  const ordinary = [...times(50, 5)].map((length, n) => on(n, length))
  assert.deepEqual(limitOfGaps([...ordinary, on(20, 8.1)]), { usual: 5, limit: 8 })
  assert.deepEqual(limitOfGaps([...ordinary, on(20, 100)]), { usual: 5, limit: 8 })
  const { usual } = limitOfGaps([...ordinary, on(20, 8)])
  assert.equal(usual, 8)
})

test('a silence at the limit raises the limit for longer ones, in the order of their lengths', () => {
  const ordinary = times(100, 5).map((length, n) => on(n % 50, length))
  assert.equal(limitOfGaps([...ordinary, on(3, 12), on(40, 8)]).usual, 12)
  assert.equal(limitOfGaps([...ordinary, on(3, 12.9), on(40, 8)]).usual, 8)
  assert.equal(limitOfGaps([...ordinary, on(3, 12)]).usual, 5)
})

test('a silence at the limit is ordinary even in a week with a dead phone', () => {
  const ordinary = times(100, 5).map((length, n) => on(n % 50, length))
  const { usual, limit } = limitOfGaps([...ordinary, on(21, 8), on(22, 100)])
  assert.equal(usual, 8)
  assert.ok(limit > 12.8 && limit < 15)
})

test('the shortest 98 % decide what is ordinary, the shortest of all included', () => {
  const almost = times(99, 5).map((length, n) => on(n % 50, length))
  assert.equal(limitOfGaps([on(30, 1), ...almost, on(20, 9)]).usual, 9)
  // 2 of 100 are left out, 3 are not: then their own spread makes them ordinary.
  const hundred = (long: number) =>
    [...times(100 - long, 5), ...times(long, 10)].map((length, n) => on(n < 100 - long ? n % 50 : 10, length))
  assert.equal(limitOfGaps(hundred(2)).usual, 5)
  assert.equal(limitOfGaps(hundred(2).toReversed()).usual, 5)
  assert.equal(limitOfGaps(hundred(3).toReversed()).usual, 10)
})

test('a silence that occurs in most weeks is ordinary, however long; weeks are counted back from the newest silence', () => {
  const days = (...long: number[]): Gap[] =>
    Array.from({ length: 56 }, (_, day) => [1, 1, 1, 1].map((length) => on(day, length)))
      .flat()
      .concat(long.map((day) => on(day, 40)))
  // In the first and the last days of weeks: four of eight weeks, the middle of them decides.
  assert.equal(limitOfGaps(days(6, 7, 20, 21)).usual, 40)
  assert.equal(limitOfGaps(days(6, 5, 20, 19)).usual, 1)
  assert.equal(limitOfGaps(days(7, 13, 21, 27)).usual, 1)
})
