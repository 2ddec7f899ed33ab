import { bool, text, whole } from '../query/columns.ts'
import { statement } from '../query/statement.ts'

/** The cluster, and the database by its number: a replica has the same of both. They name a place, they prove no state. */
const place = `(select system_identifier::text from pg_control_system()) as cluster,
         (select oid::text from pg_database where datname = current_database()) as database`

/**
 * Writes the mark of a node on the primary: the time of its last report in the list of nodes, which replicas show when they have replayed
 * it. Index: primary key. Only the node itself writes its row.
 */
export const markNode = statement(
  'mark_node',
  { mark: text(), cluster: text(), database: text() },
  (nodeId: string, host: string) => [nodeId, host],
  `
  with marked as (
    insert into node_clocks as n (node_id, host, offset_ms, error_ms, seen_at)
    values ($1::uuid, $2, 0, 0, clock_timestamp())
    on conflict (node_id) do update
       set seen_at = greatest(excluded.seen_at, n.seen_at + interval '1 millisecond')
    returning seen_at)
  select seen_at::text as mark, ${place} from marked`,
)

/** Which server this is. It names no table: the database may be another one. */
export const replicaPlace = statement(
  'replica_place',
  { standby: bool(), cluster: text(), database: text() },
  () => [],
  `select pg_is_in_recovery() as standby, ${place}`,
)

/** The last mark of a node that has arrived here; empty: none. Index: primary key. */
export const shownMark = statement(
  'shown_mark',
  { mark: text() },
  (nodeId: string) => [nodeId],
  `select coalesce((select seen_at::text from node_clocks where node_id = $1::uuid), '') as mark`,
)

/** Up to where the WAL is on the primary's disk: every commit that was answered is before it. */
export const primaryPosition = statement(
  'primary_position',
  { position: text() },
  () => [],
  `select pg_current_wal_flush_lsn()::text as position`,
)

/** Which server this is, and whether it has replayed a position. */
export const replicaReached = statement(
  'replica_reached',
  { standby: bool(), cluster: text(), database: text(), reached: bool() },
  (position: string) => [position],
  `
  select pg_is_in_recovery() as standby, ${place},
         coalesce(pg_last_wal_replay_lsn() >= $1::pg_lsn, false) as reached`,
)

/** How many replicas have not written a position of the WAL to their disk. */
export const replicasBehind = statement(
  'replicas_behind',
  { behind: whole() },
  (position: string) => [position],
  `select count(*) as behind from pg_stat_replication where flush_lsn < $1::pg_lsn and application_name <> 'pg_basebackup'`,
)
