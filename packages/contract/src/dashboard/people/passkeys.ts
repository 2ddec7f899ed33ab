/** Passkeys (WebAuthn): a user's own, and signing in with one. The options are what a browser takes; binary values are base64url. */
import { type Static, Type } from 'typebox'
import { operationsOf } from '../../operation.ts'
import { id, oneOf, timestamp } from '../../scalars.ts'
import { closed, flag, orNull, text } from '../../schema.ts'
import { cookies } from '../answer-headers.ts'
import { PasskeyAssertion, PasskeyRegistration } from './passkey-bodies.ts'
import { Me } from './session.ts'

const operation = operationsOf({ tag: 'You' })

const publicKey = oneOf(['public-key'], 'Always `public-key`.')
const descriptor = closed({ id: Type.String(), type: publicKey, transports: Type.Array(Type.String()) })
const challenge = text('Works once, for five minutes.')
const required = oneOf(['required'], 'The authenticator must recognise its user.')

export const PasskeyRequest = closed('For `navigator.credentials.get`.', {
  challenge,
  rpId: Type.String(),
  timeout: Type.Integer(),
  userVerification: required,
  allowCredentials: Type.Array(descriptor),
})

export const PasskeyCreation = closed('For `navigator.credentials.create`.', {
  challenge,
  rp: closed({ id: Type.String(), name: Type.String() }),
  user: closed({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
  pubKeyCredParams: Type.Array(closed({ alg: Type.Integer(), type: publicKey })),
  timeout: Type.Integer(),
  attestation: oneOf(['none'], 'The maker of the authenticator is not asked for.'),
  excludeCredentials: Type.Array(descriptor),
  authenticatorSelection: closed({
    residentKey: required,
    requireResidentKey: Type.Boolean(),
    userVerification: required,
  }),
})

export const Passkey = closed({
  id: id('Identifier of the passkey.'),
  name: text('The name that you gave it.'),
  synced: flag('Whether it is kept on several devices, as the authenticator says.'),
  created_at: timestamp('When it was added.'),
  last_used_at: orNull(timestamp('When it was last used.')),
})
export type Passkey = Static<typeof Passkey>

const name = Type.String({ minLength: 1, maxLength: 100, description: 'Which device or key it is.' })

export const listPasskeys = operation({
  id: 'listPasskeys',
  method: 'GET',
  path: '/me/passkeys/',
  access: 'self',
  withoutFactor: true,
  summary: 'Your passkeys',
  answer: Type.Array(Passkey),
})

export const beginPasskey = operation({
  id: 'beginPasskey',
  method: 'POST',
  path: '/me/passkeys/options/',
  access: 'self',
  proof: 'always',
  withoutFactor: true,
  summary: 'What a browser needs to make a passkey',
  answer: PasskeyCreation,
})

export const addPasskey = operation({
  id: 'addPasskey',
  method: 'POST',
  path: '/me/passkeys/',
  access: 'self',
  proof: 'always',
  withoutFactor: true,
  summary: 'Add a passkey',
  description:
    'The first passkey is a second factor: signing in with the password then asks for a code, a recovery code or a passkey. It ends ' +
    'your other sessions and your tokens; this session goes on, with a new cookie. Only in a browser’s session.',
  body: Type.Object({ name, passkey: PasskeyRegistration }),
  example: {
    name: 'Phone',
    passkey: { id: 'AAAA', response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' } },
  },
  status: 201,
  answer: closed({
    passkey: Passkey,
    recovery_codes: orNull(
      Type.Array(Type.String()),
      'Ten codes, each good once, shown this once; null: you had a second factor, and its codes stay.',
    ),
  }),
  showsSecret: true,
  answerHeaders: cookies,
})

export const renamePasskey = operation({
  id: 'renamePasskey',
  method: 'PATCH',
  path: '/me/passkeys/{id}/',
  access: 'self',
  summary: 'Rename a passkey',
  body: Type.Object({ name }),
  example: { name: 'Old phone' },
  answer: Passkey,
})

export const removePasskey = operation({
  id: 'removePasskey',
  method: 'DELETE',
  path: '/me/passkeys/{id}/',
  access: 'self',
  proof: 'always',
  summary: 'Remove a passkey',
  description:
    'When it is the last one and no app is set up, the second factor is off: your other sessions and your tokens end.',
  status: 204,
  answerHeaders: cookies,
})

export const beginPasskeySignIn = operation({
  id: 'beginPasskeySignIn',
  method: 'POST',
  path: '/session/passkey/options/',
  access: 'open',
  summary: 'What a browser needs to sign in with a passkey',
  answer: PasskeyRequest,
})

export const signInWithPasskey = operation({
  id: 'signInWithPasskey',
  method: 'POST',
  path: '/session/passkey/',
  access: 'open',
  summary: 'Sign in with a passkey, without a password',
  body: Type.Object({
    passkey: PasskeyAssertion,
    account: Type.Optional(id('Which account to act for; left out, the one you have belonged to longest.')),
  }),
  example: {
    passkey: { id: 'AAAA', response: { clientDataJSON: 'AAAA', authenticatorData: 'AAAA', signature: 'AAAA' } },
  },
  answer: Me,
  answerHeaders: cookies,
})

export const beginPasskeyProof = operation({
  id: 'beginPasskeyProof',
  method: 'POST',
  path: '/session/proof/options/',
  access: 'self',
  withoutFactor: true,
  summary: 'What a browser needs to prove that it is you with a passkey',
  answer: PasskeyRequest,
})

export const passkeyOperations = operation.described
