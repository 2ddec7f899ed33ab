/**
 * How long a session lasts. A browser's session ends after a week without use, and after thirty days in any case. A token's
 * session lasts as long as the token. The user can end either at once. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms, minute_ms } from '../../core/duration.ts'

export const idleLife_ms = 7 * day_ms
export const wholeLife_ms = 30 * day_ms

/** A browser that is signed in, or a token of a script. */
export type SessionKind = 'browser' | 'token'

/** The limit of open sessions of one user and kind. One more ends the session that was unused for the longest time. */
export const mostSessions = 50

/** The shortest time between two writes of "last used". */
export const seenEvery_ms = minute_ms

export type SessionTimes = {
  readonly kind: SessionKind
  readonly createdAt: Instant
  readonly lastSeenAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
}

export const isOver = (session: SessionTimes, validFrom: Instant, now: Instant): boolean =>
  session.endedAt !== null ||
  now >= session.expiresAt ||
  (session.kind === 'browser' && now - session.lastSeenAt >= idleLife_ms) ||
  session.createdAt < validFrom
