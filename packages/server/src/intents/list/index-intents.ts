/**
 * Moves new intents from the pending list of the search index into the index. Otherwise one request in some hundreds
 * would do it for all others, and wait for it; and every search reads that list whole.
 */
import type { Db } from '../../postgres/connection/database.ts'
import { flushSearchIndex } from './index-intents-sql.ts'

export const indexIntents = async (db: Db): Promise<void> => {
  await flushSearchIndex(db)
}
