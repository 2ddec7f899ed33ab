import type { EndpointId } from '../../core/ids.ts'
import { text, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** A page of addresses that were stored whole, of every account. Read at the start of a node only. Index: webhook_endpoints_id_key. */
export const readWholeUrls = statement(
  'read_whole_urls',
  { id: uuid<EndpointId>(), url: text() },
  (after: string, limit: number) => [after, limit],
  `
  select id, url from webhook_endpoints
   where id > $1 and deleted_at is null and query_sealed is null and position('?' in url) > 0
   order by id limit $2`,
)

/** An address that was changed meanwhile stays as it is. Index: webhook_endpoints_id_key. */
export const sealStoredQueries = statement(
  'seal_stored_queries',
  { id: uuid<EndpointId>() },
  (rows: readonly { id: EndpointId; was: string; url: string; sealed: Buffer }[]) => [
    rows.map(({ id }) => id),
    rows.map(({ was }) => was),
    rows.map(({ url }) => url),
    rows.map(({ sealed }) => sealed),
  ],
  `
  update webhook_endpoints e set url = n.url, query_sealed = n.sealed
    from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[]) as n (id, was, url, sealed)
   where e.id = n.id and e.url = n.was and e.query_sealed is null
  returning e.id`,
)
