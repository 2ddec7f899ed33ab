import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  invitationEmail,
  invitationLink,
  nameInEmail,
  proofEmail,
  proofLink,
  resetEmail,
  resetLink,
} from './user-emails.ts'

const link = invitationLink('https://pay.example.com', 'the-token')

test('an email has Arabic and English text, with the link in both', () => {
  const email = invitationEmail({ to: 'a@b.example', account: 'متجر', role: 'cashier', by: 'Amal', link })
  assert.equal(email.text.split(link).length, 3)
  assert.match(email.text, /كاشير/)
  assert.match(email.text, /Amal invites you to join the account "متجر" on Sanad as cashier/)
  assert.equal(resetEmail('a@b.example', resetLink('https://pay.example.com', 't')).text.split('/password#t').length, 3)
})

test('the token of a link is after the #, so that no server sees it', () => {
  assert.equal(new URL(link).hash, '#the-token')
  assert.equal(new URL(link).pathname, '/invitation')
})

test('the email that proves an address says what to do if somebody else registered it', () => {
  const email = proofEmail('a@b.example', proofLink('https://pay.example.com', 'the-token'))
  assert.equal(email.text.split('https://pay.example.com/address#the-token').length, 3)
  assert.match(email.text, /Ask for a new password/)
  assert.match(email.text, /اطلب كلمة مرور جديدة/)
})

test('a name chosen by another user cannot begin a new line or a header', () => {
  const email = invitationEmail({
    to: 'a@b.example',
    account: 'Shop\r\nBcc: all@b.example',
    role: 'owner',
    by: 'x\u2028y',
    link,
  })
  assert.ok(!/[\r\n]/.test(email.subject))
  assert.ok(!/^Bcc/m.test(email.text))
  assert.ok(!email.text.includes('\u2028'))
})

test('names of accounts and users hold no link in an email; an email address stays as it is', () => {
  for (const name of ['https://bad.example/login', 'www.bad.example', 'bad.example', 'x <https://bad.example>']) {
    const email = invitationEmail({ to: 'a@b.example', account: name, role: 'owner', by: name, link })
    assert.doesNotMatch((email.subject + email.text).replaceAll(link, ''), /:\/\/|\w\.\w/, name)
  }
  assert.equal(nameInEmail('amal@shop.example'), 'amal@shop.example')
  assert.equal(nameInEmail('bad.example <amal@shop.example>'), 'bad. example <amal@shop.example>')
})
