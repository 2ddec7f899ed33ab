import type { AlertId } from '../../core/ids.ts'
import { uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** For a lost master key: deletes the sealed content of one-time codes, which no key unseals any more. Index: alerts_sealed. */
export const loseHiddenCodes = statement(
  'lose_hidden_codes',
  { id: uuid<AlertId>() },
  (limit: number) => [limit],
  `
  update alerts set sealed_text = null
   where id in (select id from alerts where sealed_text is not null and hidden = 'code' limit $1)
  returning id`,
)

/** The same for messages of unknown senders, which are deleted as a whole. Index: alerts_sealed. */
export const loseHiddenStrangers = statement(
  'lose_hidden_strangers',
  { id: uuid<AlertId>() },
  (limit: number) => [limit],
  `
  delete from alerts
   where id in (select id from alerts where sealed_text is not null and hidden = 'stranger' limit $1)
  returning id`,
)
