import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ClockState,
  clockSentence,
  clockStateOf,
  leadOf,
  mostSamples,
  refuseBeyond_ms,
  sampleOf,
  warnBeyond_ms,
} from './clock-agreement.ts'

/** The state of a machine that is so far ahead, with ticks that began at 5,000. */
const stateAt = (offset_ms: number, error_ms = 0): ClockState =>
  clockStateOf({ lead_ms: 1_000_000, error_ms }, 1_005_000 + offset_ms, 5_000)

test('up to 2 s the clocks agree, up to 10 s they differ, beyond it work is refused: ahead and behind', () => {
  assert.deepEqual([warnBeyond_ms, refuseBeyond_ms], [2_000, 10_000])
  for (const sign of [1, -1]) {
    const agreementAt = (offset_ms: number): string => stateAt(sign * offset_ms).agreement
    assert.equal(agreementAt(0), 'agrees')
    assert.equal(agreementAt(2_000), 'agrees')
    assert.equal(agreementAt(2_001), 'differs')
    assert.equal(agreementAt(10_000), 'differs')
    assert.equal(agreementAt(10_001), 'refused')
    assert.equal(agreementAt(7_200_000), 'refused')
  }
})

test('the offset is positive if the machine is ahead of the database', () => {
  assert.deepEqual(stateAt(3_000, 7), { agreement: 'differs', offset_ms: 3_000, error_ms: 7 })
  assert.equal(stateAt(-3_000).offset_ms, -3_000)
})

test('what the round trip may explain is taken off: a slow answer makes no clock wrong', () => {
  assert.equal(stateAt(2_400, 400).agreement, 'agrees')
  assert.equal(stateAt(2_401, 400).agreement, 'differs')
  assert.equal(stateAt(-10_400, 400).agreement, 'differs')
  assert.equal(stateAt(-10_401, 400).agreement, 'refused')
})

test('an answer counts for the middle of its round trip, exact to half of it', () => {
  assert.deepEqual(sampleOf(100, 50_200, 300), { lead_ms: 50_000, error_ms: 100 })
  assert.deepEqual(sampleOf(100, 50_100, 100), { lead_ms: 50_000, error_ms: 0 })
  // Ticks that went back say nothing about the round trip, but no negative error comes of it.
  assert.equal(sampleOf(300, 50_200, 100).error_ms, 0)
})

test('the answer with the shortest round trip decides, whenever it came', () => {
  const quick = { lead_ms: 1_000, error_ms: 1 }
  const slow = { lead_ms: 1_300, error_ms: 400 }
  assert.deepEqual(leadOf([quick, slow]), quick)
  // Older by one sample: the clocks may have drifted apart by a millisecond.
  assert.deepEqual(leadOf([slow, quick]), { lead_ms: 1_000, error_ms: 2 })
  assert.deepEqual(leadOf([slow]), slow)
})

test('two answers that overlap leave only what both allow', () => {
  assert.deepEqual(
    leadOf([
      { lead_ms: 100, error_ms: 10 },
      { lead_ms: 111, error_ms: 4 },
    ]),
    { lead_ms: 108, error_ms: 2 },
  )
})

test('an answer that contradicts the newer ones no longer counts, nor do those before it: a clock has jumped', () => {
  const before = { lead_ms: 1_000, error_ms: 1 }
  const jumped = { lead_ms: 7_201_000, error_ms: 50 }
  assert.deepEqual(leadOf([jumped, before, before]), jumped)
  assert.deepEqual(leadOf([jumped, before, { lead_ms: 7_201_000, error_ms: 1 }]), jumped)
  // Two answers that allow a single lead do not contradict each other.
  assert.deepEqual(
    leadOf([
      { lead_ms: 100, error_ms: 10 },
      { lead_ms: 112, error_ms: 1 },
    ]),
    { lead_ms: 110, error_ms: 0 },
  )
  assert.equal(mostSamples, 10)
})

test('a sentence names the difference and both times', () => {
  const at = Date.parse('2026-01-02T05:04:05.678Z')
  assert.equal(
    clockSentence(stateAt(7_200_000), at),
    "The clock of this machine is 2 h ahead of the database's: here it is 2026-01-02 05:04:05.678 UTC, there 2026-01-02 03:04:05.678 UTC.",
  )
  const sentence = (offset_ms: number): string => clockSentence(stateAt(offset_ms), at).slice(25, 55)
  assert.match(sentence(-2_500), / 2\.5 s behind the database/)
  assert.match(sentence(-90_000), / 90\.0 s behind the/)
  assert.match(sentence(150_000), / 2\.5 min ahead of/)
  assert.match(sentence(119_700), / 2 min ahead of/)
  assert.match(sentence(-5_400_000), / 90 min behind/)
  assert.match(sentence(0), / 0\.0 s behind/)
  assert.match(sentence(1), / 0\.0 s ahead of/)
  assert.match(sentence(3 * 86_400_000), / 3 d ahead of/)
})
