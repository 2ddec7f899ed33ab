import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SHIPPED_PROVIDERS } from '../shipped/shipped-templates.ts'
import { SHIPPED_TEST } from '../shipped/shipped-test.ts'
import { DENIAL_WORDS, TRIAL_WORDS } from './denial-words.ts'
import { denialIn, deniesItself } from './denies-itself.ts'
import { folded } from './folded-text.ts'

const samples = SHIPPED_PROVIDERS.flatMap(({ templates }) =>
  templates.flatMap((template) => template.samples.map(({ text }) => text)),
)
const paid = 'لقد استلمت 36000 YER كقيمة مشتريات بمرجع 123456789012 من علي صالح المثال'

test('no shipped sample denies itself, except that the test provider may say "test"', () => {
  for (const text of samples) assert.equal(denialIn(text), undefined, text)
  const [sample] = SHIPPED_TEST.templates[0]!.samples
  assert.equal(deniesItself(sample!.text, true), false)
  assert.equal(deniesItself(sample!.text), true)
  assert.equal(deniesItself(`${sample!.text} reversed`, true), true)
})

test('each word denies a payment: at the end, at the beginning, in the middle, and in capitals', () => {
  for (const word of [...DENIAL_WORDS, ...TRIAL_WORDS])
    for (const text of [
      `${paid} ${word}`,
      `${paid} (${word})`,
      `${word}: ${paid}`,
      paid.replace(' من ', ` ${word} من `),
      `${paid}\n${word.toUpperCase()}`,
      `${paid}-${word}.`,
      `YER${word} ${paid}`.replace(/^YER(?=[a-z])/, ''),
    ])
      assert.ok(deniesItself(text), text)
})

test('other spellings deny a payment too: hamza, ة and ه, ى and ي, vowel signs, stretched words, prefixes', () => {
  for (const words of [
    'مُلغاة',
    'تم الإلغاء',
    'أُلغيت العملية',
    'تم إلغاؤها',
    'والغاء',
    'بإلغاء العملية',
    'للإلغاء',
    'ولم تكتمل',
    'وبالرفض',
    'عملية مـــلـغـيـة',
    'معكوسة',
    'تم عكس العملية',
    'العكس',
    'مرتجعة',
    'تم استرجاع المبلغ',
    'إرجاع',
    'تم ردّ المبلغ',
    'مستردّة',
    'فشلت العملية',
    'عملية فاشلة',
    'المعلّقة',
    'قيد الإنتظار',
    'قيد المعالجة',
    'قيد التنفيذ',
    'لم تكتمل',
    'غير مكتملة',
    'لم تُنفّذ',
    'لم تتم',
    'مرفوضة',
    'غير ناجحة',
    'ملغى',
    'تجربة',
    'إختبار',
    'NOT\u00a0completed',
    'not  \n completed',
    'R E V E R S E D',
    'f.a.i.l.e.d',
    're-versed',
    'rev\u200bersed',
    'ｒｅｆｕｎｄｅｄ',
    'саncelled',
    'ﻣﻠﻐﻲ',
    'failed77',
    'on hold',
    'تم إرجاعها',
    'تم التراجع عنها',
    'تم الغا العملية',
    'إلغاؤه',
    'بإلغائها',
    'لم تُنجَز',
    'غير منجزة',
    'مؤجّلة',
    'لن تتم',
    'لم تُضف',
    'has not yet been credited',
    "couldn't be completed",
    'did not go through',
    'frozen',
    'reversing',
    'теst',
  ])
    assert.ok(deniesItself(`${paid} ${words}`), words)
})

test('accents, vowel signs and invisible marks between the letters do not hide a word', () => {
  const marks = ['\u0301', '\u0308', '\u064e', '\u0651', '\u0640', '\u200b', '\u200d', '\u200f', '\ufe0f', '\u2062']
  for (const word of [...DENIAL_WORDS, ...TRIAL_WORDS])
    for (const mark of marks) {
      const hidden = word.replace(/(?<=\p{L})(?=\p{L})/gu, mark)
      assert.ok(deniesItself(`${paid} ${hidden}`), `${word} with ${mark.codePointAt(0)!.toString(16)}`)
    }
})

test('names of people and similar words do not deny a payment', () => {
  for (const words of [
    'علي معلقي',
    'راجح المردودي',
    'فاشي',
    'مرجع',
    'المرجع',
    'تاجر تجريبي',
    'محفظة تجريبية',
    'راجع رصيدك',
    'Testa',
    'Contest',
    'Fairfailed',
    'Voidmann',
    'Pendington',
    'Refundo',
    'to cancel call 770000000',
    'not you? call us',
    'on time',
    'hold on',
    'قيد 55',
    'غير',
    'لم',
    'رد',
    'عاكسة',
    'ورد المبلغ',
    'ورد مبلغ',
    'فرد مبلغ',
    'رافض',
    'فاطمة',
    'طه',
    'محمد الوهم',
    'if you did not do this, call us',
    'إذا لم تقم بهذه العملية اتصل بنا',
    'لا تشارك الرمز مع احد',
  ])
    assert.equal(denialIn(`${paid} ${words}`), undefined, words)
})

test('property: only whole words deny a payment, with any characters around them', () => {
  const between = fc.constantFrom(' ', '. ', ', ', ' - ', '\n', ' (', ': ', '،', ' 5 ')
  const letters = fc.stringMatching(/^[a-z]{1,6}$/)
  const known = new Set([...DENIAL_WORDS, ...TRIAL_WORDS])
  fc.assert(
    fc.property(
      fc.constantFrom(...DENIAL_WORDS),
      between,
      between,
      fc.constantFrom(...samples),
      letters,
      (word, before, after, sample, more) => {
        assert.equal(denialIn(`${sample}${before}${word}${after}x`) !== undefined, true)
        if (!/^[a-z]+$/.test(word) || known.has(word + more)) return
        // A longer word with the same beginning is another word.
        assert.equal(denialIn(`received 5 YER from ${word}${more}`), undefined)
      },
    ),
  )
})

test('the lists hold folded spellings, each once', () => {
  const all = [...DENIAL_WORDS, ...TRIAL_WORDS]
  for (const word of all) assert.equal(folded(word), word)
  assert.equal(new Set(all).size, all.length)
})

test('what is left of a word without its prefix must have three letters', () => {
  assert.equal(denialIn('ورد'), undefined)
  const notYet = DENIAL_WORDS.find((phrase) => phrase.startsWith('لم '))!
  assert.ok(deniesItself(notYet))
  assert.equal(denialIn(notYet.replace('لم ', 'لمه ')), undefined)
  const arabic = DENIAL_WORDS.filter((word) => /^\p{Script=Arabic}+$/u.test(word) && !/[ءهم]/u.test(word))
  const withSuffix = (letters: number) => arabic.filter((word) => word.length === letters).map((word) => `${word}ه`)
  for (const word of withSuffix(3)) assert.ok(deniesItself(word), word)
  for (const word of withSuffix(2)) if (!DENIAL_WORDS.includes(word)) assert.ok(!deniesItself(word), word)
  assert.equal(deniesItself('تم الايداع ملغي'), true)
  assert.equal(deniesItself('This is a test', true), false)
  assert.notEqual(denialIn(TRIAL_WORDS[0]!), undefined)
  assert.equal(denialIn(TRIAL_WORDS[0]!, true), undefined)
  const withU = DENIAL_WORDS.find((word) => /^[a-z]*u[a-z]*$/.test(word))!
  assert.ok(deniesItself(withU.replaceAll('u', 'ս')), withU)
})
