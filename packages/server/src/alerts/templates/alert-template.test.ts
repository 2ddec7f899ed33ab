import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderId } from '../../core/ids.ts'
import { type AlertTemplate, understand } from './alert-template.ts'

const template = (sentence: string, about: Partial<AlertTemplate> = {}): AlertTemplate => ({
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
  ...about,
})
const received = template('received {amount:money} YER ref {reference:reference} ok')
const alert = { sender: 'Wallet', text: 'received\n١٬٥٠٠ YER ref 12345 ok' }

test('an alert of a known sender and wording is read', () => {
  const understood = understand([received], alert)
  assert.ok(understood.kind === 'read')
  assert.equal(understood.template, received)
  assert.deepEqual(understood.reading, {
    amount: 150000n,
    reference: '12345',
    others: {},
    direction: 'credit',
    currency: 'YER',
  })
})

test('the sender is compared by exact code points', () => {
  for (const sender of ['wallet', 'Wallet ', '\u200eWallet', 'Wаllet', 'Ｗallet', ''])
    assert.deepEqual(understand([received], { ...alert, sender }), { kind: 'unread', reason: 'sender_unknown' }, sender)
  const two = { ...received, senderNames: ['Other', 'Wallet'] }
  assert.equal(understand([two], alert).kind, 'read')
})

test('drafts and retired versions read nothing', () => {
  for (const status of ['draft', 'retired'] as const)
    assert.deepEqual(understand([{ ...received, status }], alert), { kind: 'unread', reason: 'sender_unknown' })
})

test('an unknown wording is unread', () => {
  assert.deepEqual(understand([received], { ...alert, text: 'received 1500 SAR ref 12345' }), {
    kind: 'unread',
    reason: 'text_unknown',
  })
})

test('a stored sentence that does not compile reads nothing and hinders nobody', () => {
  const broken = template('received {amount:money')
  assert.equal(understand([broken, received], alert).kind, 'read')
  assert.deepEqual(understand([broken], alert), { kind: 'unread', reason: 'text_unknown' })
})

test('78 a stored sentence without a length takes it from its samples, if they agree', () => {
  const sample = (reference: string) => ({ text: `got 5 YER ref ${reference}`, expect: { amount: '5.00', reference } })
  const bare = (...references: string[]) =>
    template('got {amount:money} YER ref {reference:reference}', { samples: references.map(sample) })
  const referenceOf = (one: AlertTemplate, text: string) => {
    const understood = understand([one], { sender: 'Wallet', text })
    assert.ok(understood.kind === 'read', text)
    return understood.reading.reference
  }
  assert.equal(referenceOf(bare('123456', '654321'), 'got 5 YER ref 777777'), '777777')
  assert.equal(referenceOf(bare('123456', '654321'), 'got 5 YER ref 77777'), undefined)
  assert.equal(referenceOf(bare('123456', '54321'), 'got 5 YER ref 777777'), undefined)
  assert.equal(referenceOf(bare(), 'got 5 YER ref 777777'), undefined)
})

test('templates that disagree on direction, amount, currency or reference leave it to a person', () => {
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
      const understood = understand(templates, alert)
      assert.ok(understood.kind === 'ambiguous', other.sentence)
      assert.deepEqual(
        understood.readings.map((reading) => reading.template),
        templates,
      )
    }
  }
})

test('of templates that agree on the money, the one that knows more speaks', () => {
  const text = 'received 1500 YER ref 12345 from Ali'
  const plain = template('received {amount:money} YER ref {reference:reference} {rest:any}')
  const fuller = template('received {amount:money} YER ref {reference:reference} from {payer:name}')
  const looser = { ...plain, sentence: 'received {amount:money} YER ref {reference:reference} from {rest:any}' }
  for (const templates of [
    [looser, fuller],
    [fuller, looser],
  ]) {
    const understood = understand(templates, { sender: 'Wallet', text })
    assert.ok(understood.kind === 'read')
    assert.equal(understood.template, fuller)
  }
})
