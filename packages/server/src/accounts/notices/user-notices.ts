/**
 * Notices to users about themselves: written in the transaction of the change (write-notices.ts), mailed by any node
 * (work/notify-users.ts), marked as seen by the user. They reach a user who has just lost every account.
 */
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import type { UserId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { UserNotice } from './owner-notice.ts'
import { type listUserNoticeRows, markUserNoticeSentRow, takeUserNoticeRow } from './user-notices-sql.ts'

const taken_ms = 5 * minute_ms

type Row = Omit<Awaited<ReturnType<typeof listUserNoticeRows>>[number], 'seen'>

export const userNoticeOf = (row: Row): UserNotice => ({
  userId: row.user_id,
  id: row.id,
  kind: row.kind,
  facts: JSON.parse(row.facts),
  accountId: row.account_id,
  wasOwner: row.was_owner,
  by: row.by_whom,
  at: row.at,
})

/** `timeZone`: `''`: that of the service. */
export type UnsentUserNotice = UserNotice & { readonly email: string; readonly timeZone: string }

/** The notice that has waited longest. After some minutes another node may take it. */
export const takeUserNotice = async (db: Session, now: Instant): Promise<UnsentUserNotice | undefined> => {
  const [row] = await takeUserNoticeRow(db, now, now + taken_ms)
  return row && { ...userNoticeOf(row), email: row.email, timeZone: row.time_zone }
}

/** The mail server has taken the email, or the user can never receive it. */
export const markUserNoticeSent = async (
  db: Session,
  { userId, id }: { readonly userId: UserId; readonly id: UserNotice['id'] },
  now: Instant,
): Promise<void> => {
  await markUserNoticeSentRow(db, userId, id, now)
}
