/**
 * A counter: a browser that an owner made the shop's till. It lasts until it is ended, 90 days without use, or the end of the right
 * of the owner who made it. Without a cashier it is locked and shows names only. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms, minute_ms } from '../../core/duration.ts'
import type { AccountId, CounterId } from '../../core/ids.ts'
import type { SignedInUser } from '../people/signed-in-user.ts'

export const counterIdleLife_ms = 90 * day_ms
/** The limit of open counters of an account. */
export const mostCounters = 50
/** The shortest time between two writes of "last used", and of the cashier's last touch. */
export const counterSeenEvery_ms = minute_ms

/** When the cashier's last touch is too long ago. A touch is written once a minute at most, so one minute is added. */
export const isIdle = (touchedAt: Instant, idle_minutes: number, now: Instant): boolean =>
  now - touchedAt >= idle_minutes * minute_ms + counterSeenEvery_ms

export type OpenCounter = {
  readonly id: CounterId
  readonly accountId: AccountId
  readonly account: string
  readonly name: string
  readonly idle_minutes: number
  readonly pausedUntil: Instant | null
  /** Null: locked. Their role at a counter is that of a cashier, whatever it is elsewhere. */
  readonly cashier: SignedInUser | null
  readonly cashierTouchedAt: Instant | null
}
