/** What the counter announces by sound, and what is typed at it (keypad.ts). */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mostAtOnce, mostHeard, spokenName, toAnnounce } from './announce.ts'
import { continueTyping, press, searchText } from './keypad.ts'

const at = '2030-05-01T12:00:00Z'
const entry = (id: string, seconds: number, repeats: readonly string[] = []) => ({
  id,
  received_at: new Date(Date.parse(at) - seconds * 1000).toISOString(),
  repeats,
})
const heardOf = (known: readonly string[] | undefined, ...entries: ReturnType<typeof entry>[]) => {
  const { announced, heard } = toAnnounce(known, { at, entries })
  return [announced.map(({ id }) => id), heard]
}

test('money is announced once on a device, also over a reload; what is there when it is first opened is not', () => {
  const roll = [entry('b', 1), entry('a', 5)]
  assert.deepEqual(heardOf(undefined, ...roll), [[], ['a', 'b']])
  assert.deepEqual(heardOf(['a'], ...roll), [['b'], ['a', 'b']])
  assert.deepEqual(heardOf(['a', 'b'], ...roll), [[], ['a', 'b']])
})

test('a message that replaces an announced message of the same payment is not announced again', () => {
  assert.deepEqual(heardOf(['a'], entry('c', 1, ['a'])), [[], ['a', 'c']])
  assert.deepEqual(heardOf(['x'], entry('c', 1, ['a'])), [['c'], ['x', 'a', 'c']])
})

test('after a lost connection only money of the last two minutes is read out, oldest first, with a limit', () => {
  assert.deepEqual(heardOf([], entry('b', 10), entry('a', 600))[0], ['b'])
  assert.deepEqual(heardOf([], ...['e', 'd', 'c', 'b', 'a'].map((id, n) => entry(id, n)))[0], ['a', 'b', 'c', 'd', 'e'])
  const many = Array.from({ length: mostAtOnce + 5 }, (_, n) => entry(`${n}`, n))
  const [announced] = heardOf([], ...many)
  assert.equal(announced!.length, mostAtOnce)
  assert.equal(announced!.at(-1), '0')
})

test('a device remembers a limited number of messages, the newest', () => {
  const known = Array.from({ length: mostHeard }, (_, n) => `${n}`)
  const [, heard] = heardOf(known, entry('new', 1))
  assert.deepEqual([heard!.length, heard![0], heard!.at(-1)], [mostHeard, '1', 'new'])
})

test('a payer is called by the first name, and a number is not read out', () => {
  assert.deepEqual(
    ['Ali Saleh', 'علي صالح المثال', 'عبد الله المثال', 'Abu Bakr Example', '770000001', '', 'A1 shop'].map(spokenName),
    ['Ali', 'علي', 'عبد الله', 'Abu Bakr', '', '', ''],
  )
})

test('a name in capitals, or joined by dots and underscores, is called by its first name too', () => {
  assert.deepEqual(
    [
      'ALI.SALEH.AHMED',
      'ali_saleh',
      'ALI SALEH',
      'ABDUL.RAHMAN.ALI',
      'علي.صالح',
      'Ali-Saleh',
      '.ALI.',
      '770.ALI',
      '\u200fعلي صالح',
    ].map(spokenName),
    ['Ali', 'Ali', 'Ali', 'Abdul Rahman', 'علي', 'Ali', 'Ali', '', 'علي'],
  )
})

test('however a name is joined, at most two words of letters are said, and never the rest of it', () => {
  const word = fc.stringMatching(/^[A-Za-z]{2,12}$/).filter((name) => !/^(abd|abdul|abdel|abu|umm|ibn)$/i.test(name))
  const sign = fc.constantFrom('.', '_', ' ', '  ', '-', '. ', '/')
  fc.assert(
    fc.property(word, sign, fc.array(word, { maxLength: 4 }), (first, joint, others) => {
      const spoken = spokenName([first, ...others].join(joint))
      assert.equal(spoken.toLowerCase(), first.toLowerCase())
      assert.ok(spoken === first || spoken === first.charAt(0).toUpperCase() + first.slice(1).toLowerCase())
    }),
  )
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (payer) => {
      const spoken = spokenName(payer)
      assert.ok(spoken === '' || spoken.split(' ').every((part) => /^\p{L}[\p{L}\p{M}'’]*$/u.test(part)), spoken)
      assert.ok(spoken.split(' ').length <= 2)
      assert.doesNotMatch(spoken, /\d/)
    }),
  )
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
