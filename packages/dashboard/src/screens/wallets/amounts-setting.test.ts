import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostToSend } from './amounts-setting.ts'

test('a number that was cleared or is not usable does not prevent switching unique amounts off', () => {
  for (const typed of ['', ' ', '-', 0, 100, 1.5, Number.NaN]) {
    assert.equal(mostToSend('off', typed, 50), 50, String(typed))
    assert.equal(mostToSend('more', typed, 50), undefined, String(typed))
  }
  for (const choice of ['off', 'more', 'less'] as const) assert.equal(mostToSend(choice, 20, 50), 20)
  assert.equal(mostToSend('less', '99', 50), 99)
})
