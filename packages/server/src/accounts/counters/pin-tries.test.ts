import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minute_ms } from '../../core/duration.ts'
import { countTry, forgottenAfter_ms, isPaused, type Tries } from './pin-tries.ts'

const none: Tries = { wrong: 0, pauses: 0, pausedUntil: null, total: 0, triedAt: null }

/** The length of each pause in minutes, if somebody guesses whenever a guess is allowed. */
const pausesOf = (rounds: number): number[] => {
  let tries = none
  let now = 1_000_000
  const pauses: number[] = []
  while (pauses.length < rounds) {
    assert.equal(isPaused(tries, now), false)
    tries = countTry(tries, now)
    if (tries.pausedUntil === null) continue
    pauses.push((tries.pausedUntil - now) / minute_ms)
    assert.equal(isPaused(tries, tries.pausedUntil - 1), true)
    now = tries.pausedUntil
  }
  assert.equal(tries.total, rounds * 5)
  return pauses
}

test('five tries, then a pause that grows to four hours', () => {
  assert.deepEqual(pausesOf(7), [1, 5, 15, 60, 240, 240, 240])
})

test('after a day without a try the counts start again, a moment earlier they do not', () => {
  let tries: Tries = none
  for (let i = 0; i < 5; i++) tries = countTry(tries, 0)
  assert.equal(countTry(tries, forgottenAfter_ms - 1).pauses, 1)
  assert.deepEqual(countTry(tries, forgottenAfter_ms), { ...countTry(none, forgottenAfter_ms), newRound: true })
})
