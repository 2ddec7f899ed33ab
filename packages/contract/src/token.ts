/** The answer to a request for an access token. The credentials are sent in headers: there is no request body. */
import { type Static, Type } from 'typebox'
import { oneOf } from './scalars.ts'
import { closed } from './schema.ts'

export const TokenAnswer = closed('A short-lived access token.', {
  access_token: Type.String({
    minLength: 1,
    description: 'A JWT. Send it unchanged; its content is internal and may change.',
  }),
  token_type: oneOf(['Bearer'], 'How to send it: `Authorization: Bearer <access_token>`.'),
  expires_in: Type.Integer({ minimum: 1, description: 'Seconds until it expires.', examples: [3600] }),
})
export type TokenAnswer = Static<typeof TokenAnswer>
