/** The nodes that run, with how far their clocks are from the database's. Times here are the database's own. */
import { instant, text, uuid, whole } from '../query/columns.ts'
import { noColumns, statement } from '../query/statement.ts'

export type NodeClock = {
  readonly nodeId: string
  readonly host: string
  readonly offset_ms: number
  readonly error_ms: number
}

/** Stores a node's report, and deletes nodes that ended long ago. Index: primary key; the table has a row for each node of a
 *  day. */
export const storeNodeClock = statement(
  'store_node_clock',
  noColumns,
  (node: NodeClock) => [node.nodeId, node.host, Math.round(node.offset_ms), Math.ceil(node.error_ms)],
  `
  with ended as (
    delete from node_clocks where seen_at < statement_timestamp() - interval '1 day' and node_id <> $1::uuid)
  insert into node_clocks (node_id, host, offset_ms, error_ms, seen_at)
  values ($1::uuid, $2, $3, $4, statement_timestamp())
  on conflict (node_id) do update
     set host = excluded.host, offset_ms = excluded.offset_ms, error_ms = excluded.error_ms, seen_at = excluded.seen_at`,
)

/** A node that stops is listed no longer. Index: primary key. */
export const forgetNodeClock = statement(
  'forget_node_clock',
  noColumns,
  (nodeId: string) => [nodeId],
  `delete from node_clocks where node_id = $1::uuid`,
)

/** The nodes that reported within a minute, the most wrong first, at most 100. */
export const listNodeClocks = statement(
  'list_node_clocks',
  { node_id: uuid(), host: text(), offset_ms: whole(), error_ms: whole(), seen_at: instant() },
  () => [],
  `
  select node_id, host, offset_ms, error_ms, seen_at
    from node_clocks
   where seen_at > statement_timestamp() - interval '1 minute'
   order by abs(offset_ms) desc, node_id
   limit 100`,
)

/**
 * How many connections the database allows to users who are not its administrators, and how many other nodes reported within a minute.
 * Before PostgreSQL 16 there is no `reserved_connections`.
 */
export const connectionRoom = statement(
  'connection_room',
  { allowed: whole(), other_nodes: whole() },
  (nodeId: string) => [nodeId],
  `
  select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
           - coalesce(current_setting('reserved_connections', true), '0')::int as allowed,
         (select count(*)::int from node_clocks
           where seen_at > statement_timestamp() - interval '1 minute' and node_id <> $1::uuid) as other_nodes`,
)
