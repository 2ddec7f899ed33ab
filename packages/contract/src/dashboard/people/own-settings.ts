/** A user's own settings: sessions, name and password, second factor, and a forgotten password. */
import { type Static, Type } from 'typebox'
import { untrimmed } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { closed, flag, orNull, text, whole } from '../../schema.ts'
import { cookies } from '../answer-headers.ts'
import { Me, memberName } from './session.ts'

const operation = operationsOf({ tag: 'You' })

const password = (description: string) => untrimmed(200, description)
// The field refuses an empty password; the rules for passwords refuse one that is too short.
const newPassword = Type.String({
  minLength: 10,
  maxLength: 200,
  'x-trim': false,
  description: 'The new password: 10 to 200 characters, not your email address, not a common password.',
})
const factorCode = Type.String({
  minLength: 1,
  maxLength: 40,
  description: 'Six digits of the second factor, or a recovery code.',
})
const linkToken = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'What follows the `#` in the link that was sent.',
})

export const OwnSession = closed('A browser or a token that acts as you, or a counter of your shop.', {
  id: id('Identifier of the session.'),
  kind: oneOf(
    ['browser', 'token', 'counter'],
    'A browser that is signed in, a token of a script (`POST /token/`), or a counter of the shop (`POST /counters/`).',
  ),
  name: text('The name of a counter; `""` for the others.'),
  browser: text('Such as `Chrome`; `""` if unknown.'),
  system: text('Such as `Android`; `""` if unknown.'),
  agent: text('The whole User-Agent of the browser or program.'),
  address: text('From where it was last used.'),
  account: orNull(id('The account it acts for.')),
  created_at: timestamp('When it was opened.'),
  last_used_at: timestamp('When it was last used, to the minute.'),
  expires_at: orNull(timestamp('When it ends in any case.'), 'Null: a counter, which ends after 90 days without use.'),
  current: flag('Whether it is the session of this call.'),
})
export type OwnSession = Static<typeof OwnSession>

export const SecondFactorState = closed({
  on: flag('Whether signing in asks for it: an app or a passkey is set up.'),
  app: flag('Whether an app for codes is set up.'),
  since: orNull(timestamp('Since when there is an app.')),
  recovery_codes_left: whole('How many recovery codes were not used yet.'),
})

export const SecondFactorSetUp = closed(
  'Signing in does not ask for it yet: it is on after a first code was confirmed.',
  {
    secret: text('To type into an app that cannot read the picture.'),
    uri: text('The same for an app: `otpauth://…`.'),
    qr_svg: text('The same as a picture: an SVG document.'),
  },
)

export const RecoveryCodes = closed({
  recovery_codes: Type.Array(Type.String(), { description: 'Ten codes, each good once. Shown this once.' }),
})

export const listSessions = operation({
  id: 'listSessions',
  method: 'GET',
  path: '/sessions/',
  access: 'self',
  summary: 'Where you are signed in',
  description:
    'Browsers and tokens, the last used first. You have at most 50 of each: a new one ends the one that was unused for ' +
    'longest. Owners also see the counters of the account that they act for.',
  answer: Type.Array(OwnSession),
})

export const endSession = operation({
  id: 'endSession',
  method: 'DELETE',
  path: '/sessions/{id}/',
  access: 'self',
  summary: 'End one of your sessions',
  description: 'An owner can end a counter of the account that they act for in the same way.',
  status: 204,
  answerHeaders: cookies,
})

export const endOtherSessions = operation({
  id: 'endOtherSessions',
  method: 'POST',
  path: '/sessions/end_others/',
  access: 'self',
  summary: 'End all your sessions but this one',
  description: 'Ends browsers and tokens. They are refused within two seconds. Counters of the shop stay.',
  answer: closed({ ended: whole('How many.') }),
})

export const changeMe = operation({
  id: 'changeMe',
  method: 'PATCH',
  path: '/me/',
  access: 'self',
  summary: 'Change your name',
  body: Type.Object({ name: memberName }),
  example: { name: 'Amal Saleh' },
  answer: Me,
})

export const changePassword = operation({
  id: 'changePassword',
  method: 'POST',
  path: '/me/password/',
  access: 'self',
  proof: 'depends',
  summary: 'Change your password',
  description:
    'Ends your other sessions and your tokens. This session goes on, with a new cookie. Whoever has a second factor needs a proof ' +
    'by it, too.',
  body: Type.Object({ password: password('The one you have.'), new_password: newPassword }),
  example: { password: 'not the password', new_password: 'a new one of some length' },
  status: 204,
  answerHeaders: cookies,
})

export const showSecondFactor = operation({
  id: 'showSecondFactor',
  method: 'GET',
  path: '/me/second_factor/',
  access: 'self',
  withoutFactor: true,
  summary: 'Whether signing in asks you for a second factor',
  answer: SecondFactorState,
})

export const beginSecondFactor = operation({
  id: 'beginSecondFactor',
  method: 'POST',
  path: '/me/second_factor/',
  access: 'self',
  proof: 'depends',
  withoutFactor: true,
  summary: 'Begin to set up a second factor',
  description: 'Whoever has a passkey needs a proof by it, too.',
  body: Type.Object({ password: password('Your password.') }),
  example: { password: 'not the password' },
  answer: SecondFactorSetUp,
  showsSecret: true,
})

export const confirmSecondFactor = operation({
  id: 'confirmSecondFactor',
  method: 'POST',
  path: '/me/second_factor/confirm/',
  access: 'self',
  proof: 'depends',
  withoutFactor: true,
  summary: 'Switch the second factor on, with a first code',
  description:
    'Ends your other sessions and your tokens. This session goes on, with a new cookie. Whoever has a passkey needs a proof by it, too.',
  body: Type.Object({ code: Type.String({ minLength: 1, maxLength: 40, description: 'Six digits from the app.' }) }),
  example: { code: '000000' },
  answer: RecoveryCodes,
  showsSecret: true,
  answerHeaders: cookies,
})

export const renewRecoveryCodes = operation({
  id: 'renewRecoveryCodes',
  method: 'POST',
  path: '/me/second_factor/recovery_codes/',
  access: 'self',
  proof: 'in_body',
  summary: 'New recovery codes; the old ones stop working',
  body: Type.Object({ password: password('Your password.'), code: factorCode }),
  example: { password: 'not the password', code: '000000' },
  answer: RecoveryCodes,
  showsSecret: true,
})

export const endSecondFactor = operation({
  id: 'endSecondFactor',
  method: 'POST',
  path: '/me/second_factor/off/',
  access: 'self',
  proof: 'in_body',
  summary: 'Switch the second factor off',
  description: 'Ends your other sessions and your tokens. This session goes on, with a new cookie.',
  body: Type.Object({ password: password('Your password.'), code: factorCode }),
  example: { password: 'not the password', code: '000000' },
  status: 204,
  answerHeaders: cookies,
})

export const askPasswordReset = operation({
  id: 'askPasswordReset',
  method: 'POST',
  path: '/password/forgot/',
  access: 'open',
  summary: 'Ask for a link to set a new password',
  description:
    'The answer is the same whether or not a user has this address. The link is good for an hour, once. ' +
    'Where no mail is set up, the operator has a command that prints it.',
  body: Type.Object({
    email: Type.String({ minLength: 1, maxLength: 254, description: 'The address you sign in with.' }),
  }),
  example: { email: 'nobody@sanad.example' },
  status: 202,
})

export const resetPassword = operation({
  id: 'resetPassword',
  method: 'POST',
  path: '/password/reset/',
  access: 'open',
  summary: 'Set a new password by a link',
  description: 'Ends all your sessions and tokens; sign in with the new password. A second factor stays as it is.',
  body: Type.Object({ token: linkToken, new_password: newPassword }),
  example: { token: 'not a link', new_password: 'a new one of some length' },
  status: 204,
  answerHeaders: cookies,
})

export const peopleOperations = operation.described
