import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PaymentFacts, wordingOf, wordings, writeAlert } from './wordings.ts'

const payment = (more: Partial<PaymentFacts>): PaymentFacts => ({
  amount: 50000n,
  reference: '12345678901234',
  balance: 568000n,
  payer: 'علي المثال',
  phone: '771234567',
  currency: 'YER',
  ...more,
})
const wording = (provider: string, name: string) =>
  wordings.find((one) => one.provider === provider && one.name === name)!

test('each wording is the one seen in public code, character by character', () => {
  const table: [string, string, Partial<PaymentFacts>, string][] = [
    ['jaib', 'person', {}, 'اضيف 500ر.ي تحويل مشترك رص:5680ر.ي من علي المثال-771234567'],
    [
      'jaib',
      'purchase',
      { amount: 3000000n, balance: 22061170n },
      'أضيف 30000ر.ي مشتريات رص:220611.7ر.ي من 1234567 م:12345678901234',
    ],
    [
      'jawali',
      'person',
      { amount: 150000n, balance: 25811319n },
      'استلمت مبلغ 1500 YER من 771234567 رصيدك هو 258113.19',
    ],
    [
      'jawali',
      'person, currency first',
      { amount: 1600000n, balance: 27411319n },
      'استلمت مبلغ YER 16000 من 771234567 رصيدك هو 274113.19',
    ],
    [
      'jawali',
      'purchase',
      { amount: 3600000n, reference: '123456789012' },
      'لقد استلمت 36000 YER كقيمة مشتريات بمرجع 123456789012 من علي المثال',
    ],
    [
      'floosak',
      'transfer',
      { amount: 25000n, balance: 25000n },
      'استلمت حوالة من علي المثال بمبلغ 250.00 ر.ي رصيدك 250.00 ر.ي',
    ],
    [
      'kuraimi',
      'deposit',
      { amount: 5000000n, balance: 5124530n },
      'أودع/علي المثال لحسابك50,000.00\n51,245.30YERرصيدك',
    ],
    [
      'mfloos',
      'deposit',
      { amount: 30000n, reference: '123456789' },
      'تم إيداع مبلغ 300.00 YER من: علي المثال المرجع:123456789',
    ],
    ['one-cash', 'person', { balance: 50000n }, 'استلمت 500.00\nمن علي المثال\nرصيدك500.00 ر.ي'],
    [
      'sanad-test',
      'test payment',
      { amount: 150000n, reference: 'TEST-0001' },
      'Test payment of 1,500.00 YER, reference TEST-0001.',
    ],
  ]
  assert.equal(table.length, wordings.length)
  for (const [provider, name, more, text] of table)
    assert.equal(writeAlert(wording(provider, name), payment(more)), text, `${provider}: ${name}`)
})

test('another currency is written as that wallet writes it', () => {
  assert.match(writeAlert(wording('jaib', 'person'), payment({ currency: 'SAR' })), /500ر\.س .*5680ر\.س/)
  assert.match(writeAlert(wording('jawali', 'person'), payment({ currency: 'SAR' })), /500 SAR/)
  assert.match(writeAlert(wording('floosak', 'transfer'), payment({ currency: 'USD' })), /500\.00 USD/)
})

test('a style changes the separators, digits, marks and line breaks of a text', () => {
  const write = (style: Parameters<typeof writeAlert>[2]) =>
    writeAlert(wording('jawali', 'person'), payment({ amount: 150050n, balance: 25811319n }), style)
  assert.equal(write({ separators: true }), 'استلمت مبلغ 1,500.50 YER من 771234567 رصيدك هو 258,113.19')
  assert.equal(
    write({ separators: true, digits: 'arabic' }),
    'استلمت مبلغ ١٬٥٠٠٫٥٠ YER من ٧٧١٢٣٤٥٦٧ رصيدك هو ٢٥٨٬١١٣٫١٩',
  )
  assert.equal(write({ newlines: true }), 'استلمت مبلغ\n1500.5 YER من\n771234567 رصيدك هو\n258113.19')
  assert.match(write({ marks: true }), /^\u200f.*\u20661500\.5\u2069/)
})

test('a wallet may have a wording with a reference, one without, or none', () => {
  assert.equal(wordingOf('jaib', true)?.name, 'purchase')
  assert.equal(wordingOf('jaib', false)?.name, 'person')
  assert.equal(wordingOf('floosak', true), undefined)
  assert.equal(wordingOf('mfloos', false), undefined)
})
