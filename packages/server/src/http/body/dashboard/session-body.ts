/** The bodies of signing in, and of choosing an account. */

import { passwordLength } from '../../../accounts/people/password.ts'
import type { Credentials } from '../../../accounts/sessions/sign-in.ts'
import { object, optional, type Reading, readBody, required, text, uuid } from '../fields.ts'
import type { Json } from '../json.ts'

const signIn = object({
  email: required(text({ max: 254 })),
  // Never trimmed: a space may be part of it.
  password: required(text({ max: passwordLength.max, trim: false })),
  code: optional(text({ max: 40, blank: true })),
  account: optional(uuid<string>()),
})

export const readSignIn = (sent: Json): Reading<Credentials> => {
  const reading = readBody(signIn, sent)
  if (reading.kind === 'no') return reading
  const { email, password, code, account } = reading.value
  return { kind: 'ok', value: { email, password, code, accountId: account } }
}

const chosen = object({ account: required(uuid<string>()) })

export const readChosenAccount = (sent: Json): Reading<{ account: string }> => readBody(chosen, sent)
