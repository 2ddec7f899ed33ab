/**
 * Notices for owners. A notice is written in the transaction of the change (`changeWithAudit` in audit.ts, pair-phone.ts,
 * record-results.ts) and waits until the mail server has accepted an email for every owner. A worker takes a notice for some
 * minutes: if it dies or no mail can be sent, the next worker takes the notice (work/notify-owners.ts). Each owner whose
 * email was accepted is recorded: after a crash at most one owner gets it twice. Each owner marks the notice as seen.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { largestId, type NoticeId, type UserId } from '../../core/ids.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { OwnerNotice, UnsentNotice } from './owner-notice.ts'
import {
  findNoticeRow,
  listNoticeRows,
  markNoticeSentRow,
  markNoticesSeen,
  markOwnerEmailedRow,
  takeNoticeRows,
} from './owner-notices-sql.ts'

/** Long enough for an owner who was away for weeks. */
export const noticeLife_ms = 90 * day_ms

const taken_ms = 300_000

type Row = Pick<
  Awaited<ReturnType<typeof takeNoticeRows>>[number],
  'account_id' | 'id' | 'kind' | 'object_kind' | 'object_id' | 'by_whom' | 'facts' | 'at'
>

const noticeOf = (row: Row): OwnerNotice => ({
  accountId: row.account_id,
  id: row.id,
  kind: row.kind,
  objectKind: row.object_kind,
  objectId: row.object_id,
  by: row.by_whom,
  facts: JSON.parse(row.facts),
  at: row.at,
})

export const takeNotices = async (db: Session, limit: number, now: Instant): Promise<UnsentNotice[]> =>
  (await takeNoticeRows(db, now, now + taken_ms, limit)).map((row) => ({
    ...noticeOf(row),
    emailed: JSON.parse(row.emailed),
  }))

/** This owner has the email or can never receive it. The worker keeps the notice for another `taken_ms`, for the next owner. */
export const markOwnerEmailed = async (
  db: Session,
  { accountId, id }: UnsentNotice,
  userId: UserId,
  now: Instant,
): Promise<void> => {
  await markOwnerEmailedRow(db, wholeAccount(accountId), id, userId, now + taken_ms)
}

/** Every owner has the email, or it is too late to send it. */
export const markNoticeSent = async (db: Session, { accountId, id }: UnsentNotice, now: Instant): Promise<void> => {
  await markNoticeSentRow(db, wholeAccount(accountId), id, now)
}

/** `seen`: by the owner who reads the list. */
export type ListedNotice = OwnerNotice & { readonly seen: boolean }

/** Newest first. */
export const noticesFor = async (
  db: Session,
  scope: Scope,
  userId: UserId,
  query: { readonly below: string | undefined; readonly size: number; readonly unseen: boolean },
): Promise<ListedNotice[]> => {
  const rows = await listNoticeRows(db, scope, userId, query.below ?? largestId, query.size, query.unseen)
  return rows.map((row) => ({ ...noticeOf(row), seen: row.seen }))
}

export const findNotice = async (
  db: Session,
  scope: Scope,
  userId: UserId,
  id: NoticeId,
): Promise<ListedNotice | undefined> => {
  const [row] = await findNoticeRow(db, scope, userId, id)
  return row && { ...noticeOf(row), seen: row.seen }
}

/** `older`: all older ones too. */
export const setNoticeSeen = async (
  db: Session,
  scope: Scope,
  userId: UserId,
  id: NoticeId,
  older: boolean,
): Promise<void> => {
  await markNoticesSeen(db, scope, userId, id, older)
}
