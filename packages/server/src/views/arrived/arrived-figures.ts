/** Sums of money that arrived, from rows by period, wallet, currency and kind. Currencies are never added. Pure. */
import { type ArrivedKind, type CreditKind, hasArrived } from '../../alerts/arrived.ts'
import { type Minor, minor } from '../../core/money.ts'

export type Row = {
  readonly period: number
  readonly wallet_id: string
  readonly currency: string
  readonly kind: CreditKind
  readonly count: number
  readonly sum: Minor
}

export type Figure = { readonly count: number; readonly sum: Minor }

export const addUp = (rows: readonly { readonly count: number; readonly sum: Minor }[]): Figure => ({
  count: rows.reduce((all, row) => all + row.count, 0),
  sum: minor(rows.reduce((all, row) => all + row.sum, 0n)),
})

/** What arrived, without what is not counted. */
export const arrivedRows = <R extends Row>(rows: readonly R[]): (R & { readonly kind: ArrivedKind })[] =>
  rows.filter((row): row is R & { readonly kind: ArrivedKind } => hasArrived(row.kind))

/** What arrived by period, wallet and currency, whatever became of it. */
export const byWallet = (rows: readonly Row[]): (Figure & Pick<Row, 'period' | 'wallet_id' | 'currency'>)[] =>
  [...Map.groupBy(arrivedRows(rows), ({ period, wallet_id, currency }) => `${period} ${wallet_id} ${currency}`)].map(
    ([, [first, ...others]]) => ({
      period: first!.period,
      wallet_id: first!.wallet_id,
      currency: first!.currency,
      ...addUp([first!, ...others]),
    }),
  )

/** The middle one; of an even number, the middle of the two in the middle, rounded down. Of none: zero. */
export const median = (sums: readonly bigint[]): Minor => {
  const sorted = sums.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)] ?? 0n, sorted[Math.floor(sorted.length / 2)] ?? 0n]
  return minor((low + high) / 2n)
}
