/**
 * How old the last good backup is, and whether somebody should look: one rule for `sanad health`, the metrics and the operator's page.
 * Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'

/** A record that is dated later than this after now was made by a wrong clock: it must not hide that backups have stopped. */
export const recordsAhead_ms = 5 * minute_ms

export type BackupAge = {
  /** The age of the rows in it. */
  readonly age_ms: number
  /** It is older than the operator allows. */
  readonly isOld: boolean
  /** The last time it was restored as a test, something was wrong. */
  readonly isBroken: boolean
}

/** `most_ms` undefined: no age is too old. */
export const backupAge = (
  backup: { readonly made_at: Instant; readonly verified_ok: boolean | null },
  now: Instant,
  most_ms: number | undefined,
): BackupAge => {
  const age_ms = Math.max(0, now - backup.made_at)
  return { age_ms, isOld: most_ms !== undefined && age_ms > most_ms, isBroken: backup.verified_ok === false }
}
