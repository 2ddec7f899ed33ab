/**
 * Owners are told by mail what the dashboard says of a failing endpoint: before it is disabled, and when it was. A notice
 * that waited for days, because no mail was set up, is old news and told to nobody.
 */
import type { WriteToOwners } from '../accounts/write-to-owners.ts'
import type { Instant } from '../ground/clock.ts'
import type { Zone } from '../ground/zone.ts'
import type { Session } from '../postgres/database.ts'
import { noticeTold, takeNotices } from '../webhooks/endpoint-notices.ts'
import { noticeLetter } from './notice-letter.ts'

const oldNews_ms = 2 * 86_400_000

/** How many notices were dealt with. */
export const tellOwners = async (
  db: Session,
  zone: Zone,
  write: WriteToOwners,
  most: number,
  now: Instant,
): Promise<number> => {
  const notices = await takeNotices(db, most, now)
  for (const notice of notices) {
    if (now - notice.at < oldNews_ms) await write(notice.accountId, (account) => noticeLetter(notice, account, zone))
    await noticeTold(db, notice, now)
  }
  return notices.length
}
