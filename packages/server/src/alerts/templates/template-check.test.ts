import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTemplate } from '../../../test/support/pure/check-template.ts'
import type { ProviderId } from '../../core/ids.ts'
import type { AlertTemplate } from './alert-template.ts'

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
const other = (fields: Partial<AlertTemplate>): AlertTemplate => ({
  ...good,
  id: '2',
  name: 'Other',
  status: 'active',
  ...fields,
})

/** Asserts exactly one failure, which matches the expression. */
const fails = async (
  template: AlertTemplate,
  expected: RegExp,
  others: readonly AlertTemplate[] = [],
): Promise<void> => {
  const result = await checkTemplate(template, others)
  assert.ok(!result.green, `${expected} is green`)
  assert.equal(result.failures.length, 1, result.failures.join('\n'))
  assert.match(result.failures[0]!, expected)
}

test('a good template passes', async () => {
  assert.deepEqual(await checkTemplate(good, []), { green: true })
})

test('a sentence that does not compile fails with the place and the reason', async () => {
  await fails({ ...good, sentence: 'received {amount:mony}' }, /at character 10: There is no slot type "mony"/)
})

test('a template without sender, sample or counter-sample fails', async () => {
  await fails({ ...good, senderNames: [] }, /no sender name/)
  await fails({ ...good, samples: [] }, /no sample/)
  await fails({ ...good, counterSamples: [] }, /no counter-sample/)
  assert.deepEqual(await checkTemplate({ ...good, direction: 'debit', counterSamples: [] }, []), { green: true })
})

test('each sample must be read, with exactly the expected fields', async () => {
  const [sample] = good.samples
  assert.ok(sample)
  const expecting = (expect: object) => ({ ...good, samples: [{ ...sample, expect: { ...sample.expect, ...expect } }] })
  await fails(
    { ...good, samples: [{ ...sample, text: 'received 1,500 YER' }] },
    /does not read its sample "received 1,500 YER"/,
  )
  await fails(expecting({ amount: '1500.50' }), /amount is 1500.00, expected 1500.50/)
  await fails(expecting({ reference: undefined }), /reference is 12345, expected none/)
  await fails(expecting({ payer: 'Ali' }), /payer is absent, expected Ali/)
})

test('a template that reads a counter-sample, or a text that is never a payment, fails', async () => {
  await fails(
    { ...good, counterSamples: [{ text: good.samples[0]!.text, why: 'a copy' }] },
    /counter-sample .* \(a copy\)/,
  )
  await fails(
    {
      ...good,
      sentence: '{x:name}: اشحن {amount:money} ريال واحصل على {y:any}',
      samples: [{ text: 'تنبيه: اشحن 5 ريال واحصل على شكر', expect: { amount: '5.00' } }],
    },
    /never a payment/,
  )
})

test('a template that does not contain its currency, or reads another one, fails', async () => {
  const nameless = {
    ...good,
    sentence: 'received {amount:money} balance {balance:money}',
    samples: [{ text: 'received 5 balance 9.00', expect: { amount: '5.00', balance: '9.00' } }],
  }
  await fails(nameless, /do not name its currency: one of YER/)
  const loose = {
    ...good,
    sentence: 'received {amount:money} {unit:name} in YER-wallet',
    samples: [{ text: 'received 5 YER in YER-wallet', expect: { amount: '5.00' } }],
  }
  const result = await checkTemplate(loose, [])
  assert.ok(!result.green && result.failures.some((failure) => failure.includes('"received 5 SAR in YER-wallet"')))
  const looser = {
    ...good,
    sentence: 'received {amount:money} ريال {rest:name}',
    samples: [{ text: 'received 5 ريال من علي', expect: { amount: '5.00' } }],
  }
  await fails(looser, /reads another currency as its own: "received 5 ريال سعودي من علي"/)
  await fails(
    {
      ...looser,
      sentence: 'received {amount:money} ريال سعودي {rest:name}',
      samples: [{ text: 'received 5 ريال سعودي من علي', expect: { amount: '5.00' } }],
    },
    /do not name its currency/,
  )
})

test('two active templates of one sender that read a sample of either differently fail', async () => {
  await fails(good, /It and "Other" read .* differently: credit 1500.00 YER, reference 12345; debit 1500.00/, [
    other({ direction: 'debit', samples: [] }),
  ])
  const narrow = other({
    sentence: 'received {amount:money} YER ref 777 balance {note:any}',
    samples: [{ text: 'received 5 YER ref 7777 balance 9', expect: { amount: '5.00' } }],
  })
  assert.deepEqual(await checkTemplate(good, [narrow]), { green: true })
  const wide = other({
    sentence: 'received {amount:money} YER ref 7777 balance {note:any}',
    samples: [{ text: 'received 5 YER ref 7777 balance 9', expect: { amount: '5.00' } }],
  })
  await fails(good, /"received 5 YER ref 7777 balance 9" differently/, [wide])
})

test('a reference at the edge without its length fails, with advice', async () => {
  const bare = {
    ...good,
    sentence: 'received {amount:money} YER ref {reference:reference}',
    samples: [{ text: 'received 5 YER ref 12345', expect: { amount: '5.00', reference: '12345' } }],
  }
  await fails(bare, /ends the sentence.*Write its length, such as \{reference:reference:12\}/)
  const sized = { ...bare, sentence: 'received {amount:money} YER ref {reference:reference:5}' }
  assert.deepEqual(await checkTemplate(sized, []), { green: true })
  await fails(
    { ...bare, sentence: 'received {amount:money} YER ref {reference:reference:6}' },
    /reference is absent, expected 12345/,
  )
})

test('a template that reads a part of a sample as another payment fails, and the part is shown', async () => {
  // The last word of the sentence also occurs inside the reference.
  const closing = {
    ...good,
    sentence: 'received {amount:money} YER ref {reference:reference} ok',
    samples: [{ text: 'received 5 YER ref 1234ok99 ok', expect: { amount: '5.00', reference: '1234ok99' } }],
  }
  await fails(
    closing,
    /It reads "received 5 YER ref 1234ok", a part of a sample, with reference 1234 instead of 1234ok99/,
  )
  const harmless = {
    ...closing,
    samples: [{ text: 'received 5 YER ref 123499 ok', expect: { amount: '5.00', reference: '123499' } }],
  }
  assert.deepEqual(await checkTemplate(harmless, []), { green: true })
  // Cut in the middle, the text has the fee in the place of the amount.
  const amount = {
    ...good,
    sentence: 'received {x:any} YER {amount:money} in all{more:any}',
    samples: [{ text: 'received fee YER 7 in all, YER 5 in all.', expect: { amount: '5.00' } }],
  }
  const result = await checkTemplate(amount, [])
  assert.ok(!result.green && result.failures.some((failure) => /reads other money|does not read/.test(failure)))
})

test('templates of one wording with two reference lengths fail: a cut long reference looks like a short one', async () => {
  const withReference = (reference: string) => ({
    sentence: `received {amount:money} YER ref {reference:reference:${reference.length}}`,
    samples: [{ text: `received 5 YER ref ${reference}`, expect: { amount: '5.00', reference } }],
  })
  const result = await checkTemplate({ ...good, ...withReference('12345678') }, [other(withReference('12345'))])
  assert.ok(!result.green && result.failures.every((failure) => /read .* differently/.test(failure)))
})

test('a template of the sender that reads a part of another’s sample as another payment fails, both ways', async () => {
  const short = other({
    sentence: 'received {amount:money} YER ref {reference:reference:4}',
    samples: [{ text: 'received 5 YER ref 1234', expect: { amount: '5.00', reference: '1234' } }],
  })
  const long = {
    ...good,
    sentence: 'received {amount:money} YER ref {branch:phone} no {reference:reference} ok',
    samples: [{ text: 'received 5 YER ref 7777 no 12345 ok', expect: { amount: '5.00', reference: '12345' } }],
  }
  const words = /reads "received 5 YER ref 7777", a part of a sample, with reference 7777 instead of 12345/
  await fails(long, new RegExp(`^"Other" ${words.source}`), [short])
  await fails({ ...short, status: 'draft', name: 'Mine' }, new RegExp(`^It ${words.source}`), [
    { ...long, status: 'active' },
  ])
  assert.deepEqual(await checkTemplate(long, [{ ...short, senderNames: ['Somebody'] }]), { green: true })
})

test('a template that takes the balance for the amount fails', async () => {
  const text = 'received 1,500 YER from 770000000 balance is 258,113.19'
  const fraud = (sentence: string, amount: string, more: object = {}) => ({
    ...good,
    sentence,
    samples: [{ text, expect: { amount, ...more } }],
  })
  await fails(
    fraud('received {fee:money} YER from {payer:phone} balance is {amount:money}', '258113.19'),
    /tells the balance/,
  )
  await fails(
    fraud('received {x:any} YER from {y:any} is {amount:money}', '258113.19'),
    /takes the balance for the amount/,
  )
  assert.deepEqual(
    await checkTemplate(
      fraud('received {amount:money} YER from {payer:phone} balance is {balance:money}', '1500.00', {
        payer: '770000000',
        balance: '258113.19',
      }),
      [],
    ),
    { green: true },
  )
})

test('a sample whose balance is less than its amount fails: the two look exchanged', async () => {
  const sample = (text: string, amount: string, balance: string, fee?: string) => ({
    ...good,
    sentence: `deposit {amount:money} {balance:money} YER${fee === undefined ? '' : ' fee {fee:money} YER'}`,
    samples: [{ text, expect: { amount, balance, ...(fee === undefined ? {} : { fee }) } }],
  })
  await fails(sample('deposit 900 500 YER', '900.00', '500.00'), /the balance 500.00 is less than the amount 900.00/)
  assert.deepEqual(await checkTemplate(sample('deposit 500 900 YER', '500.00', '900.00'), []), { green: true })
  assert.deepEqual(await checkTemplate(sample('deposit 500 500 YER', '500.00', '500.00'), []), { green: true })
  assert.deepEqual(await checkTemplate(sample('deposit 500 490 YER fee 10 YER', '500.00', '490.00', '10.00'), []), {
    green: true,
  })
  assert.deepEqual(
    await checkTemplate({ ...sample('deposit 900 500 YER', '900.00', '500.00'), direction: 'debit' }, []),
    { green: true },
  )
})

test('samples with too many parts to check fail', async () => {
  const pieces = [...'wxyz'].map((letter) => `${letter} `.repeat(80))
  const text = (i: number) => `received ${i + 1} YER ${pieces.join('; ')}`
  const template = {
    ...good,
    sentence: 'received {amount:money} YER {a:any} ; {b:any} ; {c:any} ; {d:any}',
    samples: Array.from({ length: 20 }, (_, i) => ({ text: text(i), expect: { amount: `${i + 1}.00` } })),
  }
  const result = await checkTemplate(template, [])
  assert.ok(!result.green)
  assert.deepEqual(result.failures, [
    'Its samples are too long or too many to try every part of them: use fewer, or shorter ones.',
  ])
})

test('templates of other senders, retired templates, other versions and templates that agree are ignored', async () => {
  const debit = { direction: 'debit', samples: [] } as const
  for (const ignored of [
    other({ ...debit, senderNames: ['Somebody'] }),
    other({ ...debit, status: 'retired' }),
    other({ ...debit, name: good.name }),
    other({ sentence: good.sentence }),
  ])
    assert.deepEqual(await checkTemplate(good, [ignored]), { green: true })
})
