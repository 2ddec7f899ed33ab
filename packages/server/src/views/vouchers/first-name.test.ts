import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstNameOf, longestFirstName } from './first-name.ts'

test('of a payer only the first name is kept, also of a name of several words', () => {
  const names: readonly (readonly [string, string])[] = [
    ['Ali Saleh', 'Ali'],
    ['ALI SALEH AHMED EXAMPLE', 'ALI'],
    ['علي صالح المثال', 'علي'],
    ['  علي   صالح', 'علي'],
    ['Abdul Rahman Example', 'Abdul Rahman'],
    ['Abdul-Rahman Example', 'Abdul Rahman'],
    ['Abd Al Rahman Example', 'Abd Al Rahman'],
    ['Abd al-Rahman Saleh Example', 'Abd al Rahman'],
    ['عبد الرحمن صالح المثال', 'عبد الرحمن'],
    ['عبدالرحمن صالح', 'عبدالرحمن'],
    ['عبد الله', 'عبد الله'],
    ['أبو بكر المثال', 'أبو بكر'],
    ['أم كلثوم المثال', 'أم كلثوم'],
    ['نور الدين المثال', 'نور الدين'],
    ['Umm Kulthum Example', 'Umm Kulthum'],
    ['Ali', 'Ali'],
    ['Ali S.', 'Ali'],
    ['Dr. Huda Example', 'Huda'],
    ['الأستاذ علي صالح', 'علي'],
  ]
  for (const [payer, first] of names) assert.equal(firstNameOf(payer), first, payer)
})

test('a name whose parts are joined by other signs is cut there', () => {
  const joined = [
    'ALI.SALEH.EXAMPLE',
    'Ali_Saleh',
    'AliSalehExample',
    'Ali-Saleh',
    'Ali/Saleh',
    'Ali,Saleh',
    'Ali\u00a0Saleh',
  ]
  for (const payer of joined) assert.equal(firstNameOf(payer).toLowerCase(), 'ali', payer)
  assert.equal(firstNameOf('علي\u200cصالح'), 'علي')
  assert.equal(firstNameOf('\u202bعلي\u200f صالح\u202c'), 'علي')
})

test('a number, a part of a number and markup are never shown as a name', () => {
  const none = [
    '',
    ' ',
    '770000001',
    '+967 770 000 001',
    '٧٧٠٠٠٠٠٠١',
    'Ali770000001',
    '770000001 Ali',
    '***',
    '***المثال',
    '<b>Ali</b>',
    '#1',
    '-',
    '.',
    '\u202e',
  ]
  for (const payer of none) assert.equal(firstNameOf(payer), '', payer)
  assert.equal(firstNameOf('Ali 770000001'), 'Ali')
  assert.equal(firstNameOf('Abdul 770000001'), 'Abdul')
})

test('a first name has a bound', () => {
  assert.equal([...firstNameOf('ع'.repeat(5_000))].length, longestFirstName)
  assert.equal(firstNameOf(`abd al ${'x'.repeat(300)} secret`).includes('secret'), false)
})
