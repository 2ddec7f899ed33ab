/** What the counter announces by sound, and what is typed at it (keypad.ts). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spokenAmount, toAnnounce } from './announce.ts'
import { continueTyping, press, searchText } from './keypad.ts'

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
})

test('the keypad continues an amount that was typed or pasted, as it is shown', () => {
  assert.equal(press('1,500', '0'), '15000')
  assert.equal(press('١٥٠٠', '5'), '15005')
  assert.equal(press('1500.00 YER', 'back'), '1500.0')
  assert.equal(press('1500.5', '0'), '1500.50')
  assert.equal(press('1500.5', '00'), '1500.5')
  assert.equal(press('1500.50', '5'), '1500.50')
  // A text that is no amount is not changed into one.
  assert.equal(press('250,5', '5'), '250,55')
  assert.equal(press('250,5', 'back'), '250,')
})

test('an amount with separators is continued at its end; pasted over, it is replaced', () => {
  assert.equal(continueTyping('1500', '1,500', '1,5000', 'insertText'), '15000')
  assert.equal(continueTyping('1500', '1,500', '1,500.', 'insertText'), '1500.')
  assert.equal(continueTyping('1500', '١٬٥٠٠', '١٬٥٠٠٥', 'insertText'), '1500٥')
  assert.equal(continueTyping('1500', '1,500', '1,50', 'deleteContentBackward'), '150')
  for (const pasted of ['1,5000', '1,50', '1500.00 YER'])
    assert.equal(continueTyping('1500', '1,500', pasted, 'insertFromPaste'), pasted)
  assert.equal(continueTyping('1500', '1,500', '7', 'insertText'), '7')
})

test('a number from an Arabic keyboard is searched for in Latin digits; a text is not changed', () => {
  assert.equal(searchText(' ١٬٥٠٠٫٥٠ '), '1,500.50')
  assert.equal(searchText('طلبية ١٢'), 'طلبية ١٢')
})
