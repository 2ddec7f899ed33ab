/**
 * Closes a wallet's day by its balances. Each movement, in the order of arrival, is compared with the balance before it. A
 * difference that no alert explains is a gap, with its times. It is always exactly true that
 *
 *     opening + credits - debits - fees + missing = closing
 *
 * An alert that comes late fills its gap, instead of making two more. A doubted alert (dismissed, or denied by a message) may be no
 * money: it counts only if the balances confirm it. One pass, in bounded memory. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import { type Minor, minor } from '../../core/money.ts'

export type DayMovement = {
  readonly at: Instant
  readonly direction: 'credit' | 'debit'
  readonly amount: Minor
  /** The balance that the alert shows; null: it shows none. */
  readonly balance: Minor | null
  /** Its balance fitted when it was stored. If it does not fit by the amount alone, the difference is a fee. */
  readonly fitted: boolean
  /** A member dismissed the alert, or a message says that the money did not arrive. */
  readonly doubted: boolean
}

export type Gap = {
  /** When the balance before the gap was shown; null: before the day. */
  readonly since: Instant | null
  readonly until: Instant
  readonly missing: Minor
}

/** How a movement fits into the chain. `missing` and `fee` of all movements add up to those of the day. */
export type Placement = {
  readonly kind: 'fits' | 'break' | 'fills' | 'unshown' | 'left_out'
  readonly missing: Minor
  readonly fee: Minor
}

export type Sum = { readonly count: number; readonly amount: Minor }

export type DayChain = {
  readonly opening: { readonly balance: Minor; readonly known: 'shown' | 'derived' } | null
  readonly closing: Minor | null
  readonly credits: Sum
  readonly debits: Sum
  readonly fees: Sum
  readonly missing: Sum
  /** At most `mostGaps`; `missing` is the sum of all. */
  readonly gaps: readonly Gap[]
  /** Doubted credits that no balance confirms. */
  readonly leftOut: Sum
}

export type DayCloser = { add(movement: DayMovement): Placement; close(): DayChain }

export const mostGaps = 200
/** A movement without a balance fills a gap only if it comes within this time. */
const soon_ms = 10 * minute_ms

type OpenGap = { from: bigint; to: bigint; readonly since: Instant | null; readonly until: Instant }
type Count = { count: number; amount: bigint }

const emptyCount = (): Count => ({ count: 0, amount: 0n })
const addTo = (sum: Count, amount: bigint): void => {
  sum.count++
  sum.amount += amount
}
const sumOf = ({ count, amount }: Count): Sum => ({ count, amount: minor(amount) })

const placement = (kind: Placement['kind'], missing = 0n, fee = 0n): Placement => ({
  kind,
  missing: minor(missing),
  fee: minor(fee),
})

/** `opening`: the balance at the beginning of the day, if it is known. */
export const dayCloser = (opening: Minor | undefined): DayCloser => {
  let first: bigint | undefined = opening
  let balance: bigint | undefined = opening
  let since: Instant | null = null
  /** The sum of the movements before any balance was known. */
  let unshown = 0n
  let gaps: OpenGap[] = []
  /** The sum of gaps that can no longer be filled, because too many newer ones are open. */
  const closedGaps = emptyCount()
  const listedGaps: OpenGap[] = []
  /** The balances before and after the last movement, if it fitted. */
  let fitting: { readonly from: bigint; readonly to: bigint } | undefined
  /** Doubted movements without a balance: a gap of exactly the same amount confirms one. */
  let doubtedUnshown: bigint[] = []
  const [credits, debits, fees, leftOut] = [emptyCount(), emptyCount(), emptyCount(), emptyCount()]

  const count = (moved: bigint): void => (moved < 0n ? addTo(debits, -moved) : addTo(credits, moved))
  const setBalance = (next: bigint, at: Instant): void => {
    balance = next
    since = at
  }

  const openGap = (from: bigint, to: bigint, until: Instant): void => {
    gaps.push({ from, to, since, until })
    if (gaps.length <= mostGaps) return
    const oldest = gaps.shift()!
    addTo(closedGaps, oldest.to - oldest.from)
    if (listedGaps.length < mostGaps) listedGaps.push(oldest)
  }

  /** Narrows a gap, or closes it. */
  const fill = (gap: OpenGap, from: bigint, to: bigint): void => {
    gap.from = from
    gap.to = to
    if (from === to) gaps = gaps.filter((other) => other !== gap)
  }

  const addUnshown = (moved: bigint, { at, doubted }: DayMovement): Placement => {
    if (doubted) {
      if (moved > 0n) addTo(leftOut, moved)
      doubtedUnshown = [...doubtedUnshown.slice(1 - mostGaps), moved]
      return placement('left_out')
    }
    count(moved)
    fitting = undefined
    if (balance === undefined) {
      unshown += moved
      return placement('unshown')
    }
    const gap = gaps.findLast(({ from, to, until }) => to - from === moved && at - until <= soon_ms)
    if (gap !== undefined) {
      fill(gap, gap.to, gap.to)
      return placement('fills', -moved)
    }
    setBalance(balance + moved, at)
    return placement('unshown')
  }

  const addShown = (moved: bigint, shown: bigint, { at, amount, fitted, doubted }: DayMovement): Placement => {
    const before = shown - moved
    if (balance === undefined) {
      if (doubted) {
        if (moved > 0n) addTo(leftOut, moved)
        return placement('left_out')
      }
      first = before - unshown
      balance = before
    }
    const difference = before - balance
    const last = fitting
    fitting = undefined
    if (difference === 0n) {
      count(moved)
      setBalance(shown, at)
      fitting = { from: before, to: shown }
      return placement('fits')
    }
    // Money came and left at once, and the alerts were swapped: the second one fitted the balance, but belongs to the gap.
    const undone = gaps.findLast(({ from, to }) => from === last?.from && to === last.to && from === before)
    if (undone !== undefined) {
      count(moved)
      fill(undone, undone.to, undone.to)
      setBalance(shown, at)
      fitting = { from: before, to: shown }
      return placement('fits', difference)
    }
    if (fitted && !doubted && difference < 0n && -difference <= amount) {
      count(moved)
      addTo(fees, -difference)
      setBalance(shown, at)
      return placement('fits', 0n, -difference)
    }
    const gap = gaps.findLast(({ from, to }) => from === before || to === shown)
    if (gap !== undefined) {
      count(moved)
      if (gap.from === before) fill(gap, shown, gap.to)
      else fill(gap, gap.from, before)
      return placement('fills', -moved)
    }
    if (doubted) {
      if (moved > 0n) addTo(leftOut, moved)
      return placement('left_out')
    }
    count(moved)
    const confirmed = doubtedUnshown.indexOf(difference)
    if (confirmed >= 0) {
      doubtedUnshown = doubtedUnshown.toSpliced(confirmed, 1)
      count(difference)
      if (difference > 0n) {
        leftOut.count--
        leftOut.amount -= difference
      }
      setBalance(shown, at)
      return placement('fits')
    }
    openGap(balance, before, at)
    setBalance(shown, at)
    return placement('break', difference)
  }

  return {
    add(movement) {
      const moved = movement.direction === 'credit' ? movement.amount : -movement.amount
      return movement.balance === null ? addUnshown(moved, movement) : addShown(moved, movement.balance, movement)
    },
    close() {
      const all = [...listedGaps, ...gaps]
      const missing = { ...closedGaps }
      for (const gap of gaps) addTo(missing, gap.to - gap.from)
      return {
        opening:
          first === undefined ? null : { balance: minor(first), known: opening === undefined ? 'derived' : 'shown' },
        closing: balance === undefined ? null : minor(balance),
        credits: sumOf(credits),
        debits: sumOf(debits),
        fees: sumOf(fees),
        missing: sumOf(missing),
        gaps: all.slice(0, mostGaps).map(({ since, until, from, to }) => ({ since, until, missing: minor(to - from) })),
        leftOut: sumOf(leftOut),
      }
    },
  }
}
