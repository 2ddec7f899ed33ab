/** Every fault that the service finds in a template has an Arabic text. The faults are produced by the service's own code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertTemplate } from '../../../server/src/alerts/templates/alert-template.ts'
import { type Mark, sentenceFromMarks } from '../../../server/src/alerts/templates/mark-template.ts'
import { compileTemplate } from '../../../server/src/alerts/templates/template.ts'
import { checkInSteps } from '../../../server/src/alerts/templates/template-check.ts'
import { faultText } from '../../src/words/template-faults.ts'

const expectArabicText = (fault: string): void => {
  const text = faultText(fault, 'ar')
  assert.notEqual(text, fault)
  assert.match(text, /^[\u2068{]*[\p{Script=Arabic}{]/u, text)
  assert.equal(faultText(fault, 'en'), fault)
}

test('every fault of a sentence has an Arabic text', () => {
  for (const sentence of [
    'x'.repeat(2001),
    'received {amount:money} \\x',
    'received {amount:money} }',
    'received {amount:money',
    'received {Amount}',
    'received {amount:mony}',
    'received {amount:name}',
    'received {amount:money} and {amount:money}',
    `received {amount:money} ${[...'abcdefghijkl'].map((letter) => `${letter} {${letter}:name}.`).join(' ')}`,
    'received nothing',
    'received {amount:money}{payer:name}',
    'received {payer:name} {other:any} then {amount:money}',
    'received 5{amount:money} YER',
    'received {amount:money}5 YER',
    'received {amount:money} \uFFFD YER',
    '{amount:money}',
    'received {amount:money} ref {reference:reference}',
    '{reference:reference} received {amount:money} YER',
    'received {amount:money} ref {reference:reference:3} ok',
    'received {amount:money} by {payer:name:3} ok',
    '{amount:money} YER received',
    'received, balance {amount:money} YER',
    `received {amount:money} ${'x'.repeat(900)}`,
  ]) {
    const compiled = compileTemplate(sentence)
    assert.ok(!compiled.ok, sentence.slice(0, 60))
    expectArabicText(compiled.error.sentence)
  }
})

test('every fault of marks has an Arabic text', () => {
  const text = 'paid 1,500 YER ref 55501 by Ali'
  const marks: Mark[][] = [
    [
      { from: 5, to: 10, slot: 'amount' },
      { from: 8, to: 14, slot: 'payer' },
    ],
    [{ from: 5, to: 5, slot: 'amount' }],
    [{ from: 0, to: 4, slot: 'amount' }],
    [{ from: 14, to: 18, slot: 'reference' }],
    [{ from: 0, to: 4, slot: 'phone' }],
    [{ from: 5, to: 10, slot: 'No Slot' }],
    [
      { from: 5, to: 10, slot: 'amount' },
      { from: 19, to: 31, slot: 'balance' },
    ],
    [],
  ]
  for (const wrongMarks of marks) {
    const result = sentenceFromMarks(text, wrongMarks)
    assert.ok(!result.ok)
    expectArabicText(result.error.sentence)
  }
})

test('every reason against publishing a template has an Arabic text', async () => {
  const template: AlertTemplate = {
    id: 'one',
    providerId: 'p' as AlertTemplate['providerId'],
    name: 'One',
    senderNames: [],
    direction: 'credit',
    currency: 'YER',
    sentence: 'received {amount:money} from {payer:any}',
    version: 1,
    status: 'draft',
    samples: [],
    counterSamples: [],
  }
  const sample = { text: 'received 5 from Ali', expect: { amount: '6.00', payer: 'Ali' } }
  const cut = (text: string) => ({
    senderNames: ['S'],
    sentence: 'received {amount:money} YER ref {reference:reference} ok',
    samples: [{ text, expect: { amount: '5.00' } }],
  })
  const twoNumbers = 'received {amount:money} YER ref {x:phone} ok {reference:reference} ok'
  const balance = (text: string, sentence: string): AlertTemplate => ({
    ...template,
    sentence,
    samples: [{ text, expect: { amount: '900.00' } }],
  })
  const free = [...'wxyz'].map((letter) => `${letter} `.repeat(80)).join('; ')
  const tooLong: AlertTemplate = {
    ...template,
    sentence: 'received {amount:money} YER {a:any} ; {b:any} ; {c:any} ; {d:any}',
    samples: Array.from({ length: 20 }, () => ({ text: `received 5 YER ${free}`, expect: { amount: '5.00' } })),
  }
  const mistaken = (reference: string, more: Partial<AlertTemplate> = {}): AlertTemplate => ({
    ...template,
    sentence: 'received {amount:money} YER from {payer:phone} ref {reference:reference} ok',
    samples: ['5', '6'].map((amount) => ({
      text: `received ${amount} YER from 123456 ref ${reference} ok`,
      expect: { amount: `${amount}.00`, payer: '123456', reference },
    })),
    ...more,
  })
  const checked: [template: AlertTemplate, others: AlertTemplate[]][] = [
    [mistaken('770000123'), []],
    [mistaken('2026-11-17'), []],
    [mistaken('123456'), []],
    [mistaken('55501', { sentence: 'received, fee {amount:money} YER ok', samples: [] }), []],
    [template, []],
    [{ ...template, sentence: 'received {amount:mony}' }, []],
    [{ ...template, samples: [sample, { ...sample, text: 'hello' }] }, []],
    [{ ...template, counterSamples: [{ text: sample.text, why: 'debit' }] }, []],
    [
      { ...template, senderNames: ['S'], samples: [sample] },
      [{ ...template, id: 'two', name: 'Two', status: 'active', direction: 'debit', senderNames: ['S'] }],
    ],
    [{ ...template, ...cut('received 5 YER ref 1234ok99 ok') }, []],
    [
      { ...template, ...cut('received 5 YER ref 7777 ok 12345 ok'), sentence: twoNumbers },
      [{ ...template, ...cut('received 5 YER ref 7777 ok'), id: 'two', name: 'Two', status: 'active' }],
    ],
    [balance('deposit 900 500 YER', 'deposit {amount:money} {balance:money} YER'), []],
    [balance('got 5 YER, balance is 900.00', 'got {x:any} YER, {y:any} is {amount:money}'), []],
    [tooLong, []],
    [
      {
        ...template,
        sentence: 'received {amount:money} YER from {payer:name}',
        samples: [{ text: 'received 5 YER from you sent', expect: { amount: '5.00', payer: 'you sent' } }],
      },
      [],
    ],
  ]
  const failures: string[] = []
  for (const [one, others] of checked) failures.push(...(await checkInSteps(one, others)).failures)
  assert.ok(failures.length >= 14, failures.join('\n'))
  for (const failure of failures) expectArabicText(failure)
})
