import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordFault } from './password-rule.ts'

const email = 'amal.saleh@example.com'
const codeOf = (password: string): string | undefined => passwordFault(password, email)?.code

test('a password has ten to two hundred characters; an emoji counts as one', () => {
  assert.equal(codeOf('nine char'), 'min_length')
  assert.equal(codeOf('ten chars!'), undefined)
  assert.equal(codeOf('شارع الزبيري ٧'), undefined)
  assert.equal(codeOf('😀😃😄😁😆😅😂🤣😊'), 'min_length')
  assert.equal(codeOf('😀😃😄😁😆😅😂🤣😊😇'), undefined)
  assert.equal(codeOf('ab cd'.repeat(40)), undefined)
  assert.equal(codeOf(`${'ab cd'.repeat(40)}!`), 'max_length')
})

test('the user’s own address is refused as a password, in capitals too', () => {
  assert.equal(codeOf(email.toUpperCase()), 'password_is_email')
  assert.equal(codeOf('Amal.Saleh'), 'password_is_email')
})

test('the most common passwords are refused, in Arabic digits and in capitals too', () => {
  for (const password of ['1234567890', '١٢٣٤٥٦٧٨٩٠', 'Password123', 'QWERTYUIOP', '0000000000', 'abababababab'])
    assert.equal(codeOf(password), 'password_common', password)
})
