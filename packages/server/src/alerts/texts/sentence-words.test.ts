import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeUpNames, nameParts } from '../../../test/attacks/made-up-names.ts'
import { arabicWords, englishWords, sentenceTails } from '../../../test/attacks/sentence-tails.ts'
import * as arabic from './arabic-sentence-words.ts'
import * as english from './english-sentence-words.ts'
import { normalise } from './normalise.ts'
import { stateWordIn, wordNotOfAName, wordsOf } from './sentence-words.ts'

const found = (name: string): string | undefined => wordNotOfAName(normalise(name))
const areNames = (names: readonly string[]): void => {
  for (const name of names) assert.equal(found(name), undefined, name)
}
const areSentences = (texts: readonly string[]): void => {
  for (const text of texts) assert.notEqual(found(text), undefined, text)
}
const repeat = (word: string, times: number): string => Array.from({ length: times }, () => word).join(' ')

test('a verb is found in every person, tense and with every pronoun', () => {
  areSentences(['أودع', 'أودعت', 'أودعوا', 'أودعناها', 'يودع', 'تودع', 'نودع', 'يودعون', 'سيودع', 'ستودعها', 'ليودع'])
  areSentences([
    'وأودع',
    'فيودع',
    'بايودع',
    'عيودع',
    'شايودع',
    'بتودع',
    'أرسلتموها',
    'استرجعها',
    'ردت',
    'ردها',
    'يردونها',
  ])
  areSentences(['وصلش', 'وصلتش', 'سيحتسب', 'ستنتقل'])
})

test('a verb is found as it is spoken: the future, the passive, and a denial that is written together with it', () => {
  areSentences([
    'هتوصل',
    'حتوصل',
    'شتوصل',
    'هيوصل',
    'هاتوصل',
    'حاتوصل',
    'هنرسل',
    'حنرسل',
    'شنرسل',
    'عنرسل',
    'بنرسل',
    'هتتحول',
  ])
  areSentences(['هيوصلها', 'وهتوصل', 'هيوصلوا', 'حيوصلكم', 'شيرسلوها', 'هتوصلش', 'حارسل', 'شارسل'])
  areSentences(['اتكنسلت', 'اتلغت', 'انردت', 'اترفضت', 'تكنسلت', 'اتسحب', 'بيتسحب', 'يتلغي', 'واتكنسلت', 'اتكنسلتش'])
  areSentences([
    'كنسل',
    'كنسلت',
    'كنسلوها',
    'يكنسل',
    'بنكنسل',
    'هيكنسلها',
    'كنسلناها',
    'ماكنسلش',
    'مكنسل',
    'المكنسلة',
    'مكنسلين',
  ])
  areSentences(['ماوصلت', 'ماوصلتش', 'موصلتش', 'متحولتش', 'مابتوصل', 'مشوصلت', 'ومانزلتش', 'ماجتش'])
  areSentences(['ادفعوا', 'ابعثوها', 'ارسلوا'])
  areNames(['هيثم', 'هتان', 'حيدر', 'حياة', 'شيماء', 'هيام', 'شنودة', 'حنان', 'هناء', 'حاتم', 'شاهين', 'عنتر', 'هارون'])
  areNames([
    'ماجد',
    'ماهر',
    'مالك',
    'مانع',
    'مارية',
    'مأمون',
    'درويش',
    'طارش',
    'حبيش',
    'أنور',
    'أنس',
    'اتحاد',
    'انتصار',
  ])
})

test('a feminine participle is no part of a person’s name, unless women have it; a company may have it', () => {
  areSentences([
    'معدومة',
    'مغلوطة',
    'مرهونة',
    'المرهونة',
    'بالمرهونة',
    'ومحبوسة',
    'مكنسلة',
    'مفبركة',
    'مقترحة',
    'منسية',
    'ملفقة',
  ])
  areSentences(['متنازعة', 'ملتغية'])
  areNames([
    'ميمونة',
    'مسعودة',
    'محمودة',
    'مبروكة',
    'مستورة',
    'مسلمة',
    'مرشدة',
    'مهدية',
    'معاوية',
    'منيرة',
    'مريم',
    'ماجدة',
  ])
  areNames(['شركة المثال المحدودة', 'شركة المثال المتحدة', 'مجموعة المثال المتقدمة للتجارة', 'شركة الأمانة للصرافة'])
  areNames(['وزارة الخارجية', 'Al Example Development and Investment Co.', 'Example Construction Ltd'])
})

test('the past of a verb with a feminine subject is no part of a person’s name, unless people have it', () => {
  areSentences(['سقطت', 'انقلبت', 'علي المثال وسقطت', 'فاتت'])
  areNames([
    'حكمت',
    'طلعت',
    'رأفت',
    'جودت',
    'ثابت',
    'عصمت المثال',
    'فرحات',
    'بركات',
    'ياقوت',
    'عبدالفت...',
    'علي سقطت...',
  ])
})

test('a woman’s name that says something else after a man’s name is a name only in the first place', () => {
  areNames(['وديعة', 'وديعة علي المثال', 'أمانة المثال', 'وديع المثال', 'أمين المثال', 'هدى المثال'])
  areSentences([
    'علي المثال وديعة',
    'علي المثال أمانة',
    'علي المثال للأمانة',
    'علي صالح المثال الوديعة',
    'علي المثال كوديعة',
  ])
})

test('an opposite of a word of sentences, and endings that no name has, are found in English', () => {
  areSentences([
    'undelivered',
    'unsent',
    'unprocessed',
    'misposted',
    'nonpayment',
    'dishonoured',
    'disallowed',
    'cancellable',
  ])
  areSentences(['intention', 'worthless', 'corrupted', 'misallocated', 'overruled', 'begging'])
  areNames([
    'Asad',
    'Mohammed',
    'Waleed',
    'Khaled',
    'Majed',
    'Rashed',
    'Unais',
    'Dishan',
    'Missri',
    'Xiaoming',
    'Ning',
    'Shams',
    'Beg',
  ])
})

test('a noun is found with prefixes, in gender and number, and with pronouns', () => {
  areSentences(['مبلغ', 'المبلغ', 'بمبلغ', 'للمبلغ', 'والمبلغ', 'وبالمبلغ', 'مبالغ', 'مبلغك', 'مبلغها', 'مبلغين'])
  areSentences(['محفظة', 'محفظتك', 'محفظتها', 'محفظتكم', 'محفظتين', 'إلغاء', 'إلغاؤها', 'بإلغائها', 'معلّقة', 'معلقون'])
  areSentences(['استلامه', 'مستلمة', 'يستحق', 'تحويل', 'تسويات', 'التحميل', 'موافقتك', 'صاحبها'])
})

test('an English word is found in its forms', () => {
  areSentences([
    'send',
    'sends',
    'sending',
    'charged',
    'charging',
    'stopped',
    'applies',
    'denied',
    'quickly',
    'repayment',
  ])
  areSentences(['SENT', 'Requested', 'EXAMPLEREVERSED', 'рending'])
})

test('names that look like such words are names', () => {
  areNames([
    'ردمان',
    'سحبان',
    'وردة',
    'فيصل',
    'يسلم',
    'مرسل',
    'طالب',
    'واصل',
    'عوض',
    'فرج',
    'آلاء',
    'رجاء',
    'بهاء',
    'هناء',
  ])
  areNames(['علي معلقي', 'راجح المردودي', 'الكاف', 'الصالحين', 'بارجاء', 'توفيق', 'تيسير', 'تسنيم', 'مستور', 'سيلان'])
  areNames(['Said', 'Sayed', 'Ra’id', 'Anis', 'Will Example', 'Saleh', 'Fares', 'تاجر تجريبي'])
  // Two people: their names stay names after "and".
  areNames(['هدى وسيرين المثال', 'هدى وتسلم المثال'])
})

test('after عبد a name of God is a name', () => {
  areNames(['عبد الباقي', 'عبدالمعيد', 'عبد المعيد', 'عبد الواجد'])
  areSentences(['عبد تم', 'المثال الإيداع', 'علي عبد الباقي الإيداع'])
})

test('a company may have words of trade, and no others', () => {
  areNames(['شركة المثال للصرافة والتحويلات المالية', 'المثال للتجارة والاستيراد', 'مكتب خدمات المثال', 'بنك المثال'])
  areNames(['محلات المثال لبيع وشراء السيارات', 'مجموعة المثال', 'Al Example Money Transfer Co.', 'شركة ABC للتجارة'])
  areSentences([
    'شركة المثال تحويلات',
    'شركة المثال للتجارة تحت التدقيق',
    'شركة المثال للمراجعة',
    'علي المثال والتحويلات',
  ])
  areSentences(['Example Trading Co. refunded', 'علي المثال البنك والتحويلات'])
  // "For gold" says in what a company deals. "For charity" has a letter less, and says nothing of a company.
  areNames(['المثال للذهب المتحدة'])
  areSentences(['علي المثال للبر مدعومة'])
})

test('a name has at most nine words, that of a company twelve, and a word at most sixteen letters', () => {
  areNames([repeat('علي', 9), `شركة ${repeat('علي', 11)}`, 'م'.repeat(16)])
  areSentences([repeat('علي', 10), `شركة ${repeat('علي', 12)}`, 'م'.repeat(17)])
})

test('a person’s name is in one script; initials are of any', () => {
  areNames(['ALI EXAMPLE', 'علي المثال', 'علي A المثال'])
  areSentences(['علي المثال Abc', 'علي المثال OK', 'ALI علي'])
})

test('letters that were set apart are joined, at most three are initials', () => {
  areNames(['ع. ص. م. المثال', 'J. D. Example', 'ص.ر المثال'])
  areSentences(['ط.ل.ب د.ف.ع', 's e n t', 'f.a.i.l.e.d', 're-versed', 'ت-م-ا-ل-س-ح-ب', 'ع ص م ن'])
})

test('masked and cut names are names, but not a sentence that was cut', () => {
  areNames(['ع*** المثال', 'ت**م المثال', 'ر*** ع*** م*** ه*** ا***', 'علي صا...', 'علي مع...', 'علي من …'])
  areSentences(['علي تم السحب...', 'علي لم...', 'علي المبلغ...', 'علي مع', 'f*a*i*l*e*d'])
  // Only the last word was cut, and of that only up to three letters are taken for the beginning of another word.
  areNames(['علي بعد...'])
  areSentences(['علي مبلغ ...', 'تم دفع...', 'علي تم دفع...', 'سقطت علي...', 'علي سقطت المثال...'])
})

test('a word that is written together with a name is found; a name that only begins or ends like one is a name', () => {
  areSentences(['المثالمرفوضة', 'المثالمعلق', 'ملغاةالمثال', 'سحبالمثال', 'مرفوضةصالح'])
  areNames(['شكرالله المثال', 'Sharif Example', 'Abdullatif Example', 'Hasnah Example'])
})

test('in free text only words that change the message are found, except known ones', () => {
  const none: ReadonlySet<string> = new Set()
  for (const text of ['سداد فاتورة شهر مايو', 'payment for the order', '2/1/26 10:15 AM', 'قيمة مشتريات'])
    assert.equal(stateWordIn(normalise(text), none), undefined, text)
  for (const text of ['سيتم السداد', 'refund', 'لم تصل', 'if confirmed', 'أرسلت', 'r.e.f.u.n.d', 's.e.n.t', 's e n t'])
    assert.notEqual(stateWordIn(normalise(text), none), undefined, text)
  // An incoming transfer is not "and I return", and only the future of a harmless verb says that nothing has come yet.
  for (const text of ['حوالة واردة', 'يودع في الحساب', 'ليودع في الحساب'])
    assert.equal(stateWordIn(normalise(text), none), undefined, text)
  for (const text of ['بايودع في الحساب', 'هيوصل للحساب', 'stopping the transfer', 'deferring the deposit'])
    assert.notEqual(stateWordIn(normalise(text), none), undefined, text)
  assert.equal(stateWordIn('refund', new Set(wordsOf('refund').plain)), undefined)
})

test('the sentences and words of the corpus are found after a name; of made-up names only those that were cut wait', () => {
  areSentences([...sentenceTails, ...arabicWords].map((tail) => `علي صالح المثال ${tail}`))
  areSentences(englishWords.map((tail) => `Ali Saleh Example ${tail}`))
  const waiting = [...madeUpNames(4_000, 56), ...madeUpNames(4_000, 57)].filter((name) => found(name) !== undefined)
  assert.deepEqual(
    waiting.filter((name) => !name.endsWith('...')),
    [],
  )
  assert.ok(waiting.length <= 8, waiting.join('; '))
  areNames(nameParts)
})

test('no name of the exceptions is found, and no word stands twice in a list', () => {
  areNames(arabic.NAMES)
  for (const [name, words] of Object.entries({ ...arabic, ...english }))
    assert.deepEqual(
      words.filter((word, i) => words.indexOf(word) !== i),
      [],
      name,
    )
})
