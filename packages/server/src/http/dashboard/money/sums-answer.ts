/** Sums of money as they are answered, and as lines of a CSV file. */
import * as contract from '@sanad/contract/dashboard/money/money-sums'
import type { Sum } from '../../../alerts/balances/day-close.ts'
import { formatMinor, minor } from '../../../core/money.ts'
import type { MoneySums, WalletSums } from '../../../views/day-close/money-sums.ts'

const sum = ({ count, amount }: Sum) => ({ count, amount: formatMinor(amount) })

export const sumsAnswer = (sums: MoneySums): contract.MoneySums => {
  const { matched, sale, booked, unmatched, wrong_amount, dismissed, denied } = sums.outcomes
  return {
    currency: sums.currency,
    arrived: sum(sums.arrived),
    verified: sum(sums.spent),
    matched: sum(matched),
    sale: sum(sale),
    booked: sum(booked),
    unmatched: sum(unmatched),
    wrong_amount: sum(wrong_amount),
    dismissed: sum(dismissed),
    denied: sum(denied),
    forgiven_amount: formatMinor(minor(sums.forgiven)),
    excess_amount: formatMinor(minor(sums.excess)),
    reserved: sum(sums.reserved),
    not_handed_over: sum(sums.notHandedOver),
  }
}

export const walletSumsAnswer = ({ walletId, name, sums }: WalletSums): contract.WalletSums => ({
  wallet: { id: walletId, name },
  sums: sumsAnswer(sums),
})

/** A line of a CSV file for each kind that is not empty: its name, currency, count, amount and what was forgiven. */
export const sumCells = (sums: MoneySums): readonly (readonly string[])[] => {
  const answer = sumsAnswer(sums)
  const kinds = ['arrived', 'verified', ...contract.sumKinds, 'not_handed_over'] as const
  return kinds
    .filter((kind) => kind === 'arrived' || answer[kind].count > 0)
    .map((kind) => [
      kind,
      sums.currency,
      String(answer[kind].count),
      answer[kind].amount,
      kind === 'verified' ? answer.forgiven_amount : '',
    ])
}
