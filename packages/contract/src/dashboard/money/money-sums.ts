/** Sums of money by what became of it, of one currency. The day close and the shifts have them. */
import { type Static, Type } from 'typebox'
import { type MoneyOutcome, moneyOutcomes } from '../../kinds.ts'
import { id, signedAmount } from '../../scalars.ts'
import { closed, text } from '../../schema.ts'

const sumOf = (description: string) =>
  closed(description, { count: Type.Integer({ minimum: 0 }), amount: signedAmount('Their sum.') })

const outcomes = {
  matched: sumOf('Verified an intent by itself.'),
  sale: sumOf('Taken as a sale, from the touch on.'),
  booked: sumOf('Booked by hand.'),
  unmatched: sumOf('Without an order: waiting, under review, held.'),
  wrong_amount: sumOf('Ended an intent as WRONG_AMOUNT, and was not accepted.'),
  dismissed: sumOf('Set aside by a member.'),
  denied: sumOf('A message says that it was reversed or has failed, and no member has booked it.'),
} satisfies Record<MoneyOutcome, unknown>

export const MoneySums = closed('Sums of one currency.', {
  currency: text('The currency of all amounts.'),
  arrived: sumOf('What arrived: all kinds but `dismissed` and `denied`.'),
  verified: sumOf('What was paid: `matched`, `sale` and `booked`.'),
  ...outcomes,
  forgiven_amount: signedAmount('Of `verified`: what was asked for their orders and did not arrive.'),
  excess_amount: signedAmount('Of `verified`: what arrived beyond what was asked.'),
  reserved: sumOf('Of `sale`: what can still be undone.'),
  not_handed_over: sumOf('Of `verified`: what nobody has handed over.'),
})
export type MoneySums = Static<typeof MoneySums>

/** The kinds in the order in which tables show them. */
export const sumKinds = moneyOutcomes

export const WalletSums = closed({
  wallet: closed({ id: id('Identifier of the wallet.'), name: text('Its name.') }),
  sums: MoneySums,
})
export type WalletSums = Static<typeof WalletSums>
