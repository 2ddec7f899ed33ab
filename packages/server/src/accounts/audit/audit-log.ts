/**
 * Reads the log of changes, the newest first, a page at a time. Whoever asks sees entries of the kinds of things that they
 * may read at all. Writing it is audit.ts; nobody changes it.
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, firstIdAt } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import {
  auditOfAccount,
  auditOfAction,
  auditOfNoAccount,
  auditOfObject,
  auditOfUser,
  type entryColumns,
  type LogPart,
} from './audit-log-sql.ts'
import type { ThingKind } from './visible-kinds.ts'

export type LogEntry = RowOf<typeof entryColumns>

export type LogQuestion = {
  /** Those that may be seen. */
  readonly kinds: readonly ThingKind[]
  readonly kind: ThingKind | undefined
  readonly user: string | undefined
  readonly action: string | undefined
  readonly object: string | undefined
  /** Inclusive; `until` exclusive. */
  readonly from: Instant | undefined
  readonly until: Instant | undefined
  /** The last entry of the page before. */
  readonly after: string | undefined
  readonly size: number
}

const beyondAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

const partOf = (asked: LogQuestion): LogPart => {
  const bounds = [asked.after, asked.until === undefined ? undefined : firstIdAt(asked.until)]
  return {
    kinds: asked.kind === undefined ? asked.kinds : asked.kinds.filter((kind) => kind === asked.kind),
    first: firstIdAt(asked.from ?? 0),
    // Ids are times: what came before an instant has a smaller id.
    below: bounds.filter((bound) => bound !== undefined).sort()[0] ?? beyondAll,
    // One more than asked for says whether there is another page.
    limit: asked.size + 1,
  }
}

const rowsOf = (db: Db, accountId: AccountId | null, asked: LogQuestion): Promise<LogEntry[]> => {
  const part = partOf(asked)
  const { object, user = null, action = null } = asked
  if (accountId === null) return auditOfNoAccount(db, part, object ?? null, user, action)
  if (object !== undefined) return auditOfObject(db, accountId, part, object, user, action)
  if (user !== null) return auditOfUser(db, accountId, part, user, action)
  if (action !== null) return auditOfAction(db, accountId, part, action)
  return auditOfAccount(db, accountId, part)
}

/** Null: what concerns no single account. */
export const readAudit = async (
  db: Db,
  accountId: AccountId | null,
  asked: LogQuestion,
): Promise<{ readonly entries: readonly LogEntry[]; readonly next: string | null }> => {
  const rows = await rowsOf(db, accountId, asked)
  const entries = rows.slice(0, asked.size)
  return { entries, next: rows.length > asked.size ? entries.at(-1)!.id : null }
}
