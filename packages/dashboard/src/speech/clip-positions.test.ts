/** The recorded clips: every word has one, every one is used, and a sentence plays them one after the other. */
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { usualCurrency } from '@sanad/contract/currency'
import { decoderShift, playedClips } from './clip-positions.ts'
import { positions as arabic } from './clips/ar-positions.ts'
import { positions as english } from './clips/en-positions.ts'
import { allClips, moneyClips } from './money-sentence.ts'

const languages = [
  ['ar', arabic],
  ['en', english],
] as const

test('every word of a sentence has a clip, and every clip is used: if not, run npm run voice-clips', () => {
  for (const [language, { clips }] of languages) assert.deepEqual(Object.keys(clips).sort(), allClips(language))
})

test('clips have sane lengths and do not overlap in their file; the files are a few hundred kB together', () => {
  let bytes = 0
  for (const [language, { marker_ms, clips }] of languages) {
    let end_ms = marker_ms + 100
    for (const [start_ms, length_ms] of Object.values(clips)) {
      assert.ok(length_ms >= 200 && length_ms <= 1_700, String(length_ms))
      // No decoder is off by more than 80 ms.
      assert.ok(start_ms - end_ms >= 0)
      end_ms = start_ms + length_ms + 100
    }
    bytes += statSync(join(import.meta.dirname, `clips/${language}.mp3`)).size
  }
  assert.ok(bytes > 100_000 && bytes < 500_000, String(bytes))
})

test('a sentence plays its clips in order, each after the end of the one before, with short pauses', () => {
  for (const [language, positions] of languages)
    for (const amount of ['0', '1500.00', '3250.75', '999999999999.99']) {
      const names = moneyClips({ amount, currency: usualCurrency, payer: '' }, language)!
      const played = playedClips(names, positions, 0.05)!
      assert.equal(played.length, names.length)
      let end_s = 0
      for (const [at, { from_s, length_s, at_s }] of played.entries()) {
        const [start_ms, length_ms] = positions.clips[names[at]!]!
        assert.ok(Math.abs(from_s - start_ms / 1000 - 0.05) < 1e-9)
        assert.equal(length_s, length_ms / 1000)
        assert.ok(at_s >= end_s && at_s - end_s < 0.1)
        end_s = at_s + length_s
      }
    }
})

test('a sentence with a word that has no clip is not played at all: a part of it would be another amount', () => {
  assert.equal(playedClips(['one', 'gazillion', 'riyals'], english, 0), undefined)
  assert.equal(playedClips(['constructor'], english, 0), undefined)
})

test('what a decoder adds at the beginning is found by the tone; a file without it is refused', () => {
  const rate = 1000
  const positions = { marker_ms: 200, clips: {} }
  const withToneAt = (at: number): Float32Array =>
    Float32Array.from({ length: 600 }, (_, n) => (n >= at && n < at + 30 ? 0.5 : 0.001))
  assert.equal(decoderShift(withToneAt(200), rate, positions), 0)
  assert.ok(Math.abs(decoderShift(withToneAt(250), rate, positions)! - 0.05) < 1e-9)
  assert.ok(Math.abs(decoderShift(withToneAt(190), rate, positions)! + 0.01) < 1e-9)
  assert.equal(decoderShift(withToneAt(500), rate, positions), undefined)
  assert.equal(decoderShift(new Float32Array(600), rate, positions), undefined)
})
