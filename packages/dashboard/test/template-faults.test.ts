/** What the service finds wrong with a template, said in Arabic: held against the service's own sentences. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertTemplate } from '../../server/src/alerts/alert-template.ts'
import { type Mark, sentenceFromMarks } from '../../server/src/alerts/mark-template.ts'
import { benchReport } from '../../server/src/alerts/template-bench.ts'
import { parseSentence } from '../../server/src/alerts/template-sentence.ts'
import { faultText } from '../src/words/template-faults.ts'

const inArabic = (said: string): void => {
  const told = faultText(said, 'ar')
  assert.notEqual(told, said)
  assert.match(told, /^[\u2068{]*[\p{Script=Arabic}{]/u, told)
  assert.equal(faultText(said, 'en'), said)
}

test('whatever is wrong with a sentence is told in Arabic', () => {
  for (const sentence of [
    'x'.repeat(2001),
    'received {amount:money} \\x',
    'received {amount:money} }',
    'received {amount:money',
    'received {Amount}',
    'received {amount:mony}',
    'received {amount:name}',
    'received {amount:money} and {amount:money}',
    `received {amount:money} ${[...'abcdefghijkl'].map((one) => `${one} {${one}:name}.`).join(' ')}`,
    'received nothing',
    'received {amount:money}{payer:name}',
    'received {payer:name} {other:any} then {amount:money}',
    'received 5{amount:money} YER',
    'received {amount:money}5 YER',
    'received {amount:money} \uFFFD YER',
    '{amount:money}',
  ]) {
    const parsed = parseSentence(sentence)
    assert.ok(!parsed.ok, sentence.slice(0, 60))
    inArabic(parsed.error.sentence)
  }
})

test('whatever is wrong with marks is told in Arabic', () => {
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
    [],
  ]
  for (const one of marks) {
    const made = sentenceFromMarks(text, one)
    assert.ok(!made.ok)
    inArabic(made.error.sentence)
  }
})

test('whatever keeps a template from being published is told in Arabic', () => {
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
  const failures = [
    ...benchReport(template, []).failures,
    ...benchReport({ ...template, sentence: 'received {amount:mony}' }, []).failures,
    ...benchReport({ ...template, samples: [sample, { ...sample, text: 'hello' }] }, []).failures,
    ...benchReport({ ...template, counterSamples: [{ text: sample.text, why: 'debit' }] }, []).failures,
    ...benchReport({ ...template, senderNames: ['S'], samples: [sample] }, [
      { ...template, id: 'two', name: 'Two', status: 'active', direction: 'debit', senderNames: ['S'] },
    ]).failures,
  ]
  assert.ok(failures.length >= 8, failures.join('\n'))
  for (const failure of failures) inArabic(failure)
})
