/** The log of the account's own API calls. */
import { type Static, Type } from 'typebox'
import { operation } from '../../operation.ts'
import { flagField } from '../../query.ts'
import { id, timestamp } from '../../scalars.ts'
import { pageOf, pageQuery } from '../page.ts'

export const ApiCall = Type.Object(
  {
    id: id('Identifier of the call.'),
    at: timestamp('When it was answered.'),
    client_id: Type.String({
      description: 'The API key that made it. With status 401: the key that the caller named, unproved.',
    }),
    method: Type.String(),
    path: Type.String({ description: 'With its query.' }),
    status: Type.Integer({ description: 'The HTTP status of the answer.' }),
    code: Type.String({ description: 'The code of the first error; `""`: none.' }),
    took_ms: Type.Integer({ description: 'How long the answer took, in milliseconds.' }),
    request_id: Type.String({ description: 'The `X-Request-Id` of the answer.' }),
    request_body: Type.String({ description: 'The beginning of what a failed call sent, without secrets.' }),
    error_body: Type.String({ description: 'The beginning of the answer to a failed call.' }),
    hint: Type.String({ description: 'The `X-Service-Hint` of the answer: how to repair the request; `""`: none.' }),
    ignored: Type.String({
      description: 'The `X-Service-Ignored` of the answer: names of what was sent and had no effect; `""`: none.',
    }),
    skipped: Type.Integer({
      description: 'Calls before this one that are not in the log, because there were too many.',
    }),
  },
  { additionalProperties: false, description: 'A call to the merchant or checkout API.' },
)
export type ApiCall = Static<typeof ApiCall>

export const listCalls = operation({
  id: 'listCalls',
  method: 'GET',
  path: '/calls/',
  access: 'webhooks.read',
  tag: 'API calls',
  summary: 'The API calls of the last seven days, the newest first',
  query: {
    failed: { description: '`1`: only calls that failed.', schema: flagField(), published: Type.String() },
    method: { description: 'Only this method.', schema: Type.String() },
    status: { description: 'Only this status, such as `404`, or `4xx`.', schema: Type.String() },
    ...pageQuery('uuid'),
  },
  status: 200,
  answer: pageOf(ApiCall, 'Calls, the newest first.'),
})

export const callOperations = [listCalls]
