/**
 * Sends users the notices about themselves (accounts/notices/user-notices.ts) by email. As notify-owners.ts: a notice is sent when the
 * mail server has taken its email; until then any node tries again some minutes later, for 30 days at most.
 */
import { markUserNoticeSent, takeUserNotice } from '../accounts/notices/user-notices.ts'
import type { Clock } from '../core/clock.ts'
import type { SendMailNow } from '../core/email.ts'
import { sharedZone, type Zone } from '../core/zone.ts'
import type { Session } from '../postgres/connection/database.ts'
import { userNoticeEmail } from './member-notice-email.ts'
import { noticeMaxAge_ms } from './notify-owners.ts'

export type NotifyUserDeps = {
  readonly db: Session
  readonly clock: Clock
  /** For users without an account, and accounts without a time zone of their own. */
  readonly zone: Zone
  /** The URL of the dashboard. */
  readonly origin: string
  readonly sendNow: SendMailNow
}

/** Sends the notice that has waited longest. True: there may be another. */
export const notifyUsers = async ({ db, clock, zone, origin, sendNow }: NotifyUserDeps): Promise<boolean> => {
  const now = clock.now()
  const notice = await takeUserNotice(db, now)
  if (notice === undefined) return false
  const email = { ...userNoticeEmail(notice, sharedZone(notice.timeZone, zone), origin), to: notice.email }
  const outcome = now - notice.at < noticeMaxAge_ms ? await sendNow({ ...email, id: notice.id }) : 'refused'
  if (outcome === 'unavailable') return false
  if (outcome !== 'later') await markUserNoticeSent(db, notice, clock.now())
  return true
}
