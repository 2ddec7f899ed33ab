import { whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** Moves the pending entries of the search index into the index. Of two at once the second waits, then finds few left. */
export const flushSearchIndex = statement(
  'settle_search',
  { pages: whole() },
  () => [],
  `select gin_clean_pending_list('intents_search') as pages`,
)
