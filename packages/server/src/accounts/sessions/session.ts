/**
 * How long a session lasts. A browser's session ends by itself after a week in which it was not used, and after thirty days
 * in any case. A token's session lasts as long as the token. Either is ended at once when its user ends it. Pure.
 */
import type { Instant } from '../../core/clock.ts'

const day_ms = 86_400_000

export const idleLife_ms = 7 * day_ms
export const wholeLife_ms = 30 * day_ms

/** A browser that is signed in, or a token of a script. */
export type SessionKind = 'browser' | 'token'

/** Of one user and one kind, open at a time: one more ends the one that was not used longest. */
export const mostSessions = 50

/** How often "last used" is written at most. */
export const seenEvery_ms = 60_000

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
