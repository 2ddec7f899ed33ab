import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emailOf } from './email-address.ts'

test('an address is converted to lower case, without the spaces around it', () => {
  assert.equal(emailOf('  Amal.Saleh+shop@Example.COM '), 'amal.saleh+shop@example.com')
})

test('anything but a single address is refused: lists, headers, other alphabets', () => {
  const wrong = [
    'amal',
    'amal@',
    '@example.com',
    'a@b@c',
    'a@b,c@d',
    'Amal <a@b>',
    'a b@c',
    'a@b\r\nBcc: c@d',
    'أمل@example.com',
  ]
  for (const text of [
    ...wrong,
    'İ@example.com',
    '\u212aim@example.com',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(260)}`,
    '"a"@b',
    '',
  ])
    assert.equal(emailOf(text), undefined, text)
})
