/**
 * What a password may be: long, not the person's own address, and none of those that everybody tries first. No rule about
 * kinds of characters: they make passwords worse. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'
import { passwordLength } from './password.ts'

/** The commonest that are long enough to be chosen at all. */
const common = new Set(
  `1234567890 0123456789 0987654321 9876543210 12345678910 123456789a a123456789 1q2w3e4r5t 1qaz2wsx3edc qwertyuiop
   qwerty12345 qwerty123456 qwertyuiop123 asdfghjkl1 asdfghjkl123 password12 password123 password1234 password12345 passw0rd123
   mypassword iloveyou12 iloveyou123 welcome123 welcome1234 letmein123 admin12345 admin123456 administrator changeme123
   football123 sunshine123 princess123 superman123 abcdefghij abcdefghijk abcd123456 abc1234567 abc123456789 1234567899
   1122334455 1212121212 1231231231 123123123123 1234512345 123456123456 123454321 sanad12345 sanadsanad yemen12345 bismillah1
   bismillah123 allahuakbar mohammed123 mohamed123 muhammad123 ahmed12345 zxcvbnm123 q1w2e3r4t5 7777777777`.split(
    /\s+/,
  ),
)

export type PasswordFault = { readonly code: string; readonly detail: string }

/** Undefined: it may be. */
export const passwordFault = (password: string, email: string): PasswordFault | undefined => {
  const length = [...password].length
  if (length < passwordLength.min)
    return { code: 'min_length', detail: `Ensure this field has at least ${passwordLength.min} characters.` }
  if (length > passwordLength.max)
    return { code: 'max_length', detail: `Ensure this field has no more than ${passwordLength.max} characters.` }
  const plain = asciiDigits(password).toLowerCase().trim()
  const name = email.slice(0, email.indexOf('@'))
  if (plain === email || plain === name)
    return { code: 'password_is_email', detail: 'The password must not be the address you sign in with.' }
  if (common.has(plain) || new Set(plain).size < 3)
    return { code: 'password_common', detail: 'This password is one of the commonest: others would guess it.' }
  return undefined
}
