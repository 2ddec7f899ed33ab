import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minute_ms } from '../../core/duration.ts'
import { countTry, forgottenAfter_ms, isPaused, type Tries, triesAtCounter, triesInRound } from './pin-tries.ts'

const none: Tries = { wrong: 0, pauses: 0, pausedUntil: null, total: 0, triedAt: null, dayWrong: 0, daySince: null }

/** The length of each pause in minutes, if somebody guesses whenever a guess is allowed. */
const pausesOf = (rounds: number, most: number): number[] => {
  let tries = none
  let now = 1_000_000
  const pauses: number[] = []
  while (pauses.length < rounds) {
    assert.equal(isPaused(tries, now), false)
    tries = countTry(tries, now, most)
    if (tries.pausedUntil === null) continue
    pauses.push((tries.pausedUntil - now) / minute_ms)
    assert.equal(isPaused(tries, tries.pausedUntil - 1), true)
    now = tries.pausedUntil
  }
  assert.equal(tries.total, rounds * most)
  return pauses
}

test('five tries of a cashier, or fifteen at a counter, then a pause that grows to four hours', () => {
  for (const most of [triesInRound, triesAtCounter]) assert.deepEqual(pausesOf(7, most), [1, 5, 15, 60, 240, 240, 240])
})

test('of a cashier at most 50 PINs are checked in a day, at a counter at most 150', () => {
  const checkedInDay = (most: number): number => {
    let [tries, now, checked] = [none, 0, 0]
    while (now < forgottenAfter_ms) {
      tries = countTry(tries, now, most)
      checked++
      now = tries.pausedUntil ?? now
    }
    return checked
  }
  assert.deepEqual([checkedInDay(triesInRound), checkedInDay(triesAtCounter)], [50, 150])
})

test('after a day without a try the counts start again, a moment earlier they do not', () => {
  let tries: Tries = none
  for (let i = 0; i < 5; i++) tries = countTry(tries, 0, triesInRound)
  assert.equal(countTry(tries, forgottenAfter_ms - 1, triesInRound).pauses, 1)
  assert.deepEqual(countTry(tries, forgottenAfter_ms, triesInRound), {
    ...countTry(none, forgottenAfter_ms, triesInRound),
    newRound: true,
    daySince: forgottenAfter_ms,
  })
})
