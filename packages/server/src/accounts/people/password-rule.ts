/**
 * The rules for passwords: ten characters or more, not the user's own address, and not a common password
 * (common-passwords.ts). No rule asks for kinds of characters: such rules make passwords worse. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'
import { isCommonPassword } from './common-passwords.ts'
import { passwordLength } from './password.ts'

export type PasswordFault = { readonly code: string; readonly detail: string }

/** The rule that a password breaks; undefined: none. */
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
  if (isCommonPassword(password, [email, name, ...name.split(/[^\p{L}]+/u)]))
    return { code: 'password_common', detail: 'This password is one of the commonest: others would guess it.' }
  return undefined
}
