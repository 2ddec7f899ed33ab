import type { AccountId } from '../ground/ids.ts'
import { instant, nullable, text } from '../postgres/columns.ts'
import { statement } from '../postgres/statement.ts'

/** Who made it, and when its reference was attached last. Index: primary key. */
export const originOf = statement(
  'origin_of_intent',
  { created_by: text(), reference_at: nullable(instant()) },
  (accountId: AccountId, id: string) => [accountId, id],
  `select created_by, reference_at from intents where account_id = $1 and id = $2`,
)
