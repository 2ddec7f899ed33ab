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

test('a count of messages has the form that Arabic needs, for every plural form', () => {
  const { unsent, refused, missed, unsentKept } = wordsIn('ar')
  const table: [count: number, messages: string, notifications: string][] = [
    [0, '0 رسالة', '0 إشعار'],
    [1, 'رسالة واحدة', 'إشعار واحد'],
    [2, 'رسالتان', 'إشعاران'],
    [3, '3 رسائل', '3 إشعارات'],
    [11, '11 رسالة', '11 إشعارًا'],
    [100, '100 رسالة', '100 إشعار'],
    [103, '103 رسائل', '103 إشعارات'],
  ]
  for (const [count, messages, notifications] of table) {
    assert.ok(unsent(count).includes(`: ${messages}.`), unsent(count))
    assert.ok(refused(count).includes(`: ${messages}.`), refused(count))
    assert.ok(unsentKept(count, '/x').includes(`: ${messages}.`), unsentKept(count, '/x'))
    assert.ok(missed(count).includes(`: ${notifications}.`), missed(count))
  }
})

test('the output has no invisible marks: a terminal does not use them, and they would be copied with a command', () => {
  const texts = Object.values(wordsIn('ar')).flatMap((text) => (typeof text === 'string' ? text : []))
  assert.ok(texts.length > 10)
  for (const text of texts) assert.doesNotMatch(text, /[\u2066-\u2069]/)
})
