import { whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** Sends payloads from a process that has no channel open (postgres/notify/notifier.ts). Called after the commit of the change. */
export const notifyOnce = statement(
  'notify_once',
  { sent: whole() },
  (channel: string, payloads: readonly string[]) => [channel, payloads],
  `select count(pg_notify($1, payload))::int as sent from unnest($2::text[]) as p (payload)`,
)
