/**
 * A wallet's day by its balances: the movements in the order in which they came, each compared with the balance before. A
 * difference that no alert explains is a gap, with its times. Always exactly:
 *
 *     opening + credits - debits - fees + missing = closing
 *
 * An alert that comes late fills the gap that it left, instead of making two more. A dismissed alert counts only where the
 * balances confirm it: it may be forged. Pure; one pass, in bounded memory.
 */
import type { Instant } from '../../core/clock.ts'
import { type Minor, minor } from '../../core/money.ts'

export type DayMovement = {
  readonly at: Instant
  readonly direction: 'credit' | 'debit'
  readonly amount: Minor
  /** As the alert shows it. */
  readonly balance: Minor | null
  /** It fitted when it came: if it does not fit by the amount alone, the difference is a fee. */
  readonly fitted: boolean
  /** Dismissed by a member. */
  readonly doubtful: boolean
}

export type Gap = {
  /** When the balance before was shown; null: before the day. */
  readonly since: Instant | null
  readonly until: Instant
  readonly missing: Minor
}

/** The place of a movement in the chain. `missing` and `fee` of all movements add up to those of the day. */
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
  /** Dismissed credits that no balance confirms. */
  readonly leftOut: Sum
}

export type DayCloser = { add(movement: DayMovement): Placement; close(): DayChain }

export const mostGaps = 200
/** A movement without a balance fills a gap only if it comes within this time. */
const soon_ms = 10 * 60_000

type OpenGap = { from: bigint; to: bigint; readonly since: Instant | null; readonly until: Instant }
type Count = { count: number; amount: bigint }

const emptyCount = (): Count => ({ count: 0, amount: 0n })
const addTo = (sum: Count, amount: bigint): void => {
  sum.count++
  sum.amount += amount
}
const sumOf = ({ count, amount }: Count): Sum => ({ count, amount: minor(amount) })

const zero = minor(0n)
const placement = (kind: Placement['kind'], missing = 0n, fee = 0n): Placement => ({
  kind,
  missing: missing === 0n ? zero : minor(missing),
  fee: fee === 0n ? zero : minor(fee),
})

/** `opening`: the balance at the beginning of the day, if it is known. */
export const dayCloser = (opening: Minor | undefined): DayCloser => {
  let first: bigint | undefined = opening
  let balance: bigint | undefined = opening
  let since: Instant | null = null
  /** The sum of the movements before any balance was known. */
  let unshown = 0n
  let gaps: OpenGap[] = []
  /** Gaps that can no longer be filled, because there are too many after them. */
  const lasting = emptyCount()
  const listed: OpenGap[] = []
  /** The balances before and after the last movement, if it fitted. */
  let fitting: { readonly from: bigint; readonly to: bigint } | undefined
  /** Dismissed movements without a balance: a gap of exactly that amount would confirm one. */
  let dismissed: bigint[] = []
  const [credits, debits, fees, leftOut] = [emptyCount(), emptyCount(), emptyCount(), emptyCount()]

  const count = (moved: bigint): void => (moved < 0n ? addTo(debits, -moved) : addTo(credits, moved))
  const goTo = (next: bigint, at: Instant): void => {
    balance = next
    since = at
  }

  const openGap = (from: bigint, to: bigint, until: Instant): void => {
    gaps.push({ from, to, since, until })
    if (gaps.length <= mostGaps) return
    const oldest = gaps.shift()!
    addTo(lasting, oldest.to - oldest.from)
    if (listed.length < mostGaps) listed.push(oldest)
  }

  /** Narrows a gap, or closes it. */
  const fill = (gap: OpenGap, from: bigint, to: bigint): void => {
    gap.from = from
    gap.to = to
    if (from === to) gaps = gaps.filter((one) => one !== gap)
  }

  const addUnshown = (moved: bigint, { at, doubtful }: DayMovement): Placement => {
    if (doubtful) {
      if (moved > 0n) addTo(leftOut, moved)
      dismissed = [...dismissed.slice(1 - mostGaps), moved]
      return placement('left_out')
    }
    count(moved)
    fitting = undefined
    if (balance === undefined) {
      unshown += moved
      return placement('unshown')
    }
    const gap = gaps.findLast((one) => one.to - one.from === moved && at - one.until <= soon_ms)
    if (gap !== undefined) {
      fill(gap, gap.to, gap.to)
      return placement('fills', -moved)
    }
    goTo(balance + moved, at)
    return placement('unshown')
  }

  const addShown = (moved: bigint, shown: bigint, { at, amount, fitted, doubtful }: DayMovement): Placement => {
    const before = shown - moved
    if (balance === undefined) {
      if (doubtful) {
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
      goTo(shown, at)
      fitting = { from: before, to: shown }
      return placement('fits')
    }
    // Money that came and left at once, reported in the wrong order: the second fitted the balance, and belonged to the gap.
    const undone = gaps.findLast(({ from, to }) => from === last?.from && to === last.to && from === before)
    if (undone !== undefined) {
      count(moved)
      fill(undone, undone.to, undone.to)
      goTo(shown, at)
      fitting = { from: before, to: shown }
      return placement('fits', difference)
    }
    if (fitted && !doubtful && difference < 0n && -difference <= amount) {
      count(moved)
      addTo(fees, -difference)
      goTo(shown, at)
      return placement('fits', 0n, -difference)
    }
    const gap = gaps.findLast((one) => one.from === before || one.to === shown)
    if (gap !== undefined) {
      count(moved)
      if (gap.from === before) fill(gap, shown, gap.to)
      else fill(gap, gap.from, before)
      return placement('fills', -moved)
    }
    if (doubtful) {
      if (moved > 0n) addTo(leftOut, moved)
      return placement('left_out')
    }
    count(moved)
    const confirmed = dismissed.indexOf(difference)
    if (confirmed >= 0) {
      dismissed = dismissed.toSpliced(confirmed, 1)
      count(difference)
      if (difference > 0n) {
        leftOut.count--
        leftOut.amount -= difference
      }
      goTo(shown, at)
      return placement('fits')
    }
    openGap(balance, before, at)
    goTo(shown, at)
    return placement('break', difference)
  }

  return {
    add(movement) {
      const moved = movement.direction === 'credit' ? movement.amount : -movement.amount
      return movement.balance === null ? addUnshown(moved, movement) : addShown(moved, movement.balance, movement)
    },
    close() {
      const all = [...listed, ...gaps]
      const missing = { ...lasting }
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
