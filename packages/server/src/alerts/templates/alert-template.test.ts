import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderId } from '../../core/ids.ts'
import { type AlertTemplate, readText } from './alert-template.ts'

const template = (sentence: string, fields: Partial<AlertTemplate> = {}): AlertTemplate => ({
  id: sentence,
  providerId: 'p' as ProviderId,
  name: sentence,
  senderNames: ['Wallet'],
  direction: 'credit',
  currency: 'YER',
  sentence,
  version: 1,
  status: 'active',
  samples: [],
  counterSamples: [],
  ...fields,
})
const received = template('received {amount:money} YER ref {reference:reference} ok')
const alert = { sender: 'Wallet', text: 'received\n١٬٥٠٠ YER ref 12345 ok' }

test('an alert with a known sender and wording is read', () => {
  const result = readText([received], alert)
  assert.ok(result.kind === 'read')
  assert.equal(result.template, received)
  assert.deepEqual(result.reading, {
    amount: 150000n,
    reference: '12345',
    others: {},
    direction: 'credit',
    currency: 'YER',
  })
})

test('the sender is compared by exact code points', () => {
  for (const sender of ['wallet', 'Wallet ', '\u200eWallet', 'Wаllet', 'Ｗallet', ''])
    assert.deepEqual(readText([received], { ...alert, sender }), { kind: 'unread', reason: 'sender_unknown' }, sender)
  const two = { ...received, senderNames: ['Other', 'Wallet'] }
  assert.equal(readText([two], alert).kind, 'read')
})

test('drafts and retired versions read nothing', () => {
  for (const status of ['draft', 'retired'] as const)
    assert.deepEqual(readText([{ ...received, status }], alert), { kind: 'unread', reason: 'sender_unknown' })
})

test('an unknown wording is unread', () => {
  assert.deepEqual(readText([received], { ...alert, text: 'received 1500 SAR ref 12345' }), {
    kind: 'unread',
    reason: 'text_unknown',
  })
})

test('a stored sentence that does not compile reads nothing and does not stop other templates', () => {
  const broken = template('received {amount:money')
  assert.equal(readText([broken, received], alert).kind, 'read')
  assert.deepEqual(readText([broken], alert), { kind: 'unread', reason: 'text_unknown' })
})

test('a stored sentence without a length takes it from its samples, if they agree', () => {
  const sample = (reference: string) => ({ text: `got 5 YER ref ${reference}`, expect: { amount: '5.00', reference } })
  const withoutLength = (...references: string[]) =>
    template('got {amount:money} YER ref {reference:reference}', { samples: references.map(sample) })
  const referenceOf = (stored: AlertTemplate, text: string) => {
    const result = readText([stored], { sender: 'Wallet', text })
    assert.ok(result.kind === 'read', text)
    return result.reading.reference
  }
  assert.equal(referenceOf(withoutLength('123456', '654321'), 'got 5 YER ref 777777'), '777777')
  assert.equal(referenceOf(withoutLength('123456', '654321'), 'got 5 YER ref 77777'), undefined)
  assert.equal(referenceOf(withoutLength('123456', '54321'), 'got 5 YER ref 777777'), undefined)
  assert.equal(referenceOf(withoutLength(), 'got 5 YER ref 777777'), undefined)
})

test('templates that disagree on direction, amount, currency or reference make the text ambiguous', () => {
  for (const other of [
    template(received.sentence, { id: 'd', direction: 'debit' }),
    template(received.sentence, { id: 'c', currency: 'SAR' }),
    template('received {amount:money} YER {rest:any}'),
    template('received {note:any} YER ref {amount:money} ok'),
  ]) {
    for (const templates of [
      [received, other],
      [other, received],
    ]) {
      const result = readText(templates, alert)
      assert.ok(result.kind === 'ambiguous', other.sentence)
      assert.deepEqual(
        result.readings.map((reading) => reading.template),
        templates,
      )
    }
  }
})

test('if templates agree on the money, the one that reads the most fields is used', () => {
  const text = 'received 1500 YER ref 12345 from Ali'
  const plain = template('received {amount:money} YER ref {reference:reference} {rest:any}')
  const fuller = template('received {amount:money} YER ref {reference:reference} from {payer:name}')
  const looser = { ...plain, sentence: 'received {amount:money} YER ref {reference:reference} from {rest:any}' }
  for (const templates of [
    [looser, fuller],
    [fuller, looser],
  ]) {
    const result = readText(templates, { sender: 'Wallet', text })
    assert.ok(result.kind === 'read')
    assert.equal(result.template, fuller)
  }
})
