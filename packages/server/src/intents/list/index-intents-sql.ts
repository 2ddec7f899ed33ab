import { whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** Moves the pending entries of the search index into the index. If two run at once, the second waits and finds few left. */
export const flushSearchIndex = statement(
  'flush_search_index',
  { pages: whole() },
  () => [],
  `select gin_clean_pending_list('intents_search') as pages`,
)
