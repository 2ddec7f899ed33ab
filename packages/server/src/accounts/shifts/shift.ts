/** A shift: the time in which a member works at the counter. Pure. */
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import type { ShiftId, UserId } from '../../core/ids.ts'

/** A shift that nobody ends is over after this time. */
export const longestShift_ms = 24 * hour_ms

export type Shift = {
  readonly id: ShiftId
  readonly userId: UserId
  readonly startedAt: Instant
  readonly latestEnd: Instant
  /** Null: nobody has ended it. */
  readonly endedAt: Instant | null
  /** Empty: nobody. */
  readonly endedBy: string
}

/** What a member takes belongs to the shift from its start until this instant, both included. */
export const endOf = ({ endedAt, latestEnd }: Shift): Instant => endedAt ?? latestEnd

export const isOpen = (shift: Shift, now: Instant): boolean => shift.endedAt === null && now <= shift.latestEnd

/** When a member ends it now: after its start, whatever the clocks of two nodes say, and not after its latest end. */
export const endNow = ({ startedAt, latestEnd }: Shift, now: Instant): Instant =>
  Math.min(Math.max(now, startedAt), latestEnd)

/** The times of a new shift: it begins after the shift before it has ended, so that no payment belongs to two. */
export const startNow = (last: Shift | undefined, now: Instant) => {
  const startedAt = last === undefined ? now : Math.max(now, endOf(last) + 1)
  return { startedAt, latestEnd: startedAt + longestShift_ms }
}
