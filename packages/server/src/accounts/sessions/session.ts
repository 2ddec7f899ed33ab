/**
 * How long a session lasts. It ends by itself after a week in which nobody used it, and after thirty days in any case;
 * by hand at once. Pure.
 */
import type { Instant } from '../../core/clock.ts'

const day_ms = 86_400_000

export const idleLife_ms = 7 * day_ms
export const wholeLife_ms = 30 * day_ms

/** Of one person, open at a time: one more ends the one that was not used longest. */
export const mostSessions = 50

/** Written down at most this often: "last used" is for people, not for clocks. */
export const seenEvery_ms = 60_000

export type SessionTimes = {
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
}

export const isOver = (session: SessionTimes, validFrom: Instant, now: Instant): boolean =>
  session.endedAt !== null ||
  now >= session.expiresAt ||
  now - session.lastSeenAt >= idleLife_ms ||
  session.createdAt < validFrom
