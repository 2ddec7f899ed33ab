/**
 * Owners are told by letter what the dashboard tells them (accounts/notices/owner-notices.ts): that a phone was paired, an endpoint
 * moved, a key made; that an endpoint fails. A letter counts when the mail server has taken it; until then its notice waits
 * and is tried again some minutes later, by whichever node comes first. What is no longer so, or waited for weeks because no
 * mail was set up, is told to nobody.
 */

import type { WriteToOwners } from '../accounts/notices/email-owners.ts'
import { noticeTold, ownerTold, takeNotices } from '../accounts/notices/owner-notices.ts'
import type { Clock } from '../core/clock.ts'
import type { Zone } from '../core/zone.ts'
import type { Session } from '../postgres/connection/database.ts'
import { isStillSo } from '../webhooks/endpoints/endpoint-notices.ts'
import { noticeLetter } from './notice-letter.ts'

/** As long as what an endpoint missed can be sent again, usually: until then the letter says what can be done. */
const oldNews_ms = 30 * 86_400_000

export type TellingDeps = {
  readonly db: Session
  readonly clock: Clock
  readonly zone: Zone
  /** Where the dashboard is. */
  readonly origin: string
  readonly write: WriteToOwners
}

/** Deals with the notice that has waited longest. True: there may be another. */
export const tellOwners = async ({ db, clock, zone, origin, write }: TellingDeps): Promise<boolean> => {
  const now = clock.now()
  const [notice] = await takeNotices(db, 1, now)
  if (notice === undefined) return false
  const isNews = now - notice.at < oldNews_ms && (await isStillSo(db, notice))
  const told = isNews
    ? await write({
        accountId: notice.accountId,
        id: notice.id,
        write: (account) => noticeLetter(notice, account, zone, origin),
        except: notice.told,
        done: (userId) => ownerTold(db, notice, userId, clock.now()),
      })
    : 'all'
  if (told === 'all') await noticeTold(db, notice, clock.now())
  return told !== 'away'
}
