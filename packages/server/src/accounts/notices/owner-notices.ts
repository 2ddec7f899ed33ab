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
import type { NoticeKind, OwnerNotice, UnsentNotice } from './owner-notice.ts'
import {
  findNoticeRow,
  listNoticeRows,
  markNoticeSentRow,
  markNoticesSeen,
  markOwnerEmailedRow,
  takeNoticeRows,
} from './owner-notices-sql.ts'
import { userNoticeOf } from './user-notices.ts'
import { findUserNoticeRow, listUserNoticeRows, markUserNoticesSeen } from './user-notices-sql.ts'

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

/** Who reads notices. `ownerOf`: the account that they own; null: they read only what is about themselves. */
export type NoticeReader = { readonly userId: UserId; readonly ownerOf: Scope | null }

/** `seen`: by whoever reads the list. */
export type ListedNotice = Omit<OwnerNotice, 'accountId' | 'kind'> & {
  readonly kind: NoticeKind
  readonly seen: boolean
}

type OwnRow = Awaited<ReturnType<typeof listUserNoticeRows>>[number]

const listedOwn = (row: OwnRow): ListedNotice => ({
  ...userNoticeOf(row),
  objectKind: 'user',
  objectId: row.user_id,
  seen: row.seen,
})

/** Newest first: ids begin with the time. */
export const noticesFor = async (
  db: Session,
  { userId, ownerOf }: NoticeReader,
  { below = largestId, size, unseen }: { below: string | undefined; readonly size: number; readonly unseen: boolean },
): Promise<ListedNotice[]> => {
  const ofAccount = ownerOf === null ? [] : await listNoticeRows(db, ownerOf, userId, below, size, unseen)
  const own = await listUserNoticeRows(db, userId, below, size, unseen)
  return [...ofAccount.map((row) => ({ ...noticeOf(row), seen: row.seen })), ...own.map(listedOwn)]
    .sort((one, other) => (one.id < other.id ? 1 : -1))
    .slice(0, size)
}

export const findNotice = async (
  db: Session,
  { userId, ownerOf }: NoticeReader,
  id: NoticeId,
): Promise<ListedNotice | undefined> => {
  const [own] = await findUserNoticeRow(db, userId, id)
  if (own !== undefined) return listedOwn(own)
  const [row] = ownerOf === null ? [] : await findNoticeRow(db, ownerOf, userId, id)
  return row && { ...noticeOf(row), seen: row.seen }
}

/** `older`: all older ones too. */
export const setNoticeSeen = async (
  db: Session,
  { userId, ownerOf }: NoticeReader,
  id: NoticeId,
  older: boolean,
  now: Instant,
): Promise<void> => {
  if (ownerOf !== null) await markNoticesSeen(db, ownerOf, userId, id, older)
  await markUserNoticesSeen(db, userId, id, older, now)
}
