import { bool, nullable, text } from '../query/columns.ts'
import { statement } from '../query/statement.ts'

/** The tables of the schema, without partitions and without tables of extensions. */
export const schemaTables = statement(
  'schema_tables',
  { name: text(), partitioned: bool() },
  () => [],
  `
  select c.relname::text as name, c.relkind = 'p' as partitioned
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     and not exists (select from pg_depend d
                      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
   order by c.relname`,
)

/** The copied columns, in their order, and whether the manifest has their sum. Generated columns are computed again. */
export const columnsOf = statement(
  'columns_of',
  { name: text(), summed: bool() },
  (table: string) => [table],
  `
  select a.attname::text as name, a.atttypid in ('int2'::regtype, 'int4'::regtype, 'int8'::regtype, 'numeric'::regtype) as summed
    from pg_attribute a
   where a.attrelid = format('public.%I', $1::text)::regclass and a.attnum > 0 and not a.attisdropped
     and a.attgenerated = ''
   order by a.attnum`,
)

/** Partitions for a range of time. A migration creates the default partition. */
export const partitionBounds = statement(
  'partition_bounds',
  { name: text(), bounds: text() },
  (table: string) => [table],
  `
  select c.relname::text as name, pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
   where i.inhparent = format('public.%I', $1::text)::regclass and pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT'
   order by c.relname`,
)

export const hasMigrationsTable = statement(
  'has_migrations_table',
  { exists: bool() },
  () => [],
  `select to_regclass('public.migrations') is not null as exists`,
)

export const appliedMigrations = statement(
  'applied_migrations',
  { name: text(), hash: text() },
  () => [],
  `select name, hash from migrations order by name`,
)

export const serverVersion = statement(
  'server_version',
  { version: text() },
  () => [],
  `select current_setting('server_version') as version`,
)

/** Nodes of the service that are connected to this database, by the application names of their connections. */
export const connectedNodes = statement(
  'connected_nodes',
  { application: text() },
  () => [],
  `
  select distinct a.application_name as application
    from pg_stat_activity a
   where a.datname = current_database() and a.pid <> pg_backend_pid()
     and a.application_name in ('sanad', 'sanad shared', 'sanad sender', 'sanad notify')`,
)

/**
 * Constraints that are dropped while rows are loaded, with the definitions to create them again. Checks are included only if they
 * were never validated: older rows may violate them. Partitioned tables keep their constraints. `comment` is quoted for SQL.
 */
export const laterConstraints = statement(
  'later_constraints',
  {
    table: text(),
    name: text(),
    kind: text<'f' | 'p' | 'u' | 'c' | 'x'>(),
    definition: text(),
    comment: nullable(text()),
  },
  () => [],
  `
  select c.relname::text as table, o.conname::text as name, o.contype::text as kind,
         pg_get_constraintdef(o.oid) as definition,
         quote_literal(obj_description(o.oid, 'pg_constraint')) as comment
    from pg_constraint o
    join pg_class c on c.oid = o.conrelid
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
     and (o.contype in ('f', 'p', 'u', 'x') or o.contype = 'c' and not o.convalidated)
   order by o.contype <> 'f', c.relname, o.conname`,
)

/** Indexes that belong to no constraint. */
export const laterIndexes = statement(
  'later_indexes',
  { table: text(), name: text(), definition: text(), comment: nullable(text()) },
  () => [],
  `
  select c.relname::text as table, x.relname::text as name, pg_get_indexdef(i.indexrelid) as definition,
         quote_literal(obj_description(i.indexrelid, 'pg_class')) as comment
    from pg_index i
    join pg_class c on c.oid = i.indrelid
    join pg_class x on x.oid = i.indexrelid
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not c.relispartition
     and not exists (select from pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
   order by c.relname, x.relname`,
)

/** Triggers that write other rows when rows are inserted: the backup has those rows, too. */
export const followingTriggers = statement(
  'following_triggers',
  { table: text(), name: text() },
  () => [],
  `
  select c.relname::text as table, t.tgname::text as name
    from pg_trigger t
    join pg_class c on c.oid = t.tgrelid
   -- Bit 1: before the change; bit 2: on insert.
   where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgtype & 2 = 0 and t.tgtype & 4 <> 0
     and t.tgenabled <> 'D'
   order by c.relname, t.tgname`,
)

/** A name in double quotes; it comes from the catalogue, or from a file whose names were checked. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const list = (names: readonly string[]): string => names.map(quoted).join(', ')

/** Copies a query, because a partitioned table cannot be copied by its name. */
export const copyOut = (table: string, columns: readonly string[]): string =>
  `copy (select ${list(columns)} from public.${quoted(table)}) to stdout`

export const copyIn = (table: string, columns: readonly string[]): string =>
  `copy public.${quoted(table)} (${list(columns)}) from stdin`

/** SQL: the number of rows, then the sum of each of these columns. */
export const totals = (table: string, summed: readonly string[]): string =>
  `select ${['count(*)', ...summed.map((column) => `sum(${quoted(column)})::text`)].join(', ')} from public.${quoted(table)}`

/** SQL: whether the table has a row that the condition `ignored` does not cover. */
export const hasRows = (table: string, ignored: string): string =>
  `select exists (select from public.${quoted(table)} where not (${ignored}))`
