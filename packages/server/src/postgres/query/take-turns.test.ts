import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callersInTurns } from './take-turns.ts'

/** Items are named after their caller: `a1` is the first of caller `a`. */
const turns = () => callersInTurns<string>((item) => item[0]!)

test('one item of each caller comes before the second of any', () => {
  assert.deepEqual(turns().order(['a1', 'a2', 'a3', 'b1', 'c1', 'b2']), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
})

test('the items of one caller stay in the order of arrival', () => {
  assert.deepEqual(turns().order(['a1', 'a2', 'a3']), ['a1', 'a2', 'a3'])
})

test('a caller whose item did not fit comes first the next time, before the one who was served', () => {
  const inTurns = turns()
  assert.deepEqual(inTurns.order(['a1', 'a2', 'b1', 'c1']), ['a1', 'b1', 'c1', 'a2'])
  inTurns.served(['a1', 'b1'])
  assert.deepEqual(inTurns.order(['a2', 'c1']), ['c1', 'a2'])
})

test('a new caller comes before the one who was just served, and after those who wait', () => {
  const inTurns = turns()
  inTurns.order(['a1', 'a2', 'b1'])
  inTurns.served(['a1'])
  assert.deepEqual(inTurns.order(['a2', 'b1', 'c1']), ['b1', 'c1', 'a2'])
})

test('callers who come later never keep one waiting who has been waiting', () => {
  const inTurns = turns()
  let waiting = ['a1', 'b1']
  for (const later of ['c1', 'd1', 'e1', 'f1']) {
    const [first] = inTurns.order(waiting)
    inTurns.served([first!])
    waiting = [...waiting.filter((item) => item !== first), later]
  }
  assert.ok(!waiting.includes('a1') && !waiting.includes('b1'))
})
