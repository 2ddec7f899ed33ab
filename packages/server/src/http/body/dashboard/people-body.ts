/** The bodies of people's own affairs, of members and of invitations. Rules about passwords are the room's. */
import { emailOf } from '../../../accounts/people/email.ts'
import { passwordLength } from '../../../accounts/people/password.ts'
import { roles } from '../../../accounts/people/permission.ts'
import { choice, type Kind, object, optional, type Reading, readBody, required, text } from '../fields.ts'
import type { Json } from '../json.ts'

// Never trimmed: a space may be part of it.
const password = text({ max: passwordLength.max, trim: false })
const code = text({ max: 40 })
const token = text({ max: 200 })
const name = text({ max: 200 })

const email: Kind<string> = (value, attr) => {
  const reading = text({ max: 254 })(value, attr)
  if (reading.kind === 'no') return reading
  const address = emailOf(reading.value)
  return address === undefined
    ? { kind: 'no', errors: [{ attr, code: 'invalid', detail: 'Enter a valid email address.' }] }
    : { kind: 'ok', value: address }
}

const reader =
  <T>(kind: Kind<T>) =>
  (sent: Json): Reading<T> =>
    readBody(kind, sent)

export const readName = reader(object({ name: required(name) }))
export const readPasswordChange = reader(object({ password: required(password), new_password: required(password) }))
export const readPassword = reader(object({ password: required(password) }))
export const readCode = reader(object({ code: required(code) }))
export const readPasswordAndCode = reader(object({ password: required(password), code: required(code) }))
/** Any text: whether it is an address is nobody's business. */
export const readForgotten = reader(object({ email: required(text({ max: 254 })) }))
export const readReset = reader(object({ token: required(token), new_password: required(password) }))
export const readRole = reader(object({ role: required(choice(roles)) }))
export const readInvitation = reader(object({ email: required(email), role: required(choice(roles)) }))
export const readLink = reader(object({ token: required(token) }))
export const readAcceptance = reader(
  object({ token: required(token), name: optional(name), new_password: optional(password) }),
)
