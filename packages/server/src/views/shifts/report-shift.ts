/**
 * The report of a shift. What the member took in the shift is counted for it: each payment belongs to one member at most, and a
 * member has one shift at a time, so no payment is in two shifts. What arrived in the same time and no member took is shown apart,
 * and is in no sum of a shift.
 */
import { endOf, type Shift } from '../../accounts/shifts/shift.ts'
import { firstIdAt, smallestId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { type MoneySums, sumsByCurrency, sumsByWallet, type WalletSums } from '../day-close/money-sums.ts'
import { arrivedSums, takenSums } from '../day-close/money-sums-sql.ts'
import { notHandedOver, type ShiftLine, takenLines } from './shift-lines-sql.ts'

/** How many payments that were not handed over are listed. */
export const mostListed = 100
const batchSize = 500

export type ShiftReport = {
  readonly wallets: readonly WalletSums[]
  readonly totals: readonly MoneySums[]
  /** The part of the totals that arrived before the shift. */
  readonly earlier: readonly MoneySums[]
  /** What arrived in the time of the shift, and no member took it. */
  readonly nobody: readonly WalletSums[]
  readonly notHandedOver: readonly ShiftLine[]
}

const timeOf = (shift: Shift) => {
  const [from, until] = [shift.startedAt, endOf(shift) + 1]
  return { from, until, first: firstIdAt(from), last: firstIdAt(until) }
}

export const reportShift = async (db: Session, scope: Scope, shift: Shift): Promise<ShiftReport> => {
  const time = timeOf(shift)
  const taken = await takenSums(db, scope, shift.userId, time.from, time.until, time.first)
  const arrived = await arrivedSums(db, scope, time.first, time.last)
  return {
    wallets: sumsByWallet(taken),
    totals: sumsByCurrency(taken),
    earlier: sumsByCurrency(taken.filter(({ earlier }) => earlier)),
    nobody: sumsByWallet(arrived.filter(({ user_id }) => user_id === null)),
    notHandedOver: await notHandedOver(db, scope, shift.userId, time, mostListed),
  }
}

/** Every payment of the shift, in the order in which the member took them. Holds one batch in memory. */
export async function* linesOfShift(db: Session, scope: Scope, shift: Shift): AsyncGenerator<ShiftLine, void> {
  const time = timeOf(shift)
  let after = { at: time.from, id: smallestId }
  for (;;) {
    const lines = await takenLines(db, scope, shift.userId, time, after, batchSize)
    yield* lines
    const last = lines.at(-1)
    if (last === undefined || lines.length < batchSize) return
    after = { at: last.taken_at!, id: last.id }
  }
}
