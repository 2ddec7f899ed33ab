/** Signing in and out, the signed-in user, and the account that the user acts for. */

import { type Static, Type } from 'typebox'
import { untrimmed } from '../../body.ts'
import { memberRoles } from '../../kinds.ts'
import { operationsOf } from '../../operation.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { body, closed, closedOrNull, flag, orNull, text, whole } from '../../schema.ts'
import { cookies } from '../answer-headers.ts'
import { PasskeyAssertion } from './passkey-bodies.ts'

export const Role = oneOf(memberRoles, 'The role of a member in an account.')

export const SignIn = body('The credentials of a user.', {
  email: Type.String({ minLength: 1, maxLength: 254, description: 'The address to sign in with.' }),
  password: untrimmed(200, 'The password.'),
  code: Type.Optional(
    Type.String({ maxLength: 40, description: 'Six digits of the second factor, or a recovery code.' }),
  ),
  passkey: Type.Optional(PasskeyAssertion),
  account: Type.Optional(id('Which account to act for; left out, the one you have belonged to longest.')),
})

export const AccountChoice = Type.Object({ account: id('Which account.') })

export const OwnAccount = closed('An account that you may act for.', {
  id: id('Identifier of the account.'),
  name: text('Name of the account.'),
  role: Role,
  time_zone: text('The zone in which its days begin, such as `Asia/Aden`.'),
})

/** The wallets that a member was given, by their ids. */
export const GivenWallets = orNull(
  Type.Array(id('A wallet.')),
  'The wallets that the member sees and acts on; empty: none; null: all, also later ones. Null for an owner.',
)

/** The same, as an owner sets it. */
export const WalletsToGive = orNull(
  Type.Array(id('One of your wallets.'), { maxItems: 200, 'x-distinct': true }),
  'The wallets that the member is to see and act on; empty: none; null: all, also later ones. Not for an owner.',
)

/** Emails to other members contain this name, so it must be one line without a link. */
export const memberName = Type.String({
  format: 'member-name',
  minLength: 1,
  maxLength: 200,
  description: 'What you are called: one line, without a link.',
})

export const Me = closed('Who is signed in, and what they may do.', {
  user: closed({
    id: id('Identifier of the user.'),
    email: text('The address they sign in with.'),
    name: text('Their name; `""` if unknown.'),
    operator: flag('Whether they host this service.'),
    second_factor: flag('Whether signing in asks for a second factor.'),
    address_proved: flag('Whether the address is known to be theirs.'),
  }),
  account: orNull(OwnAccount, 'The one you act for now.'),
  accounts: Type.Array(OwnAccount, { description: 'All that you may act for.' }),
  requests: Type.Array(OwnAccount, {
    description: 'Accounts of which an owner has yet to confirm that you belong to them. You may not act for them.',
  }),
  second_factor_due: closedOrNull(
    'Until when you must set up a second factor, because an owner of the account requires it. Null: you have one, or none is required.',
    {
      at: timestamp('From when on every other call for this account is refused (`second_factor_required`).'),
      over: flag('Whether that time has come.'),
    },
  ),
  operator_needs_factor: flag(
    'You host this service and have no second factor: calls for operators are refused until you set one up.',
  ),
  wallets: orNull(
    Type.Array(closed({ id: id('Identifier of the wallet.'), name: text('Its name.') })),
    'The wallets of it that you were given, by name: lists, counts, sums and files are of these alone. Null: all wallets.',
  ),
  today_only: flag(
    'You see today only, in the time zone of the account: an owner limits cashiers to the day (`other_days` of `/limits/`).',
  ),
  actions: Type.Array(Type.String(), { description: 'The actions that you may do in it (`x-action` of each call).' }),
  service_time_zone: text(
    'The zone of the service: that of an account that chose none, and of a user without an account.',
  ),
  sends_mail: flag('Whether this service sends mail.'),
  expires_at: orNull(timestamp('When this session ends in any case.')),
  counter: closedOrNull('The counter at which you signed in with a PIN; null: you signed in otherwise.', {
    name: text('What the shop calls the counter.'),
    idle_minutes: whole('After so many minutes without a touch it is locked.'),
  }),
})
export type Me = Static<typeof Me>

export const UserToken = closed('A token for scripts. It acts for one account, as you.', {
  access_token: text('To send as `Authorization: Bearer …`.'),
  token_type: oneOf(['Bearer'], 'How to send it.'),
  expires_in: whole('Seconds until it ends.'),
})

const operation = operationsOf({ tag: 'You' })

export const signIn = operation({
  id: 'signIn',
  method: 'POST',
  path: '/session/',
  access: 'open',
  summary: 'Sign in',
  description:
    'Answers with a session cookie. Where a second factor is set up and no `code` was sent, the answer is 401 with the ' +
    'code `second_factor_required`: ask the user for it, and repeat the call with `code`, or with `passkey` for the challenge of ' +
    '`POST /session/passkey/options/`.',
  body: SignIn,
  example: { email: 'nobody@sanad.example', password: 'not the password' },
  answer: Me,
  answerHeaders: cookies,
})

export const showMe = operation({
  id: 'showMe',
  method: 'GET',
  path: '/session/',
  access: 'self',
  atCounter: true,
  withoutFactor: true,
  summary: 'Who is signed in, and what they may do',
  answer: Me,
})

export const signOut = operation({
  id: 'signOut',
  method: 'DELETE',
  path: '/session/',
  access: 'self',
  atCounter: true,
  withoutFactor: true,
  summary: 'Sign out',
  description: 'At a counter: locks it.',
  status: 204,
  answerHeaders: cookies,
})

export const switchAccount = operation({
  id: 'switchAccount',
  method: 'POST',
  path: '/session/account/',
  access: 'self',
  withoutFactor: true,
  summary: 'Act for another of your accounts',
  body: AccountChoice,
  example: { account: '{account}' },
  refusals: { 404: 'You do not belong to it, or you use a token: a token always acts for the same account.' },
  answer: Me,
})

export const issueToken = operation({
  id: 'issueToken',
  method: 'POST',
  path: '/token/',
  access: 'open',
  anyOrigin: true,
  summary: 'A token for scripts',
  body: SignIn,
  example: { email: 'nobody@sanad.example', password: 'not the password' },
  answer: UserToken,
  showsSecret: true,
})

export const sessionOperations = operation.described
