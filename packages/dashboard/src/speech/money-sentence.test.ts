/** Amounts in words: every sentence says its amount and no other, in both languages; and what is not said. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualCurrency } from '@sanad/contract/currency'
import fc from 'fast-check'
import { allClips, moneyClips, moneyText } from './money-sentence.ts'

const money = (amount: string, payer = '') => ({ amount, currency: usualCurrency, payer })
const arabic = (amount: string): string | undefined => moneyText(money(amount), 'ar')?.replace(/^وصل /, '')
const english = (amount: string): string | undefined => moneyText(money(amount), 'en')?.replace(/^received /, '')

const arabicCases: Readonly<Record<string, string>> = {
  '0': 'صفر ريال',
  '0.00': 'صفر ريال',
  '1': 'ريال واحد',
  '2': 'ريالان',
  '3': 'ثلاثة ريالات',
  '4': 'أربعة ريالات',
  '5': 'خمسة ريالات',
  '6': 'ستة ريالات',
  '7': 'سبعة ريالات',
  '8': 'ثمانية ريالات',
  '9': 'تسعة ريالات',
  '10': 'عشرة ريالات',
  '11': 'أحد عشر ريالًا',
  '12': 'اثنا عشر ريالًا',
  '13': 'ثلاثة عشر ريالًا',
  '18': 'ثمانية عشر ريالًا',
  '20': 'عشرون ريالًا',
  '21': 'واحد وعشرون ريالًا',
  '22': 'اثنان وعشرون ريالًا',
  '99': 'تسعة وتسعون ريالًا',
  '100': 'مئة ريال',
  '101': 'مئة وواحد ريال',
  '102': 'مئة واثنان ريال',
  '103': 'مئة وثلاثة ريالات',
  '110': 'مئة وعشرة ريالات',
  '111': 'مئة وأحد عشر ريالًا',
  '150': 'مئة وخمسون ريالًا',
  '200': 'مئتا ريال',
  '201': 'مئتان وواحد ريال',
  '250': 'مئتان وخمسون ريالًا',
  '300': 'ثلاثمئة ريال',
  '800': 'ثمانمئة ريال',
  '1000': 'ألف ريال',
  '1001': 'ألف وواحد ريال',
  '1010': 'ألف وعشرة ريالات',
  '1500.00': 'ألف وخمسمئة ريال',
  '2000': 'ألفا ريال',
  '2500': 'ألفان وخمسمئة ريال',
  '3000': 'ثلاثة آلاف ريال',
  '3250.00': 'ثلاثة آلاف ومئتان وخمسون ريالًا',
  '10000': 'عشرة آلاف ريال',
  '11000': 'أحد عشر ألف ريال',
  '11500': 'أحد عشر ألفًا وخمسمئة ريال',
  '21000': 'واحد وعشرون ألف ريال',
  '100000': 'مئة ألف ريال',
  '101000': 'مئة وواحد ألف ريال',
  '103000': 'مئة وثلاثة آلاف ريال',
  '200000': 'مئتا ألف ريال',
  '250750': 'مئتان وخمسون ألفًا وسبعمئة وخمسون ريالًا',
  '300005': 'ثلاثمئة ألف وخمسة ريالات',
  '1000000': 'مليون ريال',
  '1000001': 'مليون وواحد ريال',
  '1001000': 'مليون وألف ريال',
  '1002000': 'مليون وألفا ريال',
  '2000000': 'مليونا ريال',
  '2000002': 'مليونان واثنان ريال',
  '3000000': 'ثلاثة ملايين ريال',
  '11000000': 'أحد عشر مليون ريال',
  '12000012': 'اثنا عشر مليونًا واثنا عشر ريالًا',
  '1000000000': 'مليار ريال',
  '2000000000': 'مليارا ريال',
  '5000000000': 'خمسة مليارات ريال',
  '100000000000': 'مئة مليار ريال',
  '0.01': 'فلس واحد',
  '0.02': 'فلسان',
  '0.05': 'خمسة فلوس',
  '0.5': 'خمسون فلسًا',
  '1.01': 'ريال واحد وفلس واحد',
  '2.02': 'ريالان وفلسان',
  '1500.75': 'ألف وخمسمئة ريال وخمسة وسبعون فلسًا',
}

test('the difficult Arabic amounts, with the form of the noun after each', () => {
  const said = Object.fromEntries(Object.keys(arabicCases).map((amount) => [amount, arabic(amount)]))
  assert.deepEqual(said, arabicCases)
})

const englishCases: Readonly<Record<string, string>> = {
  '0': 'zero riyals',
  '1': 'one riyal',
  '2': 'two riyals',
  '11': 'eleven riyals',
  '12': 'twelve riyals',
  '20': 'twenty riyals',
  '21': 'twenty one riyals',
  '100': 'one hundred riyals',
  '101': 'one hundred one riyals',
  '1000': 'one thousand riyals',
  '1500.00': 'one thousand five hundred riyals',
  '11000': 'eleven thousand riyals',
  '100000': 'one hundred thousand riyals',
  '1000001': 'one million one riyals',
  '2000000000': 'two billion riyals',
  '0.01': 'one fils',
  '1.50': 'one riyal and fifty fils',
}

test('the English amounts, with riyal only after one', () => {
  const said = Object.fromEntries(Object.keys(englishCases).map((amount) => [amount, english(amount)]))
  assert.deepEqual(said, englishCases)
})

// Readers of numbers in words, written from the values of the words and not from the grammar that makes the sentences.

const arabicValues: Readonly<Record<string, number>> = {
  صفر: 0,
  واحد: 1,
  اثنان: 2,
  ثلاثة: 3,
  أربعة: 4,
  خمسة: 5,
  ستة: 6,
  سبعة: 7,
  ثمانية: 8,
  تسعة: 9,
  عشرة: 10,
  أحد: 1,
  اثنا: 2,
  عشر: 10,
  عشرون: 20,
  ثلاثون: 30,
  أربعون: 40,
  خمسون: 50,
  ستون: 60,
  سبعون: 70,
  ثمانون: 80,
  تسعون: 90,
  مئة: 100,
  مئتان: 200,
  مئتا: 200,
  ثلاثمئة: 300,
  أربعمئة: 400,
  خمسمئة: 500,
  ستمئة: 600,
  سبعمئة: 700,
  ثمانمئة: 800,
  تسعمئة: 900,
}
const arabicScales: Readonly<Record<string, readonly [each: number, count: 0 | 1 | 2]>> = {
  ألف: [1e3, 1],
  ألفًا: [1e3, 0],
  آلاف: [1e3, 0],
  ألفان: [1e3, 2],
  ألفا: [1e3, 2],
  مليون: [1e6, 1],
  مليونًا: [1e6, 0],
  ملايين: [1e6, 0],
  مليونان: [1e6, 2],
  مليونا: [1e6, 2],
  مليار: [1e9, 1],
  مليارًا: [1e9, 0],
  مليارات: [1e9, 0],
  ملياران: [1e9, 2],
  مليارا: [1e9, 2],
}
/** [whole or hundredths, how many are meant if no number stands before]. */
const arabicNouns: Readonly<Record<string, readonly ['whole' | 'hundredths', number]>> = {
  ريال: ['whole', 1],
  ريالان: ['whole', 2],
  ريالات: ['whole', Number.NaN],
  ريالًا: ['whole', Number.NaN],
  فلس: ['hundredths', 1],
  فلسان: ['hundredths', 2],
  فلوس: ['hundredths', Number.NaN],
  فلسًا: ['hundredths', Number.NaN],
}

const known = (word: string): boolean => [arabicValues, arabicScales, arabicNouns].some((of) => Object.hasOwn(of, word))

const readArabic = (text: string): { whole: number; hundredths: number } => {
  const read = { whole: 0, hundredths: 0 }
  let total = 0
  let group: number | undefined
  let hasNumber = false
  let afterNoun = false
  for (const written of text.split(' ')) {
    const word = known(written) ? written : written.replace(/^و/, '')
    assert.ok(known(word), `an unknown word: ${written}`)
    // After a noun: ريال واحد.
    if (afterNoun && written === 'واحد') continue
    afterNoun = false
    if (Object.hasOwn(arabicValues, word)) {
      group = (group ?? 0) + arabicValues[word]!
      hasNumber = true
    } else if (Object.hasOwn(arabicScales, word)) {
      const [each, alone] = arabicScales[word]!
      // The dual counts by itself.
      assert.ok(alone !== 2 || group === undefined)
      const times = group ?? alone
      assert.ok(times > 0, `nothing counts ${word}`)
      assert.ok(total === 0 || total % (each * 1000) === 0, 'larger units first')
      total += times * each
      group = undefined
      hasNumber = true
    } else {
      const [part, alone] = arabicNouns[word]!
      read[part] = hasNumber ? total + (group ?? 0) : alone
      total = 0
      group = undefined
      hasNumber = false
      afterNoun = true
    }
  }
  assert.ok(!hasNumber, 'a number without a noun')
  return read
}

const englishValues = new Map(
  (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen'
  )
    .split(' ')
    .map((word, value) => [word, value]),
)
for (const [at, word] of 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').entries())
  englishValues.set(word, 20 + at * 10)
const englishScales = new Map([
  ['thousand', 1e3],
  ['million', 1e6],
  ['billion', 1e9],
])

const readEnglish = (text: string): { whole: number; hundredths: number } => {
  const read = { whole: 0, hundredths: 0 }
  let total = 0
  let group = 0
  for (const word of text.split(' ')) {
    const value = englishValues.get(word)
    const scale = englishScales.get(word)
    if (value !== undefined) group += value
    else if (word === 'hundred') group *= 100
    else if (scale !== undefined) {
      total += group * scale
      group = 0
    } else if (['riyal', 'riyals', 'fils'].includes(word)) {
      const count = total + group
      if (word !== 'fils') assert.equal(word === 'riyal', count === 1)
      read[word === 'fils' ? 'hundredths' : 'whole'] = count
      total = 0
      group = 0
    } else assert.equal(word, 'and')
  }
  return read
}

const clips = { ar: new Set(allClips('ar')), en: new Set(allClips('en')) }

const checkAmount = (whole: number, hundredths: number): void => {
  const amount = `${whole}.${String(hundredths).padStart(2, '0')}`
  assert.deepEqual(readArabic(arabic(amount)!), { whole, hundredths }, amount)
  assert.deepEqual(readEnglish(english(amount)!), { whole, hundredths }, amount)
  for (const language of ['ar', 'en'] as const)
    for (const clip of moneyClips(money(amount), language)!) assert.ok(clips[language].has(clip), `${amount}: ${clip}`)
}

test('the sentence of every amount up to 20,000 is read back as that amount', () => {
  for (let whole = 0; whole <= 20_000; whole += 1) checkAmount(whole, 0)
  for (let hundredths = 0; hundredths < 100; hundredths += 1)
    for (const whole of [0, 1, 2, 3, 11, 100, 2000]) checkAmount(whole, hundredths)
})

/** Numbers with many zeros are as likely as numbers without. */
const anyGroup = fc.oneof(
  fc.integer({ min: 0, max: 999 }),
  fc.constantFrom(0, 0, 1, 2, 3, 10, 11, 12, 99, 100, 101, 102, 200),
)
const anyWhole = fc
  .tuple(anyGroup, anyGroup, anyGroup, anyGroup)
  .map((groups) => groups.reduce((sum, group) => sum * 1000 + group, 0))

test('the sentence of every amount of the API, up to 12 digits, is read back as that amount, and every word has a clip', () => {
  fc.assert(fc.property(anyWhole, fc.integer({ min: 0, max: 99 }), checkAmount), { numRuns: 5000 })
  checkAmount(999_999_999_999, 99)
})

test('the system’s voice says the payer’s name; the clips leave it out', () => {
  assert.equal(moneyText(money('1500.00', 'علي صالح'), 'ar'), 'وصل ألف وخمسمئة ريال من علي صالح')
  assert.equal(
    moneyText(money('1500.00', 'Ali Saleh'), 'en'),
    'received one thousand five hundred riyals from Ali Saleh',
  )
  assert.deepEqual(moneyClips(money('2500.00', 'علي صالح'), 'ar'), ['وصل', 'ألفان', 'وخمسمئةِ', 'ريال'])
  assert.equal(moneyText(money('1', ' \u2068Ali\u2069\n Saleh '), 'en'), 'received one riyal from Ali Saleh')
  assert.equal(moneyText(money('1', '\u200f '), 'en'), 'received one riyal')
  assert.equal(moneyText(money('1', 'x'.repeat(500)), 'en'), `received one riyal from ${'x'.repeat(60)}`)
})

test('what is no amount of the API, or in another currency, is not said in words', () => {
  for (const amount of ['', '-5', '1,500', '١٥٠٠', '1e3', '1.005', '1000000000000', 'NaN', ' 5', '.5', '5.'])
    for (const language of ['ar', 'en'] as const) assert.equal(moneyClips(money(amount), language), undefined, amount)
  assert.equal(moneyText({ amount: '5.00', currency: 'USD', payer: 'Ali' }, 'en'), undefined)
})
test('money that a member must look at says so, and does not name the payer', () => {
  const doubtful = { ...money('4000.00', 'Ali'), needsLook: true }
  assert.equal(moneyText(doubtful, 'en'), 'received four thousand riyals needs a look')
  assert.equal(moneyText(doubtful, 'ar'), 'وصل أربعة آلاف ريال يحتاج مراجعة')
  assert.equal(moneyClips(doubtful, 'ar')?.at(-1), 'يحتاج مراجعة')
  for (const language of ['ar', 'en'] as const)
    for (const clip of moneyClips(doubtful, language) ?? []) assert.ok(allClips(language).includes(clip), clip)
})
