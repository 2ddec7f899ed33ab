/** Deletes hidden messages whose time is over: the content of one-time codes, and whole messages of unknown senders. */
import type { Instant } from '../../core/clock.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { deleteStrangers, forgetCodes } from './hidden-sql.ts'

/** Deletes at most `most` of each kind. Returns true if there may be more to do. */
export const deleteHidden = async (db: Db, most: number, now: Instant): Promise<boolean> => {
  const codes = await forgetCodes(db, now, most)
  const strangers = await deleteStrangers(db, now, most)
  return codes.length === most || strangers.length === most
}
