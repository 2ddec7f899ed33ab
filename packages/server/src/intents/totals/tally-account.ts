/**
 * Counts and tallies the intents of an account that has come from another database, up to the time until which this database has tallied
 * (tally-intents.ts). Until the caller's transaction ends, nothing else is tallied.
 */
import type { Instant } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { addIntentHours, addIntentWaits } from './figures-sql.ts'
import { addTallies, anyOpenBefore, countAgain, deleteCounts, lockTallyProgress } from './tally-sql.ts'

/** False: an intent of a tallied hour could still change, because it has a longer window than those here. */
export const tallyAccount = async (session: Session, scope: Scope, now: Instant): Promise<boolean> => {
  const [progress] = await lockTallyProgress(session)
  const until = progress!.sealed_until
  const [left] = await anyOpenBefore(session, scope, until, now)
  if (left!.open) return false
  // The triggers have counted rows that were brought up to date twice.
  await deleteCounts(session, scope)
  await countAgain(session, scope)
  await addTallies(session, 0, until, scope.accountId)
  await addIntentHours(session, 0, until, scope.accountId)
  await addIntentWaits(session, 0, until, scope.accountId)
  return true
}
