/** Deletes what is kept of hidden messages when its time is over: the content of codes, and messages of strangers whole. */
import type { Instant } from '../../core/clock.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { deleteStrangers, forgetCodes } from './hidden-sql.ts'

/** A step of at most `most` of each kind. True: there may be more to do. */
export const forgetHidden = async (db: Db, most: number, now: Instant): Promise<boolean> => {
  const codes = await forgetCodes(db, now, most)
  const strangers = await deleteStrangers(db, now, most)
  return codes.length === most || strangers.length === most
}
