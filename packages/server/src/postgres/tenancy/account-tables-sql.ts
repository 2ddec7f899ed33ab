import { bool, text, whole } from '../query/columns.ts'
import { statement } from '../query/statement.ts'

/** The tables that store rows, partitions included, and whether they name an account. */
export const storedTables = statement(
  'stored_tables',
  { name: text(), of_account: bool() },
  () => [],
  `
  select c.relname::text as name,
         exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'account_id' and not a.attisdropped) as of_account
    from pg_class c
   where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
   order by c.relname`,
)

/** Which table refers to which, by which columns. `follows`: if a row of the parent is deleted, those of the child are deleted or changed. */
export const tableReferences = statement(
  'table_references',
  { child: text(), parent: text(), columns: whole(), child_column: text(), parent_column: text(), follows: bool() },
  () => [],
  `
  select o.conrelid::regclass::text as child, o.confrelid::regclass::text as parent, cardinality(o.conkey) as columns,
         (select a.attname::text from pg_attribute a where a.attrelid = o.conrelid and a.attnum = o.conkey[1]) as child_column,
         (select a.attname::text from pg_attribute a where a.attrelid = o.confrelid and a.attnum = o.confkey[1]) as parent_column,
         o.confdeltype in ('c', 'n', 'd') as follows
    from pg_constraint o
   where o.contype = 'f' and o.connamespace = 'public'::regnamespace
   order by 1, 2, o.conname`,
)

/** The columns of a table in their order, with their types; generated ones are left out. `key_place`: their place in the primary key,
 *  from 1; 0: they are no part of it. */
export const tableColumns = statement(
  'table_columns',
  { name: text(), type: text(), key_place: whole() },
  (table: string) => [table],
  `
  select a.attname::text as name, format_type(a.atttypid, null) as type,
         coalesce((select array_position(o.conkey, a.attnum) from pg_constraint o
                    where o.conrelid = a.attrelid and o.contype = 'p'), 0) as key_place
    from pg_attribute a
   where a.attrelid = format('public.%I', $1::text)::regclass and a.attnum > 0 and not a.attisdropped
     and a.attgenerated = ''
   order by a.attnum`,
)
