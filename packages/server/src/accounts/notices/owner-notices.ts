/**
 * What owners must be told. A notice is written in the transaction of the fact (`changing` in audit.ts, pair-phone.ts,
 * record-results.ts) and stays until the mail server has taken a letter for every owner. Taking one is a claim for some
 * minutes: a worker that dies, or finds the mail away, leaves it to the next (work/tell-owners.ts). Who has their letter is
 * written down one by one: only who was being written to in the instant of a crash may get the letter twice. In the
 * dashboard each owner marks it as seen for themselves.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, NoticeId, UserId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { OwnerNotice, UntoldNotice } from './owner-notice.ts'
import {
  findNoticeRow,
  listNoticeRows,
  markNoticeTold,
  markOwnerTold,
  markSeen,
  takeNoticeRows,
} from './owner-notices-sql.ts'

/** As long as the entry of the log is of use to somebody who comes back from a journey. */
export const noticeLife_ms = 90 * 86_400_000

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

export const takeNotices = async (db: Session, limit: number, now: Instant): Promise<UntoldNotice[]> =>
  (await takeNoticeRows(db, now, now + taken_ms, limit)).map((row) => ({
    ...noticeOf(row),
    told: JSON.parse(row.told),
  }))

/** One of them was, or takes no letters; there is as much time again for the next. */
export const ownerTold = async (
  db: Session,
  { accountId, id }: UntoldNotice,
  userId: UserId,
  now: Instant,
): Promise<void> => {
  await markOwnerTold(db, accountId, id, userId, now + taken_ms)
}

/** After all were told; or when it is too late to tell anybody. */
export const noticeTold = async (db: Session, { accountId, id }: UntoldNotice, now: Instant): Promise<void> => {
  await markNoticeTold(db, accountId, id, now)
}

/** `seen`: by the owner who asks. */
export type ListedNotice = OwnerNotice & { readonly seen: boolean }

const beyondAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The newest first. */
export const noticesFor = async (
  db: Session,
  accountId: AccountId,
  userId: UserId,
  asked: { readonly below: string | undefined; readonly size: number; readonly unseen: boolean },
): Promise<ListedNotice[]> => {
  const rows = await listNoticeRows(db, accountId, userId, asked.below ?? beyondAll, asked.size, asked.unseen)
  return rows.map((row) => ({ ...noticeOf(row), seen: row.seen }))
}

export const findNotice = async (
  db: Session,
  accountId: AccountId,
  userId: UserId,
  id: NoticeId,
): Promise<ListedNotice | undefined> => {
  const [row] = await findNoticeRow(db, accountId, userId, id)
  return row && { ...noticeOf(row), seen: row.seen }
}

/** `older`: all that are older as well. */
export const seeNotice = async (
  db: Session,
  accountId: AccountId,
  userId: UserId,
  id: NoticeId,
  older: boolean,
): Promise<void> => {
  await markSeen(db, accountId, userId, id, older)
}
