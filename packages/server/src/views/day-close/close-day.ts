/**
 * Closes a wallet's day: reads its alerts in batches, follows the balance chain (day-close.ts) and sums the credits by their
 * outcome. It writes nothing, and holds one batch in memory.
 */

import { type CreditKind, creditKind } from '../../alerts/arrived.ts'
import {
  type DayChain,
  type DayMovement,
  dayCloser,
  type Placement,
  type Sum,
} from '../../alerts/balances/day-close.ts'
import type { Instant } from '../../core/clock.ts'
import { firstIdAt, type WalletId } from '../../core/ids.ts'
import { type Minor, minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { type Arrival, readArrival } from '../../intents/arrival.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { type DayRow, dayRows, movementsBefore } from './day-close-sql.ts'

export type WalletDay = {
  readonly scope: Scope
  readonly walletId: WalletId
  readonly currency: string
  readonly from: Instant
  readonly until: Instant
}

export type DayTotals = DayChain & {
  readonly verified: Sum & {
    /** What the intents asked for, and what of it was forgiven or came in excess. */
    readonly payable: Minor
    readonly forgiven: Minor
    readonly excess: Minor
    readonly byHand: number
  }
  readonly unmatched: Sum
  readonly wrongAmount: Sum
  readonly dismissed: Sum
  /** Messages that say, or may say, that their money did not arrive: in no other of these sums. */
  readonly denied: Sum
  readonly unread: number
  readonly otherCurrency: number
}

const batchSize = 1000
/** The balance before the day is searched in at most this many alerts. */
const mostBefore = 5000

const movementOf = (
  row: Pick<DayRow, 'received_at' | 'state' | 'reason' | 'intent_id' | 'balance' | 'chain'> & {
    readonly direction: 'credit' | 'debit'
    readonly amount: Minor
  },
): DayMovement => ({
  at: row.received_at,
  direction: row.direction,
  amount: row.amount,
  balance: row.balance,
  fitted: row.chain === 'fits',
  doubted: row.state === 'dismissed' || creditKind(row) === 'denied',
})

/** The balance at the beginning of the day: the closing balance of the alerts before it, by the same rules. */
const openingOf = async (db: Session, day: WalletDay): Promise<Minor | undefined> => {
  const { scope, walletId, currency, from } = day
  const before = dayCloser(undefined)
  for (const row of await movementsBefore(db, scope, walletId, currency, firstIdAt(from), mostBefore))
    before.add(movementOf(row))
  return before.close().closing ?? undefined
}

/** An alert of the day. `placed`: its position in the balance chain; undefined: it is no movement of this wallet's money. */
export type ClosedLine = { readonly row: DayRow; readonly placed: Placement | undefined }

/** Yields the lines of the day, oldest first, and returns the totals. */
export async function* closeDay(db: Session, day: WalletDay): AsyncGenerator<ClosedLine, DayTotals> {
  const chain = dayCloser(await openingOf(db, day))
  const tally = dayTally()
  const last = firstIdAt(day.until)
  let after = firstIdAt(day.from)
  for (;;) {
    const rows = await dayRows(db, day.scope, day.walletId, after, last, batchSize)
    for (const row of rows) {
      const { direction, amount } = row
      const isMovement = direction !== null && amount !== null && row.currency === day.currency
      tally.add(row, isMovement)
      yield { row, placed: isMovement ? chain.add(movementOf({ ...row, direction, amount })) : undefined }
    }
    if (rows.length < batchSize) return { ...chain.close(), ...tally.total() }
    after = rows.at(-1)!.id
  }
}

/** The totals of the day, without its lines. */
export const dayTotals = async (db: Session, day: WalletDay): Promise<DayTotals> => {
  const lines = closeDay(db, day)
  for (;;) {
    const { done, value } = await lines.next()
    if (done) return value
  }
}

/** What arrived for the intent that a line verified; null: it verified none. */
export const arrivalOfLine = (row: DayRow): Arrival | null =>
  row.intent_status === null || row.intent_payable === null
    ? null
    : readArrival({ ...row, status: row.intent_status, payable: row.intent_payable })

/** Sums the credits by their outcome. */
const dayTally = () => {
  const empty = () => ({ count: 0, amount: 0n })
  const sums = { verified: empty(), unmatched: empty(), wrong_amount: empty(), dismissed: empty(), denied: empty() }
  let [payable, forgiven, excess] = [0n, 0n, 0n]
  let [byHand, unread, otherCurrency] = [0, 0, 0]
  const sumOf = (kind: CreditKind): Sum => ({ count: sums[kind].count, amount: minor(sums[kind].amount) })
  return {
    add(row: DayRow, isMovement: boolean): void {
      if (!isMovement) {
        if (row.amount === null) unread++
        else otherCurrency++
        return
      }
      const kind = creditKind(row)
      if (row.direction !== 'credit' || kind === undefined) return
      sums[kind].count++
      sums[kind].amount += row.amount!
      if (kind !== 'verified') return
      const arrival = arrivalOfLine(row)
      // A sale that can still be undone has no intent yet: it will ask for exactly what arrived.
      payable += row.intent_payable ?? row.amount!
      forgiven += arrival?.forgiven ?? 0n
      excess += arrival?.excess ?? 0n
      if (row.intent_manual ?? row.sale) byHand++
    },
    total: () => ({
      verified: {
        ...sumOf('verified'),
        payable: minor(payable),
        forgiven: minor(forgiven),
        excess: minor(excess),
        byHand,
      },
      unmatched: sumOf('unmatched'),
      wrongAmount: sumOf('wrong_amount'),
      dismissed: sumOf('dismissed'),
      denied: sumOf('denied'),
      unread,
      otherCurrency,
    }),
  }
}
