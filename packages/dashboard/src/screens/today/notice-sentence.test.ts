import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualCurrency } from '@sanad/contract/currency'
import type { Notice } from '@sanad/contract/dashboard/people/notices'
import { noticeKinds } from '@sanad/contract/kinds'
import { all } from '../../words/all.ts'
import { textOf } from '../../words/catalogue.ts'
import type { Translate } from '../../words/language.ts'
import type { noticesWords } from '../../words/screens/notices.ts'
import { noticeLink, noticeSentence, noticeUndo } from './notice-sentence.ts'

const translateTo =
  (language: 'ar' | 'en'): Translate<typeof noticesWords> =>
  (key, values = {}) =>
    textOf(language, key, values)
const facts = {
  name: 'Shop phone',
  app: 'smsgate',
  senders: 'Jawali',
  from: 'https://a.example/x',
  to: 'https://b.example/y',
}
const notice = (kind: Notice['kind'], more: Partial<Notice> = {}) => ({
  kind,
  by: 'Huda <huda@shop.example>',
  facts,
  ...more,
})

test('the notice of a connected phone contains the member, and whether it was connected again', () => {
  assert.equal(
    noticeSentence(notice('phone_paired'), translateTo('en'), 'en'),
    'The phone “Shop phone” was connected, by Huda',
  )
  const again = notice('phone_paired', { facts: { ...facts, again: true } })
  assert.equal(noticeSentence(again, translateTo('en'), 'en'), 'The phone “Shop phone” was connected again, by Huda')
  assert.equal(noticeSentence(again, translateTo('ar'), 'ar'), 'رُبط الهاتف «Shop phone» من جديد، بواسطة Huda')
})

test('the notice of an app has its name, not the word by which it is stored', () => {
  for (const language of ['ar', 'en'] as const) {
    const sentence = noticeSentence(notice('app_let_in'), translateTo(language), language)
    assert.ok(sentence.includes('(SMS Gateway)') && !sentence.includes('smsgate'), sentence)
  }
})

test('a notice of the service itself contains no user; the operator is translated', () => {
  assert.equal(
    noticeSentence(notice('webhook_failing', { by: '' }), translateTo('en'), 'en'),
    'Nothing reaches the endpoint https://b.example/y',
  )
  assert.match(noticeSentence(notice('key_created', { by: 'the operator' }), translateTo('ar'), 'ar'), /بواسطة المشغّل$/)
})

test('the notice of a request has the address once', () => {
  const request = notice('member_request', { by: 'huda@shop.example', facts: { name: 'huda@shop.example' } })
  assert.equal(
    noticeSentence(request, translateTo('en'), 'en'),
    'huda@shop.example was proved after joining: confirm or decline the membership',
  )
})

test('every kind has its sentence in both languages, with every fact filled in', () => {
  assert.ok('notices.title' in all.en)
  for (const kind of noticeKinds)
    for (const language of ['ar', 'en'] as const) {
      const sentence = noticeSentence(notice(kind), translateTo(language), language)
      assert.ok(!sentence.includes('notices.') && !sentence.includes('{{'), sentence)
    }
})

test('the notice of an approval names the senders and apps that would count, and how many more there are', () => {
  const asked = (named: Notice['facts']) => notice('approval_asked', { by: '', facts: { name: 'Main', ...named } })
  const sentence = (named: Notice['facts'], language: 'ar' | 'en' = 'en') =>
    noticeSentence(asked(named), translateTo(language), language)
  assert.equal(sentence({}), 'An approval is asked for: “Main”')
  assert.equal(sentence({ senders: '777' }), 'An approval is asked for: “Main” (777 would count)')
  assert.equal(
    sentence({ senders: '777, 888', more_senders: 4, packages: 'com.a.b' }),
    'An approval is asked for: “Main” (777, 888 and 4 more; com.a.b would count)',
  )
  assert.match(sentence({ senders: '777', more_senders: 4 }, 'ar'), /777 و4 غيرها/)
})

test('each notice links to its record', () => {
  const linked = (object: Notice['object'], facts: Notice['facts'] = {}) =>
    noticeLink({ kind: 'sign_in_new', object, facts })
  assert.equal(linked({ kind: 'phone', id: '1' }), '/phones/1')
  assert.equal(linked({ kind: 'webhook', id: '1' }), '/webhooks/1')
  assert.equal(linked({ kind: 'template', id: '1' }), '/templates/1')
  assert.equal(linked({ kind: 'key', id: '1' }), '/keys')
  assert.equal(linked({ kind: 'member', id: '1' }), '/settings/members')
  assert.equal(linked({ kind: 'intent', id: '7' }), '/intents/7')
  assert.equal(linked({ kind: 'user', id: '1' }), '/settings/you')
  assert.equal(linked({ kind: 'user', id: '1' }, { name: 'huda@shop.example' }), '/settings/members')
  assert.equal(linked({ kind: 'provider', id: '1' }), '/wallets')
})

test('91: the notice of a booking that falls short says who booked, the order, what was asked, what arrived and what was forgiven', () => {
  const amounts = {
    asked_amount: '4200.00',
    arrived_amount: '200.00',
    forgiven_amount: '4000.00',
    currency: usualCurrency,
  }
  const short = notice('booked_short', { facts: { payment: 'CODE000007', order: 'A-7', ...amounts } })
  assert.equal(
    noticeSentence(short, translateTo('en'), 'en'),
    'Less was booked to order A-7 than was asked: 200.00 YER of 4,200.00 YER arrived, 4,000.00 YER forgiven, by Huda',
  )
  assert.match(
    noticeSentence(short, translateTo('ar'), 'ar'),
    /الطلبية A-7.*الواصل.*200.*4,200.*المتجاوز عنه.*4,000.*Huda/,
  )
  const test = notice('booked_short', { by: '', facts: { payment: 'CODE000007', ...amounts, test: true } })
  assert.match(noticeSentence(test, translateTo('en'), 'en'), /the payment CODE000007 .*\(test wallet\)$/)
})

test('a notice about a sign-in says you to the user, and the name to owners, with the browser and the address', () => {
  const from = { browser: 'Firefox', system: 'Windows', address: '203.0.113.7' }
  const own = notice('sign_in_new', { by: 'huda@shop.example', facts: from })
  assert.equal(
    noticeSentence(own, translateTo('en'), 'en'),
    'You signed in from a new browser (Firefox; Windows; 203.0.113.7)',
  )
  // In Arabic the brackets are those of a text from right to left, although what is in them is Latin.
  assert.match(noticeSentence(own, translateTo('ar'), 'ar'), /متصفح جديد\u200f \(Firefox/)
  const toOwner = notice('sign_in_new', { by: 'huda@shop.example', facts: { ...from, name: 'huda@shop.example' } })
  assert.match(noticeSentence(toOwner, translateTo('en'), 'en'), /^huda@shop.example signed in from a new browser/)
  const wrong = notice('sign_in_wrong', { by: '', facts: { count: 990, more: 980 } })
  assert.equal(noticeSentence(wrong, translateTo('en'), 'en'), 'Wrong sign-ins with your address: 990')
})

test('every kind says how to undo it, or its sentence says what to do', () => {
  const without = ['webhook_failing', 'webhook_disabled', 'webhook_gone', 'secrets_lost', 'member_request']
  for (const kind of noticeKinds)
    for (const language of ['ar', 'en'] as const) {
      const undo = noticeUndo({ kind, object: { kind: 'key', id: '1' }, facts }, translateTo(language))
      assert.equal(undo === '', without.includes(kind), kind)
    }
  assert.match(
    noticeUndo({ kind: 'sign_in_new', object: { kind: 'user', id: '1' }, facts: {} }, translateTo('en')),
    /^Not you/,
  )
})
