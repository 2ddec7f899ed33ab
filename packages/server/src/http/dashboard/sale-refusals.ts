/** How each business "no" about a sale or a shift at the counter and about a voucher is answered. */
import type { SaleRefusalCode, ShiftRefusalCode } from '../../core/refusal.ts'
import { notFound } from '../answers.ts'
import { type Answer, byActor, says, saysWithFacts } from './refusal-answer.ts'

export const saleAnswers: Readonly<Record<SaleRefusalCode, Answer>> = {
  sale_of_test_money: says('This is test money: only money of a real wallet can be taken as a sale.'),
  sale_amount: saysWithFacts((facts) => `An intent cannot have the amount ${facts.amount}.`),
  sale_amount_changed: saysWithFacts((facts) => `${facts.amount} arrived, which is not what you saw.`, 'amount'),
  sale_needs_look: says('There is a doubt about this money: look at its message first, then send `looked`.', 'looked'),
  sale_order_waits: saysWithFacts(
    (facts) =>
      `Payment ${facts.payment} of this amount waits in this wallet. Book the money onto it, or send \`not_for_order\`.`,
    'not_for_order',
  ),
  sale_unknown: saysWithFacts('This money was not taken as a sale.'),
  sale_final: saysWithFacts(
    (facts) => `The time to undo is over: this money was taken as a sale${byActor(facts)}, and stays so.`,
  ),
  voucher_limit: says(({ most }) => `The voucher of an intent gets at most ${most} addresses, one after another.`),
  voucher_revoked: says('The shop has revoked the address of this voucher.'),
  intent_not_paid: says(({ status }) => `Only a paid intent is handed over; this one is ${status}.`),
}

export const shiftAnswers: Readonly<Record<ShiftRefusalCode, Answer>> = {
  shift_unknown: () => notFound(),
  shift_open: saysWithFacts('Your shift is open already. End it first.'),
  shift_over: saysWithFacts((facts) => `This shift is over${byActor(facts)}.`),
}
