import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '@sanad/contract/dashboard/people/notices'
import { noticeKinds } from '@sanad/contract/kinds'
import { all } from '../../words/all.ts'
import { textOf } from '../../words/catalogue.ts'
import type { Translate } from '../../words/language.ts'
import type { noticesWords } from '../../words/screens/notices.ts'
import { noticePlace, noticeSentence } from './notice-sentence.ts'

const sayIn =
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

test('a connected phone: by whom, and whether again', () => {
  assert.equal(noticeSentence(notice('phone_paired'), sayIn('en')), 'The phone “Shop phone” was connected, by Huda')
  const again = notice('phone_paired', { facts: { ...facts, again: true } })
  assert.equal(noticeSentence(again, sayIn('en')), 'The phone “Shop phone” was connected again, by Huda')
  assert.equal(noticeSentence(again, sayIn('ar')), 'رُبط الهاتف «Shop phone» من جديد، بواسطة Huda')
})

test('a notice of the service itself names no user; the operator is named in the reader’s language', () => {
  assert.equal(
    noticeSentence(notice('webhook_failing', { by: '' }), sayIn('en')),
    'Nothing reaches the endpoint https://b.example/y',
  )
  assert.match(noticeSentence(notice('key_created', { by: 'the operator' }), sayIn('ar')), /بواسطة المشغّل$/)
})

test('every kind has its sentence in both languages, with every fact filled in', () => {
  assert.ok('notices.title' in all.en)
  for (const kind of noticeKinds)
    for (const language of ['ar', 'en'] as const) {
      const said = noticeSentence(notice(kind), sayIn(language))
      assert.ok(!said.includes('notices.') && !said.includes('{{'), said)
    }
})

test('each notice links to its record', () => {
  assert.equal(noticePlace({ object: { kind: 'phone', id: '1' } }), '/phones/1')
  assert.equal(noticePlace({ object: { kind: 'webhook', id: '1' } }), '/webhooks/1')
  assert.equal(noticePlace({ object: { kind: 'template', id: '1' } }), '/templates/1')
  assert.equal(noticePlace({ object: { kind: 'key', id: '1' } }), '/keys')
})
