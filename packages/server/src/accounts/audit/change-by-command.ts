/**
 * A change made on the machine itself, by whoever may read the database anyway: with its entries in the log, in one
 * transaction, and told to those who look at the dashboard of any node once it is committed.
 */
import type { Instant } from '../../core/clock.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { payloadsOf } from '../../postgres/notify/channel-payloads.ts'
import type { Joined } from '../../postgres/query/joined.ts'
import { hintWord, liveChannel, newHint } from '../live/live-hub.ts'
import { ringOnce } from '../live/live-sql.ts'
import { type Actor, changing, type Note } from './audit.ts'

/** Whoever runs a command on the machine itself. */
export const operator: Actor = {
  accountId: null,
  userId: null,
  actor: 'the operator',
  via: 'command',
  address: '',
  agent: '',
}

export const changeByCommand = async <T>(
  db: Db,
  now: Instant,
  work: (db: Joined, note: Note) => Promise<T>,
): Promise<T> => {
  const { result, changes } = await changing(db, operator, now, work)
  const hints = changes.flatMap((one) => [one, ...(one.notice ? [{ ...one, kind: 'notice' as const, id: '' }] : [])])
  const words = hints.map((one) => hintWord(one.accountId ?? null, newHint(one, now)))
  // It is done and committed: that nobody could be told is no reason to say that it failed. Who looks will look again.
  if (words.length > 0) await ringOnce(db, liveChannel, payloadsOf('command', words)).catch(() => {})
  return result
}
