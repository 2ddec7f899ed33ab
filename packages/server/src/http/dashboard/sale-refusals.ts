/** How each business "no" about a sale or a shift at the counter and about a voucher is answered. */
import type { SaleRefusalCode, ShiftRefusalCode } from '../../core/refusal.ts'
import { notFound } from '../answers.ts'
import { NON_FIELD } from '../body/field-error.ts'
import { type Answer, byActor, changed, field } from './refusal-answer.ts'

export const saleAnswers: Readonly<Record<SaleRefusalCode, Answer>> = {
  sale_of_test_money: () =>
    field(NON_FIELD, 'sale_of_test_money', 'This is test money: only money of a real wallet can be taken as a sale.'),
  sale_amount: (facts) => changed(NON_FIELD, 'sale_amount', `An intent cannot have the amount ${facts.amount}.`, facts),
  sale_amount_changed: (facts) =>
    changed('amount', 'sale_amount_changed', `${facts.amount} arrived, which is not what you saw.`, facts),
  sale_needs_look: () =>
    field(
      'looked',
      'sale_needs_look',
      'There is a doubt about this money: look at its message first, then send `looked`.',
    ),
  sale_order_waits: (facts) =>
    changed(
      'not_for_order',
      'sale_order_waits',
      `Payment ${facts.payment} of this amount waits in this wallet. Book the money onto it, or send \`not_for_order\`.`,
      facts,
    ),
  sale_unknown: (facts) => changed(NON_FIELD, 'sale_unknown', 'This money was not taken as a sale.', facts),
  sale_final: (facts) =>
    changed(
      NON_FIELD,
      'sale_final',
      `The time to undo is over: this money was taken as a sale${byActor(facts)}, and stays so.`,
      facts,
    ),
  voucher_limit: ({ most }) =>
    field(NON_FIELD, 'voucher_limit', `The voucher of an intent gets at most ${most} addresses, one after another.`),
  voucher_revoked: () => field(NON_FIELD, 'voucher_revoked', 'The shop has revoked the address of this voucher.'),
  intent_not_paid: ({ status }) =>
    field(NON_FIELD, 'intent_not_paid', `Only a paid intent is handed over; this one is ${status}.`),
}

export const shiftAnswers: Readonly<Record<ShiftRefusalCode, Answer>> = {
  shift_unknown: () => notFound(),
  shift_open: (facts) => changed(NON_FIELD, 'shift_open', 'Your shift is open already. End it first.', facts),
  shift_over: (facts) => changed(NON_FIELD, 'shift_over', `This shift is over${byActor(facts)}.`, facts),
}
