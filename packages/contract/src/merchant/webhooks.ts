/** The events as requests that reach the merchant's server: two, and four more for endpoints that subscribe to them. */
import { Type } from 'typebox'
import {
  PaymentCancelled,
  PaymentExpired,
  PaymentReceived,
  PaymentUnmatched,
  PaymentVerified,
  PaymentWrongAmount,
} from '../events.ts'
import type { Webhook } from '../openapi/document.ts'
import type { Parameters } from '../operation.ts'
import * as examples from './examples.ts'

export const webhookHeaders: Parameters = {
  'X-Service-Signature': {
    required: true,
    description:
      '`t=<unix-ts>,v1=<hex>`. `v1` is the hex HMAC-SHA256 of `{ts}.{raw_body}` with the secret of the endpoint as key. ' +
      'While a secret is being rotated there are two `v1`, of the new and the old secret. Each attempt is signed anew.',
    schema: Type.String({ pattern: '^t=\\d+(,v1=[0-9a-f]{64})+$' }),
    example: examples.signing.header,
  },
  'X-Service-Event-Id': {
    required: true,
    description: 'The same on every attempt at one event: drop repeats by it.',
    schema: Type.String(),
    example: '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e5f',
  },
  'X-Service-Delivery-Id': {
    required: true,
    description: 'Identifies this delivery in the delivery log.',
    schema: Type.String(),
    example: '019b7cab-76aa-7f10-9f41-7d9f1b3d5f60',
  },
  'X-Service-Attempt': {
    required: true,
    description: 'Counts the attempts, from 1.',
    schema: Type.Integer({ minimum: 1 }),
    example: 1,
  },
}

export const webhookAnswers = {
  '2XX': { description: 'Any 2xx within 15 seconds: the event has arrived.' },
  default: {
    description:
      'Anything else, a redirect or no answer within 15 seconds: the event is sent again, after 5 seconds at first and ' +
      'then after ever longer delays, for about 3 days. `Retry-After` of a 429 or 503 is honoured. 410 disables the endpoint ' +
      'at once.',
  },
}

const optIn = 'Only for endpoints that subscribe to it.'

export const webhooks: Readonly<Record<string, Webhook>> = {
  'payment.verified': {
    id: 'paymentVerified',
    summary: 'A payment was verified',
    description:
      'The primary event: the payment of an intent is here, matched automatically or booked by hand. Deliver the order.',
    body: PaymentVerified,
    example: examples.paymentVerified,
  },
  'payment.unmatched': {
    id: 'paymentUnmatched',
    summary: 'Money arrived that matches no intent',
    description:
      'Only for endpoints that subscribe to it. While intents of the wallet still wait for a reference, it is held back until ' +
      'the last of them has ended: one of them may still match the money. Never sent for the testing wallet.',
    body: PaymentUnmatched,
    example: examples.paymentUnmatched,
  },
  'payment.received': {
    id: 'paymentReceived',
    summary: 'A payment arrived on the testing wallet',
    description:
      'Sent for every payment on the testing wallet, even with no intent, to try the integration. If it verified an ' +
      'intent, `payment.verified` follows.',
    body: PaymentReceived,
    example: examples.paymentReceived,
  },
  'payment.wrong_amount': {
    id: 'paymentWrongAmount',
    summary: 'Another amount arrived',
    description: `Money with the reference of an intent arrived, but another amount: the intent has ended unpaid. ${optIn}`,
    body: PaymentWrongAmount,
    example: examples.paymentWrongAmount,
  },
  'payment.expired': {
    id: 'paymentExpired',
    summary: 'An intent expired',
    description: `The window of an intent ended without payment. Sent within some seconds. ${optIn}`,
    body: PaymentExpired,
    example: examples.paymentExpired,
  },
  'payment.cancelled': {
    id: 'paymentCancelled',
    summary: 'An intent was cancelled',
    description: `An intent was cancelled, by a member in the dashboard or with its checkout. ${optIn}`,
    body: PaymentCancelled,
    example: examples.paymentCancelled,
  },
}
