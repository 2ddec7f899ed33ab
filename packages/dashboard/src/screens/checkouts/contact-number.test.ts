import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contactNumber } from './contact-number.ts'

test('a Yemeni mobile number gets its country code, however it is typed', () => {
  for (const typed of ['770000000', '0770000000', '+967 770 000 000', '00967770000000', '967-770-000-000', '٧٧٠٠٠٠٠٠٠'])
    assert.equal(contactNumber(typed), '967770000000', typed)
})

test('any other text stays as it is, without separators: the server says what is wrong with it', () => {
  assert.equal(contactNumber(' 01 234567 '), '01234567')
  assert.equal(contactNumber('+20 100 000 0000'), '201000000000')
  assert.equal(contactNumber('me@shop'), 'me@shop')
  assert.equal(contactNumber(''), '')
})
