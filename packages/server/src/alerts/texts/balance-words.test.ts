import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compileTemplate, read } from '../templates/template.ts'
import { isCalledBalance } from './balance-words.ts'
import { normalise } from './normalise.ts'

/** Whether the number in brackets is called a balance. */
const isBalance = (marked: string): boolean => {
  const text = normalise(marked)
  const from = text.indexOf('[')
  const to = text.indexOf(']') - 1
  return isCalledBalance(text.replace('[', '').replace(']', ''), from, to)
}

test('a number after a balance word is a balance, in both languages and in every spelling', () => {
  for (const text of [
    'استلمت مبلغ 1500 YER من 770000000 رصيدك هو [258113.19]',
    'استلمت مبلغ1,500YER من77XXXXX00\nرصيدك هو[259,613.19]',
    'أضيف 30000ر.ي مشتريات رص:[220611.7]ر.ي من 1234567',
    'استلمت حوالة من علي بمبلغ 250.00 ر.ي ورصيدكم الحالي YER [250.00]',
    'received 5 YER, الرَّصِيـــد المتاح: [900]',
    'رصيدك بعد العملية [900] ريال',
    'رصيدك بعد إيداع المبلغ [900] ريال',
    'You received 5. New M-PESA BALANCE is Ksh[1,234.00].',
    'received 5 YER. Bal. [77.00]',
    'received 5 YER. Balance as of 02/01/2026 10:15: YER [77.00]',
    'received 5 YER. Balance after deposit amount: [77.00]',
    'رصيدك الحالي بقيمة [900] ريال',
    'رصيدك مبلغ وقدره [900] ريال',
    'received 5 YER, balance amount [900]',
    'المتبقي في رصيدك [77.00] ريال',
    'received 5 YER, remaining [77.00]',
    'أودع/علي المثال لحسابك50,000.00\n[51,245.30]YERرصيدك',
    '[51,245.30] ريال رصيدك',
    '[77] YER balance',
  ])
    assert.ok(isBalance(text), text)
})

test('the amount is not a balance, wherever the balance is in the text', () => {
  for (const text of [
    'استلمت مبلغ [1500] YER من 770000000 رصيدك هو 258113.19',
    'اضيف [500]ر.ي تحويل مشترك رص:5680ر.ي من علي المثال-770000000',
    'استلمت حوالة من علي المثال بمبلغ [250.00] ر.ي رصيدك 250.00 ر.ي',
    'أودع/علي المثال لحسابك[50,000.00]\n51,245.30YERرصيدك',
    'تم إضافة مبلغ [500] ر.ي إلى رصيدك',
    'تم شحن رصيدك بمبلغ [500] ر.ي',
    'تم إيداع إلى رصيدك [500] ر.ي',
    'أضيف لرصيدك [500] ر.ي',
    'رصيدك زاد [500] ر.ي',
    'Your balance was credited with [500] YER',
    'added to your balance: [500] YER',
    'Balance 900 YER, received [500] YER',
    'مصاريف قرصنة [500] ر.ي',
    'received [500] YER from Balasubramanian',
  ])
    assert.ok(!isBalance(text), text)
})

test('a template that reads the balance as the amount reads nothing, even if its sentence hides the word', () => {
  const genuine = normalise('استلمت مبلغ 1500 YER من 770000000 رصيدك هو 258113.19')
  for (const [sentence, reads] of [
    ['استلمت مبلغ {amount:money} YER من {payer:phone} رصيدك هو {balance:money}', true],
    ['استلمت {x:any} YER من {y:any} هو {amount:money}', false],
    ['استلمت مبلغ {x:any} YER {y:any} هو {amount:money}', false],
    ['استلمت مبلغ {fee:money} YER من {payer:phone} {y:name} {amount:money}', false],
  ] as const) {
    const compiled = compileTemplate(sentence)
    assert.ok(compiled.ok, sentence)
    assert.equal(read(compiled.template, genuine) !== undefined, reads, sentence)
  }
  for (const sentence of [
    'استلمت مبلغ {fee:money} YER من {payer:phone} رصيدك هو {amount:money}',
    'أودع/{payer:name} لحسابك {balance:money} {amount:money} YER رصيدك',
    'received {fee:money} YER, bal. {amount:money}',
  ]) {
    const compiled = compileTemplate(sentence)
    assert.ok(!compiled.ok && /tells the balance/.test(compiled.error.sentence), sentence)
  }
})

test('property: words may come between a balance word and its number, but no other number', () => {
  const filler = fc.array(fc.constantFrom('هو', 'الآن', 'is', 'YER', 'ر.ي', ':', 'الحالي', 'now', '-', 'لديك'), {
    maxLength: 5,
  })
  fc.assert(
    fc.property(fc.constantFrom('رصيدك', 'الرصيد', 'رص', 'Balance', 'bal.'), filler, (word, between) => {
      assert.ok(isBalance(`received 5 ${word} ${between.join(' ')} [700] YER`))
      assert.ok(!isBalance(`received ${word} 5 ${between.join(' ')} [700] YER`))
    }),
  )
})

test('words up to 120 characters before a number belong to it, at the beginning of a text too', () => {
  const word = 'balance '
  const text = (between: number) => isBalance(`${word}${'y'.repeat(between - 1)} [500]`)
  assert.deepEqual([text(112), text(113)], [true, false])
  const after = (words: string) => `${'y'.repeat(200)} ${words} [500]`
  assert.ok(isBalance(after('balance')))
  assert.ok(isBalance('bal [500]'))
  assert.ok(!isBalance('to balance [500]'))
})
