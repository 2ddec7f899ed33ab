import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderId } from '../ground/ids.ts'
import type { AlertTemplate } from './alert-template.ts'
import { benchTemplate } from './template-bench.ts'

const good: AlertTemplate = {
  id: '1',
  providerId: 'p' as ProviderId,
  name: 'Received',
  senderNames: ['Wallet'],
  direction: 'credit',
  currency: 'YER',
  sentence: 'received {amount:money} YER ref {reference:reference} balance {balance:money}',
  version: 1,
  status: 'draft',
  samples: [
    {
      text: 'received 1,500 YER ref 12345 balance 2,000.50',
      expect: { amount: '1500.00', reference: '12345', balance: '2000.50' },
    },
  ],
  counterSamples: [{ text: 'paid 1,500 YER ref 12345 balance 500', why: 'debit' }],
}
const other = (about: Partial<AlertTemplate>): AlertTemplate => ({
  ...good,
  id: '2',
  name: 'Other',
  status: 'active',
  ...about,
})

/** Exactly one failure, which says this. */
const fails = (template: AlertTemplate, words: RegExp, others: readonly AlertTemplate[] = []): void => {
  const result = benchTemplate(template, others)
  assert.ok(!result.green, `${words} is green`)
  assert.equal(result.failures.length, 1, result.failures.join('\n'))
  assert.match(result.failures[0]!, words)
}

test('a good template is green', () => {
  assert.deepEqual(benchTemplate(good, []), { green: true })
})

test('a sentence that does not compile fails by its place and reason', () => {
  fails({ ...good, sentence: 'received {amount:mony}' }, /at character 10: There is no slot type "mony"/)
})

test('a template without sender, sample or counter-sample is not published', () => {
  fails({ ...good, senderNames: [] }, /no sender name/)
  fails({ ...good, samples: [] }, /no sample/)
  fails({ ...good, counterSamples: [] }, /no counter-sample/)
  assert.ok(benchTemplate({ ...good, direction: 'debit', counterSamples: [] }, []).green)
})

test('each sample must read, with every field as expected and none besides', () => {
  const [sample] = good.samples
  assert.ok(sample)
  const expecting = (expect: object) => ({ ...good, samples: [{ ...sample, expect: { ...sample.expect, ...expect } }] })
  fails(
    { ...good, samples: [{ ...sample, text: 'received 1,500 YER' }] },
    /does not read its sample "received 1,500 YER"/,
  )
  fails(expecting({ amount: '1500.50' }), /amount is 1500.00, expected 1500.50/)
  fails(expecting({ reference: undefined }), /reference is 12345, expected none/)
  fails(expecting({ payer: 'Ali' }), /payer is absent, expected Ali/)
})

test('no counter-sample may read, nor what is never a payment', () => {
  fails({ ...good, counterSamples: [{ text: good.samples[0]!.text, why: 'a copy' }] }, /counter-sample .* \(a copy\)/)
  fails(
    {
      ...good,
      sentence: '{x:name}: اشحن {amount:money} ريال واحصل على {y:any}',
      samples: [{ text: 'تنبيه: اشحن 5 ريال واحصل على شكر', expect: { amount: '5.00' } }],
    },
    /never a payment/,
  )
})

test('a template must name its currency and read no other', () => {
  const nameless = {
    ...good,
    sentence: 'received {amount:money} balance {balance:money}',
    samples: [{ text: 'received 5 balance 9.00', expect: { amount: '5.00', balance: '9.00' } }],
  }
  fails(nameless, /do not name its currency: one of YER/)
  const loose = {
    ...good,
    sentence: 'received {amount:money} {unit:name} in YER-wallet',
    samples: [{ text: 'received 5 YER in YER-wallet', expect: { amount: '5.00' } }],
  }
  const result = benchTemplate(loose, [])
  assert.ok(!result.green && result.failures.some((failure) => failure.includes('"received 5 SAR in YER-wallet"')))
  const looser = {
    ...good,
    sentence: 'received {amount:money} ريال {rest:name}',
    samples: [{ text: 'received 5 ريال من علي', expect: { amount: '5.00' } }],
  }
  fails(looser, /reads another currency as its own: "received 5 ريال سعودي من علي"/)
  fails(
    {
      ...looser,
      sentence: 'received {amount:money} ريال سعودي {rest:name}',
      samples: [{ text: 'received 5 ريال سعودي من علي', expect: { amount: '5.00' } }],
    },
    /do not name its currency/,
  )
})

test('no active template of the same sender may read its samples differently, nor the other way round', () => {
  fails(good, /It and "Other" read .* differently: credit 1500.00 YER, reference 12345; debit 1500.00/, [
    other({ direction: 'debit', samples: [] }),
  ])
  const narrow = other({
    sentence: 'received {amount:money} YER ref 777 balance {note:any}',
    samples: [{ text: 'received 5 YER ref 7777 balance 9', expect: { amount: '5.00' } }],
  })
  assert.ok(benchTemplate(good, [narrow]).green)
  const wide = other({
    sentence: 'received {amount:money} YER ref 7777 balance {note:any}',
    samples: [{ text: 'received 5 YER ref 7777 balance 9', expect: { amount: '5.00' } }],
  })
  fails(good, /"received 5 YER ref 7777 balance 9" differently/, [wide])
})

test('templates of other senders, drafts, earlier versions and those that agree do not matter', () => {
  const debit = { direction: 'debit', samples: [] } as const
  for (const one of [
    other({ ...debit, senderNames: ['Somebody'] }),
    other({ ...debit, status: 'retired' }),
    other({ ...debit, name: good.name }),
    other({ sentence: good.sentence }),
  ])
    assert.deepEqual(benchTemplate(good, [one]), { green: true })
})
