/**
 * `AwaitingTransfer`: the state of a payment whose money has not arrived. It covers no part of the order, which stays in
 * ArrangingPayment and can be changed or cancelled. Vendure's own `Authorized` would place the order before it is paid.
 */

/** @import { PaymentProcess } from '@vendure/core' */

export const awaiting = 'AwaitingTransfer'

/** @type {PaymentProcess<any>} */
export const sanadPaymentProcess = {
  transitions: {
    Created: { to: [awaiting], mergeStrategy: 'merge' },
    [awaiting]: { to: ['Settled', 'Declined', 'Cancelled', 'Error'] },
  },
}
