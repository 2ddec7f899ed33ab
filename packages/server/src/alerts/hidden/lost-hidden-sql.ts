import type { AlertId } from '../../core/ids.ts'
import { uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** For a lost master key: the content of one-time codes is gone, as after its seven days. Index: alerts_sealed. */
export const loseCodes = statement(
  'lose_hidden_codes',
  { id: uuid<AlertId>() },
  (limit: number) => [limit],
  `
  update alerts set sealed_text = null
   where id in (select id from alerts where sealed_text is not null and hidden = 'code' limit $1)
  returning id`,
)

/** The same for messages of other senders, which are deleted whole, as after their day. Index: alerts_sealed. */
export const loseStrangers = statement(
  'lose_hidden_strangers',
  { id: uuid<AlertId>() },
  (limit: number) => [limit],
  `
  delete from alerts
   where id in (select id from alerts where sealed_text is not null and hidden = 'stranger' limit $1)
  returning id`,
)
