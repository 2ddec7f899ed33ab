/** What a browser sends of a passkey: binary values are base64url. */
import { Type } from 'typebox'
import { body, orNull } from '../../schema.ts'

const binary = (most: number, description: string) => Type.String({ minLength: 1, maxLength: most, description })
const clientData = binary(4_000, 'What the browser signed.')
const credentialId = binary(1_400, 'What the browser calls the passkey.')

export const PasskeyAssertion = body('What `navigator.credentials.get` gave, as JSON; other fields are ignored.', {
  id: credentialId,
  response: Type.Object({
    clientDataJSON: clientData,
    authenticatorData: binary(4_000, 'What the authenticator says.'),
    signature: binary(2_000, 'Its signature.'),
    userHandle: Type.Optional(orNull(Type.String({ maxLength: 200 }))),
  }),
})

export const PasskeyRegistration = body(
  'What `navigator.credentials.create` gave, as JSON; other fields are ignored.',
  {
    id: credentialId,
    response: Type.Object({
      clientDataJSON: clientData,
      attestationObject: binary(20_000, 'The new public key.'),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
    }),
  },
)
