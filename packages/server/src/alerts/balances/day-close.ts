/**
 * A wallet's day as its balances tell it: the movements in the order in which they came, each held against the balance
 * before. What a balance shows and no alert told of is a gap, with its times. Always, exactly:
 *
 *     opening + credits - debits - fees + missing = closing
 *
 * An alert that comes late finds the gap that it left and fills it, instead of making two more. Money that a person put
 * aside counts only where the balances bear it out: it may have been made up. Pure; one pass, in bounded memory.
 */
import type { Instant } from '../../core/clock.ts'
import { type Minor, minor } from '../../core/money.ts'

export type DayMovement = {
  readonly at: Instant
  readonly direction: 'credit' | 'debit'
  readonly amount: Minor
  /** As the alert shows it. */
  readonly balance: Minor | null
  /** It fitted when it came; where it does not by the amount alone, the provider took a fee. */
  readonly fitted: boolean
  /** Put aside by a person. */
  readonly doubtful: boolean
}

export type Gap = {
  /** When the balance before was shown; null: before the day. */
  readonly since: Instant | null
  readonly until: Instant
  readonly missing: Minor
}

/** What a movement did to the chain. `missing` and `fee` of all of a day add up to the day's. */
export type Placed = {
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
  /** At most `mostGaps`; `missing` knows of all. */
  readonly gaps: readonly Gap[]
  /** Credits that were put aside and that no balance bears out. */
  readonly leftOut: Sum
}

export type DayCloser = { add(movement: DayMovement): Placed; close(): DayChain }

export const mostGaps = 200
/** One that shows no balance is taken for what was missing only if it comes this soon after. */
const soon_ms = 10 * 60_000

type OpenGap = { from: bigint; to: bigint; readonly since: Instant | null; readonly until: Instant }
type Count = { count: number; amount: bigint }

const nothing = (): Count => ({ count: 0, amount: 0n })
const take = (sum: Count, amount: bigint): void => {
  sum.count++
  sum.amount += amount
}
const shut = ({ count, amount }: Count): Sum => ({ count, amount: minor(amount) })

const zero = minor(0n)
const placed = (kind: Placed['kind'], missing = 0n, fee = 0n): Placed => ({
  kind,
  missing: missing === 0n ? zero : minor(missing),
  fee: fee === 0n ? zero : minor(fee),
})

/** `opening`: the balance when the day began, if anybody knows it. */
export const dayCloser = (opening: Minor | undefined): DayCloser => {
  let first: bigint | undefined = opening
  let balance: bigint | undefined = opening
  let since: Instant | null = null
  /** What moved before any balance was known. */
  let unshown = 0n
  let gaps: OpenGap[] = []
  /** Gaps that are too old to be filled by what comes late. */
  const lasting = nothing()
  const listed: OpenGap[] = []
  /** The balances around the last movement, if it fitted as it came. */
  let fitting: { readonly from: bigint; readonly to: bigint } | undefined
  /** Put aside, without a balance: a gap of just that amount would bear them out. */
  let aside: bigint[] = []
  const [credits, debits, fees, leftOut] = [nothing(), nothing(), nothing(), nothing()]

  const counts = (moved: bigint): void => (moved < 0n ? take(debits, -moved) : take(credits, moved))
  const goTo = (next: bigint, at: Instant): void => {
    balance = next
    since = at
  }

  const openGap = (from: bigint, to: bigint, until: Instant): void => {
    gaps.push({ from, to, since, until })
    if (gaps.length <= mostGaps) return
    const oldest = gaps.shift()!
    take(lasting, oldest.to - oldest.from)
    if (listed.length < mostGaps) listed.push(oldest)
  }

  /** Closes a gap, or makes it narrower. */
  const fill = (gap: OpenGap, from: bigint, to: bigint): void => {
    gap.from = from
    gap.to = to
    if (from === to) gaps = gaps.filter((one) => one !== gap)
  }

  const addUnshown = (moved: bigint, { at, doubtful }: DayMovement): Placed => {
    if (doubtful) {
      if (moved > 0n) take(leftOut, moved)
      aside = [...aside.slice(1 - mostGaps), moved]
      return placed('left_out')
    }
    counts(moved)
    fitting = undefined
    if (balance === undefined) {
      unshown += moved
      return placed('unshown')
    }
    const gap = gaps.findLast((one) => one.to - one.from === moved && at - one.until <= soon_ms)
    if (gap !== undefined) {
      fill(gap, gap.to, gap.to)
      return placed('fills', -moved)
    }
    goTo(balance + moved, at)
    return placed('unshown')
  }

  const addShown = (moved: bigint, shown: bigint, { at, amount, fitted, doubtful }: DayMovement): Placed => {
    const before = shown - moved
    if (balance === undefined) {
      if (doubtful) {
        if (moved > 0n) take(leftOut, moved)
        return placed('left_out')
      }
      first = before - unshown
      balance = before
    }
    const difference = before - balance
    const last = fitting
    fitting = undefined
    if (difference === 0n) {
      counts(moved)
      goTo(shown, at)
      fitting = { from: before, to: shown }
      return placed('fits')
    }
    // Money that came and went at once, told the wrong way round: the second fitted the balance, and was the gap's.
    const undone = gaps.findLast(({ from, to }) => from === last?.from && to === last.to && from === before)
    if (undone !== undefined) {
      counts(moved)
      fill(undone, undone.to, undone.to)
      goTo(shown, at)
      fitting = { from: before, to: shown }
      return placed('fits', difference)
    }
    if (fitted && !doubtful && difference < 0n && -difference <= amount) {
      counts(moved)
      take(fees, -difference)
      goTo(shown, at)
      return placed('fits', 0n, -difference)
    }
    const gap = gaps.findLast((one) => one.from === before || one.to === shown)
    if (gap !== undefined) {
      counts(moved)
      if (gap.from === before) fill(gap, shown, gap.to)
      else fill(gap, gap.from, before)
      return placed('fills', -moved)
    }
    if (doubtful) {
      if (moved > 0n) take(leftOut, moved)
      return placed('left_out')
    }
    counts(moved)
    const borne = aside.indexOf(difference)
    if (borne >= 0) {
      aside = aside.toSpliced(borne, 1)
      counts(difference)
      if (difference > 0n) {
        leftOut.count--
        leftOut.amount -= difference
      }
      goTo(shown, at)
      return placed('fits')
    }
    openGap(balance, before, at)
    goTo(shown, at)
    return placed('break', difference)
  }

  return {
    add(movement) {
      const moved = movement.direction === 'credit' ? movement.amount : -movement.amount
      return movement.balance === null ? addUnshown(moved, movement) : addShown(moved, movement.balance, movement)
    },
    close() {
      const all = [...listed, ...gaps]
      const missing = { ...lasting }
      for (const gap of gaps) take(missing, gap.to - gap.from)
      return {
        opening:
          first === undefined ? null : { balance: minor(first), known: opening === undefined ? 'derived' : 'shown' },
        closing: balance === undefined ? null : minor(balance),
        credits: shut(credits),
        debits: shut(debits),
        fees: shut(fees),
        missing: shut(missing),
        gaps: all.slice(0, mostGaps).map(({ since, until, from, to }) => ({ since, until, missing: minor(to - from) })),
        leftOut: shut(leftOut),
      }
    },
  }
}
