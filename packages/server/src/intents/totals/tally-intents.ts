/**
 * Tallies the intents that can no longer change. An intent whose window has closed keeps its status, so the intents created
 * in an hour are counted once, when all their windows have closed, and the counts are stored. Charts then count only later intents row
 * by row; lists take the counts of later hours from `intent_counts`, which triggers of the database keep with every change
 * (docs/decisions/0113).
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/duration.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { addIntentHours, addIntentWaits } from './figures-sql.ts'
import {
  addTallies,
  addUpCounts,
  anyOpen,
  firstIntentSince,
  lockTallyProgress,
  moveTallyProgress,
  pruneCounts,
  readTallyProgress,
} from './tally-sql.ts'

/** After this time, requests that were running at the end of an hour are written or have failed. */
export const finalAfter_ms = 10 * minute_ms
/** The longest period that one step tallies. */
const step_ms = 31 * day_ms

const hourOf = (at: Instant): Instant => Math.floor(at / hour_ms) * hour_ms

/** Tallies the next hours. True: there may be more to do. */
export const tallyIntents = (db: Db, window_ms: number, now: Instant): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [progress] = await lockTallyProgress(tx)
    const target = hourOf(now - window_ms - finalAfter_ms)
    let from = progress!.sealed_until
    if (from >= target) return false

    // A period without intents is skipped in one step.
    const [first] = await firstIntentSince(tx, from)
    from = Math.max(from, hourOf(Math.min(first!.created_at ?? target, target)))
    const until = Math.min(from + step_ms, target)
    if (from < until) {
      // These intents may have been created with a longer window: then the hours are tallied later.
      const [left] = await anyOpen(tx, from, until, now)
      if (left!.open) return false
      await addTallies(tx, from, until, null)
      await addIntentHours(tx, from, until, null)
      await addIntentWaits(tx, from, until, null)
    }
    await moveTallyProgress(tx, until)
    return until < target
  })

/** Counts of tallied hours are kept for this time: a node may not know yet that the hour is tallied. */
const countsKept_ms = hour_ms

/**
 * Adds up what the sessions of the database have counted since the last run, so that a list reads few rows, and deletes the counts of
 * tallied hours. True: there may be more to do.
 */
export const foldCounts = (db: Db, most: number): Promise<boolean> =>
  db.transaction(async (tx) => {
    const [progress] = await lockTallyProgress(tx)
    const [added] = await addUpCounts(tx, most)
    const [old] = await pruneCounts(tx, progress!.sealed_until - countsKept_ms, most)
    return added!.taken === most || old!.pruned === most
  })

/**
 * Returns until when lists may count from the tallies. The row is read at most once a minute: an old value is still right,
 * only slower.
 */
export const talliedUntilReader = (db: Db): ((now: Instant) => Instant | Promise<Instant>) => {
  let known: { at: Instant; talliedUntil: Instant } | undefined
  return (now) => {
    if (known !== undefined && now >= known.at && now - known.at < minute_ms) return known.talliedUntil
    return readTallyProgress(db).then(([row]) => {
      known = { at: now, talliedUntil: row!.sealed_until }
      return known.talliedUntil
    })
  }
}
