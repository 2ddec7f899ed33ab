/**
 * Sends the notices of the dashboard (accounts/notices/owner-notices.ts) to owners by email: a phone was paired, an endpoint
 * moved, a key created, an endpoint fails. A notice is sent when the mail server has accepted all its emails; until then any
 * node tries again some minutes later. A notice that is no longer true, or that waited for weeks because no mail was set up,
 * is not sent.
 */

import type { EmailOwners } from '../accounts/notices/email-owners.ts'
import { markNoticeSent, markOwnerEmailed, takeNotices } from '../accounts/notices/owner-notices.ts'
import type { Clock } from '../core/clock.ts'
import { day_ms } from '../core/duration.ts'
import type { UserId } from '../core/ids.ts'
import { sharedZone, type Zone } from '../core/zone.ts'
import type { Session } from '../postgres/connection/database.ts'
import { isStillTrue } from '../webhooks/endpoints/endpoint-notices.ts'
import { noticeEmail } from './notice-email.ts'

/** A notice older than this is not sent: missed events can usually be sent again for about this long. */
export const noticeMaxAge_ms = 30 * day_ms

export type NotifyDeps = {
  readonly db: Session
  readonly clock: Clock
  /** For accounts without a time zone of their own. */
  readonly zone: Zone
  /** The URL of the dashboard. */
  readonly origin: string
  readonly emailOwners: EmailOwners
}

/** Sends the notice that has waited longest. True: there may be another. */
export const notifyOwners = async ({ db, clock, zone, origin, emailOwners }: NotifyDeps): Promise<boolean> => {
  const now = clock.now()
  const [notice] = await takeNotices(db, 1, now)
  if (notice === undefined) return false
  const isCurrent = now - notice.at < noticeMaxAge_ms && (await isStillTrue(db, notice))
  const result = isCurrent
    ? await emailOwners({
        accountId: notice.accountId,
        id: notice.id,
        at: notice.at,
        write: (account, timeZone) => noticeEmail(notice, account, sharedZone(timeZone, zone), origin),
        // A notice about a user: they have one of their own.
        except: notice.objectKind === 'user' ? [...notice.emailed, notice.objectId as UserId] : notice.emailed,
        onSent: (userId) => markOwnerEmailed(db, notice, userId, clock.now()),
      })
    : 'all'
  if (result === 'all') await markNoticeSent(db, notice, clock.now())
  return result !== 'unavailable'
}
