/** Adds up rows of money by outcome, one currency at a time. Pure. */
import { type MoneyOutcome, moneyOutcomes } from '@sanad/contract/kinds'
import type { AlertState, Reason } from '../../alerts/alert.ts'
import { creditKind, hasArrived, isSpentOutcome, outcomeOf } from '../../alerts/arrived.ts'
import type { Sum } from '../../alerts/balances/day-close.ts'
import { type Minor, minor } from '../../core/money.ts'

/** Money of one wallet, currency and kind. */
export type CountedMoney = Sum & {
  readonly wallet_id: string
  readonly wallet_name: string
  readonly currency: string
  readonly state: AlertState
  readonly reason: Reason
  readonly sale: boolean
  readonly reserved: boolean
  readonly handed: boolean
  readonly forgiven: Minor
  readonly excess: Minor
}

export type MoneySums = {
  readonly currency: string
  readonly outcomes: Readonly<Record<MoneyOutcome, Sum>>
  /** All but what was dismissed or denied. */
  readonly arrived: Sum
  readonly spent: Sum
  /** Of `spent`: what was asked and did not arrive, and what arrived beyond it. */
  readonly forgiven: bigint
  readonly excess: bigint
  /** Of the sales: those that can still be undone. */
  readonly reserved: Sum
  /** Of `spent`: nobody has handed it over. */
  readonly notHandedOver: Sum
}

const add = (a: Sum, b: Sum): Sum => ({ count: a.count + b.count, amount: minor(a.amount + b.amount) })
const nothing: Sum = { count: 0, amount: minor(0n) }

/** The sums of rows of one currency. */
export const moneySums = (currency: string, rows: readonly CountedMoney[]): MoneySums => {
  const outcomes = Object.fromEntries(moneyOutcomes.map((name) => [name, nothing])) as Record<MoneyOutcome, Sum>
  let [arrived, spent, reserved, notHandedOver] = [nothing, nothing, nothing, nothing]
  let [forgiven, excess] = [0n, 0n]
  for (const row of rows) {
    const outcome = outcomeOf(row)
    if (outcome === undefined) continue
    outcomes[outcome] = add(outcomes[outcome], row)
    if (hasArrived(creditKind(row))) arrived = add(arrived, row)
    if (!isSpentOutcome(outcome)) continue
    spent = add(spent, row)
    forgiven += row.forgiven
    excess += row.excess
    // The goods of a sale are handed over with the touch.
    if (row.reserved) reserved = add(reserved, row)
    else if (!row.handed) notHandedOver = add(notHandedOver, row)
  }
  return { currency, outcomes, arrived, spent, forgiven, excess, reserved, notHandedOver }
}

/** The sums of each currency, in the order of their codes. Amounts of two currencies are never added. */
export const sumsByCurrency = (rows: readonly CountedMoney[]): MoneySums[] =>
  [...Map.groupBy(rows, ({ currency }) => currency)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, group]) => moneySums(currency, group))

export type WalletSums = { readonly walletId: string; readonly name: string; readonly sums: MoneySums }

/** The sums of each wallet and currency, by the name of the wallet. */
export const sumsByWallet = (rows: readonly CountedMoney[]): WalletSums[] =>
  [...Map.groupBy(rows, ({ wallet_id }) => wallet_id).values()]
    .sort(([a], [b]) => a!.wallet_name.localeCompare(b!.wallet_name) || (a!.wallet_id < b!.wallet_id ? -1 : 1))
    .flatMap((group) =>
      sumsByCurrency(group).map((sums) => ({ walletId: group[0]!.wallet_id, name: group[0]!.wallet_name, sums })),
    )
