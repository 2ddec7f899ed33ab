/** The events as requests that reach the merchant's server: two, and four more for endpoints that subscribe to them. */
import type { TSchema } from 'typebox'
import {
  PaymentCancelled,
  PaymentExpired,
  PaymentReceived,
  PaymentUnmatched,
  PaymentVerified,
  PaymentWrongAmount,
} from '../events.ts'
import { json } from './answers.ts'
import * as examples from './examples.ts'
import type { Operation } from './operations.ts'

const header = (name: string, description: string, schema: object, example: unknown) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema,
  example,
})

const headers = [
  header(
    'X-Service-Signature',
    '`t=<unix-ts>,v1=<hex>`. `v1` is the hex HMAC-SHA256 of `{ts}.{raw_body}` with the secret of the endpoint as key. ' +
      'While a secret is being rotated there are two `v1`, of the new and the old secret. Each attempt is signed anew.',
    { type: 'string', pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' },
    examples.signing.header,
  ),
  header(
    'X-Service-Event-Id',
    'The same on every attempt at one event: drop repeats by it.',
    { type: 'string' },
    '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e5f',
  ),
  header(
    'X-Service-Delivery-Id',
    'Identifies this delivery in the delivery log.',
    { type: 'string' },
    '019b7cab-76aa-7f10-9f41-7d9f1b3d5f60',
  ),
  header('X-Service-Attempt', 'Counts the attempts, from 1.', { type: 'integer', minimum: 1 }, 1),
]

const responses = {
  '2XX': { description: 'Any 2xx within 15 seconds: the event has arrived.' },
  default: {
    description:
      'Anything else, a redirect or no answer within 15 seconds: the event is sent again, after 5 seconds at first and ' +
      'then after ever longer delays, for about 3 days. `Retry-After` of a 429 or 503 is honoured. 410 disables the endpoint ' +
      'at once.',
  },
}

const event = (
  operationId: string,
  summary: string,
  description: string,
  schema: TSchema,
  value: unknown,
): Operation => ({
  operationId,
  tags: ['Webhooks'],
  summary,
  description,
  security: [],
  parameters: headers,
  requestBody: { required: true, content: json(schema, { event: { summary, value } }) },
  responses,
})

const optIn = 'Only for endpoints that subscribe to it.'

export const webhooks: Readonly<Record<string, { readonly post: Operation }>> = {
  'payment.verified': {
    post: event(
      'paymentVerified',
      'A payment was verified',
      'The primary event: the payment of an intent is here, matched automatically or booked by hand. Deliver the order.',
      PaymentVerified,
      examples.paymentVerified,
    ),
  },
  'payment.unmatched': {
    post: event(
      'paymentUnmatched',
      'Money arrived that matches no intent',
      'Only for endpoints that subscribe to it. While intents of the wallet still wait for a reference, it is held back until ' +
        'the last of them has ended: one of them may still match the money. Never sent for the testing wallet.',
      PaymentUnmatched,
      examples.paymentUnmatched,
    ),
  },
  'payment.received': {
    post: event(
      'paymentReceived',
      'A payment arrived on the testing wallet',
      'Sent for every payment on the testing wallet, even with no intent, to try the integration. If it verified an ' +
        'intent, `payment.verified` follows.',
      PaymentReceived,
      examples.paymentReceived,
    ),
  },
  'payment.wrong_amount': {
    post: event(
      'paymentWrongAmount',
      'Another amount arrived',
      `Money with the reference of an intent arrived, but another amount: the intent has ended unpaid. ${optIn}`,
      PaymentWrongAmount,
      examples.paymentWrongAmount,
    ),
  },
  'payment.expired': {
    post: event(
      'paymentExpired',
      'An intent expired',
      `The window of an intent ended without payment. Sent within some seconds. ${optIn}`,
      PaymentExpired,
      examples.paymentExpired,
    ),
  },
  'payment.cancelled': {
    post: event(
      'paymentCancelled',
      'An intent was cancelled',
      `An intent was cancelled, by a member in the dashboard or with its checkout. ${optIn}`,
      PaymentCancelled,
      examples.paymentCancelled,
    ),
  },
}
