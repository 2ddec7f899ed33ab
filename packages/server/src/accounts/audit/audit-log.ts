/**
 * Reads the audit log, newest first, a page at a time. A reader sees only entries about kinds of objects that they may
 * read. audit.ts writes entries; nothing changes them.
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, firstIdAt, largestId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { ObjectKind } from '../people/visible-kinds.ts'
import {
  auditOfAccount,
  auditOfAction,
  auditOfNoAccount,
  auditOfObject,
  auditOfUser,
  type entryColumns,
  type LogPart,
} from './audit-log-sql.ts'

export type LogEntry = RowOf<typeof entryColumns>

export type AuditQuery = {
  /** The kinds that the reader may see. */
  readonly kinds: readonly ObjectKind[]
  readonly kind: ObjectKind | undefined
  readonly user: string | undefined
  readonly action: string | undefined
  readonly object: string | undefined
  /** Inclusive; `until` exclusive. */
  readonly from: Instant | undefined
  readonly until: Instant | undefined
  /** The id of the last entry of the previous page. */
  readonly after: string | undefined
  readonly size: number
}

const partOf = (query: AuditQuery): LogPart => {
  const bounds = [query.after, query.until === undefined ? undefined : firstIdAt(query.until)]
  return {
    kinds: query.kind === undefined ? query.kinds : query.kinds.filter((kind) => kind === query.kind),
    first: firstIdAt(query.from ?? 0),
    // Ids begin with the time: an earlier entry has a smaller id.
    below: bounds.filter((bound) => bound !== undefined).sort()[0] ?? largestId,
    // One row more than a page shows whether there is another page.
    limit: query.size + 1,
  }
}

const rowsOf = (db: Session, accountId: AccountId | null, query: AuditQuery): Promise<LogEntry[]> => {
  const part = partOf(query)
  const { object, user = null, action = null } = query
  if (accountId === null) return auditOfNoAccount(db, part, object ?? null, user, action)
  if (object !== undefined) return auditOfObject(db, wholeAccount(accountId), part, object, user, action)
  if (user !== null) return auditOfUser(db, wholeAccount(accountId), part, user, action)
  if (action !== null) return auditOfAction(db, wholeAccount(accountId), part, action)
  return auditOfAccount(db, wholeAccount(accountId), part)
}

/** Account null: entries that belong to no single account. */
export const readAudit = async (
  db: Session,
  accountId: AccountId | null,
  query: AuditQuery,
): Promise<{ readonly entries: readonly LogEntry[]; readonly next: string | null }> => {
  const rows = await rowsOf(db, accountId, query)
  const entries = rows.slice(0, query.size)
  return { entries, next: rows.length > query.size ? entries.at(-1)!.id : null }
}
