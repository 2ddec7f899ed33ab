/**
 * The running balance of one wallet: what it was, and what an alert moved, must make what the alert shows. A break means
 * that an alert is missing, or that this one was made up: it is flagged, never decisive. Pure; storing is left to others.
 */
import type { Instant } from '../ground/clock.ts'
import { type Minor, minor } from '../ground/money.ts'
import type { Direction } from './alert-template.ts'

/** The balance as last shown or worked out, and when. */
export type KnownBalance = { readonly balance: Minor; readonly at: Instant }

export type Movement = {
  readonly direction: Direction
  readonly amount: Minor
  readonly fee?: Minor
  /** As the alert shows it, if it does. */
  readonly balance?: Minor
  readonly at: Instant
}

export type Link =
  | { readonly kind: 'fits' }
  /** `missing` = shown - expected: what came in unseen, or, below zero, went out unseen. */
  | { readonly kind: 'break'; readonly expected: Minor; readonly shown: Minor; readonly missing: Minor }
  /** Nothing to compare: no balance known or none shown, or the alert is from before the balance. */
  | { readonly kind: 'unknown' }

export const checkBalance = (previous: KnownBalance | undefined, movement: Movement): Link => {
  if (previous === undefined || movement.balance === undefined || movement.at < previous.at) return { kind: 'unknown' }
  const shown = movement.balance
  const options = afterwards(previous.balance, movement)
  if (options.includes(shown)) return { kind: 'fits' }
  const expected = options[0]
  return { kind: 'break', expected, shown, missing: minor(shown - expected) }
}

/** What is known afterwards. What an alert shows wins; one that shows nothing still moves what was known. */
export const nextBalance = (previous: KnownBalance | undefined, movement: Movement): KnownBalance | undefined => {
  if (previous !== undefined && movement.at < previous.at) return previous
  if (movement.balance !== undefined) return { balance: movement.balance, at: movement.at }
  return previous && { balance: afterwards(previous.balance, movement)[0], at: movement.at }
}

/** The balance with the fee taken, then, if there is one, without: providers differ in whether the amount includes it. */
const afterwards = (balance: Minor, { direction, amount, fee }: Movement): [Minor, ...Minor[]] => {
  const moved = minor(direction === 'credit' ? balance + amount : balance - amount)
  return fee === undefined || fee === 0n ? [moved] : [minor(moved - fee), moved]
}
