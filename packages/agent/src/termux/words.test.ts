import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsIn } from './words.ts'

test('a time is worded as how long ago it was, in both languages', () => {
  const minute_ms = 60_000
  const table: [minutes: number, english: string, arabic: string][] = [
    [0, 'just now', 'الآن'],
    [1, '1 minute ago', 'قبل دقيقة'],
    [2, '2 minutes ago', 'قبل دقيقتين'],
    [5, '5 minutes ago', 'قبل 5 دقائق'],
    [15, '15 minutes ago', 'قبل 15 دقيقة'],
    [180, '3 hours ago', 'قبل 3 ساعات'],
    [2880, '2 days ago', 'قبل يومين'],
    [20 * 1440, '20 days ago', 'قبل 20 يومًا'],
    // The clock was set back.
    [-60, 'just now', 'الآن'],
  ]
  for (const [minutes, english, arabic] of table) {
    assert.equal(wordsIn('en').ago(minutes * minute_ms), english)
    assert.equal(wordsIn('ar').ago(minutes * minute_ms), arabic)
  }
})
