/** Many spellings of payers' names and numbers, and the expected results of comparing them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { comparePayer } from './payer-likeness.ts'
import { compareNames, type NameLikeness } from './payer-name.ts'
import { comparePhones, type PhoneLikeness } from './payer-phone.ts'

const [S, F, D, U] = ['same', 'same_as_far_as_shown', 'differs', 'unknown'] as const

const names: readonly (readonly [string, string, NameLikeness])[] = [
  ['أحمد علي', 'احمد علي', S],
  ['إحمد علي', 'احمد علي', S],
  ['آمنة علي', 'امنه علي', S],
  ['ٱحمد علي', 'أحمد علي', S],
  ['فاطمة نموذج', 'فاطمه نموذج', S],
  ['هدى نموذج', 'هدي نموذج', S],
  ['مصطفى نموذج', 'مصطفي نموذج', S],
  ['موسی نموذج', 'موسى نموذج', S],
  ['الحسن نموذج', 'حسن نموذج', S],
  ['ال حسن نموذج', 'الحسن نموذج', S],
  ['آل حسن نموذج', 'حسن نموذج', S],
  ['عبد الله نموذج', 'عبدالله نموذج', S],
  ['عبد  الله نموذج', 'عبدالله نموذج', S],
  ['عبدالله نموذج', 'عبد الاله نموذج', U],
  ['عبد الرحمن نموذج', 'عبدالرحمان نموذج', S],
  ['عبدالرحمن نموذج', 'عبد الرحيم نموذج', U],
  ['محمد عبدالله نموذج', 'نموذج محمد عبد الله', S],
  ['عبد الله', 'عبدالله', U],
  ['عبد الله نموذج', 'عبد نموذج', U],
  ['محـــمد نموذج', 'محمد نموذج', S],
  ['مُحَمَّدٌ نَموذِج', 'محمد نموذج', S],
  ['مؤمن نموذج', 'مومن نموذج', S],
  ['رائد نموذج', 'رايد نموذج', S],
  ['رئيس نموذج', 'رييس نموذج', S],
  ['علاء نموذج', 'علا نموذج', S],
  ['بهاء الدين نموذج', 'بهاءالدين نموذج', S],
  ['نور الدين نموذج', 'نورالدين نموذج', S],
  ['صلاح الدين المثال', 'صلاحالدين المثال', S],
  ['سيف الإسلام نموذج', 'سيف الاسلام نموذج', S],
  ['جار الله نموذج', 'جارالله نموذج', S],
  ['فتح الله نموذج', 'فتحالله نموذج', S],
  ['ذو يزن نموذج', 'ذويزن نموذج', S],
  ['أبو بكر نموذج', 'ابوبكر نموذج', S],
  ['أبي بكر نموذج', 'ابوبكر نموذج', S],
  ['أم كلثوم نموذج', 'امكلثوم نموذج', S],
  ['بنت علي نموذج', 'علي نموذج', S],
  ['علي بن نموذج', 'علي نموذج', S],
  ['علي ابن نموذج', 'علي بن نموذج', S],
  ['با وزير نموذج', 'باوزير نموذج', S],
  ['بن علي نموذج', 'علي نموذج', S],
  ['طه ياسين', 'طة ياسين', S],
  ['يحيى هادي', 'يحيا هادي', S],
  ['زكريا نموذج', 'زكرياء نموذج', S],
  ['هيثم نموذج', 'هيثم نموذج ', S],
  ['محمد احمد علي نموذج', 'محمد نموذج', S],
  ['محمد احمد علي نموذج', 'نموذج محمد', S],
  ['محمد احمد', 'احمد محمد', S],
  ['محمد محمد نموذج', 'محمد نموذج', S],
  ['محمد محمد', 'محمد نموذج', U],
  ['محمد احمد', 'علي نموذج', D],
  ['محمد احمد', 'محمد علي', U],
  ['محمد احمد', 'محمد', U],
  ['محمد', 'محمد', U],
  ['محمد احمد', 'Mohammed Ahmed', U],
  ['محمد احمد', 'Salem Naser', U],
  ['Mohammed Ahmed', 'محمد احمد', U],
  ['Mohammed Ahmed', 'Muhammad Ahmad', U],
  ['Mohammed Ahmed', 'Mohamed Ahmed', U],
  ['Mohammed Ahmed', 'Omar Sample', D],
  ['MOHAMMED AHMED', 'mohammed ahmed', S],
  ['Mohammed A. Example', 'Mohammed Ahmed Example', F],
  ['José Exámple', 'Jose Example', S],
  ['Abdul Rahman Example', 'Abdulrahman Example', S],
  ['Abd al-Rahman Example', 'Abdulrahman Example', S],
  ['Abdel Rahman Example', 'Abdulrahman Example', S],
  ['Abdullah Example', 'Abd Allah Example', S],
  ['Ali El-Sayed', 'Ali Elsayed', S],
  ['Ali Al Sayed', 'Ali Alsayed', S],
  ['Ali al sayed', 'Ali Sayed', S],
  ["O'Brien Jane", 'OBrien Jane', S],
  ['Anne-Marie Example', 'Anne Marie Example', S],
  ['محمد *** نموذج', 'محمد احمد نموذج', F],
  ['م*** ن***', 'محمد نموذج', U],
  ['مح*** نموذج', 'محمد نموذج', F],
  ['مح*** نموذج', 'احمد نموذج', U],
  ['مح*** نا***', 'احمد نموذج', D],
  ['محمد ا. نموذج', 'محمد احمد نموذج', F],
  ['محمد ن', 'محمد نموذج', F],
  ['محمد ن', 'محمد احمد', U],
  ['محمد نمو…', 'محمد نموذج', F],
  ['محمد نموذج…', 'محمد نموذج المثال', F],
  ['****', 'محمد نموذج', U],
  ['*** نموذج', 'محمد نموذج', U],
  ['السيد محمد نموذج', 'محمد نموذج', S],
  ['الأستاذ محمد نموذج', 'محمد نموذج', S],
  ['د. محمد نموذج', 'محمد نموذج', S],
  ['م/ محمد نموذج', 'محمد نموذج', S],
  ['Mr. Ali Example', 'Ali Example', S],
  ['الحاج محمد نموذج', 'محمد نموذج', S],
  ['محمد نموذج', 'محمد نموذج 770000000', S],
  ['علي', 'علي نموذج', U],
  ['الله احمد', 'عبد الله احمد', U],
  ['ﻣﺤﻤﺪ نموذج', 'محمد نموذج', S],
  ['محمد\u200fنموذج', 'محمد نموذج', U],
  ['محمد\u00a0نموذج', 'محمد نموذج', S],
  ['محمد،نموذج', 'محمد نموذج', S],
  ['محمد-نموذج', 'محمد نموذج', S],
  ['شركة المثال', 'شركة النخلة', U],
  ['محمد گامل', 'محمد كامل', S],
  ['حسن علي', 'حسين علي', U],
  ['حسن نموذج', 'حسين ناصر', D],
]

const phones: readonly (readonly [string, string, PhoneLikeness])[] = [
  ['770000123', '+967770000123', S],
  ['770000123', '00967770000123', S],
  ['770000123', '967770000123', S],
  ['770000123', '0770000123', S],
  ['770000123', '+967 (0) 770 000 123', S],
  ['770000123', '٠٠٩٦٧٧٧٠٠٠٠١٢٣', S],
  ['٧٧٠٠٠٠١٢٣', '770000123', S],
  ['۷۷۰۰۰۰۱۲۳', '770000123', S],
  ['770 000 123', '770-000-123', S],
  ['770.000.123', '770000123', S],
  ['‎770000123‎', '770000123', S],
  ['+967-770000123', '967770000123', S],
  ['770/000/123', '770000123', U],
  ['770_000_123', '770000123', F],
  ['770000123', '770000124', D],
  ['770000123', '+967770000124', D],
  ['770000123', '+966770000123', S],
  ['+967770000123', '+966770000123', D],
  ['+967770000123', '+966550000123', D],
  ['00967770000123', '+201770000123', D],
  ['770000123', '77XXXX123', F],
  ['770000123', '77xxxx123', F],
  ['770000123', '77****123', F],
  ['770000123', '77####123', F],
  ['770000123', '77••••123', F],
  ['770000123', '77…123', F],
  ['770000123', '77...123', F],
  ['770000123', '77----123', F],
  ['770000123', '77____123', F],
  ['770000123', '77????123', F],
  ['770000123', '77●●●●123', F],
  ['770000123', '77∗∗∗∗123', F],
  ['770000123', '77×××123', F],
  ['770000123', '77 *** *123', F],
  ['770000123', '77٭٭٭٭123', F],
  ['770000123', '77······123', F],
  ['770000123', '77***124', D],
  ['770000123', '78***123', D],
  ['770000123', '+96777***123', F],
  ['770000123', '+967*****123', U],
  ['770000123', '+967*****0123', F],
  ['770000123', '0096777***123', F],
  ['770000123', '96777***123', F],
  ['770000123', '077***123', F],
  ['770000123', '77***23', F],
  ['770000123', '77***3', U],
  ['770000123', '***0123', F],
  ['770000123', '***123', U],
  ['770000123', '7700***', F],
  ['770000123', '7700*****', F],
  ['770000123', '770*****3', F],
  ['770000123', '*7*0*0123', F],
  ['770000123', '***', U],
  ['770000123', '77*0000*123', F],
  ['770000123', '77**00123', F],
  ['770000123', '7700001230', D],
  ['770000123', '77000012', U],
  ['770000123', '0123', U],
  ['771234567', '1234567', U],
  ['1234567', '1234567', S],
  ['1234567', '1234568', U],
  ['01234567', '1234567', S],
  ['770000123', '77**********************123', F],
  ['770000123', '77*000123', F],
  ['770000123', '77XXX123', F],
  ['770000123', '77XX123', F],
  ['770000123', '+9677700XXXXX', F],
  ['770000123', '967*****123', U],
  ['770000123', '967******123', U],
  ['733000123', '967*****0124', D],
  ['0770000123', '770000123', S],
  ['00770000123', '770000123', S],
  ['+9670770000123', '770000123', S],
]

test('a hundred spellings of names are compared as a member would', () => {
  for (const [a, b, expected] of names) {
    assert.equal(compareNames(a, b), expected, `${a} and ${b}`)
    assert.equal(compareNames(b, a), expected, `${b} and ${a}`)
  }
})

test('numbers with country codes, hidden digits in all notations, and digits of other scripts are compared', () => {
  for (const [a, b, expected] of phones) {
    assert.equal(comparePhones(a, b), expected, `${a} and ${b}`)
    assert.equal(comparePhones(b, a), expected, `${b} and ${a}`)
  }
})

const phone = fc.integer({ min: 700_000_000, max: 789_999_999 }).map(String)
const prefix = fc.constantFrom('', '0', '967', '+967', '00967', '+967 0', '٩٦٧')
const sign = fc.constantFrom('X', 'x', '*', '#', '•', '●', '×', '_', '?')

test('property: a number whose middle is hidden never differs from itself, with any prefix and mask sign', () => {
  const shown = fc.tuple(prefix, fc.nat({ max: 4 }), fc.nat({ max: 4 }), fc.integer({ min: 1, max: 6 }), sign)
  fc.assert(
    fc.property(phone, prefix, shown, (number, own, [before, head, tail, hidden, maskSign]) => {
      const masked = `${before}${number.slice(0, head)}${maskSign.repeat(hidden)}${number.slice(9 - tail)}`
      assert.notEqual(comparePhones(`${own}${number}`, masked), 'differs', masked)
    }),
  )
})

test('property: numbers of two countries differ, even if the national numbers are the same', () => {
  fc.assert(
    fc.property(phone, fc.constantFrom('+254', '00254', '+966', '+20', '+1'), (number, other) => {
      assert.equal(comparePhones(`+967${number}`, `${other}${number}`), 'differs')
    }),
  )
})

const arabic = fc.array(fc.constantFrom('علي', 'ناصر', 'النموذج', 'عبد الله'), { minLength: 1, maxLength: 4 })
const latin = fc.array(fc.constantFrom('Ali', 'Nasser', 'Example', 'Abdullah'), { minLength: 1, maxLength: 4 })

test('property: comparing a name in Latin letters with one in Arabic letters gives unknown', () => {
  fc.assert(
    fc.property(arabic, latin, (a, b) => {
      assert.equal(compareNames(a.join(' '), b.join(' ')), 'unknown')
      assert.equal(comparePayer({ name: a.join(' '), phone: '' }, b.join(' ')).likeness, 'unknown')
    }),
  )
})

test('property: comparing two names gives the same result in both directions', () => {
  const any = fc.oneof(fc.constantFrom(...names.map(([name]) => name)), fc.string({ unit: 'grapheme' }))
  fc.assert(fc.property(any, any, (a, b) => compareNames(a, b) === compareNames(b, a)))
})
