/**
 * Moves new intents from the pending list of the search index into the index. Otherwise PostgreSQL would do it during one of
 * some hundred requests, which would then be slow. Every search reads the whole pending list, so it must stay short.
 */
import type { Db } from '../../postgres/connection/database.ts'
import { flushSearchIndex } from './index-intents-sql.ts'

export const indexIntents = async (db: Db): Promise<void> => {
  await flushSearchIndex(db)
}
