import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedLetter, invitationLetter, invitationLink, nameInEmail, resetLetter, resetLink } from './user-emails.ts'

const link = invitationLink('https://pay.example.com', 'the-token')

test('an email has Arabic and English text, with the link in both', () => {
  const letter = invitationLetter({ to: 'a@b.example', account: 'متجر', role: 'cashier', by: 'Amal', link })
  assert.equal(letter.text.split(link).length, 3)
  assert.match(letter.text, /كاشير/)
  assert.match(letter.text, /Amal invites you to join the account "متجر" on Sanad as cashier/)
  assert.equal(
    resetLetter('a@b.example', resetLink('https://pay.example.com', 't')).text.split('/password#t').length,
    3,
  )
})

test('the token stands after the #, where no server on the way sees it', () => {
  assert.equal(new URL(link).hash, '#the-token')
  assert.equal(new URL(link).pathname, '/invitation')
})

test('a name chosen by another user cannot begin a new line or a header', () => {
  const letter = invitationLetter({
    to: 'a@b.example',
    account: 'Shop\r\nBcc: all@b.example',
    role: 'owner',
    by: 'x\u2028y',
    link,
  })
  assert.ok(!/[\r\n]/.test(letter.subject))
  assert.ok(!/^Bcc/m.test(letter.text))
  assert.ok(!letter.text.includes('\u2028'))
})

test('a name in an email is no link: of an account, of a user, with or without an address', () => {
  for (const name of ['https://bad.example/login', 'www.bad.example', 'bad.example', 'x <https://bad.example>']) {
    const letter = invitationLetter({ to: 'a@b.example', account: name, role: 'owner', by: name, link })
    assert.doesNotMatch((letter.subject + letter.text).replaceAll(link, ''), /:\/\/|\w\.\w/, name)
  }
  assert.equal(nameInEmail('amal@shop.example'), 'amal@shop.example')
  assert.equal(nameInEmail('bad.example <amal@shop.example>'), 'bad. example <amal@shop.example>')
})

test('the email about a change has no link', () => {
  assert.ok(!changedLetter('a@b.example', 'password').text.includes('http'))
})
