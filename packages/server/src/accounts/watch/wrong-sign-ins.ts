/**
 * When wrong sign-ins of a user are announced: at the tenth within any 24 hours. Then each further one is counted by that notice for six
 * hours; after these, ten more are needed for the next. A right sign-in in between changes nothing: it may be the user's own. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { wrongSignInsEvery_ms } from '../notices/owner-notice.ts'

export const announcedAt = 10
const window_ms = day_ms

export type WrongSignIns = {
  /** When the last ones were that are not announced, ten at most. */
  readonly recent: readonly Instant[]
  /** How many the last notice counts. */
  readonly counted: number
  readonly toldAt: Instant | null
}

/** `tell`: how many the notice counts now; undefined: nothing is announced. */
export const countWrongSignIn = (
  { recent, counted, toldAt }: WrongSignIns,
  now: Instant,
): { readonly after: WrongSignIns; readonly tell: number | undefined } => {
  if (toldAt !== null && now < toldAt + wrongSignInsEvery_ms) {
    const after = { recent: [], counted: counted + 1, toldAt }
    return { after, tell: after.counted }
  }
  // Clocks of two nodes differ by a moment: the newest are kept, in the order of their times.
  const newest = [...recent, now].sort((one, other) => other - one).slice(0, announcedAt)
  if (newest.length < announcedAt || newest[0]! - newest.at(-1)! >= window_ms)
    return { after: { recent: newest, counted, toldAt }, tell: undefined }
  return { after: { recent: [], counted: announcedAt, toldAt: now }, tell: announcedAt }
}
