import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { noClaim } from '../records/claimed-payer.ts'
import { comparePayer, type PayerReason, payerRank, payerWithNumber } from './payer-likeness.ts'
import { compareNames } from './payer-name.ts'
import { comparePhones } from './payer-phone.ts'

const phones: readonly (readonly [string, string, ReturnType<typeof comparePhones>])[] = [
  ['770000123', '770000123', 'same'],
  ['+967 770 000 123', '770000123', 'same'],
  ['00967770000123', '0770000123', 'same'],
  ['967-770-000-123', '٧٧٠٠٠٠١٢٣', 'same'],
  ['+971501234567', '501234567', 'same'],
  ['770000123', '770000124', 'differs'],
  ['770000123', '77***123', 'same_as_far_as_shown'],
  ['+967770000123', '77XXXX123', 'same_as_far_as_shown'],
  ['0770000123', '+96777***123', 'same_as_far_as_shown'],
  ['770000123', '967770***123', 'same_as_far_as_shown'],
  ['770000123', '77••••124', 'differs'],
  ['770000123', '73***123', 'differs'],
  ['770000123', '*****0123', 'same_as_far_as_shown'],
  ['770000123', '******123', 'unknown'],
  ['770000123', '77*******', 'unknown'],
  // An account number of seven digits is no mobile number.
  ['770000123', '1234567', 'unknown'],
  ['1234567', '1234567', 'same'],
  ['770000123', '*********', 'unknown'],
  ['770000123', 'علي', 'unknown'],
]

test('phones are compared without country code, leading zero, spaces, script and hidden digits', () => {
  for (const [claimed, shown, expected] of phones)
    assert.equal(comparePhones(claimed, shown), expected, `${claimed} and ${shown}`)
})

const names: readonly (readonly [string, string, ReturnType<typeof compareNames>])[] = [
  ['علي صالح المثال', 'علي صالح المثال', 'same'],
  ['المثال علي صالح', 'علي صالح المثال', 'same'],
  ['أحمد إبراهيم آدم', 'احمد ابراهيم ادم', 'same'],
  ['فاطمة يحيى', 'فاطمه يحيي', 'same'],
  ['عَلِيّ صـــالح', 'علي صالح', 'same'],
  ['عبد الله المثال', 'عبدالله المثال', 'same'],
  ['عبد الرحمن أبو بكر', 'ابوبكر عبدالرحمن', 'same'],
  ['علي بن صالح المثال', 'علي صالح مثال', 'same'],
  ['علي أحمد صالح المثال', 'علي المثال', 'same'],
  ['Jane EXAMPLE', 'example jane', 'same'],
  ['Ali Al-Mithal', 'ALI MITHAL', 'same'],
  ['علي صالح المثال', 'ع*** المثال', 'same_as_far_as_shown'],
  ['علي صالح المثال', 'علي ص. المثال', 'same_as_far_as_shown'],
  ['علي صالح المثال', 'علي صا...', 'same_as_far_as_shown'],
  ['علي صالح المثال', 'علي *** المثال', 'same_as_far_as_shown'],
  ['علي صالح المثال', 'سعيد ناصر النموذج', 'differs'],
  ['Jane Example', 'Omar Sample', 'differs'],
  ['علي صالح المثال', 'محمد صالح المثال', 'unknown'],
  ['علي صالح المثال', 'علي', 'unknown'],
  ['علي صالح المثال', 'Ali Saleh', 'unknown'],
  ['علي صالح المثال', 'ع*** ص***', 'unknown'],
]

test('names are compared in any order and spelling, without the article and hidden letters', () => {
  for (const [claimed, shown, expected] of names) {
    assert.equal(compareNames(claimed, shown), expected, `${claimed} and ${shown}`)
    assert.equal(compareNames(shown, claimed), expected, `${shown} and ${claimed}`)
  }
})

const phone = fc.integer({ min: 700_000_000, max: 789_999_999 }).map(String)
const spelled = (number: string) =>
  fc
    .tuple(fc.constantFrom('', '0', '+967', '00967', '967', '+967 0', '٠'), fc.nat({ max: 8 }), fc.boolean())
    .map(([prefix, at, arabic]) => {
      const spaced = `${prefix}${number.slice(0, at)} ${number.slice(at)}`
      return arabic ? spaced.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'[Number(digit)]!) : spaced
    })

test('property: all spellings of a number are the same; two numbers are never the same', () => {
  fc.assert(
    fc.property(
      phone.chain((number) => fc.tuple(fc.constant(number), spelled(number), spelled(number))),
      ([, a, b]) => comparePhones(a, b) === 'same',
    ),
  )
  fc.assert(
    fc.property(phone, phone, fc.nat({ max: 4 }), fc.nat({ max: 4 }), (a, b, head, tail) => {
      fc.pre(a !== b)
      assert.equal(comparePhones(a, b), 'differs')
      const masked = `${b.slice(0, head)}***${b.slice(9 - tail)}`
      const fits = a.startsWith(b.slice(0, head)) && a.endsWith(b.slice(9 - tail))
      const likeness = comparePhones(a, masked)
      if (head + tail === 0) assert.equal(likeness, 'unknown')
      else if (!fits) assert.equal(likeness, 'differs')
      else assert.notEqual(likeness, 'differs')
    }),
  )
})

test('property: hiding digits of a number never makes it differ', () => {
  fc.assert(
    fc.property(phone, fc.array(fc.boolean(), { minLength: 9, maxLength: 9 }), (number, hidden) => {
      const shown = [...number].map((digit, at) => (hidden[at] ? 'X' : digit)).join('')
      assert.notEqual(comparePhones(number, shown), 'differs', shown)
    }),
  )
})

const parts = [
  'علي',
  'صالح',
  'المثال',
  'أحمد',
  'فاطمة',
  'عبد الله',
  'يحيى',
  'إبراهيم',
  'النموذج',
  'ناصر',
  'سعيد',
] as const
const fullName = fc.uniqueArray(fc.constantFrom(...parts), { minLength: 2, maxLength: 5 })
const respell = (text: string): string =>
  text
    .replace(/[أإ]/g, 'ا')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
    .replaceAll('عبد ال', 'عبدال')
    .replace(/(.)$/, '$1ـ')

test('property: a name is the same in any order and spelling, and with two or more of its parts', () => {
  fc.assert(
    fc.property(
      fullName.chain((name) => fc.tuple(fc.constant(name), fc.shuffledSubarray(name, { minLength: 2 }))),
      ([name, some]) => compareNames(name.join(' '), some.map(respell).join('  ')) === 'same',
    ),
  )
  fc.assert(
    fc.property(fullName, fullName, (a, b) => {
      const common = a.filter((part) => b.includes(part)).length
      const likeness = compareNames(a.join(' '), b.join(' '))
      assert.equal(likeness, compareNames(b.join(' '), a.join(' ')))
      if (common === 0) assert.equal(likeness, 'differs')
      else assert.equal(likeness, common === Math.min(a.length, b.length) ? 'same' : 'unknown')
    }),
  )
})

test('property: any two texts can be compared', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      (name, phone, shown) => {
        const { likeness } = comparePayer({ name, phone }, shown)
        assert.ok(['same', 'differs', 'unknown'].includes(likeness))
      },
    ),
  )
})

test('phones decide if they differ, or are whole and the same; else names count too; no claim or payer: unknown', () => {
  const claimed = { name: 'علي صالح المثال', phone: '0770000123' }
  const stories: readonly (readonly [typeof claimed, string | null, PayerReason])[] = [
    [claimed, '770000123', 'same_phone'],
    [claimed, '77***123', 'same_phone_shown'],
    [claimed, '770000999', 'other_phone'],
    [claimed, 'علي صالح المثال 770000999', 'other_phone'],
    [claimed, 'سعيد النموذج 770000123', 'same_phone'],
    [claimed, 'علي المثال', 'same_name'],
    [claimed, 'ع*** المثال 77***123', 'same_phone_shown'],
    [claimed, 'ع*** المثال 77***999', 'other_phone'],
    [claimed, 'ع*** المثال 77*******', 'same_name_shown'],
    [claimed, 'سعيد ناصر النموذج 77***123', 'not_comparable'],
    [claimed, 'علي ص. المثال', 'same_name_shown'],
    [claimed, 'سعيد ناصر', 'other_name'],
    [claimed, '1234567', 'not_comparable'],
    [{ ...claimed, phone: '' }, '770000123', 'not_comparable'],
    [noClaim, '770000123', 'not_claimed'],
    [claimed, null, 'not_shown'],
    [claimed, ' ', 'not_shown'],
  ]
  for (const [claim, shown, reason] of stories) assert.equal(comparePayer(claim, shown).reason, reason, `${shown}`)
})

test('the same phone ranks before the same name, and another payer last', () => {
  const ranks = ['77***123', 'علي المثال', 'Ali', '770000999'].map((shown) =>
    payerRank(comparePayer({ name: 'علي صالح المثال', phone: '770000123' }, shown)),
  )
  assert.deepEqual(ranks, [0, 1, 2, 3])
})

test('the number after the payer’s name in a message is compared too', () => {
  const stories: readonly (readonly [string, string, string])[] = [
    ['علي صالح المثال', 'اضيف 500ر.ي تحويل مشترك رص:5680ر.ي من علي صالح المثال-770000000', 'علي صالح المثال 770000000'],
    ['ع*** المثال', 'رص:٧٬١٨٠٫٥ر.ي من ع*** المثال-7XXXXX000', 'ع*** المثال 7XXXXX000'],
    ['JANE EXAMPLE', 'from JANE EXAMPLE 0712345678 on 2/1/26', 'JANE EXAMPLE 0712345678'],
    ['علي المثال', 'استلمت حوالة من علي المثال بمبلغ 770000 ر.ي', 'علي المثال'],
    ['علي المثال', 'another text', 'علي المثال'],
    ['770000000', 'من 770000000 رصيدك 123456789', '770000000'],
  ]
  for (const [payer, text, expected] of stories) assert.equal(payerWithNumber(payer, text), expected)
  const claimed = { name: '', phone: '770000000' }
  assert.equal(comparePayer(claimed, payerWithNumber(stories[0]![0], stories[0]![1])).reason, 'same_phone')
  assert.equal(comparePayer(claimed, payerWithNumber(stories[1]![0], stories[1]![1])).reason, 'same_phone_shown')
})

test('200 characters of a payer and 2,000 of a text are read', () => {
  const claimed = { name: '', phone: '770000123' }
  const shown = (length: number) => comparePayer(claimed, `${'y'.repeat(length - 10)} 770000123`).likeness
  assert.deepEqual([shown(200), shown(201)], ['same', 'unknown'])
  const number = (length: number) => payerWithNumber('Ali', `${'y'.repeat(length - 14)} Ali-770000123`)
  assert.deepEqual([number(2_000), number(2_001)], ['Ali 770000123', 'Ali 77000012'])
})

test('the number after a name is added to it, also at the beginning of a text; a phone or no name stays as it is', () => {
  assert.equal(payerWithNumber('Ali', 'Ali-770000123'), 'Ali 770000123')
  assert.equal(payerWithNumber('Ali', 'from Omar-770000123'), 'Ali')
  assert.equal(payerWithNumber(null, '770000123'), null)
  assert.equal(payerWithNumber('', '770000123'), '')
  assert.equal(payerWithNumber('771111111', '771111111-770000123'), '771111111')
})

test('a name that is a letter of another word is not the payer, and the number after it no phone', () => {
  assert.equal(payerWithNumber('ع', 'بمرجع 777100000001'), 'ع')
  assert.equal(payerWithNumber('ع', 'عبد بمرجع 777100000001'), 'ع')
  assert.equal(payerWithNumber('ع', 'ع 771999888 بمرجع 777100000001'), 'ع 771999888')
  assert.equal(payerWithNumber('ع', 'من ع 771999888 بمرجع 777100000001'), 'ع 771999888')
  assert.equal(payerWithNumber('ع', 'ععع 771999888'), 'ع')
  assert.equal(payerWithNumber('Ali', '7Ali 771999888'), 'Ali')
})

test('two names are as like as each other, whichever of them was claimed', () => {
  const likeness = (a: string, b: string) => comparePayer({ name: a, phone: '' }, b).likeness
  assert.deepEqual(
    [likeness('م* محم* صالح', 'محمد محسن صالح'), likeness('محمد محسن صالح', 'م* محم* صالح')],
    ['same', 'same'],
  )
  const part = fc.constantFrom('محمد', 'محسن', 'م*', 'مح*', 'محم*', 'صالح', 'ص*', 'م', 'أحمد')
  const name = fc.array(part, { minLength: 2, maxLength: 4 }).map((parts) => parts.join(' '))
  fc.assert(
    fc.property(name, name, (a, b) => assert.equal(likeness(a, b), likeness(b, a))),
    { numRuns: 3_000 },
  )
})

test('ten parts and 200 characters of a name are compared', () => {
  const parts = (n: number) => ['bb', 'cc', 'dd', 'ff', 'gg', 'hh', 'jj', 'kk', 'mm', 'nn'].slice(0, n).join(' ')
  assert.equal(compareNames(`${parts(10)} rr`, `${parts(10)} ss`), 'same')
  assert.equal(compareNames(`${parts(9)} rr`, `${parts(9)} ss`), 'unknown')
  const letters = (n: number) => `ali ${'b'.repeat(n - 4)}`
  assert.equal(compareNames(`${letters(200)}r`, `${letters(200)}s`), 'same')
  assert.equal(compareNames(`${letters(199)}r`, `${letters(199)}s`), 'unknown')
})

test('an article that is written apart belongs to the name after it', () => {
  assert.equal(compareNames('saleh abd al rahman', 'saleh abdulrahman'), 'same')
  assert.equal(compareNames('علي ال طه', 'علي الطه'), 'same')
  assert.equal(compareNames('ali al nur', 'ali nur'), 'same')
})

test('a shown beginning fits a whole part, not a whole part a longer beginning', () => {
  assert.equal(compareNames('ali moham*', 'ali moh'), 'unknown')
  assert.equal(compareNames('ali moh*', 'ali moham'), 'same_as_far_as_shown')
  assert.equal(compareNames('ali moh*', 'ali moh'), 'same_as_far_as_shown')
  for (const shown of ['علي م* مح*', 'علي مح* م*'])
    for (const claimed of ['علي محمد مصطفى', 'علي مصطفى محمد'])
      assert.equal(compareNames(claimed, shown), 'same_as_far_as_shown')
})

test('names without a common part differ, unless one of them is cut', () => {
  assert.equal(compareNames('ali saleh', 'omar hadi'), 'differs')
  assert.equal(compareNames('ali saleh', 'omar hadi ...'), 'unknown')
  assert.equal(compareNames('ali saleh ...', 'omar hadi'), 'unknown')
})
