/** The log of the account's own API calls. */
import { type Static, Type } from 'typebox'
import { operation } from '../../operation.ts'
import { flagField } from '../../query.ts'
import { id, timestamp } from '../../scalars.ts'
import { closed, text, whole } from '../../schema.ts'
import { pageOf, pageQuery } from '../page.ts'

export const ApiCall = closed('A call to the merchant or checkout API.', {
  id: id('Identifier of the call.'),
  at: timestamp('When it was answered.'),
  client_id: text('The API key that made it. With status 401: the key that the caller named, unproved.'),
  method: Type.String(),
  path: text('With its query.'),
  status: whole('The HTTP status of the answer.'),
  code: text('The code of the first error; `""`: none.'),
  took_ms: whole('How long the answer took, in milliseconds.'),
  request_id: text('The `X-Request-Id` of the answer.'),
  request_body: text('The beginning of what a failed call sent, without secrets.'),
  error_body: text('The beginning of the answer to a failed call.'),
  hint: text('The `X-Service-Hint` of the answer: how to repair the request; `""`: none.'),
  ignored: text('The `X-Service-Ignored` of the answer: names of what was sent and had no effect; `""`: none.'),
  skipped: whole('Calls before this one that are not in the log, because there were too many.'),
})
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
  answer: pageOf(ApiCall, 'Calls, the newest first.'),
})

export const callOperations = [listCalls]
