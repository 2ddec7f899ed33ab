/** The bodies of webhooks, one schema for each kind. merchant/webhooks.ts describes how they are signed and sent. */
import { type Static, type TSchema, Type } from 'typebox'
import { amount, collectedCurrency, id, oneOf, timestamp } from './scalars.ts'
import { closed, flag, text } from './schema.ts'

export const PaymentVerified = closed('A payment was verified, automatically or by hand.', {
  event: oneOf(['payment.verified'], 'The kind of event.'),
  payment_id: text('The `code` of the intent.'),
  intent_id: id('The `id` of the intent.'),
  order_id: Type.String({
    maxLength: 128,
    description: 'The `external_order_id` of the intent; `""` if it has none.',
  }),
  reference: Type.String({ maxLength: 128, description: 'The transaction reference.' }),
  base_amount: amount('Total to collect.'),
  amount: amount('The `payable_amount` of the intent.'),
  currency: collectedCurrency(),
  status: oneOf(['VERIFIED'], 'The status of the intent.'),
  verified_at: timestamp('When the payment was verified.'),
  manual_override: flag('true when a person booked the payment from the unmatched queue.'),
})
export type PaymentVerified = Static<typeof PaymentVerified>

const { properties: fields } = PaymentVerified
const {
  event: _event,
  currency: _currency,
  status: _status,
  verified_at: _at,
  manual_override,
  ...paymentFields
} = fields

/** The end of an intent that was not paid: the fields of `payment.verified`, with what arrived and when it ended. */
const endedUnpaid = <Kind extends string, Status extends string, Paid extends TSchema>(
  kind: Kind,
  status: Status,
  paid: Paid,
  description: string,
) =>
  closed(description, {
    event: oneOf([kind], 'The kind of event.'),
    ...paymentFields,
    reference: Type.String({ maxLength: 128, description: 'The transaction reference; `""` if none was attached.' }),
    paid_amount: paid,
    currency: fields.currency,
    status: oneOf([status], 'The status of the intent.'),
    ended_at: timestamp('When the intent ended.'),
    manual_override,
    is_test: flag('true: the intent was of the testing wallet.'),
  })

const nothingArrived = Type.Null({ description: 'Nothing arrived for it.' })

export const PaymentWrongAmount = endedUnpaid(
  'payment.wrong_amount',
  'WRONG_AMOUNT',
  amount('What arrived instead.'),
  'Money with the reference of an intent arrived, but another amount.',
)
export type PaymentWrongAmount = Static<typeof PaymentWrongAmount>

export const PaymentExpired = endedUnpaid(
  'payment.expired',
  'EXPIRED',
  nothingArrived,
  'The window of an intent ended without payment.',
)
export type PaymentExpired = Static<typeof PaymentExpired>

export const PaymentCancelled = endedUnpaid(
  'payment.cancelled',
  'CANCELLED',
  nothingArrived,
  'An intent was cancelled.',
)
export type PaymentCancelled = Static<typeof PaymentCancelled>

const alertFields = {
  event_id: id('Identifier of the payment alert.'),
  reference: text('The reference in the alert; `""` when it had none.'),
  amount: amount('What arrived.'),
  currency: collectedCurrency(),
}
const receivedAt = timestamp('When the alert reached the service.')

export const PaymentUnmatched = closed('Money arrived on a real wallet, and no intent matches it.', {
  event: oneOf(['payment.unmatched'], 'The kind of event.'),
  ...alertFields,
  wallet: text('The name of the wallet.'),
  received_at: receivedAt,
  is_test: flag('Always false: the testing wallet sends `payment.received` instead.'),
})
export type PaymentUnmatched = Static<typeof PaymentUnmatched>

export const PaymentReceived = closed('A payment arrived on the testing wallet.', {
  event: oneOf(['payment.received'], 'The kind of event.'),
  ...alertFields,
  resolution: oneOf(
    ['UNMATCHED', 'MATCHED', 'WRONG_AMOUNT'],
    'What became of it, in this order: it matched no intent; it verified one; it ended one that asked for another amount.',
  ),
  received_at: receivedAt,
  is_test: flag('Always true.'),
})
export type PaymentReceived = Static<typeof PaymentReceived>
