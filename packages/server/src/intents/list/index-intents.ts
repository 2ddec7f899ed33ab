/**
 * Brings new intents from the search index's list of late entries into the index itself. Without this, one request in
 * some hundreds would have to do it for all the others, and wait for it; and every search reads that list whole.
 */
import type { Db } from '../../postgres/connection/database.ts'
import { settleSearch } from './index-intents-sql.ts'

export const indexIntents = async (db: Db): Promise<void> => {
  await settleSearch(db)
}
