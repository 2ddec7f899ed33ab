import { instant, nullable } from '../postgres/query/columns.ts'
import { statement } from '../postgres/query/statement.ts'

/**
 * When the first thing that waits for its time is due: an intent, a checkout or a request ends, a sale can no longer be undone, a
 * lease of a delivery ends. It may be in the past: something waits for more than its time. Reads the first entry of each index.
 * Indexes: intents_due, checkouts_due, limit_requests_due, counter_sales_due, deliveries_leased.
 */
export const nextDue = statement(
  'next_due',
  { at: nullable(instant()) },
  () => [],
  `
  select least(
           (select min(expires_at) from intents where status = 'PENDING'),
           (select min(expires_at) from checkouts where status = 'OPEN'),
           (select min(expires_at) from limit_requests where state = 'open'),
           (select min(due_at) from counter_sales where intent_id is null),
           (select min(lease_until) from deliveries where lease_id is not null)) as at`,
)
