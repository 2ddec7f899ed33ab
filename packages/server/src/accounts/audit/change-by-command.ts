/**
 * A change made by a command on the machine: with its audit entries in one transaction, and announced to the open
 * dashboards of all nodes after the commit.
 */
import type { Instant } from '../../core/clock.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { payloadsOf } from '../../postgres/notify/notify-payloads.ts'
import type { JoinedDb } from '../../postgres/query/joined.ts'
import { hintPayload, liveChannel, newHint } from '../live/live-hub.ts'
import { notifyOnce } from '../live/live-sql.ts'
import { type Actor, changeWithAudit, type WriteAudit } from './audit.ts'

/** The actor of every command on the machine itself. */
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
  work: (db: JoinedDb, audit: WriteAudit) => Promise<T>,
): Promise<T> => {
  const { result, changes } = await changeWithAudit(db, operator, now, work)
  const hints = changes.flatMap((change) => [
    change,
    ...(change.notice ? [{ ...change, kind: 'notice' as const, id: '' }] : []),
  ])
  const payloads = hints.map((hint) => hintPayload(hint.accountId ?? null, newHint(hint, now)))
  // The change is committed, so the command succeeds even if the hints cannot be sent: a dashboard then shows the change later.
  if (payloads.length > 0) await notifyOnce(db, liveChannel, payloadsOf('command', payloads)).catch(() => {})
  return result
}
