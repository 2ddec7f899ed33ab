/** Titles of notifications: which change what the message says, and which do not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHIPPED_PROVIDERS } from '../../src/alerts/shipped/shipped-templates.ts'
import { titleDoubt } from '../../src/alerts/texts/title-doubt.ts'
import { madeUpNames, nameParts } from './made-up-names.ts'
import { dishonestTitles, honestTitles } from './notification-titles.ts'

const doubt = (title: string) => titleDoubt(title, ['KuraimiMB', 'Kuraimi', 'الكريمي'])

test('a title that changes what the message says is found, in other spellings too', () => {
  assert.ok(dishonestTitles.length >= 150)
  const spellings: readonly ((title: string) => string)[] = [
    (title) => title,
    (title) => title.toUpperCase(),
    (title) => title.replace(/[أإآ]/g, 'ا').replaceAll('ة', 'ه'),
    (title) => `الكريمي: ${title}`,
    (title) => `${title} 🔔`,
    (title) => title.replace(/(?<=\p{L})(?=\p{L})/gu, '\u200b'),
  ]
  for (const spell of spellings)
    assert.deepEqual(
      dishonestTitles.filter((title) => doubt(spell(title)) === undefined),
      [],
    )
})

test('a title with neutral words, or with the name of a sender, an app, a company or a payer, changes nothing', (t) => {
  assert.ok(honestTitles.length >= 200)
  assert.deepEqual(
    honestTitles.filter((title) => doubt(title) !== undefined),
    [],
  )
  for (const { displayName, displayNameArabic = '', senderNames } of SHIPPED_PROVIDERS)
    for (const name of [displayName, displayNameArabic, ...senderNames])
      if (name !== '') assert.equal(titleDoubt(name, []), undefined, name)
  const names = [...madeUpNames(4_000, 56), ...nameParts]
  const found = names.filter((name) => doubt(name) !== undefined)
  t.diagnostic(`${found.length} of ${names.length} names (${found.join('; ')})`)
  assert.ok(found.length <= names.length * 0.002, found.join('; '))
})

test('the company’s own name is no word of a title', () => {
  assert.equal(titleDoubt('Send Refund Pay', ['Send Refund Pay']), undefined)
  assert.equal(titleDoubt('SEND REFUND PAY: new message', ['Send Refund Pay']), undefined)
  assert.equal(titleDoubt('(Send Refund Pay) 2 new messages', ['Send Refund Pay']), undefined)
  assert.equal(titleDoubt('Send Refund Pay: refund', ['Send Refund Pay']), 'denied')
  assert.equal(titleDoubt('Test payment', [], true), undefined)
  assert.equal(titleDoubt('Test payment reversed', [], true), 'denied')
  assert.equal(titleDoubt('Test payment', []), 'denied')
})
