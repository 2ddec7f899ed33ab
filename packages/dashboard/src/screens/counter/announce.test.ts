/** What the counter announces by sound, and what is typed at it (keypad.ts). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenAmount, toAnnounce } from './announce.ts'
import { press, searchText, typedAmount } from './keypad.ts'

const at = '2030-05-01T12:00:00Z'
const payment = (intent: string, seconds: number) => ({
  intent,
  verified_at: new Date(Date.parse(at) - seconds * 1000).toISOString(),
})
const names = (all: readonly { intent: string }[]): string[] => all.map(({ intent }) => intent)

test('a new payment is announced once; those shown when the screen opens are not', () => {
  const roll = { at, payments: [payment('b', 1), payment('a', 5)] }
  assert.deepEqual(names(toAnnounce(undefined, roll)), [])
  assert.deepEqual(names(toAnnounce(new Set(['a']), roll)), ['b'])
  assert.deepEqual(names(toAnnounce(new Set(['a', 'b']), roll)), [])
})

test('after a lost connection only payments of the last two minutes are read out, oldest first, at most three', () => {
  const late = { at, payments: [payment('b', 10), payment('a', 600)] }
  assert.deepEqual(names(toAnnounce(new Set(), late)), ['b'])
  const many = { at, payments: ['e', 'd', 'c', 'b', 'a'].map((id, n) => payment(id, n)) }
  assert.deepEqual(names(toAnnounce(new Set(), many)), ['c', 'd', 'e'])
})

test('an amount is spoken without decimals that are zero', () => {
  assert.equal(spokenAmount('1500.00'), '1500')
  assert.equal(spokenAmount('1500.50'), '1500.50')
})

test('the keypad makes whole amounts of at most twelve digits', () => {
  const typed = (...pressed: Parameters<typeof press>[1][]): string => pressed.reduce(press, '')
  assert.equal(typed('0', '00', '1', '5', '00'), '1500')
  assert.equal(typed('1', '5', 'back', '7'), '17')
  assert.equal(typed('back'), '')
  assert.equal(press('123456789012', '3'), '123456789012')
  assert.equal(press('12345678901', '00'), '12345678901')
  for (const text of ['1500', '1,500', '١٬٥٠٠', '1500.00', ' 1 500 ', '۱۵۰۰', '01500'])
    assert.equal(typedAmount(text), '1500', text)
})

test('a number from an Arabic keyboard is searched for in Latin digits; a text is not changed', () => {
  assert.equal(searchText(' ١٬٥٠٠٫٥٠ '), '1,500.50')
  assert.equal(searchText('طلبية ١٢'), 'طلبية ١٢')
})
