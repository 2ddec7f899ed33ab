/** The proof that the signed-in person is there, which some calls need (`proof` of an operation). */
import { Type } from 'typebox'
import { untrimmed } from '../../body.ts'
import { operationsOf } from '../../operation.ts'
import { oneOf, timestamp } from '../../scalars.ts'
import { closed, orNull } from '../../schema.ts'
import { PasskeyAssertion } from './passkey-bodies.ts'

const operation = operationsOf({ tag: 'You', access: 'self' })

const ProofWay = oneOf(['password', 'code', 'passkey'], 'What you prove it with.')

export const ProofState = closed({
  proved_until: orNull(
    timestamp('Until when the last proof counts.'),
    'Null: the next call that needs a proof is refused.',
  ),
  ways: Type.Array(ProofWay, {
    description:
      '`password` without a second factor; with one `code` (six digits, or a recovery code), and `passkey` if you have any.',
  }),
})

export const showProof = operation({
  id: 'showProof',
  method: 'GET',
  path: '/session/proof/',
  withoutFactor: true,
  summary: 'Until when your last proof counts, and how to give another',
  answer: ProofState,
})

export const proveSelf = operation({
  id: 'proveSelf',
  method: 'POST',
  path: '/session/proof/',
  proof: 'in_body',
  withoutFactor: true,
  summary: 'Prove that it is you',
  description:
    'Some calls cannot be taken back: a new key, a moved endpoint, a new owner (`x-proof`). They need a proof of the last ten ' +
    'minutes, or they are answered 403 `confirmation_required` and change nothing. Signing in is a proof; after ten minutes this ' +
    'call is another. Send one of `ways` (`GET /session/proof/`). It counts for this session or token alone.',
  body: Type.Object({
    password: Type.Optional(untrimmed(200, 'Your password, if you have no second factor.')),
    code: Type.Optional(
      Type.String({ maxLength: 40, description: 'Six digits of your second factor, or a recovery code.' }),
    ),
    passkey: Type.Optional(PasskeyAssertion),
  }),
  example: { password: 'not the password' },
  refusals: {
    400: 'It is not right (`password_wrong`, `second_factor_wrong`, `passkey_wrong`), or another way is needed (`required`).',
  },
  answer: ProofState,
})

export const proofOperations = operation.described
