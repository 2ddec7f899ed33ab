/**
 * What arrived for an order, and how that differs from what was asked. Every sum of received money, and every place that shows it,
 * takes it from here. The addition of a unique amount is neither forgiven nor in excess: the order's own amount is enough, and
 * the payable amount is not too much. Pure.
 */
import { type Minor, minor } from '../core/money.ts'

/** The amounts of the intent that asked: the order's own, and the one that the buyer was asked for. */
export type Asked = { readonly base: Minor; readonly payable: Minor }

export type Arrival = {
  readonly arrived: Minor
  /** What was asked and did not arrive. */
  readonly forgiven: Minor
  /** What arrived and was not asked for. */
  readonly excess: Minor
}

export const arrivalOf = ({ base, payable }: Asked, arrived: Minor): Arrival => {
  const [least, most] = base < payable ? [base, payable] : [payable, base]
  return {
    arrived,
    forgiven: minor(arrived < least ? least - arrived : 0n),
    excess: minor(arrived > most ? arrived - most : 0n),
  }
}

/** What the order asked for, beside what arrived and was forgiven. */
export const askedFor = ({ arrived, forgiven, excess }: Arrival): Minor => minor(arrived + forgiven - excess)

/** An arrival as it is stored: all null if exactly `payable` arrived and nothing differs, and for intents that are not VERIFIED. */
export type StoredArrival = {
  readonly arrived: Minor | null
  readonly forgiven: Minor | null
  readonly excess: Minor | null
}

const nothingDiffers: StoredArrival = { arrived: null, forgiven: null, excess: null }

export const storedOf = (arrival: Arrival | null, payable: Minor): StoredArrival =>
  arrival === null || (arrival.arrived === payable && arrival.forgiven === 0n && arrival.excess === 0n)
    ? nothingDiffers
    : arrival

/** Null: the intent is not VERIFIED. The money of a WRONG_AMOUNT intent is not spent, and may count for another intent. */
export const readArrival = (
  row: StoredArrival & { readonly status: string; readonly payable: Minor },
): Arrival | null =>
  row.status === 'VERIFIED'
    ? { arrived: row.arrived ?? row.payable, forgiven: row.forgiven ?? minor(0n), excess: row.excess ?? minor(0n) }
    : null

export const sumArrivals = (arrivals: readonly (Arrival | null)[]): Arrival => {
  let [arrived, forgiven, excess] = [0n, 0n, 0n]
  for (const arrival of arrivals) {
    if (arrival === null) continue
    arrived += arrival.arrived
    forgiven += arrival.forgiven
    excess += arrival.excess
  }
  return { arrived: minor(arrived), forgiven: minor(forgiven), excess: minor(excess) }
}
